// The first place: a board on which the first click is the first move, and every game there is.

import { memory } from "./api.js";
import { call, prepared } from "./backend.js";
import { link, parse } from "./address.js";
import { Board } from "./board.js";
import { alertUser, make } from "./dom.js";
import { chip, thumb } from "./drawing.js";
import { icon } from "./icons.js";
import { questions } from "./questions.js";
import { levelName, levelNote } from "./levels.js";
import { spoken, texts } from "./texts.js";

const say = texts.home;

export async function open(main) {
  const view = new Home(main, await call(...questions.home()));
  view.build();
  view.sheet(parse(location.hash));
  return view;
}

class Home {
  constructor(main, home) {
    this.main = main;
    this.home = home;
    const chosen = memory.get("level", home.level);
    this.level = home.levels.find((level) => level.number === chosen) ?? home.levels[home.level - 1];
  }

  build() {
    const { board: view, position } = this.home;
    this.board = new Board(view, { onmove: (move) => this.begin(move) });
    this.board.update(position);
    this.opponent = make("span", { class: "who" });
    this.nameOpponent();
    this.message = make("p", { class: "msg" }, chip(view, 0, 22), make("span", {}, make("b", {}, say.ready), " ", say.start));
    const hero = make(
      "section",
      { class: "hero", "aria-label": say.playNow },
      make("h1", {}, say.promise),
      make("a", { class: "btn quiet square tosettings phone-only", href: link("settings"), "aria-label": texts.nav.settings }, icon("settings")),
      this.message,
      this.board,
      make("div", { class: "beneath" }, make("div", { class: "row grow opponent" }, chip(view, 1, 28), this.opponent), make("a", { class: "btn change", href: link("new", [], { game: this.home.game }) }, say.change), make("a", { class: "btn primary newgame", href: link("new") }, say.newGame)),
    );
    const cards = make("section", { class: "games", "aria-label": say.games }, ...this.home.games.filter(({ name }) => name !== "mnk").sort((one, other) => Number(other.name === this.home.game) - Number(one.name === this.home.game)).map(card));
    this.below = make("section", { class: "below", "aria-label": say.today });
    this.main.append(make("div", { class: "page flush" }, make("div", { class: "home" }, hero, cards), this.below));
    this.fillBelow();
  }

  nameOpponent() {
    this.opponent.replaceChildren(make("b", {}, levelName(this.level)), make("span", { class: "small muted" }, levelNote(this.level)));
  }

  // The first move opens the game it belongs to.
  async begin(move) {
    if (this.opening) return;
    this.opening = true;
    const shown = this.home.position.moves.find((one) => one.move === move);
    this.board.onmove = null;
    this.board.update({ ...this.home.position, ply: 1, moves: [], last: shown.cells, pieces: [{ cells: shown.cells, kinds: shown.kinds }] });
    try {
      const { openGame } = await import("./seats.js");
      await openGame({ game: this.home.game, first: { kind: "me" }, second: { kind: "ai", player: `engine:level=${this.level.number}` }, moves: [move] });
    } catch (error) {
      this.opening = false;
      this.board.onmove = (again) => this.begin(again);
      this.board.update(this.home.position);
      this.fillBelow();
      alertUser(error.code ? error.message : texts.outage.title);
    }
  }

  // What goes on today comes when the board is there: nobody waits for it. Nor for what the first move needs, which comes
  // first; and once that is made, this place is left.
  async fillBelow() {
    const [{ today }] = await Promise.all([import("./today.js"), import("./seats.js"), prepared]);
    if (this.opening) return;
    this.below.replaceChildren(...(await today(this.home)));
  }

  go() {
    this.sheet(parse(location.hash));
  }

  // The sheet of a new game has an address of its own.
  async sheet({ name, query }) {
    document.title = texts.title(name === "new" ? texts.sheet.title : texts.nav.play);
    if (name !== "new") return this.shown?.close();
    const { NewGame } = await import("./sheet.js");
    this.shown = new NewGame(this.home, query, () => (location.hash = "#/"));
    this.shown.open();
  }

  close() {
    this.shown?.close();
  }
}

function card({ name, title, rule, moves, puzzles }) {
  const to = (place, word, parts = [], query = {}) => make("a", { href: link(place, parts, query) }, word, make("span", { class: "unseen" }, ` ${spoken(title)}`));
  return make(
    "article",
    { class: "card gcard" },
    thumb(name, moves, 108, 96),
    make(
      "div",
      {},
      make("h2", {}, spoken(title)),
      make("p", {}, spoken(rule)),
      make(
        "div",
        { class: "links" },
        to("new", say.play, [], { game: name }),
        to("learn", say.learn, [name]),
        to("analyse", say.analyse, [], { game: name }),
        puzzles ? to("puzzles", say.puzzles, [], { game: name }) : to("workbench", say.workbench, [], { game: name }),
      ),
    ),
  );
}
