// A sheet over the page: a title, a body, a row of buttons; Escape and a click beside it close it.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

export class Sheet {
  /** @param {string} name @param {string} title @param {{ onclose?: () => void }} options */
  constructor(name, title, { onclose } = {}) {
    this.body = make("div", { class: "body" });
    this.footer = make("footer", { hidden: true });
    this.dialog = make(
      "dialog",
      { class: `sheet ${name}`, "aria-label": title },
      make("div", { class: "inside" }, make("header", {}, make("h2", {}, title), make("button", { type: "button", class: "btn quiet square close", "aria-label": texts.close, onclick: () => this.close() }, icon("close"))), this.body, this.footer),
    );
    this.dialog.addEventListener("close", () => (this.dialog.remove(), onclose?.()));
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.close());
  }

  deeds(...buttons) {
    this.footer.replaceChildren(...buttons);
    this.footer.hidden = false;
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    (this.body.querySelector("input:not([readonly])") ?? this.footer.querySelector(".btn") ?? this.dialog).focus();
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }
}

// Copy a text that stands in an input; where there is no clipboard it is selected, to be copied by hand.
export async function copy(input) {
  input.focus();
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
    return true;
  } catch {
    return false;
  }
}
