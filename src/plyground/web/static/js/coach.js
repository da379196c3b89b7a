// The coach: what the position is worth, a hint with its reason, threats and poles. It only says what the server found.

import { Outage, Refusal, prospects } from "./api.js";
import { stream } from "./backend.js";
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
    this.tip = make("div", { class: "tip" });
    this.thought = make("p", { class: "tiny faint thought" });
    this.facts = make("ul", { class: "facts" });
    this.columns = make("div", { class: "worths" });
    this.columnsBox = make("div", { class: "stack", hidden: game.view.look.kind !== "frame" }, make("h3", { class: "eyebrow" }, say.columns), this.columns, make("p", { class: "tiny faint" }, say.columnsMean));
    this.silent = make("p", { class: "muted", hidden: true }, say.off);
    this.inside = make("div", { class: "stack wide" }, make("div", { class: "eval" }, make("div", { class: "verdict" }, this.verdict, this.tag), this.bar, this.names), this.tip, this.columnsBox, this.thought, make("div", { class: "stack" }, make("h3", { class: "eyebrow" }, say.threats), this.facts));
    this.element = make("div", {}, this.silent, this.inside);
  }

  close() {
    this.judging?.abort();
  }

  get allowed() {
    return this.game.state.hints;
  }

  follow(before) {
    const { state } = this.game;
    this.silent.hidden = this.allowed;
    this.inside.hidden = !this.allowed;
    this.names.replaceChildren(make("span", { class: "grow" }, this.game.name(0)), make("span", {}, this.game.name(1)));
    if (before && state.moves.length === before.moves.length && state.result === before.result) return;
    this.look = null;
    this.hint = null;
    this.showTip();
    if (!before) this.worths([]);
    if (!this.allowed) return;
    if (state.result === "*") this.game.live.send({ type: "look" });
    this.judge();
  }

  // ------------------------------------------------------------ worth

  async judge() {
    this.judging?.abort();
    const { result, game, moves, position } = this.game.state;
    if (result !== "*") return this.show({ "1-0": 1, "0-1": -1 }[result] ?? 0, null, true);
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
    const plies = worth ? pliesOf(worth) : "";
    const alone = game.you.length === 1;
    if (proved) return alone ? (game.mine(side) ? say.youWin(plies) : say.youLose(plies)) : say.wins(game.name(side), plies);
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

  thinking({ depth, line, text, seconds }) {
    this.thought.textContent = `${texts.game.depth(depth)} · ${text.replace("-", "−")} · ${line.slice(0, 6).join(" ")} · ${texts.game.seconds(seconds)}`;
  }

  // ------------------------------------------------------------- hint

  hinted(hint) {
    this.hint = hint;
    this.showTip();
    // What a hint has proved is proved on the bar too.
    const turn = this.game.side() ? -1 : 1;
    if (hint.worth?.result) this.show(turn * prospects(hint.worth), hint.worth, true);
  }

  // A hint was asked for and is on its way.
  seeking() {
    this.tip.replaceChildren(make("span", { class: "mv", "aria-hidden": "true" }, "…"), make("div", {}, make("h2", {}, texts.game.hintComes)));
  }

  showTip() {
    const { game } = this;
    const able = game.state.result === "*" && game.myTurn() && this.allowed;
    if (this.hint) {
      this.tip.replaceChildren(make("span", { class: "mv" }, this.hint.move), make("div", {}, make("h2", {}, valued(this.hint.worth)), ...this.hint.why.map((reason) => make("p", { class: "small muted" }, reason))));
      return;
    }
    this.tip.replaceChildren(make("span", { class: "mv", "aria-hidden": "true" }, "?"), make("div", {}, make("button", { type: "button", class: "btn sm ask", disabled: !able, onclick: () => game.askHint() }, say.hint), make("p", { class: "small muted" }, say.hintAbout)));
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
    const threat = this.allowed && this.look?.threats.find((one) => one.side !== me && one.at_once);
    return threat ? texts.game.needs(game.name(threat.side), where(game.view, threat.missing)) : "";
  }

  drawn() {
    return (this.look?.poles.length ?? 0) > 0 || (this.look?.threats.length ?? 0) > 0;
  }

  // What the coach points out on the board as it stands now.
  marks(at) {
    if (at !== null || !this.look || !this.allowed || this.game.state.result !== "*") return {};
    const poles = this.look.poles.map(({ cells, poles, dead, side }) => ({ cells, poles, kind: dead ? "dead" : `s${side}` }));
    const threats = this.look.threats.flatMap(({ missing, side }) => missing.map((cell) => ({ cell, side })));
    return { patterns: poles, threats: [...new Map(threats.map((one) => [`${one.cell} ${one.side}`, one])).values()] };
  }
}

// What a hint's move is worth to whoever asks.
function valued(worth) {
  if (!worth) return "";
  if (worth.result === "draw") return say.draw;
  return worth.result ? (worth.result === "win" ? say.youWin : say.youLose)(pliesOf(worth)) : short(worth);
}

// The same where there is room for three signs: an opinion is a direction, not a number.
const guess = (worth) => (worth.result ? short(worth) : `≈${worth.points > 100 ? "+" : worth.points < -100 ? "−" : ""}`);

// In how many plies a game is won or lost: "5", or "at most 5" where no more is proved.
export const pliesOf = ({ plies, at_most }) => (at_most ? say.atMost(plies) : String(plies));

// A worth in few signs: +5 a win in 5, −≤4 a loss in at most 4, = a draw, or points.
export function short(worth) {
  if (worth.result === "draw") return "=";
  if (worth.result) return `${worth.result === "win" ? "+" : "−"}${worth.at_most ? "≤" : ""}${worth.plies}`;
  return `${worth.points > 0 ? "+" : worth.points < 0 ? "−" : ""}${Math.abs(worth.points)}`;
}
