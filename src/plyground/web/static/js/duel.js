// A match between two heuristics: its score as it grows, with how certain it is.

import { Outage } from "./api.js";
import { stream } from "./backend.js";
import { choice, draw, make } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { analysisLink } from "./links.js";
import { texts } from "./texts.js";

const words = say.bench;
const GAMES = 20;

export class Duel {
  constructor(wanted) {
    this.wanted = wanted; // () => ({game, heuristic})
    this.count = make("span", { class: "tag" });
    this.against = make("div", {});
    this.depth = choice([1, 2, 3, 4].map((n) => [String(n), words.plies(n)]), "4");
    this.depth.setAttribute("aria-label", words.depth);
    this.score = make("div", { class: "duelscore" });
    this.said = make("p", { class: "tiny muted duelsaid", role: "status" });
    this.button = make("button", { type: "button", class: "btn sm primary grow", onclick: () => (this.running ? this.stop() : this.start()) });
    this.element = make("div", { class: "card pad stack duel" }, make("div", { class: "row" }, make("h2", { class: "grow" }, words.match), this.count), make("div", { class: "rivals small" }, make("span", { class: "muted" }, words.against), this.against, this.depth), this.score, this.said, make("div", { class: "row" }, this.button));
    this.seed = 0;
    this.show(null);
  }

  offer(heuristics, chosen) {
    this.rival = choice(heuristics.map((name) => [name, name]), heuristics.includes(chosen) ? chosen : heuristics[0]);
    this.rival.setAttribute("aria-label", words.against);
    this.against.replaceChildren(this.rival);
    this.show(null);
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.dress();
  }

  async start() {
    this.stop();
    const running = (this.running = new AbortController());
    this.show(null);
    this.dress();
    const body = { ...this.wanted(), against: this.rival.value, depth: Number(this.depth.value), games: GAMES, seed: this.seed++ };
    try {
      await stream("/api/workbench/match", body, (answer) => this.running === running && this.show(answer, body.game), running.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.said.textContent = error instanceof Outage ? texts.outage.title : error.message;
    }
    if (this.running === running) this.stop();
  }

  dress() {
    this.button.disabled = !this.rival; // until it is known whom one can play against
    this.button.replaceChildren(icon(this.running ? "pause" : "go"), this.running ? words.stopMatch : words.startMatch(GAMES));
    this.button.classList.toggle("primary", !this.running);
  }

  show(answer, game) {
    this.dress();
    this.count.textContent = words.played(answer?.played ?? 0, GAMES);
    const { share = 0.5, low = 0, high = 1, wins = 0, draws = 0, losses = 0, played = 0 } = answer ?? {};
    const per = (value) => Math.round(value * 100);
    this.score.replaceChildren(
      make("div", { class: "row big" }, make("b", {}, played ? `${per(share)} %` : "–"), make("span", { class: "muted" }, played ? words.between(per(low), per(high)) : "")),
      interval(share, low, high, played),
      make("div", { class: "row small wdl" }, ...[["won", wins], ["drawn", draws], ["lost", losses]].map(([name, n]) => make("span", { class: "grow" }, make("b", {}, String(n)), ` ${words[name]}`))),
    );
    this.said.replaceChildren(this.verdict(played, low, high), answer ? " " : "", answer ? make("a", { href: analysisLink(game, answer.moves) }, words.lastGame) : "");
  }

  verdict(played, low, high) {
    if (!played) return words.noGames;
    if (low > 0.5) return words.better;
    return high < 0.5 ? words.worse : words.tooEarly;
  }
}

function interval(share, low, high, played) {
  const x = (value) => 8 + value * 250;
  const bar = played ? [draw("path", { class: "whisker", d: `M${x(low)} 18H${x(high)}M${x(low)} 11v14M${x(high)} 11v14` }), draw("circle", { class: "dot", cx: x(share), cy: 18, r: 7 })] : [];
  const label = played ? words.interval(Math.round(share * 100), Math.round(low * 100), Math.round(high * 100)) : words.noGames;
  const marks = [0, 0.5, 1].map((value, i) => draw("text", { x: x(value), y: 43, "text-anchor": ["start", "middle", "end"][i] }, `${value * 100} %`));
  return draw("svg", { class: "interval", viewBox: "0 0 266 48", role: "img", "aria-label": label }, draw("rect", { x: 8, y: 14, width: 250, height: 8, rx: 4 }), draw("path", { class: "half", d: `M${x(0.5)} 6V30` }), ...bar, ...marks);
}
