"use strict";
// Replays games that were prepared elsewhere: every move says which drawn piece it lays and which it lifts,
// so nothing here knows a rule. Names and texts are only ever set as text, never as markup.
(() => {
  const SHOWN = 300; // rows in the list at once; the search finds the rest
  const SURE = { win: 1, draw: 0, loss: -1 };
  const data = JSON.parse(document.getElementById("data").textContent);
  const games = data.games.map(([id, first, second, result, ending, moves, scores, seconds, won, why]) => ({
    id, first: data.texts[first], second: data.texts[second], result, ending: data.texts[ending],
    moves: moves.map((move) => data.moves[move]), scores, seconds, won, why,
  }));
  const byId = (id) => document.getElementById(id);
  const viewer = document.querySelector(".viewer");
  let game = null;
  let ply = 0;

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  const list = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (one) => {
      const text = `${one.id} ${one.first} ${one.second} ${one.result} ${one.ending}`.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    const found = games.filter(fits);
    byId("list").replaceChildren(...found.slice(0, SHOWN).map((one) => {
      const row = document.createElement("tr");
      const cell = document.createElement("td");
      cell.append(element("button", one.id, { type: "button" }));
      row.append(cell, ...[one.first, one.second, one.result, one.ending].map((text) => element("td", text, { title: text })));
      row.append(element("td", String(one.moves.length), { class: "right" }));
      row.setAttribute("aria-selected", String(one === game));
      row.addEventListener("click", () => show(one, one.moves.length));
      return row;
    }));
    const more = found.length > SHOWN ? `, the first ${SHOWN} shown` : "";
    byId("found").textContent = `${found.length} of ${games.length} games${more}`;
  };

  const draw = () => {
    const pieces = new Map();
    for (const [, laid, lifted] of game.moves.slice(0, ply)) {
      if (lifted !== null) pieces.delete(lifted);
      pieces.set(laid, data.pieces[laid]);
    }
    const board = byId("board");
    board.querySelector(".pg-pieces").innerHTML = [...pieces.values()].join("");
    const last = ply ? game.moves[ply - 1][3] : "";
    board.querySelector(".pg-marks").innerHTML = last + (ply === game.moves.length ? game.won : "");
  };

  // How good the first player stands, from -1 to 1, as the mover saw it; null where nothing was noted.
  const standing = (index, unit) => {
    const score = game.scores[index];
    if (score === null) return null;
    const value = score.result ? SURE[score.result] : score / (Math.abs(score) + unit);
    return index % 2 ? -value : value;
  };

  const curve = () => {
    const small = game.scores.filter((score) => typeof score === "number").map(Math.abs).sort((a, b) => a - b);
    const unit = 2 * (small[small.length >> 1] || 1);
    const x = (index) => 10 + (380 * (index + 1)) / Math.max(1, game.moves.length);
    const points = [];
    game.scores.forEach((_, index) => {
      const value = standing(index, unit);
      if (value !== null) points.push([x(index), 55 - 48 * value]);
    });
    const svg = byId("curve");
    const made = (name, attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      return node;
    };
    svg.replaceChildren(
      svg.querySelector("title"),
      made("line", { class: "grid", x1: 10, x2: 390, y1: 55, y2: 55, stroke: "currentColor" }),
      made("polyline", { points: points.map((point) => point.join(",")).join(" "), fill: "none", stroke: "#3b82d6", "stroke-width": 2 }),
      made("line", { x1: x(ply - 1), x2: x(ply - 1), y1: 2, y2: 108, stroke: "#e0912a", "stroke-width": 2 }),
    );
  };

  const inWords = (score) => {
    if (!score.result) return `evaluation ${score > 0 ? "+" : ""}${score}`;
    return score.result === "draw" ? "draw" : `${score.result} in ${score.at_most ? "at most " : ""}${score.plies}`;
  };

  const describe = () => {
    const index = ply - 1;
    const notes = [];
    if (index >= 0) {
      notes.push(`${index % 2 ? game.second : game.first} played ${game.moves[index][0]}`);
      if (game.seconds[index] !== null) notes.push(`${game.seconds[index]} s`);
      if (game.scores[index] !== null) notes.push(inWords(game.scores[index]));
    }
    if (ply === game.moves.length) notes.push(`${game.result}, ${game.ending}${game.why ? `: ${game.why}` : ""}`);
    byId("at").textContent = `${ply}/${game.moves.length} ${notes.join(" · ")}`;
  };

  const go = (to) => {
    ply = Math.max(0, Math.min(game.moves.length, to));
    draw();
    curve();
    describe();
    [...byId("moves").querySelectorAll("button")].forEach((button, index) => {
      button.setAttribute("aria-current", String(index === ply - 1));
    });
    history.replaceState(null, "", `#${encodeURIComponent(game.id)}/${ply}`);
  };

  const show = (one, at) => {
    game = one;
    viewer.hidden = false;
    byId("title").textContent = `${one.id}: ${one.first} – ${one.second}, ${one.result}`;
    byId("moves").replaceChildren(...one.moves.map(([text], index) => {
      const item = document.createElement("li");
      const button = element("button", `${index + 1}. ${text}`, { type: "button" });
      button.addEventListener("click", () => go(index + 1));
      item.append(button);
      return item;
    }));
    go(at);
    list();
  };

  const steps = { first: () => 0, back: () => ply - 1, next: () => ply + 1, last: () => game.moves.length };
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => go(steps[button.dataset.go]()));
  }
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" }[event.key];
    if (!game || !step || event.target.tagName === "INPUT") return;
    event.preventDefault();
    go(steps[step]());
  });
  byId("curve").addEventListener("click", (event) => {
    const box = byId("curve").getBoundingClientRect();
    go(Math.round((((event.clientX - box.left) / box.width) * 400 - 10) / 380 * game.moves.length));
  });
  byId("search").addEventListener("input", list);
  const [id, at] = decodeURIComponent(location.hash.slice(1)).split("/");
  const linked = games.find((one) => one.id === id);
  list();
  if (linked) show(linked, Number(at));
  else if (games.length) show(games[games.length - 1], games[games.length - 1].moves.length);
})();
