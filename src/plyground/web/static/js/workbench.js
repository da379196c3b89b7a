// The workbench: a heuristic is a sum. One drags a weight and sees what it does to a position, plays against it, or tries
// it in a match.

import { go as goTo, link, note } from "./address.js";
import { Outage } from "./api.js";
import { call, lead, python } from "./backend.js";
import { Board } from "./board.js";
import { offered, titleOf } from "./choices.js";
import { copy } from "./dialog.js";
import { alertUser, choice, make, segments } from "./dom.js";
import { Duel } from "./duel.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { signed } from "./numbers.js";
import { movesIn, questions } from "./questions.js";
import { openGame } from "./seats.js";
import { sideName } from "./sides.js";
import { switcher } from "./switcher.js";
import { texts } from "./texts.js";
import { Weights } from "./weights.js";

const words = say.bench;
const GAMES = ["connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card", "tic-tac-toe", "gomoku"];
const EXAMPLE = { game: "connect-four", moves: "2;3;3;3;2;2;2;3;3;8;4;5;5;4" };
const PYTHON = "python"; // in the place of weights: what was typed last
const MOVES_LISTED = 4;
const MARKED_PATTERNS = 40; // more lines cannot be told apart
const TYPED_SECONDS = 5; // a search in Python is slow
const MOST = { poles: 100, directions: 10, cells: 10 }; // the ends of sliders; of others 99

export async function open(box, parts, query) {
  const bench = new Workbench(box);
  const load = (wanted) => bench.load(wanted.game ? wanted : { ...EXAMPLE, ...wanted });
  await load(query);
  return { go: load, close: () => bench.close() };
}

// A weight of patterns with so many cells is called `held3`: the number of cells; 0 for any other weight.
const heldBy = (weight) => Number(/^held(\d+)$/.exec(weight)?.[1] ?? 0);
const labelOf = (weight) => (heldBy(weight) ? words.held(heldBy(weight)) : words.terms[weight]);
const meaningOf = (weight) => (heldBy(weight) ? words.heldMeans(heldBy(weight)) : words.termMeans[weight]);

// Whether a weight counts a feature of the position.
const isCounted = (weight, { name, held, poles }) => (name === "pattern" ? held === heldBy(weight) || (weight === "poles" && poles > 0) : name === weight);

class Workbench {
  constructor(box) {
    this.games = make("div", { class: "gamepick" });
    this.ways = make("div", { class: "ways", hidden: true });
    this.sliders = make("div", { class: "sliders" });
    this.spec = make("input", { class: "mono spec", type: "text", readonly: true, "aria-label": words.spec });
    this.said = make("p", { class: "tiny muted said", role: "status" });
    this.file = make("a", { class: "btn grow file", download: "mine.py" }, icon("down"), ".py");
    this.copy = make("button", { type: "button", class: "btn grow", onclick: async () => (this.said.textContent = (await copy(this.spec)) ? words.copied : texts.invite.byHand) }, icon("paste"), words.copy);
    this.boardBox = make("div", { class: "boardbox" });
    this.message = make("p", { class: "small muted benchsay" });
    this.undo = make("button", { type: "button", class: "btn sm quiet", onclick: () => this.playMoves(this.moves.slice(0, -1)) }, icon("undo"), words.undo);
    this.clear = make("button", { type: "button", class: "btn sm quiet", onclick: () => this.playMoves([]) }, icon("first"), words.clear);
    this.eyebrow = make("span", { class: "eyebrow" });
    this.total = make("output", { class: "total" });
    this.terms = make("div", { class: "terms" });
    this.duel = new Duel(() => ({ game: this.game, heuristic: this.weights.spec }));
    this.fight = make("button", { type: "button", class: "btn grow fight", disabled: true, onclick: () => this.play() }, icon("play"), words.play);
    this.lab = make("a", { class: "btn grow" }, icon("lab"), words.inSearch);
    this.element = make("div", { class: "workbench" });
    box.append(this.element);
    this.about = make("p", { class: "muted small desk-only grow" }, words.about);
    this.scale = make("span", { class: "scale" }, words.less, make("i", {}), words.more);
    this.element.append(
      make("header", { class: "labhead" }, make("h1", {}, words.title), this.about, switcher("workbench")),
      make(
        "section",
        { class: "col weightcol", "aria-label": words.weights },
        make("div", { class: "card pad weights" }, make("div", { class: "row nowrap" }, make("h2", { class: "grow" }, words.mineTitle), this.games), this.ways, this.sliders),
        make("div", { class: "card pad stack speccard" }, make("span", { class: "eyebrow" }, words.spec), this.spec, make("div", { class: "row nowrap" }, this.file, this.copy), this.said),
      ),
      make("section", { class: "mid", "aria-label": words.position }, this.message, this.boardBox, make("div", { class: "row nowrap under-bench" }, this.scale, make("span", { class: "grow" }), this.undo, this.clear)),
      make("section", { class: "col valuecol", "aria-label": words.value }, make("div", { class: "card pad stack valuecard" }, make("div", {}, this.eyebrow, this.total), this.terms, make("div", { class: "row nowrap" }, this.fight, this.lab)), this.duel.element),
    );
  }

  // ----------------------------------------------------------- loading

  async load(query) {
    const moves = movesIn(query);
    const mine = (this.asked = {});
    const body = { game: query.game, moves };
    const other = query.game !== this.game;
    const [line, form, heuristics] = await Promise.all([call(...questions.positions(query.game, moves)), call("/api/workbench", { body }), other ? call(...questions.heuristics(query.game)) : null]);
    if (this.asked !== mine) return;
    this.game = query.game;
    this.moves = moves;
    this.view = line.board;
    this.position = line.positions.at(-1);
    this.features = form.features;
    this.through = form.through;
    const typed = query.h === PYTHON && (await this.typing());
    if (this.asked !== mine) return;
    if (other || (!typed && query.h && query.h !== this.weights.spec)) this.fit(form, query.h);
    if (other) {
      this.duel.stop();
      this.duel.offer(heuristics, "completable-centrality");
      this.place();
      this.offerGames();
    }
    this.undo.disabled = this.clear.disabled = !moves.length;
    this.offerWays();
    this.turnTo(Boolean(typed));
  }

  // ------------------------------------------------- weights, or Python where the page can run it

  // The editor of Python; null where the page cannot run it.
  async typing() {
    const found = this.typed === undefined && (await python());
    if (found && !this.typed) {
      const { Typed } = await import("./typed.js");
      this.typed = new Typed(found, () => this.coded && this.draw());
      this.sliders.after(this.typed.element);
    }
    this.typed ??= null;
    return this.typed;
  }

  async offerWays() {
    if (!this.ways.hidden || !(await python())) return;
    const ways = [["weights", words.weights], [PYTHON, say.typed.way]];
    this.way = segments(say.typed.ways, ways, this.coded ? PYTHON : "weights", (way) => goTo("workbench", [], { game: this.game, moves: this.moves.join(";"), h: way === PYTHON ? PYTHON : this.weights.spec }));
    this.ways.replaceChildren(this.way);
    this.ways.hidden = false;
  }

  turnTo(coded) {
    this.coded = coded;
    this.way?.pick(coded ? PYTHON : "weights");
    this.element.classList.toggle("coded", coded);
    this.sliders.hidden = this.duel.element.hidden = this.lab.hidden = this.scale.hidden = coded;
    if (this.typed) this.typed.element.hidden = !coded;
    this.about.textContent = coded ? say.typed.about : words.about;
    if (coded) this.duel.stop();
    this.draw();
    if (coded) this.typed.show(this.game, this.moves);
  }

  get heuristic() {
    return this.coded ? PYTHON : this.weights.spec;
  }

  fit(form, spec = "") {
    this.weights = new Weights(form, Weights.parse(form, spec) ?? Weights.usual(form));
    const held = [...Array(form.longest - 1).keys()].map((i) => `held${form.longest - 1 - i}`);
    this.names = [...held, ...(form.rows > 1 ? ["poles"] : []), ...form.terms];
    this.sliders.replaceChildren(...this.names.map((name) => this.slider(name)));
  }

  slider(name) {
    const label = labelOf(name);
    const value = this.weights.values[name];
    const shown = (number) => (name === "poles" ? `${number} %` : String(number));
    const output = make("output", {}, shown(value));
    const input = make("input", {
      type: "range",
      min: 0,
      max: Math.max(value, MOST[name] ?? 99),
      value: String(value),
      "aria-label": label,
      "data-weight": name,
      oninput: () => {
        this.weights.values[name] = Number(input.value);
        output.textContent = shown(input.value);
        this.draw();
      },
      onchange: () => note("workbench", { h: this.weights.spec, game: this.game, moves: this.moves.join(";") }),
    });
    const lit = (on) => ((this.lit = on ? name : null), this.draw());
    return make("div", { class: "sl", onpointerenter: () => lit(true), onpointerleave: () => lit(false), onfocusin: () => lit(true), onfocusout: () => lit(false) }, make("b", {}, label), output, make("p", {}, meaningOf(name)), input);
  }

  place() {
    this.board = new Board(this.view, { onmove: (move) => this.playMoves([...this.moves, move]) });
    this.boardBox.replaceChildren(this.board);
    this.boardBox.style.setProperty("--ratio", String(this.view.look.box[2] / this.view.look.box[3]));
  }

  async offerGames() {
    const list = [...new Set([...(await offered(GAMES)), this.game])];
    const titles = await Promise.all(list.map(titleOf));
    const select = choice(list.map((spec, i) => [spec, titles[i]]), this.game, (game) => goTo("workbench", [], { game }));
    select.setAttribute("aria-label", say.analyse.game);
    this.games.replaceChildren(select);
  }

  playMoves(moves) {
    goTo("workbench", [], { game: this.game, moves: moves.join(";"), h: this.heuristic });
  }

  // ----------------------------------------------------------- drawing

  draw() {
    if (this.coded) return this.drawTyped();
    this.fight.disabled = false;
    const { parts, discs, total } = this.weights.worth(this.features);
    this.eyebrow.textContent = words.valueFor(sideName(this.view, 0));
    this.total.textContent = signed(total);
    const most = Math.max(1, ...Object.values(parts).map(Math.abs));
    this.terms.replaceChildren(...this.names.filter((name) => name in parts).map((name) => this.bar(labelOf(name), parts[name], most)));
    this.spec.value = this.weights.spec;
    lead(this.file, "href", `/api/workbench/file?${new URLSearchParams({ game: this.game, heuristic: this.weights.spec, after: this.moves.join(" ") })}`);
    this.lab.href = link("search", [], { game: this.game, moves: this.moves.join(";"), search: "alpha-beta", heuristic: this.weights.spec, depth: 2 });
    this.scale.style.setProperty("visibility", this.weights.values.cells ? "visible" : "hidden");
    this.message.textContent = this.lit ? words.lit : this.weights.values.cells ? words.numbers : words.shares;
    this.board.update(this.position, this.marks(discs));
  }

  // What the typed function says; it speaks for the side to move, the page for the first one.
  drawTyped() {
    const { value = null } = this.typed.answer ?? {};
    const first = this.position.to_move === "first";
    this.eyebrow.textContent = words.valueFor(sideName(this.view, 0));
    this.total.textContent = value === null ? "–" : signed(first ? value : -value);
    const best = this.typed.best(MOVES_LISTED);
    const most = Math.max(1, ...best.map(([, worth]) => Math.abs(worth)));
    this.terms.replaceChildren(...best.map(([move, worth]) => this.bar(move, worth, most)));
    this.spec.value = this.typed.spec;
    this.file.hidden = false;
    URL.revokeObjectURL(this.file.href);
    this.file.href = URL.createObjectURL(new Blob([this.typed.source], { type: "text/x-python" }));
    this.fight.disabled = value === null;
    this.message.textContent = say.typed.numbers(sideName(this.view, first ? 0 : 1));
    this.board.update(this.position, this.typed.marks(this.position));
  }

  bar(label, value, most) {
    const bar = make("span", { class: value < 0 ? "minus" : "plus" });
    bar.style.setProperty("width", `${(Math.abs(value) / most) * 48}%`);
    return make("div", { class: "term" }, make("span", { class: "muted" }, label), make("b", {}, signed(value)), make("div", { class: "t" }, bar));
  }

  // The share of each disc as a number, the worth of empty cells as a shade, and the patterns that a touched weight counts.
  marks(discs) {
    const heat = {};
    const weight = this.weights.values.cells ?? 0;
    const taken = new Set(this.position.pieces.flatMap((piece) => piece.cells));
    const most = Math.max(...this.through);
    this.through.forEach((count, cell) => weight && !taken.has(cell) && (heat[cell] = 0.92 * (count / most) ** 1.4 * Math.min(1, 0.72 + weight / 30)));
    const marks = { heat, badges: Object.fromEntries([...discs].map(([cell, value]) => [cell, String(Math.abs(Math.round(value)))])) };
    const counted = this.features.filter((feature) => this.lit && isCounted(this.lit, feature));
    const places = counted.flatMap((feature) => feature.places).filter(([cells]) => cells.length > 1);
    if (places.length) marks.patterns = places.slice(0, MARKED_PATTERNS).map(([cells, side]) => ({ cells, kind: `s${side}` }));
    return marks;
  }

  // ------------------------------------------------------------- playing

  async play() {
    if (this.fight.disabled) return;
    this.fight.disabled = true;
    try {
      const player = this.coded ? this.typed.spec : `alpha-beta:depth=4,heuristic=${this.weights.spec}`;
      await openGame({ game: this.game, first: { kind: "me" }, second: { kind: "ai", player, name: this.coded ? this.typed.answer.name : words.opponent }, ai_seconds: this.coded ? TYPED_SECONDS : 1.5 });
    } catch (error) {
      alertUser(error instanceof Outage ? texts.outage.title : error.message);
    }
    this.fight.disabled = false;
  }

  close() {
    this.duel.stop();
    this.typed?.stop();
  }
}
