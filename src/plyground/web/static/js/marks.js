// What is pointed out on a board, below and above its pieces. All of it was decided by the server:
//
//   shade    {cell: -1 … 1}                         good or bad for the side to move
//   heat     {cell: 0 … 1}                          how much a cell counts
//   pairs    [[cell, cell], …]                      cells that belong together
//   patterns [{cells, poles, kind}, …]              kind: "s0", "s1", "threat s0", "dead"
//   threats  [{cell, side}, …]                      cells where a side could win
//   numbers  {cell: text}, badges {cell: text}      short texts
//   ghosts   [{cells, kinds}, …]                    pieces that are not laid (yet), numbered if there are several
//   arrows   [{cells, rank}, …]                     moves to look at, rank 0 the best
//   scores   [{column, text, tone, best}, …]        a line of texts below the columns; tone: "good" or ""

import { draw } from "./dom.js";
import { UNIT } from "./drawing.js";

export function below(drawing, { shade = {}, heat = {}, pairs = [] }) {
  const square = (cell, name, opacity) => {
    const [x, y] = drawing.at(cell);
    return draw("rect", { class: name, x: x - 47, y: y - 47, width: 94, height: 94, rx: 12, "fill-opacity": opacity.toFixed(3) });
  };
  return [
    ...Object.entries(shade).map(([cell, value]) => square(cell, `shade ${value < 0 ? "bad" : "good"}`, Math.min(1, Math.abs(value)))),
    ...Object.entries(heat).map(([cell, value]) => square(cell, "heat", Math.min(1, value))),
    ...pairs.map(([one, other]) => draw("path", { class: "pair", d: `M${drawing.at(one).join(" ")}L${drawing.at(other).join(" ")}` })),
  ];
}

export function above(drawing, { patterns = [], threats = [], numbers = {}, badges = {}, ghosts = [], arrows = [], scores = [] }) {
  return [
    ...patterns.flatMap((pattern) => drawn(drawing, pattern)),
    ...threats.map(({ cell, side }) => drawing.mark(cell, "threat", `threat s${side}`)),
    ...Object.entries(numbers).map(([cell, text]) => text && label(drawing.at(cell), text, "number")),
    ...Object.entries(badges).map(([cell, text]) => badge(drawing.at(cell), text)),
    ...ghosts.flatMap((ghost, i) => [drawing.piece(ghost, "piece ghost marked"), ghosts.length > 1 ? label(drawing.at(ghost.cells[0]), String(i + 1), "number") : ""]),
    ...arrows.map(({ cells, rank }) => arrow(drawing.at(cells[0]), rank)),
    ...scores.map((score) => under(drawing, score)),
  ].filter(Boolean);
}

function drawn(drawing, { cells, poles = [], kind }) {
  return [drawing.band(cells, `pattern ${kind}`), ...poles.map((cell) => drawing.mark(cell, "pole", `pole ${kind}`))];
}

const label = ([x, y], text, name) => draw("text", { class: name, x, y }, text);

function badge([x, y], text) {
  return draw("g", { class: "badge" }, draw("rect", { x: x - 27, y: y + 17, width: 54, height: 33, rx: 16 }), draw("text", { x, y: y + 35 }, text));
}

// A move as an arrow that comes from above, the better the wider.
function arrow([x, y], rank) {
  const wide = [24, 17, 12][rank] ?? 10;
  const [tip, top] = [y + 30, y - 150];
  const d = `M${x - wide / 2} ${top}V${tip - wide * 1.9}H${x - wide * 1.35}L${x} ${tip}L${x + wide * 1.35} ${tip - wide * 1.9}H${x + wide / 2}V${top}z`;
  return draw("g", { class: "arrow" }, draw("path", { class: "halo", d }), draw("path", { class: "tip", d }), draw("circle", { cx: x, cy: top, r: 25 }), draw("text", { x, y: top }, String(rank + 1)));
}

function under(drawing, { column, text, tone = "", best = false }) {
  const [x] = drawing.spot(column, 1);
  const y = drawing.view.rows * UNIT + 92;
  return draw("g", { class: `score ${tone}${best ? " best" : ""}` }, draw("rect", { x: x - 44, y, width: 88, height: 48, rx: 14 }), draw("text", { x, y: y + 25 }, text));
}
