// The review of a finished game: it comes by itself. Curve, mistakes in words, the better move drawn, accuracy.

import { Outage, Refusal, prospects } from "./api.js";
import { stream } from "./backend.js";
import { curve } from "./curve.js";
import { make } from "./dom.js";
import { chip } from "./drawing.js";
import { verdict } from "./game_words.js";
import { numbered } from "./movelist.js";
import { reasons } from "./reasons.js";
import { texts } from "./texts.js";

const say = texts.review;

const SECONDS = 0.5; // for each position, as far as the server grants it

export class Review {
  constructor(game) {
    this.game = game;
    this.notes = {};
    this.judged = [];
    this.result = make("div", { class: "result" });
    this.progress = make("p", { class: "small muted", role: "status" });
    this.curve = make("div", { class: "curvebox" });
    this.story = make("ul", { class: "story" });
    this.accuracy = make("div", { class: "acc" });
    this.means = make("p", { class: "tiny faint", hidden: true }, say.means);
    this.element = make("div", { class: "stack wide" }, this.result, make("h3", { class: "eyebrow" }, say.curve), this.curve, this.progress, this.story, this.accuracy, this.means);
  }

  close() {
    this.judging?.abort();
  }

  async start(state) {
    this.showResult();
    const { game, moves } = state;
    this.judged = Array(moves.length + 1).fill(null);
    this.drawCurve();
    const judging = (this.judging = new AbortController());
    let done = 0;
    try {
      await stream("/api/review", { game, moves, seconds: SECONDS }, (answer) => {
        this.judged[answer.ply] = answer;
        this.progress.textContent = say.asks(++done, moves.length + 1);
        this.drawCurve();
      }, judging.signal);
      this.progress.textContent = "";
      await this.game.fetchLine();
      this.showFaults(moves);
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal) && !(error instanceof Outage)) throw error;
      this.progress.replaceChildren(say.stopped, " ", make("button", { type: "button", class: "btn sm", onclick: () => this.start(state) }, say.again));
    }
  }

  showResult() {
    const { game } = this;
    const { result, rematch } = game.state;
    const [bold, how] = verdict(game);
    const again = make("button", { type: "button", class: "btn primary rematch", onclick: () => game.rematch() }, rematch ? texts.game.toRematch : texts.game.rematch);
    const winner = result === "0-1" ? 1 : 0;
    this.result.replaceChildren(
      result === "1/2-1/2" ? "" : chip(game.view, winner, 44),
      make("div", { class: "grow" }, make("h2", {}, bold.replace(/\.$/, "")), make("p", { class: "small muted" }, how)),
      make("div", { class: "go" }, game.you.length || rematch ? again : "", make("a", { class: "btn", href: `#/new?${new URLSearchParams({ game: game.state.game })}` }, texts.game.newGame)),
    );
  }

  drawCurve() {
    const values = this.judged.map((one) => (one?.score ? prospects(one.score) : null));
    const proved = this.judged.map((one) => Boolean(one?.score?.result));
    const notes = this.judged.map((one) => (one?.mark ? say.marks[one.mark] : ""));
    const at = this.game.at ?? this.judged.length - 1;
    const sides = [0, 1].map((side) => (this.game.mine(side) ? texts.game.youWin : say.wins(this.game.name(side))));
    this.curve.replaceChildren(curve(values, { notes, at, proved, sides, label: say.curve, onpick: (ply) => this.game.look(ply) }));
  }

  // The mistakes in words, marks in the list of moves, and how many moves of each side were right.
  showFaults(moves) {
    const faults = this.judged.filter((one) => one?.mark);
    this.notes = Object.fromEntries(faults.map((one) => [one.ply + 1, { text: this.words(one), tone: one.blunder ? "bad" : "warn", sign: one.blunder ? "?" : "?!" }]));
    this.story.replaceChildren(...(faults.length ? faults.map((one) => this.fault(one, moves)) : [make("li", { class: "clean" }, make("span", {}, say.clean))]));
    this.accuracy.replaceChildren(...[0, 1].map((side) => this.score(side, moves)));
    this.means.hidden = false;
    this.game.draw();
  }

  words(one) {
    return `${say.marks[one.mark]}. ${say.better(one.better)}`;
  }

  fault(one, moves) {
    const side = one.ply % 2;
    const retry = !this.game.state.players[side] && this.game.you.length;
    return make(
      "li",
      {},
      chip(this.game.view, side, 20),
      make("button", { type: "button", class: "fault", onclick: () => this.game.look(one.ply) }, make("b", {}, `${numbered(one.ply + 1)} ${moves[one.ply]} ${say.marks[one.mark]}.`), ` ${say.better(one.better)}`, one.claims?.length ? make("span", { class: "why" }, reasons(this.game.view, one.claims, side)[0]) : ""),
      retry ? make("button", { type: "button", class: "btn quiet sm retry", onclick: () => this.game.retry(one.ply) }, say.retry) : "",
    );
  }

  score(side, moves) {
    const mine = [...Array(moves.length).keys()].filter((ply) => ply % 2 === side);
    const right = mine.filter((ply) => !this.judged[ply]?.mark).length;
    const share = mine.length ? Math.round((100 * right) / mine.length) : 100;
    return make("div", {}, make("span", { class: "tiny muted" }, this.game.name(side)), make("b", {}, `${share} %`), make("span", { class: "tiny muted" }, say.right(right, mine.length)));
  }

  // At a position where a mistake was made: the move that was better.
  marks(at) {
    const one = at === null ? null : this.judged[at];
    return one?.drawn ? { ghosts: [one.drawn] } : {};
  }
}
