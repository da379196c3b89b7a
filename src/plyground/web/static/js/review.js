// The review of a finished game, which comes by itself: first the moment that decided it, with a way to try again; then the
// curve, both sides in figures, and every faulty move. The judge grades each move by what it gave away.

import { link } from "./address.js";
import { Outage, Refusal } from "./api.js";
import { call, stream } from "./backend.js";
import { curve, heightOf } from "./curve.js";
import { make } from "./dom.js";
import { chip } from "./drawing.js";
import { verdict } from "./game_words.js";
import { SIGNS, faultWords, gradeName, gradeWords, isFaulty, momentWords, moveName, notesOf, toneOf } from "./grades.js";
import { icon } from "./icons.js";
import { reasons } from "./reasons.js";
import { texts } from "./texts.js";

const say = texts.review;

const SECONDS = 0.5; // for each position, as far as the server grants it
const LINE_MOVES = 6; // of a better line that are drawn

export class Review {
  constructor(game) {
    this.game = game;
    this.notes = {};
    this.judged = [];
    this.summary = null;
    this.shownLine = null;
    this.result = make("div", { class: "result" });
    this.moment = make("section", { class: "moment", "aria-label": say.moment });
    this.progress = make("p", { class: "small muted", role: "status" });
    this.curve = make("div", { class: "curvebox" });
    this.figures = make("div", { class: "scroll" });
    this.story = make("ul", { class: "story" });
    this.means = make("p", { class: "tiny faint", hidden: true }, say.means);
    this.element = make("div", { class: "stack wide" }, this.result, this.moment, make("h3", { class: "eyebrow" }, say.curve), this.curve, this.progress, this.figures, this.story, this.means);
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
        if (answer.summary) return (this.summary = answer.summary);
        this.judged[answer.ply] = answer;
        this.progress.textContent = say.asks(++done, moves.length + 1);
        this.drawCurve();
      }, judging.signal);
      this.progress.textContent = "";
      await this.game.fetchLine();
      this.show(moves);
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
    const again = make("button", { type: "button", class: "btn rematch", onclick: () => game.rematch() }, rematch ? texts.game.toRematch : texts.game.rematch);
    const winner = result === "0-1" ? 1 : 0;
    this.result.replaceChildren(
      result === "1/2-1/2" ? "" : chip(game.view, winner, 44),
      make("div", { class: "grow" }, make("h2", {}, bold.replace(/\.$/, "")), make("p", { class: "small muted" }, how)),
      make("div", { class: "go" }, game.you.length || rematch ? again : "", make("a", { class: "btn", href: `#/new?${new URLSearchParams({ game: game.state.game })}` }, texts.game.newGame), make("a", { class: "btn", href: link("analyse", [], { game: game.state.game, moves: game.state.moves.join(";") }) }, texts.nav.analyse)),
    );
  }

  drawCurve() {
    const values = this.judged.map((one) => (one?.score ? heightOf(one.score) : null));
    const proved = this.judged.map((one) => Boolean(one?.score?.result));
    const notes = this.judged.map((one) => (isFaulty(one) ? { text: gradeWords(one), tone: toneOf(one.grade) } : null));
    const at = this.game.at ?? this.judged.length - 1;
    const sides = [0, 1].map((side) => (this.game.mine(side) ? texts.game.youWin : say.wins(this.game.name(side))));
    this.curve.replaceChildren(curve(values, { notes, at, proved, sides, label: say.curve, onpick: (ply) => this.game.look(ply) }));
  }

  show(moves) {
    const faults = this.judged.filter(isFaulty);
    const decisive = this.judged[this.summary.decisive ?? -1];
    this.notes = notesOf(this.judged);
    this.moment.replaceChildren(...(decisive ? this.momentOf(decisive, moves) : []));
    this.figures.replaceChildren(this.table());
    this.story.replaceChildren(...(faults.length ? faults.map((one) => this.fault(one, moves)) : [make("li", { class: "clean" }, make("span", {}, say.clean))]));
    this.means.hidden = false;
    this.game.draw();
  }

  momentOf(one, moves) {
    const side = one.ply % 2;
    const { view } = this.game;
    const mine = this.game.mine(side);
    const why = one.claims?.length ? reasons(view, one.claims, side)[0] : "";
    const card = (sign, tone, title, about) => make("div", { class: "picked" }, make("span", { class: `q ${tone}`, "aria-hidden": "true" }, sign), make("div", {}, make("b", {}, title), make("span", { class: "tiny muted" }, about)));
    return [
      make("p", { class: "eyebrow" }, `${say.moment} · ${mine ? say.yourMove(Math.floor(one.ply / 2) + 1) : say.moveOf(Math.floor(one.ply / 2) + 1, this.game.name(side))}`),
      make("h2", {}, momentWords(one, this.game.name(side), mine)),
      make("div", { class: "picks" }, card(SIGNS[one.grade], toneOf(one.grade), say.played(moves[one.ply]), gradeWords(one)), one.better ? card(SIGNS.best, "good", say.best(one.better), "") : ""),
      why ? make("p", { class: "small" }, why) : "",
      make(
        "div",
        { class: "row" },
        this.mayRetry(side) ? make("button", { type: "button", class: "btn primary retry", onclick: () => this.game.retry(one.ply) }, icon("undo"), say.retry) : "",
        one.better ? make("button", { type: "button", class: "btn line", onclick: () => this.showLine(one, moves) }, say.line) : "",
      ),
    ].filter(Boolean);
  }

  mayRetry(side) {
    return !this.game.state.players[side] && this.game.you.length > 0;
  }

  // The better line, drawn in the position where it could have been played.
  async showLine(one, moves) {
    const line = one.line.slice(0, LINE_MOVES);
    const { positions } = await call("/api/positions", { body: { game: this.game.state.game, moves: [...moves.slice(0, one.ply), ...line] } });
    const ghosts = positions.slice(one.ply + 1).map(({ pieces, last }) => pieces.find(({ cells }) => String(cells) === String(last))).filter(Boolean);
    this.shownLine = { ply: one.ply, ghosts };
    this.game.look(one.ply);
    this.game.stage.scrollIntoView({ block: "nearest" }); // on a phone the review stands below the board
  }

  // How many moves of both sides have which grade, and their mean.
  table() {
    const grades = Object.keys(SIGNS);
    const row = (side) => {
      const accuracy = this.summary.accuracy[side];
      const counts = grades.map((grade) => make("td", {}, String(this.summary.counts[side][grade] || "·")));
      return make("tr", {}, make("th", { scope: "row" }, this.game.name(side)), make("td", { class: "share" }, accuracy === null ? "–" : `${accuracy} %`), ...counts);
    };
    const heads = grades.map((grade) => make("th", { scope: "col" }, make("span", { class: `q ${toneOf(grade)}`, title: gradeName(grade), "aria-label": gradeName(grade), role: "img" }, SIGNS[grade])));
    return make("table", { class: "grades" }, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "unseen" }, say.side)), make("th", { scope: "col" }, say.accuracy), ...heads)), make("tbody", {}, row(0), row(1)));
  }

  fault(one, moves) {
    const side = one.ply % 2;
    return make(
      "li",
      {},
      make("span", { class: `q ${toneOf(one.grade)}`, "aria-hidden": "true" }, SIGNS[one.grade]),
      make("button", { type: "button", class: "fault", onclick: () => this.game.look(one.ply) }, make("b", {}, moveName(moves, one.ply)), ` ${faultWords(this.game.view, one)}`),
      this.mayRetry(side) ? make("button", { type: "button", class: "btn quiet sm retry", onclick: () => this.game.retry(one.ply) }, say.retry) : "",
    );
  }

  // What is said where somebody looks at a position of the game: how good the move was that was played there.
  wordsAt(at) {
    const one = this.judged[at];
    if (!one?.grade) return null;
    const more = one.better ? ` ${say.better(one.better)}` : "";
    return [`${moveName(this.game.state.moves, at)}:`, `${SIGNS[one.grade]} ${gradeWords(one)}.${more}`];
  }

  // At a position where a mistake was made: the better move, or its line.
  marks(at) {
    const one = at === null ? null : this.judged[at];
    if (at !== null && this.shownLine?.ply === at) return { ghosts: this.shownLine.ghosts };
    return one?.drawn ? { ghosts: [one.drawn] } : {};
  }
}
