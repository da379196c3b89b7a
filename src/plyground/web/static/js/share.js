// Sharing a game or a position: link and code, picture, record, a piece of a web page.

import { link as address } from "./address.js";
import { Sheet, copy } from "./dialog.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { linkTo, localOnly } from "./invite.js";
import { settings } from "./settings.js";
import { texts } from "./texts.js";

const say = texts.share;

export class ShareSheet extends Sheet {
  constructor(game) {
    super("share", say.title);
    const { state, id } = game;
    const ply = game.at ?? state.moves.length;
    const moves = state.moves.slice(0, ply).join(";");
    const page = linkTo(address("game", [id], { ply: game.at ?? undefined }));
    const picture = `/api/picture?${new URLSearchParams({ game: state.game, moves, theme: settings.theme })}`;
    const embed = `<a href="${linkTo(address("analyse", [], { game: state.game, moves }))}"><img src="${location.origin}${picture}" alt="${game.view.title}"></a>`.replaceAll("&", "&amp;");
    this.said = make("p", { class: "small muted said", role: "status" });
    const record = (form) => make("a", { class: "btn sm", href: `/api/rooms/${id}/record?form=${form}`, download: `plyground-${id}.${form}` }, icon("down"), say[form]);
    this.body.append(
      make("img", { class: "qr", width: 140, height: 140, alt: texts.invite.code, src: `/api/qr?${new URLSearchParams({ text: page })}` }),
      this.copied(say.link, page),
      localOnly() ? make("p", { class: "notice" }, icon("warn"), texts.invite.only) : "",
      make("div", { class: "row" }, make("span", { class: "small muted grow" }, say.picture), make("a", { class: "btn sm svg", href: picture, download: `plyground-${id}.svg` }, icon("down"), say.svg), make("button", { type: "button", class: "btn sm png", onclick: () => this.png(picture, id) }, icon("down"), say.png)),
      make("div", { class: "row" }, make("span", { class: "small muted grow" }, say.record), record("pgn"), record("json")),
      this.copied(say.embed, embed),
      make("p", {}, make("a", { href: address("analyse", [], { game: state.game, moves }), onclick: () => this.close() }, say.position)),
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
    const image = make("img", { src: source });
    await image.decode();
    const canvas = make("canvas", { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    make("a", { href: canvas.toDataURL("image/png"), download: `plyground-${id}.png` }).click();
  }
}
