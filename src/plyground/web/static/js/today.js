// What goes on today: a puzzle, a running tournament, open games, the workbench.

import { call, offers } from "./backend.js";
import { link } from "./address.js";
import { make } from "./dom.js";
import { picture, thumb } from "./drawing.js";
import { recent } from "./seats.js";
import { goalOf } from "./sides.js";
import { language, spoken, texts } from "./texts.js";

const say = texts.home;

export async function today(home) {
  const [puzzle, tournaments, taught, rooms] = await Promise.all([found("/api/puzzles/daily"), offers.tournaments && found("/api/tournaments"), offers.tournaments && found("/api/class"), offers.friends && found("/api/rooms")]);
  const running = (tournaments || []).find((one) => one.running);
  const room = running ? null : taught?.class;
  return [resume(home), puzzle && daily(puzzle), running && tournament(running), room && classroom(room), offers.friends && lobby(rooms ?? []), workbench(home)].filter(Boolean);
}

// What a place of its own may lack leaves the rest as it is.
async function found(path) {
  try {
    return await call(path);
  } catch {
    return null;
  }
}

const card = (eyebrow, title, about, deed, image) => make("article", { class: "card" }, make("div", {}, make("span", { class: "eyebrow row" }, ...[eyebrow].flat()), make("h2", {}, title), make("p", {}, about), deed), image ?? "");

const small = (game, moves) => thumb(game, moves, 104, 92);

const button = (href, text) => make("a", { class: "btn sm", href }, text);

function daily(puzzle) {
  const { board, positions, title } = puzzle;
  // Drawn here: without a server a picture of it would take a large file of its own.
  const drawn = picture(board, positions[0], "");
  drawn.classList.add("thumb");
  drawn.setAttribute("aria-hidden", "true");
  return card(say.daily, goalOf(puzzle), spoken(title), button(link("puzzles", ["daily"]), say.solve), drawn);
}

function tournament({ name, game, played, total }) {
  return card([make("span", { class: "live" }), say.running], name, say.played(played, total), button(link("tournaments", [name]), say.watch), small(game, []));
}

function classroom({ title, game, games, running }) {
  return card(running ? [make("span", { class: "live" }), say.running] : texts.nav.class, title, say.played(games), button(link("class"), say.openIt), small(game, []));
}

function lobby(rooms) {
  return card(say.lobby, say.waiting(rooms.length), rooms.length ? say.lobbyAbout : say.lobbyFirst, button(link("lobby"), say.openIt), rooms[0] ? small(rooms[0].game, rooms[0].moves) : null);
}

const workbench = (home) => card(say.workbench, say.build, say.buildAbout, button(link("workbench", [], { game: home.game }), say.openIt));

// The last games of this browser, by the names of their games.
function resume(home) {
  const games = recent().slice(0, 3);
  if (!games.length) return null;
  return make(
    "article",
    { class: "card recent" },
    make("div", {}, make("span", { class: "eyebrow" }, say.recent), make("ul", {}, ...games.map((room) => make("li", {}, make("a", { href: link("game", [room.id]) }, `${titled(home, room.game)} · ${new Date(room.at).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" })}`))))),
  );
}

const titled = (home, spec) => spoken(home.games.find(({ name }) => name === spec || spec.startsWith(`${name}:`))?.title ?? spec);
