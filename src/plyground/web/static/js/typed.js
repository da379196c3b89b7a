// A heuristic as one types it in Python: numbered lines, what it says of the position soon after each change, the line of
// an error, and a stop. What was typed is kept in this browser.

import { make } from "./dom.js";
import { Editor } from "./editor.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { signed } from "./numbers.js";

const words = say.typed;
const PAUSE_MILLISECONDS = 250; // after a change, before it is tried
const EXAMPLE = [
  "def threats(position):",
  '    """Prefer open lines, the nearly finished most."""',
  "    mine = position.lines(position.to_move)",
  "    theirs = position.lines(position.to_move.other)",
  "    return sum(",
  "        4**n * (mine[n] - theirs[n])",
  "        for n in range(1, len(mine))",
  "    )",
  "",
].join("\n");

export class Typed {
  // `python` is the backend's; `onanswer` is called whenever there is something new to show.
  constructor(python, onanswer) {
    this.python = python;
    this.onanswer = onanswer;
    this.answer = null;
    this.running = null;
    this.editor = new Editor({ label: words.label, described: "typed-said", value: python.kept.get() ?? EXAMPLE, onchange: () => this.changed() });
    this.said = make("p", { class: "small said", id: "typed-said", role: "status" });
    this.stopping = make("button", { type: "button", class: "btn sm", onclick: () => this.stop() }, words.stop);
    this.printed = make("pre", { class: "mono printed tiny", hidden: true, tabindex: "0", "aria-label": words.printed });
    this.element = make("div", { class: "typed" }, this.editor.element, make("div", { class: "row nowrap" }, this.said, this.stopping), this.printed, make("p", { class: "tiny muted" }, words.keys));
  }

  get source() {
    return this.editor.source;
  }

  // The position that the function is asked about.
  show(game, moves) {
    this.game = game;
    this.moves = moves;
    this.python.kept.set(this.source);
    return this.ask();
  }

  changed() {
    this.python.kept.set(this.source);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), PAUSE_MILLISECONDS);
  }

  // A change stops what is being worked out for the text before it.
  async ask() {
    clearTimeout(this.timer);
    this.running?.abort();
    const running = (this.running = new AbortController());
    const { source, game, moves } = this;
    this.state(words.loading);
    try {
      await this.python.prepare();
      if (this.running !== running) return;
      this.state(words.running);
      this.take(await this.python.valueOf(game, moves, source, running.signal));
    } catch (error) {
      if (this.running !== running || error.name === "AbortError") return;
      this.take({ error: { code: error.code === "python-slow" ? "slow" : "broken", message: error.message, line: null } });
    } finally {
      if (this.running === running) this.running = null;
      this.stopping.hidden = !this.running;
    }
  }

  take(answer) {
    this.answer = answer;
    const { error, printed = "" } = answer;
    this.editor.number(error?.line ?? null);
    this.state(error ? words.error(error.line, error.code === "slow" ? words.slow : error.code === "broken" ? words.broken(error.message) : error.message) : words.works(answer.name), error ? "bad" : "good");
    this.stopping.hidden = true;
    this.printed.hidden = !printed;
    this.printed.textContent = printed;
    this.onanswer();
  }

  state(text, kind = "") {
    this.said.className = `small said ${kind}`;
    this.said.replaceChildren(kind ? icon(kind === "bad" ? "warn" : "check") : "", text);
    this.stopping.hidden = Boolean(kind);
  }

  stop() {
    this.running?.abort();
    this.running = null;
    this.answer = null;
    this.state(words.stopped);
    this.stopping.hidden = true;
    this.onanswer();
  }

  // What each move is worth to its mover, on the cell where it lands.
  marks(position) {
    const worths = this.answer?.moves ?? {};
    const found = (position.moves ?? []).filter(({ move, cells }) => move in worths && cells.length === 1);
    return { numbers: Object.fromEntries(found.map(({ move, cells }) => [cells[0], signed(worths[move])])) };
  }

  // The best moves first.
  best(count) {
    return Object.entries(this.answer?.moves ?? {}).sort(([, one], [, other]) => other - one).slice(0, count);
  }

  get spec() {
    return `alpha-beta:depth=2,heuristic=mine.py:${this.answer?.name ?? "threats"}`;
  }
}
