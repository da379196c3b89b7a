// A line of values from -1 to 1 over the plies of a game, as an SVG one can click.

import { draw } from "./dom.js";

const HEIGHT = 144;

// As wide as the space it gets; `.curve` in the style has the same height.
// Where `sure` says which values are proved, what is proved and what is an opinion are told apart and not joined.
export function curve(values, notes, at, label, onpick, sure = null, space = document.getElementById("view").clientWidth) {
  const width = Math.max(300, (space * 110) / HEIGHT);
  const x = (ply) => 10 + (ply * (width - 20)) / Math.max(1, values.length - 1);
  const y = (value) => 55 - value * 45;
  const svg = draw("svg", { class: "curve", viewBox: `0 0 ${width} 110`, role: "img", "aria-label": label });
  svg.append(draw("line", { class: "zero", x1: 0, x2: width, y1: 55, y2: 55 }));
  const known = values.map((value, ply) => [value, ply]).filter(([value]) => value !== null); // the rest is not judged yet
  known.slice(1).forEach(([value, ply], i) => {
    const [before, from] = known[i];
    const unlike = sure && sure[from] !== sure[ply] ? " unlike" : "";
    svg.append(draw("line", { class: `course${unlike}`, x1: x(from), y1: y(before), x2: x(ply), y2: y(value) }));
  });
  known.forEach(([value, ply]) => {
    const note = notes[ply - 1];
    const dot = draw("circle", { class: `dot${note ? " blunder" : ""}${ply === at ? " here" : ""}${sure && !sure[ply] ? " opinion" : ""}`, cx: x(ply), cy: y(value), r: note ? 5 : 3.5 });
    if (note) dot.append(draw("title", {}, note));
    dot.addEventListener("click", () => onpick(ply));
    svg.append(dot);
  });
  return svg;
}
