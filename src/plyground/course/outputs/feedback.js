"use strict";
// Replays the games and shows the questions of a grading. Every move says which drawn piece it lays and which it lifts,
// so nothing here knows a rule. Names and texts are only ever set as text, never as markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const board = byId("board");
  let entry = null;
  let ply = 0;

  const draw = () => {
    const pieces = new Map();
    for (const [, laid, lifted] of entry.moves.slice(0, ply).map((move) => data.moves[move])) {
      if (lifted !== null) pieces.delete(lifted);
      pieces.set(laid, data.pieces[laid]);
    }
    const end = ply === entry.moves.length;
    board.querySelector(".pg-pieces").innerHTML = [...pieces.values()].join("") + (end ? entry.ghosts : "");
    board.querySelector(".pg-marks").innerHTML = (ply ? data.moves[entry.moves[ply - 1]][3] : "") + (end ? entry.marks : "");
    const note = entry.notes[ply] ?? "";
    byId("at").textContent = `${ply} of ${entry.moves.length}${ply ? ` · ${data.moves[entry.moves[ply - 1]][0]}` : ""}`;
    byId("note").textContent = note;
  };

  const go = (to) => {
    ply = Math.max(0, Math.min(entry.moves.length, to));
    draw();
  };

  const show = (key, scroll) => {
    const found = data.entries.find((each) => each.key === key);
    if (!found) return;
    entry = found;
    byId("viewer").hidden = false;
    byId("title").textContent = entry.title;
    byId("command").textContent = entry.command;
    for (const button of byId("list").children) button.setAttribute("aria-current", String(button.dataset.key === key));
    go(entry.at ?? entry.moves.length);
    history.replaceState(null, "", `#${key}`);
    if (scroll) byId("viewer").scrollIntoView({ block: "start" });
  };

  const list = () => {
    const [wanted, kind] = [byId("criterion").value, byId("kind").value];
    const fits = data.entries.filter((each) => (!wanted || each.criterion === wanted) && (kind !== "missed" || each.missed));
    byId("list").replaceChildren(...fits.map((each) => {
      const button = document.createElement("button");
      const [name, tag] = [document.createElement("span"), document.createElement("span")];
      button.type = "button";
      button.dataset.key = each.key;
      button.setAttribute("aria-current", String(each === entry));
      name.textContent = each.title;
      tag.textContent = each.result;
      tag.className = `tag ${each.tone}`;
      button.append(name, tag);
      button.addEventListener("click", () => show(each.key, innerWidth < 1000));
      return button;
    }));
    byId("found").textContent = `${fits.length} of ${data.entries.length}`;
  };

  const steps = { first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => entry.moves.length };
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => go(steps[button.dataset.go]()));
  }
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!entry || !step || event.target.tagName === "SELECT") return;
    event.preventDefault();
    go(steps[step]());
  });
  for (const link of document.querySelectorAll("a[data-entry]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      show(link.dataset.entry, true);
    });
  }
  for (const id of ["criterion", "kind"]) byId(id).addEventListener("change", list);
  document.querySelector(".needs-script").hidden = false;
  const named = location.hash.slice(1);
  const first = data.entries.find((each) => each.key === named) ?? data.entries.find((each) => each.missed) ?? data.entries[0];
  if (first) show(first.key, Boolean(named) && first.key === named);
  list();
})();
