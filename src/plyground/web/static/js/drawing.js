// Drawing what a look says: the server describes boards and pieces as shapes, here they become SVG elements.

import { lead } from "./backend.js";
import { draw, make } from "./dom.js";
import { settings } from "./settings.js";

export const UNIT = 100; // the side of a cell

const BARE_MARGIN = 16; // around the cells of a board without coordinates

const shape = ([tag, attributes]) => draw(tag, attributes);

// The gradients that shapes name stand once in the page.
function mix(paints) {
  if (document.getElementById(paints[0].id)) return;
  const made = paints.map(({ id, tag, attributes, stops }) =>
    draw(tag, { id, ...attributes }, ...stops.map(([offset, colour, opacity]) => draw("stop", { offset, "stop-color": colour, "stop-opacity": opacity }))),
  );
  document.body.append(draw("svg", { class: "paints", width: 0, height: 0, "aria-hidden": "true" }, draw("defs", {}, ...made)));
}

// A board of a game: where cells lie, and what is drawn there. Seen from the other side, upright boards are mirrored
// and flat ones turned around. Stretched, its cells are that much higher than wide; pieces stay as they are.
export class Drawing {
  constructor(view, flipped = false, stretch = 1) {
    this.view = view;
    this.look = view.look;
    this.flipped = flipped;
    this.stretch = stretch;
    this.upright = ["frame", "cards", "steps"].includes(this.look.kind);
    mix(this.look.paints);
  }

  get box() {
    const [x, y, width, height] = this.look.box;
    return [x, y * this.stretch, width, height * this.stretch];
  }

  get viewBox() {
    return this.box.join(" ");
  }

  // The same without the room beside and below for coordinates.
  get bareBox() {
    const { columns, rows } = this.view;
    return [-BARE_MARGIN, -BARE_MARGIN, columns * UNIT + 2 * BARE_MARGIN, rows * UNIT + 2 * BARE_MARGIN].join(" ");
  }

  // The middle of a place given by column and row.
  spot(column, row) {
    const { columns, rows } = this.view;
    const [across, down] = this.look.step;
    const x = this.flipped ? columns - column : column - 1;
    const y = this.flipped && !this.upright ? row - 1 : rows - row;
    return [UNIT / 2 + x * across, (UNIT / 2 + y * down) * this.stretch];
  }

  at(cell) {
    const { column, row } = this.view.cells[cell];
    return this.spot(column, row);
  }

  group(cell, shapes, attributes = {}) {
    return draw("g", { transform: `translate(${this.at(cell).join(" ")})`, ...attributes }, ...shapes.map(shape));
  }

  // What the board itself is made of; stretched with its cells.
  coats(coats) {
    const scale = `scale(1 ${this.stretch})`;
    const tile = (shapes, cell) => this.group(cell, shapes, { transform: `translate(${this.at(cell).join(" ")}) ${scale}` });
    return coats.flatMap(({ every, shapes }) => (every ? this.view.cells.map((_, cell) => tile(shapes, cell)) : [draw("g", { transform: scale }, ...shapes.map(shape))]));
  }

  labels() {
    return this.look.labels.map(([text, x, y]) => {
      const [left, top] = this.flipped ? this.turned(x, y) : [x, y];
      return draw("text", { class: "label", x: left, y: top * this.stretch }, text);
    });
  }

  // Where a label goes when the board is seen from the other side: it stays beside its row or below its column.
  turned(x, y) {
    const { columns, rows } = this.view;
    const [across, down] = this.look.step;
    const wide = UNIT + (columns - 1) * across;
    const high = UNIT + (rows - 1) * down;
    if (x >= 0 && y >= high) return [wide - x, y];
    if (!this.upright) return [x, high - y];
    return [this.look.kind === "steps" ? wide - x : x, y];
  }

  // A piece by the cells it covers and what it shows on each; `name` is its class.
  piece({ cells, kinds }, name) {
    const faces = cells.map((cell, i) => this.look.faces[this.key(cells, cell, kinds[i])]);
    return draw("g", { class: name }, ...cells.map((cell, i) => this.group(cell, faces[i].back)), ...cells.map((cell, i) => this.group(cell, faces[i].front)));
  }

  // The name of a face in the look: the layers on the cell, and on which sides the piece goes on.
  key(cells, cell, layers) {
    const { column, row } = this.view.cells[cell];
    const covers = (across, up) => cells.some((other) => this.view.cells[other].column === column + across && this.view.cells[other].row === row + up);
    const ways = { n: [0, 1], e: [1, 0], s: [0, -1], w: [-1, 0] };
    // Mirrored, a card that goes on to the east is seen to go on to the west.
    const seen = this.flipped ? { ...ways, e: [-1, 0], w: [1, 0] } : ways;
    const joined = Object.keys(ways).filter((way) => covers(...seen[way])).join("");
    return layers.join(",") + (joined ? `:${joined}` : "");
  }

  mark(cell, kind, name = kind) {
    return this.group(cell, this.look.marks[kind], { class: name });
  }

  // A frame around the cells of one piece.
  outline(cells, name) {
    const [xs, ys] = [0, 1].map((axis) => cells.map((cell) => this.at(cell)[axis]));
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    return draw("rect", { class: name, x: left - 49, y: top - 49, width: Math.max(...xs) - left + 98, height: Math.max(...ys) - top + 98, rx: 17 });
  }

  // A path along the cells of a pattern that touch: side by side, or corner to corner where none lie side by side. Each
  // cell is a dot of it, as it may touch none of the others.
  links(cells) {
    const spots = cells.map((cell) => this.at(cell));
    const touching = (most) => spots.flatMap(([x, y], i) => spots.slice(i + 1).flatMap(([toX, toY]) => (Math.hypot(toX - x, (toY - y) / this.stretch) < most * UNIT ? [`M${x} ${y}L${toX} ${toY}`] : [])));
    const straight = touching(1.2);
    return [...(straight.length ? straight : touching(1.6)), ...spots.map((spot) => `M${spot.join(" ")}h0`)].join("");
  }

  band(cells, name) {
    return draw("path", { class: name, d: this.links(cells) });
  }

  // The colour names of what covers a cell: ["blue"], ["red", "filled"].
  names(layers) {
    return this.look.names[layers.join(",")] ?? [];
  }
}

// A side's small sign: its disc, or what it looks for.
export function chip(view, side, size = 22) {
  mix(view.look.paints);
  return draw("svg", { class: "chip", width: size, height: size, viewBox: "-50 -50 100 100", "aria-hidden": "true" }, ...view.look.chips[side].map(shape));
}

// A piece by itself, for a palette: as large as the square it is drawn in.
export function face(view, piece) {
  const drawing = new Drawing(view);
  const places = piece.cells.map((cell) => drawing.at(cell));
  const [x, y] = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis], 0) / places.length);
  return draw("svg", { viewBox: `${x - 104} ${y - 104} 208 208`, "aria-hidden": "true" }, drawing.piece(piece, "piece"));
}

// Where the picture of a position is.
export const picturePath = (game, moves) => `/api/picture?${new URLSearchParams({ game, moves: moves.join(";"), theme: settings.theme })}`;

// A small picture of a position, loaded when it comes into sight.
export const thumb = (game, moves, width, height) => lead(make("img", { class: "thumb", alt: "", width, height, loading: "lazy" }), "src", picturePath(game, moves));

// A position that is only looked at.
export function picture(view, position, label, { last = false, plain = true } = {}) {
  const drawing = new Drawing(view);
  const winning = position.outcome?.winner ? position.outcome.cells : [];
  return draw(
    "svg",
    { class: `board picture ${view.look.kind}${plain ? " plain" : ""}`, viewBox: plain && view.look.kind === "grid" ? drawing.bareBox : drawing.viewBox, role: "img", "aria-label": label },
    ...drawing.coats(view.look.under),
    ...position.pieces.map((piece) => drawing.piece(piece, "piece")),
    ...drawing.coats(view.look.over),
    ...(plain ? [] : drawing.labels()),
    ...(last ? position.last.map((cell) => drawing.mark(cell, "last")) : []),
    winning.length ? drawing.band(winning, "win") : null,
  );
}
