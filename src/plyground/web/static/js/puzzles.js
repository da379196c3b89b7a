// Puzzles: a position, who moves and what for. Every right move is accepted, the best defence answers, to the end.

import { NoSuchPlace, go as goTo, isAt, link } from "./address.js";
import { Outage, Refusal, memory } from "./api.js";
import { call } from "./backend.js";
import { Board } from "./board.js";
import { announce, choice, field, make } from "./dom.js";
import { chip } from "./drawing.js";
import { icon } from "./icons.js";
import { say } from "./study_texts.js";
import { analysisLink } from "./links.js";
import { questions } from "./questions.js";
import { reasons } from "./reasons.js";
import { still } from "./settings.js";
import { goalOf, sideName, sideOf } from "./sides.js";
import { spoken, texts } from "./texts.js";

const words = say.puzzles;
const REPLY_MILLISECONDS = 500;

export async function open(box, [id], query) {
  if (!id) return choose(query);
  const view = new PuzzleView(box, query);
  await view.load(id);
  return view;
}

const known = () => ({ streak: 0, best: 0, done: {}, ...memory.get("puzzles", {}) });
const keep = (changes) => memory.set("puzzles", { ...known(), ...changes });

// The next puzzle of a kind that this browser has not solved yet, any of them when all are.
async function next(query, but) {
  const { game, theme, level } = query;
  const wanted = (page) => call(...questions.puzzles(Object.entries({ game, theme, level, page }).filter(([, value]) => value !== undefined && value !== "")));
  const first = await wanted(0);
  if (!first.count) return null;
  const { done } = known();
  const start = Math.floor(Math.random() * first.pages);
  for (let i = 0; i < first.pages; i++) {
    const { puzzles } = await wanted((start + i) % first.pages);
    const open = puzzles.filter((one) => !(one.id in done) && one.id !== but);
    if (open.length) return open[Math.floor(Math.random() * open.length)].id;
  }
  return first.puzzles.find((one) => one.id !== but)?.id ?? first.puzzles[0].id;
}

async function choose(query) {
  const id = (await next(query)) ?? (await next({ game: query.game })) ?? (await next({}));
  if (!id) throw new NoSuchPlace();
  if (!isAt("puzzles")) return;
  history.replaceState(null, "", link("puzzles", [id], query));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

class PuzzleView {
  constructor(box, query) {
    this.box = box;
    this.query = query;
    this.moves = [];
    this.failed = false;
  }

  close() {
    clearTimeout(this.timer);
    this.gone = true;
  }

  async load(id) {
    let puzzle;
    try {
      puzzle = await call(...questions.puzzle(id, this.query.game));
    } catch (error) {
      throw error instanceof Refusal && error.status < 500 ? new NoSuchPlace() : error;
    }
    this.puzzle = puzzle;
    this.view = puzzle.board;
    this.positions = puzzle.positions;
    this.daily = id === "daily";
    this.build();
    this.board.crop(this.positions.at(-1), 2);
    this.show(this.positions.length - 1);
  }

  build() {
    const { puzzle, view } = this;
    const side = sideOf(puzzle.side);
    this.message = make("div", { class: "msg" });
    this.board = new Board(view, { onmove: (move) => this.answer(move), onsay: (text, more = "") => this.notify(text, more), flipped: false });
    this.result = make("div", { class: "answer", role: "status" });
    this.reason = make("p", { class: "why" });
    this.streak = make("div", { class: "streak" });
    this.nextButton = make("button", { type: "button", class: "btn primary grow next", onclick: () => this.next() }, words.next, icon("arrow"));
    this.solution = make("button", { type: "button", class: "btn grow solution", onclick: () => this.solve() }, icon("eye"), words.solution);
    this.analyse = make("a", { class: "btn square toanalysis", href: analysisLink(puzzle.game, puzzle.after), "aria-label": words.analyse, title: words.analyse }, icon("analyse"));
    const { level } = puzzle.difficulty;
    const root = make(
      "div",
      { class: `game puzzle${view.turns ? " turns" : ""}` },
      make("section", { class: "stage", "aria-label": words.title }, this.message, this.board),
      make(
        "aside",
        { class: "side", "aria-label": words.title },
        make("div", { class: "panel" }, make("p", { class: "eyebrow" }, this.daily ? texts.home.daily : words.title), make("div", { class: "row nowrap goal" }, chip(view, side, 40), make("div", {}, make("h1", {}, goalOf(puzzle)), make("p", { class: "small muted" }, spoken(puzzle.title)))), make("div", { class: "row about" }, make("span", { class: "tag accent" }, spoken(puzzle.theme_words)), make("span", { class: "tag", title: words.difficultyMeans(level) }, words.difficulty(level)), make("span", { class: "tag" }, words.steps(puzzle.steps))), this.result, this.reason, this.streak, this.filters()),
        make("div", { class: "ribbon lribbon" }, this.analyse, this.solution, this.nextButton),
      ),
    );
    root.style.setProperty("--ratio", String(view.look.box[2] / view.look.box[3]));
    this.box.append(root);
    this.notify(words.yourMove(sideName(view, side)), words.find);
    this.result.append(icon("hint"), make("p", { class: "small muted" }, words.how(puzzle.steps)));
    this.showStreak();
  }

  filters() {
    const pick = (label, options, key) => {
      const select = choice([["", words.any], ...options], this.query[key] ?? "", (value) => goTo("puzzles", [], { ...this.query, [key]: value || undefined }));
      return field(label, select);
    };
    const box = make("details", { class: "filters" }, make("summary", {}, words.filter));
    call(...questions.puzzles({ page: 0 })).then(({ games, titles, themes, theme_words: called }) => {
      const fields = [pick(words.game, games.map((game, i) => [game, spoken(titles[i])]), "game"), pick(words.theme, themes.map((theme, i) => [theme, spoken(called[i])]), "theme"), pick(words.level, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => [String(n), words.difficulty(n)]), "level")];
      box.append(make("div", { class: "stack" }, ...fields));
    }, () => box.remove());
    return box;
  }

  notify(bold, rest = "") {
    this.message.replaceChildren(make("span", { class: "words" }, make("b", {}, bold), rest ? ` ${rest}` : ""));
  }

  show(at) {
    this.board.update(this.positions[at]);
  }

  // ------------------------------------------------------------ answering

  async answer(move) {
    if (this.waiting) return;
    this.waiting = true;
    try {
      const verdict = await call(`/api/puzzles/${this.puzzle.id}/answer`, { body: { moves: [...this.moves, move] } });
      if (!this.gone) this.judge(verdict);
    } catch (error) {
      this.notify(error instanceof Outage ? texts.outage.title : error.message);
      this.show(this.positions.length - 1);
    }
    this.waiting = false;
  }

  judge(verdict) {
    if (!verdict.right) return this.wrong(verdict.move);
    this.moves.push(verdict.move, ...(verdict.reply ? [verdict.reply] : []));
    const before = this.positions.length;
    this.positions = verdict.positions;
    const own = Math.min(before, this.positions.length - 1);
    this.show(own);
    if (verdict.solved) return this.solved(verdict.claims);
    this.state("right", words.right, words.goOn);
    this.timer = setTimeout(() => !this.gone && (this.show(this.positions.length - 1), this.notify(words.reply(sideName(this.view, 1 - sideOf(this.puzzle.side)), verdict.reply), words.find)), still() ? 0 : REPLY_MILLISECONDS);
  }

  wrong(move) {
    this.show(this.positions.length - 1);
    this.state("wrong", words.wrong, words.tryAgain(move));
    if (!this.failed) this.fail();
  }

  fail() {
    this.failed = true;
    if (!(this.puzzle.id in known().done)) keep({ streak: 0, done: { ...known().done, [this.puzzle.id]: 0 } });
    this.showStreak();
  }

  solved(claims) {
    const { streak, best, done } = known();
    if (!this.failed && !(this.puzzle.id in done)) keep({ streak: streak + 1, best: Math.max(best, streak + 1), done: { ...done, [this.puzzle.id]: 1 } });
    this.state("right", words.solved, this.failed ? words.solvedLate : words.solvedClean);
    this.explain(claims);
    this.over();
    this.notify(words.solved);
  }

  // Why it is right: what was found out about this very position, else what its theme is about.
  explain(claims) {
    this.reason.textContent = claims.length ? reasons(this.view, claims, sideOf(this.puzzle.side)).join(" ") : (words.why[this.puzzle.theme] ?? "");
  }

  state(tone, bold, rest) {
    this.result.className = `answer ${tone}`;
    this.result.replaceChildren(icon(tone === "right" ? "check" : "close"), make("div", {}, make("b", {}, bold), make("p", { class: "small" }, rest)));
    announce(`${bold} ${rest}`);
  }

  over() {
    this.board.onmove = null;
    this.solution.disabled = true;
    this.showStreak();
    this.nextButton.focus();
  }

  async solve() {
    this.solution.disabled = true;
    if (!this.failed) this.fail();
    const { line, positions, claims } = await call(`/api/puzzles/${this.puzzle.id}/solution`);
    this.board.onmove = null;
    this.result.className = "answer shown";
    this.result.replaceChildren(icon("eye"), make("div", {}, make("b", {}, words.line), make("p", { class: "small mono" }, line.join(" "))));
    this.explain(claims);
    let at = 0;
    const step = () => {
      if (this.gone || at >= positions.length) return;
      this.board.update(positions[at++]);
      this.timer = setTimeout(step, 900);
    };
    step();
    this.over();
  }

  showStreak() {
    const { streak, best, done } = known();
    const solved = Object.values(done).filter(Boolean).length;
    this.streak.replaceChildren(...[[streak, words.streak, "fire"], [best, words.best, "tournaments"], [solved, words.count, "check"]].map(([n, label, drawn]) => make("div", {}, icon(drawn), make("b", {}, String(n)), make("span", { class: "tiny muted" }, label))));
  }

  async next() {
    const id = await next(this.query, this.puzzle.id);
    if (id) goTo("puzzles", [id], this.query);
    else goTo("puzzles", [], {});
  }
}
