// Who plays what: the form that opens a game.

import { call, memory } from "./api.js";
import { gameChooser, listPlayers, playerChooser, titleOf } from "./choices.js";
import { choice, field, make } from "./dom.js";
import { texts } from "./texts.js";

const CLOCKS = [
  ["", texts.setup.noClock],
  ...["60+0", "180+2", "600+5", "1800+10"].map((control) => [control, texts.setup.control(...control.split("+"))]),
];

async function seat(title, kind, game) {
  const program = await playerChooser(game);
  const name = make("input", { type: "text", maxlength: 40, autocomplete: "off", value: memory.get("name", "") });
  const named = field(texts.setup.name, name);
  const show = (chosen) => {
    program.hidden = chosen !== "ai";
    named.hidden = chosen !== "me";
  };
  const kinds = choice(
    [
      ["me", texts.setup.me],
      ["ai", texts.setup.ai],
      ["friend", texts.setup.friend],
    ],
    kind,
    show,
  );
  show(kind);
  const element = make("fieldset", {}, make("legend", {}, title), field(texts.setup.who, kinds), named, program);
  element.refit = program.refit;
  element.wish = () => {
    if (kinds.value === "me") memory.set("name", name.value);
    return kinds.value === "ai" ? { kind: "ai", player: program.spec() } : { kind: kinds.value, name: kinds.value === "me" ? name.value : "" };
  };
  return element;
}

export async function open(main, parts, query) {
  const start = query.game ?? memory.get("game", "polarized-ladder");
  listPlayers(start).catch(() => null); // asked for along with the games, not after them
  const game = await gameChooser(start);
  const [first, second] = await Promise.all([seat(texts.setup.first, "me", game.spec()), seat(texts.setup.second, "ai", game.spec())]);
  game.addEventListener("change", () => Promise.all([first.refit(game.spec()), second.refit(game.spec())]));
  const clock = choice(CLOCKS, "");
  const seconds = make("input", { type: "number", min: 0.05, max: 10, step: 0.05, value: 1 });
  const form = make(
    "form",
    {
      class: "setup",
      onsubmit: async (event) => {
        event.preventDefault();
        const [total, increment] = clock.value.split("+").map(Number);
        const body = { game: game.spec(), first: first.wish(), second: second.wish(), ai_seconds: Number(seconds.value) };
        if (clock.value) body.control = { seconds: total, increment };
        const opened = await call("/api/rooms", { body });
        memory.set("game", body.game);
        remember(opened.id, Object.values(opened.tokens)[0] ?? null, body.game);
        location.hash = `#/game/${opened.id}`;
      },
    },
    make("h1", {}, texts.setup.title),
    make("fieldset", {}, make("legend", {}, texts.setup.game), game),
    make("div", { class: "seats" }, first, second),
    make("div", { class: "row" }, field(texts.setup.clock, clock), field(texts.setup.thinking, seconds)),
    make("button", { class: "primary", type: "submit" }, texts.setup.start),
  );
  const titled = async (room) => ({ ...room, title: await titleOf(room.game) });
  const recent = await Promise.all(memory.get("rooms", []).slice(0, 8).map(titled));
  main.append(
    form,
    make(
      "section",
      { class: "recent" },
      make("h2", {}, texts.setup.resume),
      recent.length
        ? make("ul", {}, ...recent.map((room) => make("li", {}, make("a", { href: `#/game/${room.id}` }, `${room.title} – ${new Date(room.at).toLocaleString()}`))))
        : make("p", { class: "quiet" }, texts.setup.none),
    ),
  );
}

// Keep the token of a seat, so that a reload or another day finds the way back.
export function remember(id, token, game) {
  const rooms = memory.get("rooms", []).filter((room) => room.id !== id);
  memory.set("rooms", [{ id, token, game, at: Date.now() }, ...rooms].slice(0, 50));
}

export const tokenOf = (id) => memory.get("rooms", []).find((room) => room.id === id)?.token ?? null;
