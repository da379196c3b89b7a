// The course of a whole game under the board: its curve, and each mistake in words. Judged with progress and a stop.

import { Outage, Refusal, prospects } from "./api.js";
import { stream } from "./backend.js";
import { curve } from "./curve.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { numbered } from "./movelist.js";
import { reasons } from "./reasons.js";
import { sideName } from "./sides.js";
import { texts } from "./texts.js";

const words = say.analyse;
const SECONDS = 0.5; // for each position, as far as the server grants it
const LEAST_MOVES = 4; // a game of fewer moves is not worth a curve of its own accord

export class GameCourse {
  constructor({ onpick, onmarks }) {
    this.onpick = onpick;
    this.onmarks = onmarks;
    this.judged = [];
    this.marks = {};
    this.moves = [];
    this.here = 0;
    this.curve = make("div", { class: "curvebox" });
    this.state = make("p", { class: "row small muted coursestate", role: "status" });
    this.slips = make("div", { class: "slips" });
    this.element = make("section", { class: "under", "aria-label": words.course }, this.curve, this.state, this.slips);
  }

  stop() {
    this.running?.abort();
    this.running = null;
  }

  // Another line of play: judged by itself if it came as a whole, else when one asks for it.
  follow(game, moves, view, whole) {
    this.stop();
    this.game = game;
    this.moves = moves;
    this.view = view;
    this.judged = Array(moves.length + 1).fill(null);
    this.marks = {};
    this.slips.replaceChildren();
    if (whole && moves.length >= LEAST_MOVES) this.judge();
    else this.offer(moves.length ? words.judgeIt : "");
  }

  offer(label, said = "") {
    this.drawCurve();
    this.state.replaceChildren(said, label ? make("button", { type: "button", class: "btn sm judge", onclick: () => this.judge() }, icon("analyse"), label) : make("span", {}, words.noCourse));
  }

  async judge() {
    this.stop();
    const running = (this.running = new AbortController());
    const { game, moves } = this;
    const total = moves.length + 1;
    let done = 0;
    const bar = make("progress", { max: total, value: 0, "aria-label": words.judging });
    const count = make("span", {}, texts.review.asks(0, total));
    this.state.replaceChildren(count, bar, make("button", { type: "button", class: "btn sm stop", onclick: () => this.halt() }, icon("pause"), words.stopJudging));
    try {
      await stream("/api/review", { game, moves, seconds: SECONDS }, (answer) => {
        if (this.running !== running) return;
        this.judged[answer.ply] = answer;
        bar.value = ++done;
        count.textContent = texts.review.asks(done, total);
        this.drawCurve();
      }, running.signal);
      if (this.running === running) this.finish();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal) && !(error instanceof Outage)) throw error;
      this.offer(texts.review.again, `${error instanceof Outage ? texts.outage.title : error.message} `);
    }
  }

  halt() {
    this.stop();
    this.finish();
    this.offer(texts.review.again, `${texts.review.stopped} `);
  }

  finish() {
    this.running = null;
    const faults = this.judged.filter((one) => one?.mark);
    this.marks = Object.fromEntries(faults.map((one) => [one.ply + 1, { text: this.words(one), tone: one.blunder ? "bad" : "warn", sign: one.blunder ? "?" : "?!" }]));
    this.drawCurve();
    this.slips.replaceChildren(...faults.map((one) => this.slip(one)));
    this.state.replaceChildren(make("span", {}, faults.length ? words.mistakes(faults.length) : texts.review.clean));
    this.at(this.here);
    this.onmarks();
  }

  words(one) {
    const better = one.better ? texts.review.better(one.better) : "";
    return [`${texts.review.marks[one.mark]}.`, better, one.claims?.length ? reasons(this.view, one.claims, one.ply % 2)[0] : ""].filter(Boolean).join(" ");
  }

  slip(one) {
    const tone = one.blunder ? "bad" : "warn";
    return make(
      "button",
      { type: "button", class: "slip", "data-ply": one.ply + 1, onclick: () => this.onpick(one.ply + 1) },
      make("span", { class: `q ${tone}`, "aria-hidden": "true" }, one.blunder ? "?" : "?!"),
      make("span", {}, make("b", {}, `${numbered(one.ply + 1)} ${this.moves[one.ply]}`), ` ${this.words(one)}`),
    );
  }

  at(ply) {
    this.here = ply;
    this.drawCurve();
    for (const slip of this.slips.children) {
      if (slip.dataset.ply === String(ply)) slip.setAttribute("aria-current", "true");
      else slip.removeAttribute("aria-current");
    }
  }

  drawCurve() {
    if (!this.view) return;
    const values = this.judged.map((one) => (one?.score ? prospects(one.score) : null));
    const proved = this.judged.map((one) => Boolean(one?.score?.result));
    const notes = this.judged.map((one) => (one?.mark ? texts.review.marks[one.mark] : ""));
    const sides = [0, 1].map((side) => texts.review.wins(sideName(this.view, side)));
    this.curve.replaceChildren(curve(values, { notes, at: this.here, proved, sides, label: texts.review.curve, onpick: (ply) => this.onpick(ply), width: Math.max(308, this.curve.clientWidth) }));
  }
}
