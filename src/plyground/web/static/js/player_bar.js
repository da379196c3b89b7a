// The controls under something that is shown step by step: start, back, play, forward, end, a slider, speed.

import { make } from "./dom.js";
import { icon } from "./icons.js";
import { texts } from "./texts.js";

const SPEEDS = [1, 2, 4, 16];
const STEP_MILLISECONDS = 700;

export class PlayerBar {
  /** @param {{ onstep: any, onrest?: any, extra?: any[], slider?: boolean }} options */
  constructor({ onstep, onrest = () => {}, extra = [], slider = true }) {
    this.onstep = onstep;
    this.onrest = onrest;
    this.at = 0;
    this.last = 0;
    this.speed = 1;
    this.timer = null;
    const button = (name, drawn, act) => make("button", { type: "button", class: "btn quiet sm square", "data-step": name, "aria-label": texts.bar[name], disabled: true, onclick: act }, icon(drawn));
    this.buttons = {
      first: button("first", "first", () => this.jump(0)),
      back: button("back", "previous", () => this.jump(this.at - 1)),
      play: button("play", "go", () => (this.timer ? this.pause() : this.play())),
      forward: button("forward", "next", () => this.jump(this.at + 1)),
      last: button("last", "last", () => this.jump(this.last)),
    };
    this.buttons.play.className = "btn primary sm square";
    this.slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": texts.bar.step, disabled: true, hidden: !slider, oninput: () => this.jump(Number(this.slider.value)) });
    this.pace = make("button", { type: "button", class: "btn quiet sm pace", "aria-label": texts.bar.speed(1), disabled: true, onclick: () => this.faster() }, "1×");
    this.count = make("span", { class: "small muted nowrap count" });
    this.extra = extra;
    this.element = make("div", { class: "scrub card", role: "group", "aria-label": texts.bar.label }, ...Object.values(this.buttons), this.slider, this.pace, ...extra, this.count);
  }

  // Something new to step through; nothing to step through while there is none.
  load(last, at) {
    this.pause();
    this.last = last;
    for (const control of [...Object.values(this.buttons), this.slider, this.pace, ...this.extra]) control.disabled = last < 0;
    this.slider.max = Math.max(0, last);
    if (last >= 0) this.set(at);
    else this.count.textContent = "";
  }

  jump(to) {
    this.pause();
    this.set(to);
    this.onrest(this.at);
  }

  set(to) {
    this.at = Math.max(0, Math.min(this.last, to));
    this.slider.value = this.at;
    this.count.textContent = `${this.at + 1} / ${this.last + 1}`;
    this.onstep(this.at);
  }

  play() {
    if (this.last <= 0) return;
    if (this.at >= this.last) this.set(0);
    this.timer = setInterval(() => (this.at >= this.last ? (this.pause(), this.onrest(this.at)) : this.set(this.at + 1)), STEP_MILLISECONDS / this.speed);
    this.dress();
  }

  pause() {
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
      this.onrest(this.at);
    }
    this.dress();
  }

  dress() {
    this.buttons.play.replaceChildren(icon(this.timer ? "pause" : "go"));
    this.buttons.play.setAttribute("aria-label", this.timer ? texts.bar.pause : texts.bar.play);
  }

  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.pace.textContent = `${this.speed}×`;
    this.pace.setAttribute("aria-label", texts.bar.speed(this.speed));
    if (this.timer) {
      clearInterval(this.timer);
      this.timer = null;
      this.play();
    }
  }

  close() {
    clearInterval(this.timer);
  }
}
