// A seat that is free: the sheet with which one invites a friend, and the one with which the friend sits down.

import { memory } from "./api.js";
import { lead } from "./backend.js";
import { Sheet, copy } from "./dialog.js";
import { field, make } from "./dom.js";
import { icon } from "./icons.js";
import { Strip, nameless } from "./strips.js";
import { texts } from "./texts.js";

const LOOPBACK = /^(localhost|127\.|\[::1\]|::1)/;

export const localOnly = () => LOOPBACK.test(location.hostname);

export const linkTo = (hash) => `${location.origin}${location.pathname}${hash}`;

// A text as a code to scan.
export const code = (text, size) => lead(make("img", { class: "qr", width: size, height: size, alt: texts.invite.code }), "src", `/api/qr?${new URLSearchParams({ text })}`);

export class InviteSheet extends Sheet {
  constructor(game) {
    const say = texts.invite;
    super("invite", say.title);
    const address = linkTo(`#/game/${game.id}`);
    const link = make("input", { type: "text", readonly: true, value: address, "aria-label": say.link });
    const said = make("p", { class: "small muted said", role: "status" });
    const copying = async () => (said.textContent = (await copy(link)) ? say.copied : say.byHand);
    this.body.append(
      make("p", { class: "muted" }, say.about),
      code(address, 180),
      make("div", { class: "row nowrap" }, link, make("button", { type: "button", class: "btn primary copy", onclick: copying }, say.copy)),
      said,
      localOnly() ? make("p", { class: "notice" }, icon("warn"), say.only) : "",
    );
    this.deeds(make("button", { type: "button", class: "btn done", onclick: () => this.close() }, say.done));
  }
}

export class JoinSheet extends Sheet {
  constructor(game, side) {
    const say = texts.join;
    super("join", say.title(game.view.title));
    const name = make("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: memory.get("name", "") });
    const sit = async () => {
      memory.set("name", name.value);
      await game.sheets.join(name.value);
      this.close();
    };
    const piece = new Strip(game.view, side).piece();
    this.body.append(make("p", { class: "muted" }, say.about(nameless(game.state, 1 - side) ? texts.lobby.somebody : game.name(1 - side), piece)), field(say.name, name));
    name.addEventListener("keydown", (event) => event.key === "Enter" && sit());
    this.deeds(make("button", { type: "button", class: "btn watch", onclick: () => this.close() }, say.watch), make("button", { type: "button", class: "btn primary join", onclick: sit }, say.join));
  }
}
