// A place to type Python: numbered lines, one of which may be marked, and keys that indent.

import { make } from "./dom.js";

export class Editor {
  // `described` is the id of what is said about the text; `onchange` is called after each change.
  constructor({ label, described, value, onchange }) {
    this.onchange = onchange;
    this.numbers = make("div", { class: "numbers mono", "aria-hidden": "true" });
    this.text = make("textarea", { class: "mono", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": label, "aria-describedby": described, value });
    this.text.addEventListener("input", () => this.changed());
    this.text.addEventListener("keydown", (event) => this.key(event));
    this.text.addEventListener("scroll", () => (this.numbers.scrollTop = this.text.scrollTop));
    this.element = make("div", { class: "editor" }, this.numbers, this.text);
    this.number();
  }

  get source() {
    return this.text.value;
  }

  changed() {
    this.number();
    this.onchange();
  }

  // Tab and Enter indent, as in an editor of programs; after Escape Tab leads on to the next control.
  key(event) {
    if (event.key === "Escape") this.leaving = true;
    else if (event.key === "Tab" && !event.shiftKey && !this.leaving) this.insert(event, "    ");
    else if (event.key === "Enter") {
      const line = this.source.slice(0, this.text.selectionStart).split("\n").at(-1);
      this.insert(event, `\n${/^ */.exec(line)[0]}${line.trimEnd().endsWith(":") ? "    " : ""}`);
    }
    if (event.key !== "Escape") this.leaving = false;
  }

  insert(event, text) {
    event.preventDefault();
    const { selectionStart, selectionEnd } = this.text;
    this.text.setRangeText(text, selectionStart, selectionEnd, "end");
    this.changed();
  }

  number(bad = null) {
    const count = this.source.split("\n").length;
    this.numbers.replaceChildren(...[...Array(count).keys()].map((i) => make("span", { class: i + 1 === bad ? "bad" : "" }, String(i + 1))));
    this.numbers.scrollTop = this.text.scrollTop;
  }
}
