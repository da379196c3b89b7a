// The source of a search with the line lit that is at work.

import { make } from "./dom.js";
import { say } from "./lab_texts.js";

const WORDS = /\b(def|return|if|else|for|in|is|not|and|or|break|None|assert|lambda)\b/;

export class Code {
  constructor() {
    this.title = make("h2", { class: "grow" });
    this.file = make("span", { class: "tag" });
    this.lines = make("pre", { class: "code", tabindex: 0, "aria-label": say.search.code });
    this.element = make("div", { class: "codebox" }, make("div", { class: "row codehead" }, this.title, this.file), this.lines);
  }

  show(sources, { source, line }) {
    if (this.shown !== sources[source]) this.load(sources[source]);
    const lit = this.lines.children[line - this.shown.first];
    this.lines.querySelector(".on")?.removeAttribute("aria-current");
    this.lines.querySelector(".on")?.classList.remove("on");
    lit.classList.add("on");
    lit.setAttribute("aria-current", "true");
    const { clientHeight, scrollTop } = this.lines;
    if (lit.offsetTop < scrollTop + 24 || lit.offsetTop > scrollTop + clientHeight - 48) this.lines.scrollTop = lit.offsetTop - clientHeight / 2;
  }

  load(source) {
    this.shown = source;
    this.title.textContent = source.name;
    this.file.textContent = source.file;
    let quoted = false; // inside a docstring
    const lines = source.text.replace(/\n$/, "").split("\n").map((text, i) => {
      const marks = text.split('"""').length - 1;
      const doc = quoted || marks > 0;
      if (marks % 2) quoted = !quoted;
      const parts = doc ? [make("em", {}, text)] : text.split(WORDS).map((part, k) => (k % 2 ? make("i", {}, part) : part));
      const line = make("span", {}, make("u", { "aria-hidden": "true" }, String(source.first + i)), ...parts, "\n");
      line.style.setProperty("--in", String(text.search(/\S|$/)));
      return line;
    });
    this.lines.replaceChildren(...lines);
  }
}
