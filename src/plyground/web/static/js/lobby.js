// The games of this server that were opened for everybody: some wait for a player, some can be watched.

import { link } from "./address.js";
import { Outage, Refusal } from "./api.js";
import { call } from "./backend.js";
import { make } from "./dom.js";
import { thumb } from "./drawing.js";
import { icon } from "./icons.js";
import { spoken, texts } from "./texts.js";

const say = texts.lobby;
const POLL_MILLISECONDS = 4000;

export async function open(main) {
  const list = make("div", { class: "stack rooms" });
  const another = make("a", { class: "btn", hidden: true, href: link("new", [], { with: "friend" }) }, texts.home.newGame);
  main.append(make("div", { class: "page stack" }, make("div", { class: "row" }, make("h1", { class: "grow" }, say.title), another), list));
  let timer;
  let shown = "";
  const look = async () => {
    try {
      const rooms = await call("/api/rooms");
      if (JSON.stringify(rooms) !== shown) list.replaceChildren(...drawn(rooms));
      another.hidden = !rooms.length; // an empty list has this button itself
      shown = JSON.stringify(rooms);
    } catch (error) {
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error; // a server that is busy or away may answer next time
    }
    timer = setTimeout(look, POLL_MILLISECONDS);
  };
  await look();
  return () => clearTimeout(timer);
}

function drawn(rooms) {
  if (!rooms.length) return [make("div", { class: "card stack empty" }, icon("lobby"), make("h2", {}, say.nobody), make("p", { class: "muted" }, say.none), make("a", { class: "btn primary", href: link("new", [], { with: "friend" }) }, texts.home.newGame))];
  const group = (title, list) => (list.length ? [make("h2", {}, title), make("ul", { class: "roomlist" }, ...list.map(item))] : []);
  return [...group(say.waiting, rooms.filter((room) => room.free)), ...group(say.live, rooms.filter((room) => !room.free))];
}

// What the server calls a seat whose holder gave no name.
const unnamed = (name) => / player$/.test(name);

function item({ id, game, title, names, free, ply, moves }) {
  return make(
    "li",
    { class: "card room" },
    thumb(game, moves, 84, 76),
    make("div", { class: "grow" }, make("b", {}, spoken(title)), make("p", { class: "small muted" }, free ? say.waits(names.find((name) => !unnamed(name)) ?? say.somebody) : say.versus(...names.map((name) => (unnamed(name) ? say.somebody : name)))), make("p", { class: "tiny faint" }, ply ? say.ply(ply) : say.fresh)),
    make("a", { class: free ? "btn primary" : "btn", href: link("game", [id]) }, free ? say.join : say.watch),
  );
}
