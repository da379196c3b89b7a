// Sharing a game or a position: link and code, picture, record, a piece of a web page.

import { link as address } from "./address.js";
import { address as place, lead, offers } from "./backend.js";
import { Sheet, copy } from "./dialog.js";
import { make } from "./dom.js";
import { picturePath } from "./drawing.js";
import { icon } from "./icons.js";
import { code, linkTo, localOnly } from "./invite.js";
import { texts } from "./texts.js";

const say = texts.share;

export class ShareSheet extends Sheet {
  constructor(game) {
    super("share", say.title);
    const { state, id } = game;
    const ply = game.at ?? state.moves.length;
    const moves = state.moves.slice(0, ply).join(";");
    // Without a server a game stays in its browser, and others can only be shown the position.
    const position = address("analyse", [], { game: state.game, moves });
    const page = linkTo(offers.friends ? address("game", [id], { ply: game.at ?? undefined }) : position);
    const picture = picturePath(state.game, state.moves.slice(0, ply));
    const embed = `<a href="${linkTo(position)}"><img src="${location.origin}${picture}" alt="${game.view.title}"></a>`.replaceAll("&", "&amp;");
    this.said = make("p", { class: "small muted said", role: "status" });
    const record = (form) => lead(make("a", { class: "btn sm", download: `plyground-${id}.${form}` }, icon("down"), say[form]), "href", `/api/rooms/${id}/record?form=${form}`);
    this.body.append(
      offers.friends ? code(page, 140) : "",
      this.copied(say.link, page),
      offers.friends && localOnly() ? make("p", { class: "notice" }, icon("warn"), texts.invite.only) : "",
      make("div", { class: "row" }, make("span", { class: "small muted grow" }, say.picture), lead(make("a", { class: "btn sm svg", download: `plyground-${id}.svg` }, icon("down"), say.svg), "href", picture), make("button", { type: "button", class: "btn sm png", onclick: () => this.png(picture, id) }, icon("down"), say.png)),
      make("div", { class: "row" }, make("span", { class: "small muted grow" }, say.record), record("pgn"), record("json")),
      offers.friends ? this.copied(say.embed, embed) : "",
      make("p", {}, make("a", { href: position, onclick: () => this.close() }, say.position)),
      this.said,
    );
  }

  copied(label, text) {
    const input = make("input", { type: "text", readonly: true, value: text, "aria-label": label });
    const copying = async () => (this.said.textContent = (await copy(input)) ? say.copied : texts.invite.byHand);
    return make("div", { class: "field" }, make("span", { class: "small muted" }, label), make("div", { class: "row nowrap" }, input, make("button", { type: "button", class: "btn copy", onclick: copying }, say.copy)));
  }

  // The same picture as pixels, drawn by the browser.
  async png(source, id) {
    const image = make("img", { src: await place(source) });
    await image.decode();
    const canvas = make("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    make("a", { href: canvas.toDataURL("image/png"), download: `plyground-${id}.png` }).click();
  }
}
