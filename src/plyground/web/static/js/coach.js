// The coach: what the position is worth, and its threats and poles. It speaks only while its tab is open, never in games
// between people, and only says what the judge found.

import { Outage, Refusal, prospects } from "./api.js";
import { stream } from "./backend.js";
import { inMoves, movesOf, short } from "./brief.js";
import { make } from "./dom.js";
import { chip } from "./drawing.js";
import { where } from "./reasons.js";
import { texts } from "./texts.js";

const say = texts.coach;

const LONG_WORDS = 18; // characters of a verdict that is written smaller, so that its number is seen
const LONGEST_WORDS = 22; // characters of one that takes two lines
const ROOMY_SIGNS = 3; // signs that there is room for below a column; more are written smaller
const JUDGED_SECONDS = 0.5; // seconds that a position is judged

export class Coach {
  constructor(game) {
    this.game = game;
    this.verdict = make("b", {}, say.asks);
    this.tag = make("span", { class: "tag" });
    this.bar = make("div", { class: "bar", role: "img", "aria-label": say.evaluation(say.even) }, make("span", {}));
    this.names = make("div", { class: "row tiny muted sides" });
    this.facts = make("ul", { class: "facts" });
    this.columns = make("div", { class: "worths" });
    this.columnsBox = make("div", { class: "stack", hidden: game.view.look.kind !== "frame" }, make("h3", { class: "eyebrow" }, say.columns), this.columns, make("p", { class: "tiny faint" }, say.columnsMean));
    this.element = make("div", { class: "stack wide" }, make("div", { class: "eval" }, make("div", { class: "verdict" }, this.verdict, this.tag), this.bar, this.names), this.columnsBox, make("div", { class: "stack" }, make("h3", { class: "eyebrow" }, say.threats), this.facts));
    this.seenKey = null;
  }

  // Nobody listens: what is shown now is judged anew when somebody does again.
  rest() {
    this.judging?.abort();
    this.seenKey = null;
    this.look = null;
  }

  follow() {
    const { state } = this.game;
    const key = `${state.moves.join(";")} ${state.result}`;
    if (key === this.seenKey) return;
    if (this.seenKey === null) this.worths([]);
    this.seenKey = key;
    this.look = null;
    this.names.replaceChildren(make("span", { class: "grow" }, this.game.name(0)), make("span", {}, this.game.name(1)));
    this.game.live.send({ type: "look" });
    this.judge();
  }

  // ------------------------------------------------------------ worth

  async judge() {
    this.judging?.abort();
    const { game, moves, position } = this.game.state;
    const judging = (this.judging = new AbortController());
    const turn = position.to_move === "first" ? 1 : -1;
    try {
      await stream("/api/judge", { game, moves, seconds: JUDGED_SECONDS }, (answer) => this.judged(answer, turn), judging.signal);
    } catch (error) {
      // A busy server or a lost connection leaves the bar as it is.
      if (error.name !== "AbortError" && !(error instanceof Refusal) && !(error instanceof Outage)) throw error;
    }
  }

  judged({ worth, proved, moves }, turn) {
    if (worth) this.show(turn * prospects(worth), worth, proved);
    this.worths(moves);
  }

  // share: from -1 to 1 for the first player.
  show(share, worth, proved) {
    this.bar.firstChild.style.setProperty("width", `${(50 + 50 * Math.max(-0.98, Math.min(0.98, share))).toFixed(1)}%`);
    this.bar.classList.toggle("proof", proved);
    this.tag.textContent = proved ? say.proved : say.opinion;
    this.tag.className = proved ? "tag good proved" : "tag";
    const words = this.inWords(share, worth, proved);
    this.verdict.textContent = words;
    this.verdict.className = words.length > LONGEST_WORDS ? "longest" : words.length > LONG_WORDS ? "long" : "";
    this.bar.setAttribute("aria-label", say.evaluation(words));
  }

  inWords(share, worth, proved) {
    const side = share > 0 ? 0 : 1;
    const { game } = this;
    if (proved && share === 0) return say.draw;
    const moves = worth ? movesOf(worth) : "";
    const alone = game.you.length === 1;
    if (proved) return alone ? (game.mine(side) ? say.youWin(moves) : say.youLose(moves)) : say.wins(game.name(side), moves);
    if (Math.abs(share) < 0.06) return say.even;
    return alone && game.mine(side) ? say.youAhead : say.ahead(game.name(side));
  }

  // What each move is worth, where moves are columns: there is room for a number under each.
  worths(moves) {
    const { view } = this.game;
    const known = new Map(moves.map((one) => [one.line[0], one.worth]));
    if (this.columnsBox.hidden) return;
    const best = Math.max(-1, ...moves.map((one) => prospects(one.worth)));
    this.columns.replaceChildren(
      ...view.look.labels.slice(0, view.columns).map(([label]) => {
        const worth = known.get(label);
        const tone = worth && prospects(worth) === best && best >= 0 ? "good" : "";
        const said = worth ? guess(worth) : "·";
        return make("div", {}, make("span", { class: "faint" }, label), make("span", { class: `worth ${tone}${said.length > ROOMY_SIGNS ? " tight" : ""}` }, said));
      }),
    );
  }

  // What a hint has proved is proved on the bar too.
  hinted({ worth }) {
    const turn = this.game.side() ? -1 : 1;
    if (worth?.result) this.show(turn * prospects(worth), worth, true);
  }

  // ---------------------------------------------------------- threats

  seen(look) {
    this.look = look;
    this.showLook();
  }

  showLook() {
    const { game } = this;
    const threats = this.look?.threats ?? [];
    const line = ({ side }, text, more) => make("li", {}, chip(game.view, side, 20), make("span", {}, make("b", {}, text), more ? ` ${more}` : ""));
    this.facts.replaceChildren(
      ...(threats.length ? threats.slice(0, 6).map((one) => line(one, say.threat(game.name(one.side), where(game.view, one.missing)), one.at_once ? say.now : say.later)) : [make("li", { class: "none" }, make("span", {}), make("span", {}, say.noThreats))]),
    );
    const poles = this.look?.poles ?? [];
    this.facts.append(...poles.slice(0, 6).map((one) => line(one, (one.dead ? say.dead : say.danger)(game.name(one.side), where(game.view, one.cells)))));
  }

  // Against whom one has to look out: what the opponent could win with at once.
  warning() {
    const { game } = this;
    const me = game.side();
    const threat = this.look?.threats.find((one) => one.side !== me && one.at_once);
    return threat ? texts.game.needs(game.name(threat.side), where(game.view, threat.missing)) : "";
  }

  drawn() {
    return (this.look?.poles.length ?? 0) > 0 || (this.look?.threats.length ?? 0) > 0;
  }

  // What the coach points out on the board as it stands now.
  marks(at) {
    if (at !== null || !this.look || this.game.state.result !== "*") return {};
    const poles = this.look.poles.map(({ cells, poles, dead, side }) => ({ cells, poles, kind: dead ? "dead" : `s${side}` }));
    const threats = this.look.threats.flatMap(({ missing, side }) => missing.map((cell) => ({ cell, side })));
    return { patterns: poles, threats: [...new Map(threats.map((one) => [`${one.cell} ${one.side}`, one])).values()] };
  }
}

// What a move is worth where there is room for three signs: an opinion is a direction, not a number.
const guess = (worth) => (worth.result ? short(inMoves(worth)) : `≈${worth.points > 100 ? "+" : worth.points < -100 ? "−" : ""}`);
