// A board of any game as an SVG: it draws what the server sends and knows no rules.
// A click, a tap or Enter on a cell means the moves that have it among their hot cells.

import { announce, draw, make } from "./dom.js";
import { texts } from "./texts.js";

const CELL = 40;
const EDGE = 26;
const LARGEST = 1.9; // pixels a unit: a board of few cells is no wall

export class Board {
  constructor(view, { onmove = null, flipped = false } = {}) {
    this.view = view;
    this.onmove = onmove;
    this.flipped = flipped;
    this.position = null;
    this.lifted = null;
    this.choice = null;
    this.focused = 0;
    this.overlays = {};
    const width = view.columns * CELL + 2 * EDGE;
    const height = view.rows * CELL + 2 * EDGE;
    this.svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: view.columns > 9 ? "board wide" : "board", role: "group", "aria-label": view.game });
    this.svg.append(draw("g", { class: "labels", "aria-hidden": "true" }, ...this.labels()));
    this.cells = view.cells.map((cell, index) => this.makeCell(cell, index));
    this.svg.append(draw("g", { class: "cells" }, ...this.cells));
    this.under = this.svg.appendChild(draw("g", { class: "under", "aria-hidden": "true" }));
    this.pieces = this.svg.appendChild(draw("g", { class: "pieces", "aria-hidden": "true" }));
    this.over = this.svg.appendChild(draw("g", { class: "over", "aria-hidden": "true" }));
    this.svg.addEventListener("keydown", (event) => this.key(event));
    this.note = make("p", { class: "note", role: "status" });
    this.chooser = make("div", { class: view.turns ? "chooser turns" : "chooser" });
    this.text = make("pre", { class: "textboard" });
    this.element = make(
      "div",
      { class: "boardbox" },
      this.svg,
      this.chooser,
      this.note,
      make("details", {}, make("summary", {}, texts.game.textBoard), this.text),
    );
    this.svg.style.setProperty("aspect-ratio", `${width} / ${height}`);
    this.svg.style.setProperty("max-width", `${LARGEST * width}px`);
  }

  x(cell) {
    return EDGE + (cell.column - 0.5) * CELL;
  }

  y(cell) {
    return EDGE + (this.view.rows - cell.row + 0.5) * CELL;
  }

  labels() {
    const made = [];
    for (let column = 1; column <= this.view.columns; column++) {
      const name = this.view.columns_named_by_number ? String(column) : String.fromCharCode(64 + column);
      made.push(draw("text", { x: EDGE + (column - 0.5) * CELL, y: EDGE + this.view.rows * CELL + 17 }, name));
    }
    for (let row = 1; row <= this.view.rows; row++) {
      made.push(draw("text", { x: EDGE / 2, y: EDGE + (this.view.rows - row + 0.5) * CELL + 4 }, String(row)));
    }
    return made;
  }

  makeCell(cell, index) {
    const group = draw("g", { class: "cell", role: "button", tabindex: index ? -1 : 0, "data-cell": cell.name });
    group.append(
      draw("rect", { x: this.x(cell) - CELL / 2 + 1, y: this.y(cell) - CELL / 2 + 1, width: CELL - 2, height: CELL - 2, rx: 4 }),
    );
    group.addEventListener("click", () => this.choose(index));
    group.addEventListener("pointerenter", () => this.hover(index));
    group.addEventListener("pointerleave", () => this.hover(null));
    group.addEventListener("focus", () => {
      this.focus(index, false);
      this.hover(index);
    });
    return group;
  }

  // ---------------------------------------------------------- drawing

  update(position, overlays = {}) {
    this.position = position;
    this.overlays = overlays;
    this.lifted = null;
    this.choice = null;
    this.redraw();
  }

  redraw() {
    const { position } = this;
    if (!position) return;
    const winning = new Set(position.outcome?.cells ?? []);
    const last = new Set(position.last);
    const playable = new Set(this.playable() ? this.offered().flatMap((move) => this.hot(move)) : []);
    const liftable = new Set(this.playable() && position.lift && !this.lifted ? position.moves.flatMap((move) => move.lift) : []);
    this.standing = new Map();
    for (const piece of position.pieces) piece.cells.forEach((cell, i) => this.standing.set(cell, piece.kinds[i]));
    this.cells.forEach((group, index) => {
      const kinds = this.standing.get(index);
      const can = playable.has(index) || liftable.has(index);
      group.setAttribute("class", `cell${can ? " can" : ""}${winning.has(index) ? " winning" : ""}${last.has(index) ? " last" : ""}`);
      const words = [this.view.cells[index].name, kinds ? this.kindWords(kinds) : texts.cell.empty];
      if (last.has(index)) words.push(texts.cell.last);
      if (winning.has(index)) words.push(texts.cell.winning);
      if (can) words.push(texts.cell.legal);
      group.setAttribute("aria-label", words.join(", "));
    });
    const lifted = new Set(this.lifted ?? []);
    this.pieces.replaceChildren(
      ...position.pieces.map((piece) => {
        const marks = [piece.cells.some((cell) => lifted.has(cell)) && "lifted", piece.cells.every((cell) => liftable.has(cell)) && "liftable"];
        return this.drawPiece(piece, ["piece", ...marks.filter(Boolean)].join(" "));
      }),
    );
    this.under.replaceChildren(...this.drawShades(this.overlays), ...this.drawPairs(this.overlays));
    this.over.replaceChildren(...this.drawPatterns(this.overlays), ...this.marks(last, winning), ...this.drawNumbers(this.overlays));
    this.text.textContent = this.asText();
    this.showChooser();
  }

  kindWords(kinds) {
    return kinds.map((layer) => this.layerWord(layer)).join(" ");
  }

  layerWord(layer) {
    const style = this.view.layers[layer];
    return style.role === "disc" ? this.view.sides[style.index] : style.name;
  }

  drawPiece(piece, name) {
    const group = draw("g", { class: name });
    const roles = piece.kinds[0].map((layer) => this.view.layers[layer].role);
    if (roles.includes("disc")) {
      piece.cells.forEach((index, i) => {
        const cell = this.view.cells[index];
        const side = this.view.layers[piece.kinds[i][0]].index;
        group.append(...this.disc(this.x(cell), this.y(cell), side));
      });
      return group;
    }
    piece.cells.forEach((index, i) => {
      const cell = this.view.cells[index];
      for (const layer of piece.kinds[i]) {
        const style = this.view.layers[layer];
        if (style.role === "ground") {
          group.append(
            draw("rect", { class: `ground g${style.index}`, x: this.x(cell) - CELL / 2 + 1.5, y: this.y(cell) - CELL / 2 + 1.5, width: CELL - 3, height: CELL - 3, rx: 3 }),
          );
        } else group.append(draw("circle", { class: `mark m${style.index} on${this.groundOf(piece.kinds[i])}`, cx: this.x(cell), cy: this.y(cell), r: 8 }));
      }
    });
    const xs = piece.cells.map((index) => this.x(this.view.cells[index]));
    const ys = piece.cells.map((index) => this.y(this.view.cells[index]));
    group.append(
      draw("rect", {
        class: "outline",
        x: Math.min(...xs) - CELL / 2 + 1.5,
        y: Math.min(...ys) - CELL / 2 + 1.5,
        width: Math.max(...xs) - Math.min(...xs) + CELL - 3,
        height: Math.max(...ys) - Math.min(...ys) + CELL - 3,
        rx: 5,
      }),
    );
    return group;
  }

  groundOf(kinds) {
    return kinds.map((layer) => this.view.layers[layer]).find((style) => style.role === "ground")?.index ?? 0;
  }

  // The first side's discs carry a cross, the second's a ring, so that they differ without their colours.
  disc(x, y, side) {
    const made = [draw("circle", { class: `disc s${side}`, cx: x, cy: y, r: CELL * 0.4 })];
    if (side === 0) made.push(draw("path", { class: "sign", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` }));
    else made.push(draw("circle", { class: "sign", cx: x, cy: y, r: 7 }));
    return made;
  }

  marks(last, winning) {
    const made = [];
    for (const index of winning) {
      const cell = this.view.cells[index];
      made.push(draw("rect", { class: "win", x: this.x(cell) - CELL / 2 + 2, y: this.y(cell) - CELL / 2 + 2, width: CELL - 4, height: CELL - 4, rx: 5 }));
    }
    for (const index of last) {
      const cell = this.view.cells[index];
      made.push(draw("circle", { class: "lastdot", cx: this.x(cell) + CELL * 0.33, cy: this.y(cell) - CELL * 0.33, r: 4 }));
    }
    return made;
  }

  drawShades({ shade = {} }) {
    return Object.entries(shade).map(([index, strength]) => {
      const cell = this.view.cells[index];
      const name = strength < 0 ? "bad" : "good";
      return draw("rect", { class: `shade ${name}`, "fill-opacity": Math.min(1, Math.abs(strength)).toFixed(2), x: this.x(cell) - CELL / 2 + 1, y: this.y(cell) - CELL / 2 + 1, width: CELL - 2, height: CELL - 2, rx: 4 });
    });
  }

  // Below the pieces, as a pair's cells are empty and its line may run through others.
  drawPairs({ pairs = [] }) {
    return pairs.map((pair) => this.polyline(pair, "pair"));
  }

  drawPatterns({ patterns = [] }) {
    const made = [];
    for (const { cells, poles = [], kind } of patterns) {
      made.push(draw("path", { class: `pattern ${kind}`, d: this.links(cells) }));
      for (const pole of poles) {
        const cell = this.view.cells[pole];
        const d = `M${this.x(cell)} ${this.y(cell) - 15}l15 15l-15 15l-15 -15z`;
        made.push(draw("path", { class: "pole halo", d }), draw("path", { class: `pole ${kind}`, d }));
      }
    }
    return made;
  }

  // Strokes between the cells of a pattern that touch: side by side, or corner to corner where none lie side by side.
  links(cells) {
    const placed = cells.map((index) => this.view.cells[index]);
    const touching = (corners) =>
      placed.flatMap((a, i) =>
        placed.slice(i + 1).flatMap((b) => {
          const [across, up] = [Math.abs(a.column - b.column), Math.abs(a.row - b.row)];
          return Math.max(across, up) === 1 && (corners || across + up === 1) ? [`M${this.x(a)} ${this.y(a)}L${this.x(b)} ${this.y(b)}`] : [];
        }),
      );
    const straight = touching(false);
    return (straight.length ? straight : touching(true)).join("");
  }

  polyline(cells, name) {
    const points = cells.map((index) => `${this.x(this.view.cells[index])},${this.y(this.view.cells[index])}`);
    return draw("polyline", { class: name, points: points.join(" ") });
  }

  drawNumbers({ numbers = {}, ghosts = [] }) {
    const made = Object.entries(numbers).map(([index, text]) => {
      const cell = this.view.cells[index];
      return draw("text", { class: "number", x: this.x(cell), y: this.y(cell) + 4 }, text);
    });
    ghosts.forEach((ghost, i) => {
      const group = this.drawPiece(ghost, ghosts.length > 1 ? "piece ghost numbered" : "piece ghost");
      const cell = this.view.cells[ghost.cells[0]];
      if (ghosts.length > 1) group.append(draw("text", { class: "ghostnumber", x: this.x(cell), y: this.y(cell) + 5 }, String(i + 1)));
      made.push(group);
    });
    return made;
  }

  asText() {
    const rows = [];
    for (let row = this.view.rows; row >= 1; row--) {
      let line = String(row).padStart(2) + " ";
      for (let column = 1; column <= this.view.columns; column++) {
        const index = this.view.cells.findIndex((cell) => cell.column === column && cell.row === row);
        const kinds = index < 0 ? null : this.standing.get(index);
        const word = index < 0 ? " " : kinds ? kinds.map((layer) => this.layerWord(layer)[0]).join("") : ".";
        line += word.padEnd(this.view.layers.length > 2 ? 3 : 2);
      }
      rows.push(line);
    }
    const names = [];
    for (let column = 1; column <= this.view.columns; column++) {
      names.push((this.view.columns_named_by_number ? String(column) : String.fromCharCode(64 + column)).padEnd(this.view.layers.length > 2 ? 3 : 2));
    }
    return `${rows.join("\n")}\n   ${names.join("")}`;
  }

  // ---------------------------------------------------------- choosing

  hot(move) {
    return move.hot ?? move.cells;
  }

  // Whether somebody may move here, and the legal moves have been sent.
  playable() {
    return Boolean(this.onmove && this.position?.moves);
  }

  // The moves one may still mean: all, or those of the card that was lifted.
  offered() {
    if (!this.position.lift) return this.position.moves;
    if (!this.lifted) return [];
    const key = String(this.lifted);
    return this.position.moves.filter((move) => String(move.lift) === key);
  }

  choose(index) {
    if (!this.playable()) return;
    const meant = this.offered().filter((move) => this.hot(move).includes(index));
    if (this.position.lift && (!this.lifted || !meant.length)) {
      const liftable = this.position.moves.find((move) => move.lift.includes(index));
      if (!liftable && !this.lifted) return this.say(texts.game.lift);
      if (liftable) {
        this.lifted = liftable.lift;
        this.choice = null;
        this.redraw();
        return this.say(texts.game.lifted);
      }
    }
    if (!meant.length) return;
    if (meant.length === 1 && !this.position.lift) return this.play(meant[0]);
    const named = meant.filter((move) => move.cells[0] === index);
    const ways = [...named, ...meant.filter((move) => move.cells[0] !== index)];
    const turning = this.choice?.index === index;
    this.choice = { index, ways, at: turning ? (this.choice.at + 1) % ways.length : 0 };
    this.preview();
  }

  turn(step = 1) {
    if (!this.choice) return;
    const { ways } = this.choice;
    this.choice.at = (this.choice.at + step + ways.length) % ways.length;
    this.preview();
  }

  preview() {
    const { ways, at } = this.choice;
    this.redraw();
    this.over.append(this.drawPiece(ways[at], "piece preview"));
    this.say(texts.game.previewing(ways[at].move, at + 1, ways.length));
  }

  hover(index) {
    if (this.choice || !this.playable()) return;
    this.over.querySelectorAll(".hover").forEach((element) => element.remove());
    if (index === null) return;
    const meant = this.offered().filter((move) => this.hot(move).includes(index));
    if (meant.length) this.over.append(this.drawPiece(meant.find((move) => move.cells[0] === index) ?? meant[0], "piece hover"));
  }

  showChooser() {
    const active = Boolean(this.choice || this.lifted);
    this.chooser.replaceChildren(
      ...(this.choice
        ? [
            make("button", { type: "button", class: "turn", onclick: () => this.turn() }, texts.game.turnCard),
            make("button", { type: "button", class: "primary lay", onclick: () => this.play(this.choice.ways[this.choice.at]) }, texts.game.layCard),
          ]
        : []),
      ...(active ? [make("button", { type: "button", class: "cancel", onclick: () => this.cancel() }, texts.game.cancel)] : []),
    );
  }

  play(move) {
    this.choice = null;
    this.lifted = null;
    this.note.textContent = "";
    this.onmove(move.move);
  }

  cancel() {
    this.choice = null;
    this.lifted = null;
    this.note.textContent = "";
    this.redraw();
  }

  say(text) {
    this.note.textContent = text;
    announce(text);
  }

  // ---------------------------------------------------------- keyboard

  key(event) {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key in steps) this.walk(...steps[event.key]);
    else if (event.key === "Enter" && this.choice) this.play(this.choice.ways[this.choice.at]);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.focused);
    else if (event.key === "r" || event.key === "t") this.turn();
    else if (event.key === "Escape") this.cancel();
    else return;
    event.preventDefault();
  }

  walk(across, up) {
    const { column, row } = this.view.cells[this.focused];
    for (let step = 1; step <= Math.max(this.view.columns, this.view.rows); step++) {
      const found = this.view.cells.findIndex((cell) => cell.column === column + across * step && cell.row === row + up * step);
      if (found >= 0) return this.focus(found, true);
    }
    if (up) {
      // A slanted outline has no cell straight above: take the nearest one of that row.
      const near = this.view.cells
        .map((cell, index) => ({ cell, index }))
        .filter(({ cell }) => cell.row === row + up)
        .sort((a, b) => Math.abs(a.cell.column - column) - Math.abs(b.cell.column - column))[0];
      if (near) this.focus(near.index, true);
    }
  }

  focus(index, move) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = index;
    this.cells[index].setAttribute("tabindex", 0);
    if (move) this.cells[index].focus();
  }
}
