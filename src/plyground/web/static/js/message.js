// The one line above the board in which everything is said: it keeps its height, so nothing jumps.

import { make } from "./dom.js";

export class MessageLine {
  constructor() {
    this.element = make("div", { class: "msg" });
  }

  // A bold part, the rest, and buttons: [[class, label, deed], …].
  say(bold, rest = "", deeds = []) {
    const key = JSON.stringify([bold, rest, deeds.map(([name, label]) => [name, label])]);
    if (key === this.key) return;
    this.key = key;
    this.element.replaceChildren(
      make("span", { class: "words" }, bold ? make("b", {}, bold) : "", rest ? ` ${rest}` : ""),
      ...deeds.map(([name, label, deed]) => make("button", { type: "button", class: `btn sm ${name}`, onclick: deed }, label)),
    );
  }

  get text() {
    return this.element.querySelector(".words")?.textContent ?? "";
  }
}
