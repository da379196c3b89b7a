// A small board in another page: embed.html#?game=connect-four&moves=4;4;5 shows a position to play on from, against the
// engine. Everything is asked of the backend, as in the page itself.

import { link, parse } from "./address.js";
import { call, thought } from "./backend.js";
import { Board } from "./board.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { apply } from "./settings.js";
import { texts } from "./texts.js";

const say = texts.embed;
const LEVEL = 5;
const SECONDS = 1;

class Embedded {
  /** @param {HTMLElement} box @param {any} query */
  constructor(box, { game, moves, level = LEVEL }) {
    this.game = game;
    this.from = moves ? moves.split(";") : [];
    this.player = `engine:level=${level}`;
    this.moves = this.from;
    this.said = make("p", { class: "small grow", role: "status" });
    this.again = make("button", { type: "button", class: "btn sm square", "aria-label": say.again, title: say.again, onclick: () => this.show(this.from) }, icon("undo"));
    this.whole = make("a", { class: "btn sm square", target: "_blank", rel: "noopener", "aria-label": say.analyse, title: say.analyse }, icon("analyse"));
    this.boardBox = make("div", { class: "boardbox" });
    box.append(this.boardBox, make("div", { class: "row nowrap under" }, this.said, this.again, this.whole));
  }

  async show(moves) {
    this.thinking?.abort();
    this.moves = moves;
    const { board, positions } = await call("/api/positions", { body: { game: this.game, moves } });
    if (this.moves !== moves) return;
    if (!this.board) this.place(board);
    this.position = positions.at(-1);
    const mine = moves.length % 2 === this.from.length % 2;
    this.board.onmove = mine && !this.position.outcome ? (move) => this.show([...moves, move]) : null;
    this.board.update(this.position);
    this.whole.href = `./${link("analyse", [], { game: this.game, moves: moves.join(";") })}`;
    this.showState(mine);
    if (!mine && !this.position.outcome) await this.answer(moves);
  }

  place(view) {
    this.view = view;
    this.board = new Board(view, { onsay: (text, more = "") => (this.said.textContent = `${text} ${more}`.trim()) });
    this.boardBox.replaceChildren(this.board);
    this.boardBox.style.setProperty("--ratio", String(view.look.box[2] / view.look.box[3]));
  }

  showState(mine) {
    const { outcome } = this.position;
    if (!outcome) this.said.textContent = mine ? texts.game.yourMove : say.thinks;
    else if (!outcome.winner) this.said.textContent = texts.game.draw;
    else this.said.textContent = (outcome.winner === "first") === (this.from.length % 2 === 0) ? texts.game.youWin : texts.game.youLose;
  }

  async answer(moves) {
    const thinking = (this.thinking = new AbortController());
    try {
      const { line } = await thought({ game: this.game, moves, player: this.player, seconds: SECONDS }, thinking.signal);
      if (this.moves === moves) await this.show([...moves, line[0]]);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  }
}

apply();
const box = document.getElementById("view");
const { query } = parse(location.hash);
const embedded = new Embedded(box, query);
embedded.show(embedded.from).catch((error) => box.replaceChildren(make("p", { class: "problem" }, error.message)));
