// Sharing a position: its link with a code to scan, a picture, a piece of a web page.

import { link } from "./address.js";
import { lead, offers } from "./backend.js";
import { Sheet, copy } from "./dialog.js";
import { make } from "./dom.js";
import { picturePath } from "./drawing.js";
import { icon } from "./icons.js";
import { code, linkTo, localOnly } from "./invite.js";
import { texts } from "./texts.js";

const say = texts.share;

export class PositionShare extends Sheet {
  constructor(game, moves, title) {
    super("share", say.title);
    const query = { game, moves: moves.join(";") };
    const page = linkTo(link("analyse", [], query));
    const picture = picturePath(game, moves);
    const embed = `<a href="${page}"><img src="${location.origin}${picture}" alt="${title}"></a>`.replaceAll("&", "&amp;");
    this.said = make("p", { class: "small muted said", role: "status" });
    this.body.append(
      offers.friends ? code(page, 140) : "",
      this.copied(say.link, page),
      offers.friends && localOnly() ? make("p", { class: "notice" }, icon("warn"), texts.invite.only) : "",
      make("div", { class: "row" }, make("span", { class: "small muted grow" }, say.picture), lead(make("a", { class: "btn sm", download: "plyground.svg" }, icon("down"), say.svg), "href", picture)),
      offers.friends ? this.copied(say.embed, embed) : "",
      this.said,
    );
  }

  copied(label, text) {
    const input = make("input", { type: "text", readonly: true, value: text, "aria-label": label });
    const copying = async () => (this.said.textContent = (await copy(input)) ? say.copied : texts.invite.byHand);
    return make("div", { class: "field" }, make("span", { class: "small muted" }, label), make("div", { class: "row nowrap" }, input, make("button", { type: "button", class: "btn copy", onclick: copying }, say.copy)));
  }
}
