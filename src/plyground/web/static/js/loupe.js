// A small cell shown large, beside the finger that has chosen it.

import { draw, make } from "./dom.js";

const WIDE_PIXELS = 132; // as its style says
const ABOVE_PIXELS = 170; // from its upper edge to the middle of the cell
const BELOW_PIXELS = 40; // from the middle of the cell to its upper edge, where there is no room above
const SEEN = 300; // units of the board across it: three cells

export class Loupe {
  constructor(board) {
    this.board = board;
  }

  show(cell) {
    const { drawing, svg, contents, surface } = this.board;
    const [x, y] = drawing.at(cell);
    const [left, top, width] = drawing.box;
    const shown = svg.getBoundingClientRect().width;
    const scale = shown / width;
    const [across, down] = [(x - left) * scale, (y - top) * scale];
    this.hide();
    this.element = make("div", { class: "loupe", "aria-hidden": "true" }, draw("svg", { class: svg.getAttribute("class"), viewBox: `${x - SEEN / 2} ${y - SEEN / 2} ${SEEN} ${SEEN}` }, contents.cloneNode(true)));
    this.element.style.setProperty("left", `${Math.max(0, Math.min(shown - WIDE_PIXELS, across - WIDE_PIXELS / 2))}px`);
    this.element.style.setProperty("top", `${down > ABOVE_PIXELS ? down - ABOVE_PIXELS : down + BELOW_PIXELS}px`);
    surface.append(this.element);
  }

  hide() {
    this.element?.remove();
  }
}
