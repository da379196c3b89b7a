// Lessons: a sentence and a board at a time, a task where there is something to do, and puzzles to practise it.

import { NoSuchPlace, link } from "./address.js";
import { Refusal } from "./api.js";
import { call } from "./backend.js";
import { Board } from "./board.js";
import { announce, make } from "./dom.js";
import { thumb } from "./drawing.js";
import { icon } from "./icons.js";
import { say } from "./study_texts.js";
import { questions } from "./questions.js";
import { sideName, sideOf } from "./sides.js";
import { spoken, texts } from "./texts.js";

const words = say.learn;

export async function open(box, [game, step = "1"]) {
  if (!game) return list(box);
  if (!/^[1-9]\d?$/.test(step)) throw new NoSuchPlace();
  const lesson = await found(questions.lesson(game));
  if (Number(step) > lesson.steps.length) throw new NoSuchPlace();
  return new Lesson(box, game, lesson, Number(step) - 1);
}

// What is not there is no error of the page.
async function found(question) {
  try {
    return await call(...question);
  } catch (error) {
    throw error instanceof Refusal && error.status < 500 ? new NoSuchPlace() : error;
  }
}

async function list(box) {
  const [home, puzzles] = await Promise.all([call(...questions.home()), call(...questions.puzzles({ page: 0 }))]);
  const practised = new Set(puzzles.games.map((spec) => spec.split(":")[0]));
  const cards = home.games.filter(({ name }) => name !== "mnk").map(({ name, title, rule, moves }) =>
    make(
      "article",
      { class: "card pad lcard" },
      thumb(name, moves, 108, 96),
      make("div", { class: "stack" }, make("h2", {}, spoken(title)), make("p", { class: "small muted" }, spoken(rule)), make("p", { class: "row" }, make("a", { class: "btn sm primary", href: link("learn", [name]), "aria-label": words.startOf(spoken(title)) }, words.start), practised.has(name) ? make("a", { class: "btn sm", href: link("puzzles", [], { game: name }) }, icon("puzzles"), words.puzzles) : "")),
    ),
  );
  const daily = make("a", { class: "card pad dailycard", href: link("puzzles", ["daily"]) }, icon("puzzles"), make("div", { class: "grow" }, make("h2", {}, texts.home.daily), make("p", { class: "small muted" }, words.dailyMeans)), icon("arrow"));
  box.append(make("div", { class: "page stack" }, make("h1", {}, words.title), make("p", { class: "muted" }, words.about), daily, make("div", { class: "llist" }, ...cards)));
}

class Lesson {
  constructor(box, game, lesson, number) {
    this.game = game;
    this.lesson = lesson;
    this.number = number;
    this.step = lesson.steps[number];
    const { step } = this;
    this.view = lesson.board;
    this.board = new Board(this.view, { onmove: step.goal ? (move) => this.tried(move) : null, onsay: (text, more = "") => (this.message.textContent = `${text} ${more}`.trim()) });
    this.message = make("p", { class: "small muted lmessage" });
    this.answer = make("div", { class: "answer", role: "status" });
    this.again = make("button", { type: "button", class: "btn sm again", hidden: true, onclick: () => this.reset() }, icon("undo"), words.again);
    const root = make(
      "div",
      { class: `game lesson${this.view.turns ? " turns" : ""}` },
      make("section", { class: "stage", "aria-label": spoken(lesson.title) }, this.message, this.board),
      make(
        "aside",
        { class: "side", "aria-label": words.lesson },
        make("div", { class: "panel" }, make("p", { class: "small" }, make("a", { href: link("learn") }, `‹ ${words.title}`)), make("h1", { class: "ltitle" }, spoken(lesson.title)), this.dots(), make("p", { class: "ltext" }, words.texts[step.text] ?? step.text), step.goal ? make("p", { class: "task" }, icon("check"), make("span", {}, make("b", {}, `${words.task} `), words.goals[step.goal])) : "", this.answer, make("div", { class: "row" }, this.again), this.practise()),
        this.ribbon(),
      ),
    );
    root.style.setProperty("--ratio", String(this.view.look.box[2] / this.view.look.box[3]));
    document.title = texts.title(`${words.title}: ${spoken(lesson.title)}`);
    box.append(root);
    this.board.crop(step.position);
    this.reset();
  }

  dots() {
    const dot = (_, i) => make("a", { href: link("learn", [this.game, String(i + 1)]), class: i < this.number ? "past" : "", "aria-current": i === this.number ? "step" : null, "aria-label": words.step(i + 1, this.lesson.steps.length) });
    return make("nav", { class: "dots", "aria-label": words.stepsLabel }, ...this.lesson.steps.map(dot));
  }

  ribbon() {
    const { number, lesson } = this;
    const last = number === lesson.steps.length - 1;
    const back = number ? make("a", { class: "btn grow back", href: link("learn", [this.game, String(number)]) }, words.back) : "";
    const next = make("a", { class: "btn primary grow next", href: last ? link("new", [], { game: this.game }) : link("learn", [this.game, String(number + 2)]) }, last ? words.finish : words.next);
    return make("div", { class: "ribbon lribbon" }, back, next);
  }

  practise() {
    const { theme, theme_words: called } = this.step;
    const last = this.number === this.lesson.steps.length - 1;
    if (!theme && !last) return "";
    return make("a", { class: "practise small", href: link("puzzles", [], { game: this.game, theme }) }, icon("puzzles"), theme ? words.practise(spoken(called)) : words.practiseAll, icon("arrow"));
  }

  reset() {
    this.board.onmove = this.step.goal ? (move) => this.tried(move) : null;
    this.board.update(this.step.position, { patterns: this.step.shown.patterns });
    this.answer.replaceChildren();
    this.answer.className = "answer";
    this.again.hidden = true;
  }

  async tried(move) {
    this.board.onmove = null;
    const verdict = await call(`/api/lessons/${encodeURIComponent(this.game)}/${this.number}`, { body: { move } });
    const mover = sideOf(verdict.mover);
    const said = words.whys[verdict.why]({ move, reply: verdict.reply?.move ?? "", me: sideName(this.view, mover), them: sideName(this.view, 1 - mover) });
    this.board.update(verdict.position, verdict.reply ? { ghosts: [verdict.reply] } : {});
    this.answer.className = `answer ${verdict.correct ? "right" : "wrong"}`;
    this.answer.replaceChildren(icon(verdict.correct ? "check" : "close"), make("div", {}, make("b", {}, verdict.correct ? words.correct : words.notYet), make("p", { class: "small" }, said)));
    announce(`${verdict.correct ? words.correct : words.notYet} ${said}`);
    this.again.hidden = false;
  }
}
