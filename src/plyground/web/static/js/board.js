// <ply-board>: a board of any game that can be played on. It draws what the server sends and knows no rules.
//
//   const board = new Board(view, { onmove, onsay });   view: what /api/board and a room's welcome call `board`
//   board.update(position, marks);                      marks: see marks.js
//
// A click, a tap or Enter on a cell means the moves that have it among their hot cells; a card is held first and laid
// by a second one. Cells that are small on the screen are chosen by a first tap, under a loupe, and played by a second;
// a pyramid, whose corners have room for a button, can be made larger instead (zoom.js).

import { memory } from "./api.js";
import { announce, draw, make } from "./dom.js";
import { Drawing, UNIT } from "./drawing.js";
import { Hand } from "./hand.js";
import { Loupe } from "./loupe.js";
import { above, below } from "./marks.js";
import { Palette } from "./palette.js";
import { still } from "./settings.js";
import { spoken, texts } from "./texts.js";

const SMALL_PIXELS = 30; // pixels: a cell that a finger cannot be trusted to hit
const PHONE = "(max-width: 760px)";
const HIGH_STEPS = 1.35; // a pyramid is twice as wide as high: on a phone its cells can at least be higher than wide
const LARGE_PIXELS = 44; // pixels: a cell of a board that was made larger

export class Board extends HTMLElement {
  constructor(view, { onmove = null, onsay = null, flipped = false } = {}) {
    super();
    this.view = view;
    this.onmove = onmove;
    this.onsay = onsay;
    this.position = null;
    this.marks = {};
    this.focused = 0;
    this.aimed = null;
    this.standing = new Map();
    this.large = this.isSmallPyramid && memory.get("large", false);
    this.classList.toggle("large", this.large);
    this.hand = new Hand(view);
    this.loupe = new Loupe(this);
    this.classList.toggle("turns", view.turns);
    this.surface = make("div", { class: "surface" });
    this.palette = new Palette(this);
    this.append(this.palette.element, this.surface);
    this.build(flipped);
    this.addEventListener("pointerdown", (event) => (this.finger = event.pointerType === "touch"));
    this.addEventListener("keydown", (event) => this.key(event));
    if (this.isSmallPyramid) import("./zoom.js").then(({ Zoom }) => (this.zoom = new Zoom(this)));
  }

  get element() {
    return this;
  }

  get isSmallPyramid() {
    return this.view.look.kind === "steps" && matchMedia(PHONE).matches;
  }

  build(flipped) {
    const { look, title } = this.view;
    const drawing = (this.drawing = new Drawing(this.view, flipped, this.isSmallPyramid && !this.large ? HIGH_STEPS : 1));
    const [, , width, height] = drawing.box;
    const layer = (name, ...children) => draw("g", { class: name, "aria-hidden": "true" }, ...children);
    this.layers = { under: layer("under"), pieces: layer("pieces"), front: layer("front", ...drawing.coats(look.over), ...drawing.labels()), over: layer("over"), marks: layer("marks") };
    this.cells = this.view.cells.map((cell, index) => this.makeCell(cell, index));
    const all = draw("g", {}, layer("ground", ...drawing.coats(look.under)), ...Object.values(this.layers));
    this.svg = draw("svg", { viewBox: drawing.viewBox, class: `board ${look.kind}`, role: "group", "aria-label": spoken(title) }, all, draw("g", { class: "cells" }, ...this.cells));
    this.svg.style.setProperty("aspect-ratio", `${width} / ${height}`);
    this.style.setProperty("--ratio", String(width / height));
    this.style.setProperty("--large", `${(LARGE_PIXELS * width) / UNIT}px`);
    this.contents = all;
    this.svg.style.setProperty("--label", `${Math.min(30, 3 * this.view.columns + 3)}px`);
    this.surface.replaceChildren(this.svg);
  }

  makeCell(cell, index) {
    const [x, y] = this.drawing.at(index);
    const high = this.view.look.step[1] * this.drawing.stretch;
    return draw(
      "g",
      {
        class: "cell",
        role: "button",
        tabindex: index === this.focused ? 0 : -1,
        "data-cell": cell.name,
        onclick: () => this.choose(index),
        onpointerenter: (event) => event.pointerType !== "touch" && this.hover(index),
        onpointerleave: () => this.hover(null),
        onfocus: () => (this.settle(index), this.hover(index)),
        onblur: () => this.hover(null),
      },
      draw("rect", { class: "hit", x: x - UNIT / 2, y: y - high / 2, width: UNIT, height: high }),
    );
  }

  flip(flipped) {
    if (flipped === this.drawing.flipped) return;
    this.build(flipped);
    this.redraw();
  }

  // Cells large enough for a finger, or the whole board.
  enlarge(large) {
    this.large = large;
    this.classList.toggle("large", large);
    this.unaim();
    this.build(this.drawing.flipped);
    this.redraw();
  }

  // Show no more rows than a position of cards needs, from the ground up: for a small screen.
  crop(position, spare = 0) {
    if (this.view.look.kind !== "cards" || !matchMedia(PHONE).matches) return;
    const used = [...position.pieces, ...(position.moves ?? [])].flatMap(({ cells }) => cells.map((cell) => this.view.cells[cell].row));
    const cut = Math.max(0, this.view.rows - Math.max(3, ...used) - spare) * UNIT;
    const [x, y, width, height] = this.view.look.box;
    this.svg.setAttribute("viewBox", [x, y + cut, width, height - cut].join(" "));
    this.svg.style.setProperty("aspect-ratio", `${width} / ${height - cut}`);
    this.style.setProperty("--ratio", String(width / (height - cut)));
    this.classList.toggle("cropped", cut > 0);
  }

  // ---------------------------------------------------------- drawing

  update(position, marks = {}) {
    const before = this.position;
    this.position = position;
    this.marks = marks;
    if (position === before && this.playable() && this.busy) return this.redraw(); // other marks take no card out of the hand
    this.hand.clear(this.playable() ? position : null);
    this.unaim();
    this.redraw(before && position.ply === before.ply + 1 ? position.last : []);
    this.zoom?.follow();
  }

  // Whether somebody is about to move: a card is in the hand, or a small cell is looked at.
  get busy() {
    return Boolean(this.hand.held || this.hand.lifted || this.aimed !== null);
  }

  unaim() {
    this.aimed = null;
    this.loupe.hide();
  }

  // Whether somebody may move here, and the legal moves have been sent.
  playable() {
    return Boolean(this.onmove && this.position?.moves);
  }

  redraw(fresh = []) {
    const { position, drawing, layers } = this;
    if (!position) return;
    this.standing = new Map(position.pieces.flatMap((piece) => piece.cells.map((cell, i) => [cell, piece.kinds[i]])));
    const winning = position.outcome?.winner ? position.outcome.cells : [];
    layers.under.replaceChildren(...below(drawing, this.marks), ...this.climb(winning));
    layers.pieces.replaceChildren(...position.pieces.map((piece) => this.drawPiece(piece, fresh)));
    layers.marks.replaceChildren(...this.lastMarks(), winning.length ? drawing.band(winning, "win") : "", ...above(drawing, this.marks));
    this.sayCells(new Set(winning));
    this.hover(null);
    this.palette.show();
  }

  drawPiece(piece, fresh) {
    const { liftable, lifted } = this.hand;
    const names = ["piece"];
    if (lifted && piece.cells.some((cell) => lifted.includes(cell))) names.push("lifted");
    if (liftable.some((move) => move.lift.includes(piece.cells[0]))) names.push("liftable");
    const drawn = this.drawing.piece(piece, names.join(" "));
    if (fresh.length && piece.cells.every((cell) => fresh.includes(cell)) && !still()) this.animate(drawn, piece.cells[0]);
    return drawn;
  }

  animate(drawn, cell) {
    if (this.view.look.kind !== "frame") return drawn.classList.add("arriving");
    const [, y] = this.drawing.at(cell);
    drawn.style.setProperty("--drop", `${-y - 60}px`);
    drawn.style.setProperty("--fall-time", `${Math.min(300, 150 + y / 5)}ms`);
    drawn.classList.add("falling");
  }

  lastMarks() {
    const { last } = this.position;
    if (last.length > 1) return [this.drawing.outline(last, "lastcard")];
    return last.map((cell) => this.drawing.mark(cell, "last", "last"));
  }

  // On boards of steps a pattern that won is a climbing band below the pieces.
  climb(winning) {
    if (!winning.length || this.view.look.kind !== "steps") return [];
    const side = this.position.outcome.winner === "first" ? 0 : 1;
    return [this.drawing.band(winning, `climb edge s${side}`), this.drawing.band(winning, `climb s${side}`)];
  }

  // ------------------------------------------------------------ words

  sayCells(winning) {
    const last = new Set(this.position.last);
    this.cells.forEach((element, cell) => {
      const kinds = this.standing.get(cell);
      const words = [this.view.cells[cell].name, kinds ? this.words(kinds) : texts.board.empty];
      if (last.has(cell)) words.push(texts.board.last);
      if (winning.has(cell)) words.push(texts.board.winning);
      const effect = this.effect(cell, kinds);
      if (effect) words.push(effect);
      element.setAttribute("aria-label", words.join(", "));
      element.classList.toggle("can", this.can(cell));
    });
  }

  words(layers) {
    return this.drawing.names(layers).map((word) => texts.pieces[word] ?? word).join(" ");
  }

  can(cell) {
    return this.hand.offered.some((move) => this.hand.hot(move).includes(cell)) || this.hand.liftable.some((move) => move.lift.includes(cell));
  }

  // What a move on a cell does; nothing for a cell that is taken, unless its card can be taken up.
  effect(cell, kinds) {
    if (kinds) return this.hand.liftable.some((move) => move.lift.includes(cell)) ? texts.board.canLift : "";
    const [move] = this.hand.meant(cell);
    if (!move) return "";
    if (move.cells.length > 1) return texts.board.cardHere;
    const what = this.words(move.kinds[0]);
    return move.cells[0] === cell ? texts.board.landsHere(what) : texts.board.landsOn(what, this.view.cells[move.cells[0]].name);
  }

  // A card in words: "standing: white open above, red filled below".
  cardWords(move) {
    const placed = move.cells.map((cell, i) => [this.view.cells[cell], this.words(move.kinds[i])]);
    const flat = placed.every(([cell]) => cell.row === placed[0][0].row);
    return (flat ? texts.board.flat : texts.board.standing)(...placed.map(([, words]) => words));
  }

  cellNames(cells) {
    return cells.map((cell) => this.view.cells[cell].name).join("–");
  }

  say(text, more = "") {
    if (this.onsay) this.onsay(text, more);
    announce([text, more].filter(Boolean).join(" "));
  }

  // The board as lines of text.
  asText() {
    const wide = Math.max(...Object.values(this.view.look.names).map((names) => names.length)) + 1;
    const letter = (layers) => this.drawing.names(layers).map((word) => (texts.pieces[word] ?? word)[0]).join("");
    const at = new Map(this.view.cells.map((cell, index) => [`${cell.column},${cell.row}`, index]));
    const across = [...Array(this.view.columns).keys()].map((i) => i + 1);
    const shown = (index) => (index === undefined ? " " : this.standing.has(index) ? letter(this.standing.get(index)) : ".");
    const line = (row) => String(row).padStart(2) + " " + across.map((column) => shown(at.get(`${column},${row}`)).padEnd(wide)).join("");
    const rows = [...Array(this.view.rows).keys()].map((i) => line(this.view.rows - i).trimEnd());
    const { labels, step } = this.view.look;
    const names = across.map((column) => (labels.find(([, x]) => x === UNIT / 2 + (column - 1) * step[0])?.[0] ?? "").padEnd(wide)).join("");
    return [...rows, `   ${names}`.trimEnd()].join("\n");
  }

  // --------------------------------------------------------- choosing

  choose(cell) {
    if (!this.playable()) return;
    if (this.finger && !this.view.turns && this.cellSize() < SMALL_PIXELS && this.aimed !== cell) return this.aim(cell);
    this.unaim();
    this.follow(this.hand.choose(cell));
  }

  /** @param {{ play?: any, held?: any, lifted?: any, lift?: any }} said */
  follow({ play, held, lifted, lift }) {
    if (play) return this.play(play);
    if (lift) return this.say(texts.board.lift);
    this.redraw();
    if (lifted) this.say(texts.board.lifted);
    if (held) this.say((this.finger ? texts.board.layByTap : texts.board.layIt)(this.cellNames(held.cells)), this.cardWords(held));
  }

  play(move) {
    this.hand.clear(null);
    this.onmove(move.move, move);
  }

  cancel() {
    this.hand.clear(this.playable() ? this.position : null);
    this.unaim();
    this.redraw();
    this.onsay?.("");
  }

  // The palette shows how an advised card lies; what was in the hand goes back.
  advise(text) {
    this.hand.clear(this.playable() ? this.position : null);
    const move = this.hand.moves.find((one) => one.move === text);
    if (move && this.view.turns) this.hand.shape = this.hand.shapeOf(move);
  }

  cellSize() {
    return (this.svg.getBoundingClientRect().width * UNIT) / this.view.look.box[2];
  }

  // A first tap on a small cell: show it large, and wait for a second tap.
  aim(cell) {
    const [move] = this.hand.meant(cell);
    if (!move) return;
    this.aimed = cell;
    this.hover(cell);
    this.loupe.show(move.cells[0]);
    this.say(texts.board.tapAgain(move.move));
  }

  // A ghost of the piece where it would lie, with its column lit where pieces fall.
  hover(cell) {
    const { drawing } = this;
    const [move] = cell === null || this.hand.held || !this.playable() ? [] : this.hand.meant(cell);
    this.layers.over.replaceChildren(...(this.hand.held ? this.heldCard() : []));
    if (!move) return;
    const column = move.hot && this.view.look.kind === "frame" ? this.lit(move.cells[0]) : "";
    const rings = move.cells.map((at) => drawing.group(at, [["circle", { class: "hintring", r: 34 }]]));
    this.layers.over.append(column, drawing.piece(move, "piece ghost hover"), ...(move.cells.length > 1 ? [] : rings));
  }

  lit(cell) {
    const [x] = this.drawing.at(cell);
    return draw("rect", { class: "column", x: x - UNIT / 2, y: -14, width: UNIT, height: this.view.rows * UNIT + 54 });
  }

  heldCard() {
    const { held } = this.hand;
    const lift = draw("g", { class: "held", transform: "translate(-12 -26)" }, this.drawing.piece(held, "piece preview"), this.drawing.outline(held.cells, "held-edge"));
    return [this.drawing.outline(held.cells, "held-place"), lift];
  }

  take(shape) {
    this.follow(this.hand.take(shape));
    if (!this.hand.held) this.redraw();
  }

  // --------------------------------------------------------- keyboard

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const onCell = event.target.closest?.(".cell");
    if (onCell) this.settle(this.cells.indexOf(onCell)); // a window without the focus reports no such event
    if (event.key in steps && onCell) this.walk(...steps[event.key]);
    else if (event.key === "Enter" && this.hand.held && onCell) this.play(this.hand.held);
    else if ((event.key === "Enter" || event.key === " ") && onCell) this.follow(this.hand.choose(this.focused));
    else if ((event.key === "r" || event.key === "t") && this.hand.held) this.follow(this.hand.turn());
    else if (event.key === "Escape" && this.busy) this.cancel();
    else if (this.view.turns && this.playable() && this.palette.shape(event.key)) this.take(this.palette.shape(event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walk(across, up) {
    const { flipped, upright } = this.drawing;
    const [right, high] = [flipped ? -across : across, flipped && !upright ? -up : up];
    const { column, row } = this.view.cells[this.focused];
    const reach = high && this.view.look.kind === "hexagons" ? 1 : Math.max(this.view.columns, this.view.rows);
    for (let step = 1; step <= reach; step++) {
      const found = this.view.cells.findIndex((cell) => cell.column === column + right * step && cell.row === row + high * step);
      if (found >= 0) return this.cells[found].focus();
    }
    if (!high) return;
    // A slanted outline has no cell straight above: take the nearest one of that row.
    const near = this.view.cells
      .map((cell, index) => ({ cell, index }))
      .filter(({ cell }) => cell.row === row + high)
      .sort((a, b) => Math.abs(a.cell.column - column) - Math.abs(b.cell.column - column))[0];
    if (near) this.cells[near.index].focus();
  }

  settle(index) {
    this.cells[this.focused].setAttribute("tabindex", -1);
    this.focused = index;
    this.cells[index].setAttribute("tabindex", 0);
  }
}

customElements.define("ply-board", Board);
