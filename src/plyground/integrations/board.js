// The board of a notebook: it shows the picture that Python draws, and sends Python the move that is clicked. It knows no
// rules: Python says which moves a click on each cell means.

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function button(label, act) {
  const made = element("button", { type: "button" }, label);
  made.addEventListener("click", act);
  return made;
}

/** A transparent cell above everything that is drawn, to be clicked, tapped or reached by the keyboard. */
function hit([x, y, width, height], label, act) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ x, y, width, height })) made.setAttribute(key, value);
  made.setAttribute("class", "pg-hit");
  made.setAttribute("tabindex", "0");
  made.setAttribute("role", "button");
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  });
  return made;
}

const STYLE = `
.pg-widget .pg-hit{fill:transparent;cursor:pointer}
.pg-widget .pg-hit:hover,.pg-widget .pg-hit:focus-visible{fill:var(--pg-ink);fill-opacity:.12;outline:none}
.pg-widget button{margin:2px;padding:4px 10px;font:inherit}
.pg-widget p{margin:6px 0}
`;

function render({ model, el }) {
  const board = element("div", { class: "pg-widget-board" });
  const note = element("p", { role: "status" });
  const choices = element("p", { class: "pg-widget-choices" });
  const undo = button("Undo", () => model.send({ kind: "undo" }));
  const again = button("New game", () => model.send({ kind: "again" }));
  const style = element("style", {}, STYLE);
  el.append(element("div", { class: "pg-widget" }, style, board, choices, note, element("p", {}, undo, again)));

  function play(text) {
    note.textContent = model.get("view").waiting;
    choices.replaceChildren();
    model.send({ kind: "move", text });
  }

  function choose(moves) {
    if (moves.length === 1) play(moves[0]);
    else choices.replaceChildren(...moves.map((text) => button(text, () => play(text))));
  }

  function show() {
    const view = model.get("view");
    board.innerHTML = view.svg;
    choices.replaceChildren();
    note.textContent = view.note;
    undo.disabled = !view.undo;
    const svg = board.querySelector("svg");
    for (const { name, box, moves } of view.cells) {
      if (moves.length) svg.append(hit(box, moves.length === 1 ? `play ${moves[0]}` : name, () => choose(moves)));
    }
  }

  model.on("change:view", show);
  show();
  return () => model.off("change:view", show);
}

export default { render };
