// A board whose cells are small on a phone, made larger: one moves it with a finger then, and a tap is a move.

import { memory } from "./api.js";
import { draw, make } from "./dom.js";
import { still } from "./settings.js";
import { texts } from "./texts.js";

const LENS = "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.3 15.3l5.2 5.2M7.5 10.5h6";
const PLUS = "M10.5 7.5v6";

export class Zoom {
  constructor(board) {
    this.board = board;
    this.plus = draw("path", { d: PLUS });
    this.button = make("button", { type: "button", class: "btn square zoom", onclick: () => this.choose(!board.large) }, draw("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("path", { d: LENS }), this.plus));
    board.append(this.button);
    this.show();
  }

  choose(large) {
    memory.set("large", large);
    this.board.enlarge(large);
    this.show();
  }

  show() {
    const { button } = this;
    const { large, surface } = this.board;
    this.plus.style.setProperty("display", large ? "none" : "inline");
    button.setAttribute("aria-label", large ? texts.board.whole : texts.board.enlarge);
    if (!large) return;
    surface.scrollLeft = (surface.scrollWidth - surface.clientWidth) / 2;
    this.follow("instant");
  }

  // Move a last move into sight that is out of it.
  follow(behavior = still() ? "instant" : "smooth") {
    const { cells, position, surface, large } = this.board;
    const [last] = position?.last ?? [];
    if (!large || last === undefined) return;
    const [cell, seen] = [cells[last], surface].map((element) => element.getBoundingClientRect());
    if (cell.left < seen.left || cell.right > seen.right) surface.scrollBy({ left: (cell.left + cell.right - seen.left - seen.right) / 2, behavior });
  }
}
