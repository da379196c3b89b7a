// The moves of a game: a list one can click, and a ribbon of buttons; arrow keys, Home and End walk through it.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const say = texts.game;

export class MoveList {
  // `onpick(ply)` is called with the position to look at: 0 the start.
  constructor(onpick) {
    this.onpick = onpick;
    this.moves = [];
    this.at = 0;
    this.marks = {};
    this.list = make("ol", { class: "mlist", "aria-label": say.moves });
    this.empty = make("p", { class: "muted small" }, say.noMoves);
    this.element = make("div", { class: "moves" }, this.empty, this.list);
    const step = (name, drawn, label, to) => make("button", { type: "button", class: `btn quiet sm square ${name}`, "aria-label": label, onclick: () => this.go(to()) }, icon(drawn));
    this.buttons = {
      first: step("first", "first", say.first, () => 0),
      previous: step("previous", "previous", say.previous, () => this.at - 1),
      next: step("next", "next", say.next, () => this.at + 1),
      last: step("last", "last", say.last, () => this.moves.length),
    };
    this.place = make("span", { class: "line" });
    const { first, previous, next, last } = this.buttons;
    this.ribbon = make("div", { class: "ribbon" }, first, previous, this.place, next, last);
  }

  go(ply) {
    if (ply >= 0 && ply <= this.moves.length && ply !== this.at) this.onpick(ply);
  }

  // `marks` are notes on moves by their ply: {text, tone}.
  show(moves, at, marks = this.marks) {
    const same = marks === this.marks && moves.length === this.moves.length && moves.every((move, i) => move === this.moves[i]);
    this.moves = moves;
    this.at = at;
    this.marks = marks;
    if (!same || !this.list.children.length) this.fill();
    this.list.querySelectorAll("[aria-current]").forEach((move) => move.removeAttribute("aria-current"));
    const here = this.list.querySelector(`[data-ply="${at}"]`);
    here?.setAttribute("aria-current", "true");
    // The list or what it stands in is scrolled, whichever is too small; never the page.
    if (here) [this.element, this.element.parentElement].forEach((box) => box?.scrollTo?.({ top: here.offsetTop - 120 }));
    this.empty.hidden = moves.length > 0;
    this.place.replaceChildren(...(at ? [make("b", {}, `${numbered(at)} ${moves[at - 1]}`), ` · ${say.place(at, moves.length)}`] : [make("b", {}, say.start), moves.length ? ` · ${say.place(at, moves.length)}` : ""]));
    this.buttons.first.disabled = this.buttons.previous.disabled = at === 0;
    this.buttons.next.disabled = this.buttons.last.disabled = at === moves.length;
  }

  fill() {
    const move = (ply) => {
      const mark = this.marks[ply];
      const note = mark ? make("span", { class: `q ${mark.tone}`, title: mark.text }, mark.sign, make("span", { class: "unseen" }, mark.text)) : null;
      return make("button", { type: "button", "data-ply": ply, onclick: () => this.go(ply) }, this.moves[ply - 1], note);
    };
    const rows = [];
    for (let ply = 1; ply <= this.moves.length; ply += 2) {
      rows.push(make("li", {}, make("span", {}, String((ply + 1) / 2)), move(ply), ply < this.moves.length ? move(ply + 1) : ""));
    }
    this.list.replaceChildren(...rows);
  }

  // Whether a key was one that walks through the moves.
  key(event) {
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.moves.length }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
    this.go(to);
    return true;
  }
}

// "8." for the first player's eighth move, "8…" for the second's.
export const numbered = (ply) => `${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"}`;
