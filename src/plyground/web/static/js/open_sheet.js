// Moves or a record, pasted or from a file: read by the server, shown by whoever asked.

import { Outage } from "./api.js";
import { call } from "./backend.js";
import { Sheet } from "./dialog.js";
import { make } from "./dom.js";
import { say } from "./lab_texts.js";
import { texts } from "./texts.js";

const words = say.analyse;

export class OpenSheet extends Sheet {
  constructor(game, onread, text = "") {
    super("opensheet", words.pasteTitle);
    this.game = game;
    this.onread = onread;
    this.text = make("textarea", { rows: 6, maxlength: 12000, "aria-label": words.pasteLabel, placeholder: "4453 · G3 H4 F2 · [Game …]" });
    this.text.value = text;
    this.problem = make("p", { class: "problem small", role: "alert" });
    this.body.append(make("p", { class: "small muted" }, words.pasteMeans), this.text, this.problem);
    this.deeds(make("button", { type: "button", class: "btn primary", onclick: () => this.read() }, words.show));
  }

  open() {
    super.open();
    this.text.focus();
  }

  async read() {
    try {
      const { game, moves } = await call("/api/record", { body: { text: this.text.value, game: this.game } });
      this.close();
      this.onread(game, moves);
    } catch (error) {
      this.problem.textContent = error instanceof Outage ? texts.outage.title : error.message;
    }
  }
}

// A file is read at once; what is wrong with it is shown where it can be mended.
export async function openFile(text, game, onread, onsheet) {
  const sheet = new OpenSheet(game, onread, text.slice(0, 12000));
  onsheet(sheet);
  sheet.open();
  await sheet.read();
}
