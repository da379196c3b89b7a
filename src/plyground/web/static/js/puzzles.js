// Puzzles: a position, who moves and what for. Every right move is accepted, the best defence answers, to the end.

import { NoSuchPlace, go as goTo, isAt, link } from "./address.js";
import { Outage, Refusal, memory } from "./api.js";
import { call, stream } from "./backend.js";
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

const REFUTED_MILLISECONDS = 2600; // how long the answer to a wrong move is shown
const JUDGED_SECONDS = 0.5;
const FIRST_RATING = 600;
const LEVEL_POINTS = 150; // a level is rated so much higher than the one below
const MOST_GAIN = 40; // of the solver's rating by one puzzle
const MISSED_AFTER = 3; // puzzles until one that was missed comes again
const HARDEST_LEVEL = 10;

// What this browser knows of its solver: ids of puzzles with 1 for solved, 0 for missed, and those that come again.
const known = () => ({ streak: 0, rating: FIRST_RATING, done: {}, missed: [], ...memory.get("puzzles", {}) });
const keep = (changes) => memory.set("puzzles", { ...known(), ...changes });

const ratingOf = (level) => FIRST_RATING + LEVEL_POINTS * (level - 1);

// The solver's rating after a puzzle of a level, as between players.
function rated(level, solved) {
  const { rating } = known();
  const expected = 1 / (1 + 10 ** ((ratingOf(level) - rating) / 400));
  return Math.round(rating + MOST_GAIN * ((solved ? 1 : 0) - expected));
}

// The level that suits the solver: the lowest at first.
const ownLevel = () => Math.max(1, Math.min(HARDEST_LEVEL, 1 + Math.round((known().rating - FIRST_RATING) / LEVEL_POINTS)));

// The next puzzle of a kind: one that was missed some puzzles ago, else one of the solver's level that this browser has not
// seen yet, else of the level next to it; any of them when all are done.
async function next(query, but) {
  const { game, theme, level } = query;
  const wanted = (level, page = 0) => call(...questions.puzzles(Object.entries({ game, theme, level, page }).filter(([, value]) => value !== undefined && value !== "")));
  const { done, missed } = known();
  const again = missed.find((one) => one.since >= MISSED_AFTER && one.id !== but && fits(one, query));
  if (again) return again.id;
  const own = ownLevel();
  const levels = level ? [level] : [...Array(HARDEST_LEVEL).keys()].map((i) => i + 1).sort((a, b) => Math.abs(a - own) - Math.abs(b - own) || a - b);
  for (const one of levels) {
    let found = await wanted(one);
    for (let page = 0; page < found.pages; found = await wanted(one, ++page)) {
      const open = found.puzzles.filter(({ id }) => !(id in done) && id !== but);
      if (open.length) return open[Math.floor(Math.random() * open.length)].id;
    }
  }
  const { puzzles } = await wanted(level);
  return (puzzles.find((one) => one.id !== but) ?? puzzles[0])?.id ?? null;
}

const fits = (one, { game, theme, level }) => (!game || one.game === game) && (!theme || one.theme === theme) && (!level || one.level === Number(level));

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
    this.turn = 0; // of showing a refutation or a solution; what an earlier one began is over
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
        make("div", { class: "panel" }, make("p", { class: "eyebrow" }, this.daily ? texts.home.daily : words.title), make("div", { class: "row nowrap goal" }, chip(view, side, 40), make("div", {}, make("h1", {}, goalOf(puzzle)), make("p", { class: "small muted" }, spoken(puzzle.title)))), make("div", { class: "row about" }, make("span", { class: "tag accent" }, spoken(puzzle.theme_words)), make("span", { class: "tag", title: words.difficultyMeans() }, words.difficulty(level)), make("span", { class: "tag" }, words.steps(puzzle.steps))), this.result, this.reason, this.streak, this.filters()),
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
    this.state("wrong", words.wrong, words.tryAgain(move));
    if (!this.failed) this.fail();
    this.refute(move);
  }

  // What the opponent answers to a wrong move, on the board and with its reason; then the puzzle stands there again.
  async refute(move) {
    const { game, after } = this.puzzle;
    const at = this.positions.length - 1;
    const moves = [...after, ...this.moves, move];
    const turn = ++this.turn;
    const past = () => this.gone || this.turn !== turn;
    this.board.onmove = null;
    try {
      /** @type {any} */
      let last = null;
      await stream("/api/judge", { game, moves, seconds: JUDGED_SECONDS }, (answer) => (last = answer));
      if (past() || !last?.best) return;
      const { positions } = await call("/api/positions", { body: { game, moves: [...moves, last.best] } });
      if (past()) return;
      const side = 1 - sideOf(this.puzzle.side);
      const why = last.claims?.length ? reasons(this.view, last.claims, side)[0] : "";
      this.board.update(positions.at(-2));
      await this.pause(REPLY_MILLISECONDS);
      if (past()) return;
      this.board.update(positions.at(-1));
      this.state("wrong", words.wrong, `${words.refuted(move, sideName(this.view, side), last.best)} ${why}`.trim());
      await this.pause(REFUTED_MILLISECONDS);
    } catch (error) {
      // A busy server or a lost connection has no refutation to show.
      if (!(error instanceof Refusal) && !(error instanceof Outage)) throw error;
    } finally {
      if (!past()) {
        this.board.onmove = (again) => this.answer(again);
        this.show(at);
      }
    }
  }

  pause(milliseconds) {
    return new Promise((done) => (this.timer = setTimeout(done, milliseconds)));
  }

  fail() {
    this.failed = true;
    const { done, missed } = known();
    const { id, game, theme, difficulty } = this.puzzle;
    const again = [...missed.filter((one) => one.id !== id), { id, game, theme, level: difficulty.level, since: 0 }];
    if (id in done) keep({ missed: again });
    else keep({ streak: 0, rating: rated(difficulty.level, false), done: { ...done, [id]: 0 }, missed: again });
    this.showStreak();
  }

  // Solved without a wrong move it counts, once: also one that was missed before.
  solved(claims) {
    const { streak, done, missed } = known();
    const { id, difficulty } = this.puzzle;
    const waiting = missed.map((one) => ({ ...one, since: one.since + 1 }));
    if (this.failed) keep({ missed: waiting });
    else {
      const fresh = id in done ? {} : { streak: streak + 1, rating: rated(difficulty.level, true) };
      keep({ ...fresh, done: { ...done, [id]: 1 }, missed: waiting.filter((one) => one.id !== id) });
    }
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
    ++this.turn;
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
    const { streak, rating, done } = known();
    const solved = Object.values(done).filter(Boolean).length;
    this.streak.replaceChildren(...[[streak, words.streak, "fire"], [rating, words.rating, "tournaments"], [solved, words.count, "check"]].map(([n, label, drawn]) => make("div", {}, icon(drawn), make("b", {}, String(n)), make("span", { class: "tiny muted" }, label))));
  }

  async next() {
    const id = await next(this.query, this.puzzle.id);
    if (id) goTo("puzzles", [id], this.query);
    else goTo("puzzles", [], {});
  }
}
