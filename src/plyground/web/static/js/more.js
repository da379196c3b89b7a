// What a phone has no room for in the row of buttons.

import { Sheet } from "./dialog.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const say = texts.game;

export class MoreSheet extends Sheet {
  constructor(game) {
    super("more", say.more);
    const { state } = game;
    const deed = (name, drawn, label, act, able = true) =>
      make("button", { type: "button", class: `btn ${name}`, disabled: !able, onclick: () => (this.close(), act()) }, icon(drawn), label);
    this.body.append(
      deed("flip", "flip", say.flip, () => game.flip()),
      deed("share", "share", say.shareIt, () => game.sheets.share()),
      deed("rules", "learn", say.tabs.rules, () => game.reveal("rules")),
      deed("resign", "resign", say.resign, () => game.askResign(true), game.you.length > 0 && state.result === "*"),
    );
  }
}
