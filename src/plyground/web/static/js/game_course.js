// The course of a whole game under the board: its curve, and each mistake in words. Judged with progress and a stop.

import { Outage, Refusal } from "./api.js";
import { stream } from "./backend.js";
import { curve, heightOf } from "./curve.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { SIGNS, faultWords, gradeWords, isFaulty, moveName, notesOf, toneOf } from "./grades.js";
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
        if (this.running !== running || answer.summary) return;
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
    const faults = this.judged.filter(isFaulty);
    this.marks = notesOf(this.judged);
    this.drawCurve();
    this.slips.replaceChildren(...faults.map((one) => this.slip(one)));
    this.state.replaceChildren(make("span", {}, faults.length ? words.mistakes(faults.length) : texts.review.clean));
    this.at(this.here);
    this.onmarks();
  }

  slip(one) {
    return make(
      "button",
      { type: "button", class: "slip", "data-ply": one.ply + 1, onclick: () => this.onpick(one.ply + 1) },
      make("span", { class: `q ${toneOf(one.grade)}`, "aria-hidden": "true" }, SIGNS[one.grade]),
      make("span", {}, make("b", {}, moveName(this.moves, one.ply)), ` ${faultWords(this.view, one)}`),
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
    const values = this.judged.map((one) => (one?.score ? heightOf(one.score) : null));
    const proved = this.judged.map((one) => Boolean(one?.score?.result));
    const notes = this.judged.map((one) => (isFaulty(one) ? { text: gradeWords(one), tone: toneOf(one.grade) } : null));
    const sides = [0, 1].map((side) => texts.review.wins(sideName(this.view, side)));
    this.curve.replaceChildren(curve(values, { notes, at: this.here, proved, sides, label: texts.review.curve, onpick: (ply) => this.onpick(ply), width: Math.max(308, this.curve.clientWidth) }));
  }
}
