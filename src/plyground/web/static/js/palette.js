// The palette of a board of cards: every way to lay one, and what to do with the one that is held.

import { make } from "./dom.js";
import { face } from "./drawing.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

export class Palette {
  constructor(board) {
    this.board = board;
    this.known = []; // [shape, move]: a way to lay a card keeps its place and its number
    this.element = make("div", { class: "palette", role: "group", "aria-label": texts.board.palette, hidden: !board.view.turns });
  }

  // The shape under a number, typed as a key.
  shape(key) {
    return this.known[key - 1]?.[0];
  }

  show() {
    const { view, hand, onmove, position } = this.board;
    if (!view.turns) return;
    const offered = onmove ? hand.shapes() : new Map();
    this.known = [...new Map([...this.known, ...offered])];
    const faces = this.known.map(([shape, move], i) => this.face(shape, move, i + 1, offered.has(shape)));
    const focus = this.element.contains(document.activeElement) ? document.activeElement.className : null;
    this.element.replaceChildren(...faces, this.actions());
    this.element.hidden = Boolean(position.outcome) || !faces.length;
    if (focus) [...this.element.querySelectorAll("button")].find((button) => button.className === focus)?.focus();
  }

  face(shape, move, number, able) {
    const { board } = this;
    return make(
      "button",
      { type: "button", class: "face", "data-face": number, "aria-pressed": String(board.hand.shape === shape), "aria-label": board.cardWords(move), disabled: !able, onclick: () => board.take(shape) },
      face(board.view, move),
      make("span", { class: "kbd", "aria-hidden": "true" }, String(number)),
    );
  }

  actions() {
    const { board } = this;
    const { held, lifted } = board.hand;
    const active = Boolean(held || lifted);
    const button = (name, drawn, label, onclick, able) => make("button", { type: "button", class: `btn sm ${name}`, disabled: !able, onclick }, icon(drawn), label);
    return make(
      "div",
      { class: `deeds${active ? " active" : ""}` },
      button("turn", "turn", texts.board.turn, () => board.follow(board.hand.turn()), held),
      button("lay primary", "check", texts.board.lay, () => board.play(board.hand.held), held),
      button("cancel", "close", texts.board.cancel, () => board.cancel(), active),
    );
  }
}
