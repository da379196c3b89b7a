// Any position of any game: the value of every move, the best lines, the course of the whole game.

import { call, prospects, stream } from "./api.js";
import { Board } from "./board.js";
import { gameChooser, playerChooser } from "./choices.js";
import { curve } from "./curve.js";
import { alertUser, announce, field, make } from "./dom.js";
import { texts } from "./texts.js";

const say = texts.analyse;

export async function open(main, parts, query) {
  const view = new Analysis(main);
  await view.build(query);
  return () => view.stop();
}

class Analysis {
  constructor(main) {
    this.main = main;
    this.moves = [];
    this.positions = [];
    this.at = 0;
    this.judged = null;
  }

  async build(query) {
    const start = query.game ?? "polarized-ladder";
    const line = this.line(start, query.moves ? query.moves.split(";") : []);
    line.catch(() => null); // what went wrong is shown where it is awaited
    [this.game, this.player] = await Promise.all([gameChooser(start), playerChooser(start, "engine")]);
    this.game.addEventListener("change", () => this.setUp(this.game.spec(), []));
    this.seconds = make("input", { type: "number", min: 0.1, max: 10, step: 0.1, value: 2 });
    this.paste = make("textarea", { rows: 2, maxlength: 12000, placeholder: "G3 H4 · 4453 · [Game …]" });
    this.stage = make("section", { class: "stage" });
    this.table = make("div", { class: "scroll" });
    this.status = make("p", { class: "thought quiet", role: "status" });
    this.list = make("ol", { class: "moves", tabindex: 0, "aria-label": texts.game.moves });
    this.chart = make("div", { class: "chart" });
    this.proof = make("p", { class: "proof" });
    this.solved = make("p", { class: "solved", role: "status" });
    const deed = (name, label, text, onclick) => make("button", { type: "button", class: name, "aria-label": label, disabled: true, onclick }, text);
    const step = (name, text, to) => deed(name, say[name], text, () => this.go(to()));
    this.thinkButton = deed("primary think", null, say.think, () => this.think());
    this.deeds = [
      step("start", "|◀", () => 0),
      step("back", "◀", () => this.at - 1),
      step("forward", "▶", () => this.at + 1),
      step("end", "▶|", () => this.moves.length),
      this.thinkButton,
      deed("solve", null, say.solve, () => this.solve()),
      deed("judge", null, say.whole, () => this.judge()),
    ];
    this.link = make("a", {}, say.link);
    this.main.append(
      make("h1", {}, say.title),
      make(
        "details",
        { class: "setupbox", open: !query.moves },
        make("summary", {}, say.load),
        make("form", { class: "setup", onsubmit: (event) => this.pasted(event) }, this.game, field(say.paste, this.paste), make("button", { type: "submit" }, say.load)),
      ),
      make(
        "div",
        { class: "table" },
        this.stage,
        make(
          "aside",
          {},
          make("div", { class: "row" }, ...this.deeds.slice(0, 4)),
          make("div", { class: "row" }, this.player, field(say.seconds, this.seconds)),
          make("div", { class: "row" }, ...this.deeds.slice(4)),
          this.status,
          this.proof,
          this.solved,
          this.table,
          this.list,
          make("p", {}, this.link),
        ),
      ),
      this.chart,
    );
    this.show(await line);
  }

  async pasted(event) {
    event.preventDefault();
    if (!this.paste.value.trim()) return this.setUp(this.game.spec(), []);
    const answer = await call("/api/record", { body: { text: this.paste.value, game: this.game.spec() } });
    await this.setUp(answer.game, answer.moves);
  }

  // A line of play with its positions, or nothing when another one was asked for in the meantime.
  async line(game, moves) {
    this.stop();
    const mine = (this.asked = {});
    const answer = await call("/api/positions", { body: { game, moves } });
    return this.asked === mine ? { game, moves, ...answer } : null;
  }

  async setUp(game, moves) {
    const [line] = await Promise.all([this.line(game, moves), this.player.refit(game)]);
    this.show(line);
  }

  show(line) {
    if (!line) return;
    this.spec = line.game;
    this.board = new Board(line.board, { onmove: (move) => this.play(move) });
    this.stage.replaceChildren(this.board.element);
    this.follow(line);
    for (const button of this.deeds) button.disabled = false;
  }

  follow({ moves, positions }) {
    this.moves = moves;
    this.positions = positions;
    this.judged = null;
    this.chart.replaceChildren();
    this.go(moves.length);
  }

  async play(move) {
    await this.extend([...this.moves.slice(0, this.at), move]);
  }

  async extend(moves) {
    const line = await this.line(this.spec, moves);
    if (line) this.follow(line);
  }

  go(at) {
    this.stop();
    this.at = Math.max(0, Math.min(this.moves.length, at));
    this.board.update(this.positions[this.at]);
    this.learnMoves();
    this.table.replaceChildren();
    this.status.textContent = "";
    this.solved.textContent = "";
    this.drawList();
    this.certificate();
    const query = new URLSearchParams({ game: this.spec, moves: this.moves.slice(0, this.at).join(";") });
    this.link.href = `#/analyse?${query}`;
    if (this.judged) this.drawCurve();
    announce(this.at ? this.moves[this.at - 1] : say.start);
  }

  // The legal moves of a position are asked for when one goes there.
  async learnMoves() {
    const { at, positions } = this;
    if (positions[at].moves) return;
    const answer = await call("/api/positions", { body: { game: this.spec, moves: this.moves.slice(0, at) } });
    positions[at] = { ...positions[at], moves: answer.positions[at].moves };
    if (this.positions === positions && this.at === at) this.board.update(positions[at], this.board.marks);
  }

  drawList() {
    this.list.replaceChildren();
    for (let i = 0; i < this.moves.length; i += 2) {
      const item = make("li");
      for (const ply of [i, i + 1]) {
        if (ply >= this.moves.length) continue;
        const note = this.judged?.notes[ply];
        item.append(
          make(
            "a",
            { href: "#", "aria-current": ply + 1 === this.at, class: note ? "blunder" : "", title: note ?? "", onclick: (event) => (event.preventDefault(), this.go(ply + 1)) },
            this.moves[ply] + (note ? " ⚠" : ""),
          ),
        );
      }
      this.list.append(item);
    }
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
    if (this.thinkButton) this.thinkButton.textContent = say.think;
  }

  async think() {
    if (this.abort) return this.stop();
    if (this.positions[this.at].outcome) return (this.status.textContent = say.nothing);
    this.abort = new AbortController();
    this.thinkButton.textContent = say.stop;
    const body = { game: this.spec, moves: this.moves.slice(0, this.at), player: this.player.spec(), seconds: Number(this.seconds.value) };
    try {
      await this.learnMoves();
      await stream("/api/analyse", body, (ranking) => this.ranked(ranking), this.abort.signal);
    } catch (error) {
      if (error.name !== "AbortError") alertUser(error.message);
    }
    this.stop();
  }

  ranked({ moves, best }) {
    if (!moves.length) return; // nothing can be compared yet
    const position = this.positions[this.at];
    const byText = new Map(position.moves.map((move) => [move.move, move]));
    const values = moves.map((move) => prospects(move.worth));
    const top = Math.max(...values);
    const shade = {};
    const numbers = {};
    moves.forEach((entry, i) => {
      const cell = byText.get(entry.move)?.cells[0];
      if (cell === undefined || cell in numbers) return;
      numbers[cell] = short(entry.text);
      shade[cell] = values[i] >= top - 0.05 ? 0.75 : values[i] < 0 ? Math.max(-0.8, values[i]) : 0.15 + values[i] * 0.4;
    });
    this.board.update(position, { shade, numbers });
    this.status.textContent = `${best} · ${moves[0].text} · ${texts.game.depth(moves[0].depth)} · ${texts.game.nodes(moves[0].nodes)} · ${texts.game.seconds(moves[0].seconds)}`;
    const rows = moves.slice(0, 12).map((entry) =>
      make(
        "tr",
        {},
        make("td", {}, make("button", { type: "button", class: "plain", onclick: () => this.ghost(entry, { shade, numbers: {} }) }, entry.move)),
        make("td", {}, entry.text),
        make("td", {}, String(entry.depth)),
        make("td", { class: "line" }, entry.line.slice(0, 6).join("  ")),
      ),
    );
    const head = make("tr", {}, ...[say.move, say.value, say.depth, say.line].map((text) => make("th", { scope: "col" }, text)));
    this.table.replaceChildren(make("table", { class: "lines" }, make("caption", { class: "unseen" }, say.best), make("thead", {}, head), make("tbody", {}, ...rows)));
  }

  // A line shown as numbered ghosts; pressed again, it is played.
  async ghost(entry, overlays) {
    if (this.shown === entry.move + this.at) return this.extend([...this.moves.slice(0, this.at), ...entry.line]).then(() => this.go(this.at));
    this.shown = entry.move + this.at;
    const line = [...this.moves.slice(0, this.at), ...entry.line.slice(0, 8)];
    const answer = await call("/api/positions", { body: { game: this.spec, moves: line } });
    const ghosts = answer.positions.slice(this.at + 1).map((position) => position.played);
    this.board.update(this.positions[this.at], { ...overlays, ghosts });
  }

  async certificate() {
    this.proof.textContent = "";
    const { at, positions } = this;
    const answer = await call("/api/certificate", { body: { game: this.spec, moves: this.moves.slice(0, at) } });
    if (positions !== this.positions || at !== this.at || this.abort) return;
    const proved = answer.proofs[0];
    if (proved) {
      this.proof.textContent = answer.proofs.length > 1 ? say.provedDraw(proved.side) : say.cannotLose(proved.side);
      this.board.update(positions[at], { pairs: proved.pairs });
    }
  }

  // What is proved, and the exact value of each move where that is known.
  async solve() {
    this.stop();
    if (this.positions[this.at].outcome) return (this.status.textContent = say.nothing);
    this.abort = new AbortController();
    this.solved.textContent = say.solving;
    const { at } = this;
    const body = { game: this.spec, moves: this.moves.slice(0, at), seconds: Number(this.seconds.value) };
    const each = ({ text, decided, moves }) => {
      this.solved.textContent = decided ? say.solved(text) : say.unsolved(text);
      const byText = new Map(this.positions[at].moves.map((move) => [move.move, move.cells[0]]));
      const numbers = Object.fromEntries(Object.entries(moves).map(([move, words]) => [byText.get(move), short(words)]));
      if (Object.keys(numbers).length) this.board.update(this.positions[at], { numbers });
    };
    try {
      await this.learnMoves();
      await stream("/api/solve", body, each, this.abort.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.solved.textContent = error.message;
    }
    this.stop();
  }

  // Every position of the game, from the last to the first: the curve of the game and where it went wrong.
  async judge() {
    this.stop();
    this.abort = new AbortController();
    const scores = Array(this.moves.length + 1).fill(null);
    const notes = {};
    const sure = [];
    const each = ({ ply, score, mark, better }) => {
      scores[ply] = score && prospects(score);
      sure[ply] = Boolean(score?.result);
      if (mark) notes[ply] = say.better(say.marks[mark], better);
      this.judged = { scores, notes, sure };
      this.drawCurve();
    };
    try {
      await stream("/api/review", { game: this.spec, moves: this.moves, seconds: Number(this.seconds.value) }, each, this.abort.signal);
      this.drawList();
    } catch (error) {
      if (error.name !== "AbortError") alertUser(error.message);
    }
    this.stop();
  }

  drawCurve() {
    const { scores, notes, sure } = this.judged;
    const marked = Object.entries(notes).map(([ply, note]) => {
      const number = `${Math.floor(ply / 2) + 1}${ply % 2 ? "…" : "."}`;
      return make("li", {}, make("button", { type: "button", class: "plain blunder", onclick: () => this.go(Number(ply) + 1) }, say.noted(number, this.moves[ply], note)));
    });
    this.chart.replaceChildren(curve(scores, { notes, at: this.at, proved: sure, label: say.curve, onpick: (at) => this.go(at) }), make("ul", { class: "notes" }, ...marked));
  }
}

const short = (text) => text.replace(/,.*/, "").replace("win in ", "W").replace("loss in ", "L").replace("at most ", "≤").replace("draw", "=");
