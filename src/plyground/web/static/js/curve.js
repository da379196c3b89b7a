// Who was winning over the plies of a game, as an SVG one can click. What is proved is drawn full, an opinion dashed.

import { draw } from "./dom.js";

const [USUAL, HIGH] = [308, 92];
const REACH = 27; // of the curve to either side, so that it never runs through the words above and below it

const DECIDED = 0.55; // where what is proved begins; an opinion stays below
const LONG_PLIES = 42;

// How high a score for the first player stands: the nearer to the edge, the nearer to the end.
export function heightOf({ result, plies, points }) {
  if (!result) return 0.9 * DECIDED * Math.tanh(points / 800);
  if (result === "draw") return 0;
  const near = 1 - Math.min(plies, LONG_PLIES) / LONG_PLIES;
  return (result === "win" ? 1 : -1) * (DECIDED + (1 - DECIDED) * near);
}

// values: from -1 to 1 for the first player, null where nothing is known yet; notes, {text, tone}, by the number of the move, from 0.
export function curve(values, { notes = [], at = null, proved = null, sides = ["", ""], label, onpick, width: WIDE = USUAL }) {
  const x = (ply) => 8 + (ply * (WIDE - 16)) / Math.max(1, values.length - 1);
  const y = (value) => HIGH / 2 - value * REACH;
  const svg = draw("svg", { class: "curve", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": label }, draw("rect", { class: "ground", width: WIDE, height: HIGH, rx: 10 }), draw("path", { class: "zero", d: `M6 ${HIGH / 2}H${WIDE - 6}` }));
  const known = values.map((value, ply) => [value, ply]).filter(([value]) => value !== null);
  known.slice(1).forEach(([value, ply], i) => {
    const [before, from] = known[i];
    const sure = !proved || (proved[from] && proved[ply]);
    svg.append(draw("path", { class: before + value < 0 ? "area below" : "area", d: `M${x(from)} ${HIGH / 2}L${x(from)} ${y(before)}L${x(ply)} ${y(value)}L${x(ply)} ${HIGH / 2}Z` }));
    svg.append(draw("path", { class: sure ? "course" : "course opinion", d: `M${x(from)} ${y(before)}L${x(ply)} ${y(value)}` }));
  });
  for (const [value, ply] of known) {
    const note = notes[ply - 1];
    if (note) svg.append(draw("circle", { class: `dot fault ${note.tone}`, cx: x(ply), cy: y(value), r: 5 }, draw("title", {}, note.text)));
    if (ply === at) svg.append(draw("circle", { class: "dot here", cx: x(ply), cy: y(value), r: 4.5 }));
  }
  svg.append(draw("text", { x: 10, y: 13 }, sides[0]), draw("text", { x: 10, y: HIGH - 6 }, sides[1]));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const ply = Math.round((((event.clientX - box.left) / box.width) * WIDE - 8) / ((WIDE - 16) / Math.max(1, values.length - 1)));
    onpick(Math.max(0, Math.min(values.length - 1, ply)));
  });
  return svg;
}
