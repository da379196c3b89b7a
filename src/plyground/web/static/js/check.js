// Find my bug: somebody's own search, typed or pasted, is run on positions that expose bugs. What is shown is the first
// wrong node with its board, the line of code, the experiments that show the cause, and the tree beside the reference's.

import { link } from "./address.js";
import { Outage, memory } from "./api.js";
import { call, checker } from "./backend.js";
import { Board } from "./board.js";
import { listGames } from "./choices.js";
import { Code } from "./code.js";
import { choice, field, make } from "./dom.js";
import { picture } from "./drawing.js";
import { Editor } from "./editor.js";
import { grown, nodeAt } from "./grown.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { num, signed } from "./numbers.js";
import { PlayerBar } from "./player_bar.js";
import { movesIn, questions } from "./questions.js";
import { rich, sentence } from "./sentence.js";
import { sideName } from "./sides.js";
import { switcher } from "./switcher.js";
import { language, spoken, texts } from "./texts.js";
import { Tree } from "./tree.js";

const words = say.check;
const KEPT = "search"; // what was typed last, in this browser
const SHOWN_LINES = 4; // before and after the wrong one
const SHOWN_BOARDS = 4;
const EXAMPLE = [
  "def search(position, depth, heuristic, alpha=-10**9, beta=10**9):",
  "    over = position.outcome()",
  "    if over:",
  "        if over.winner is None:",
  "            return 0",
  "        return 10000 + depth if over.winner is position.to_move else -10000 - depth",
  "    if depth == 0:",
  "        return -heuristic(position)",
  "    best = -10**9",
  "    for move in position.moves():",
  "        value = -search(position.play(move), depth - 1, heuristic, -beta, -alpha)",
  "        best = max(best, value)",
  "        alpha = max(alpha, best)",
  "        if alpha >= beta:",
  "            break",
  "    return best",
  "",
].join("\n");

export async function open(box, parts, query) {
  const [found, causes] = await Promise.all([checker(), fetch(new URL(`../words/causes/${language}.json`, import.meta.url)).then((answer) => answer.json())]);
  const view = new Check(box, found, causes);
  const load = (wanted) => view.load({ game: "connect-four", depth: "3", ...wanted });
  await load(query);
  return { go: load, close: () => view.close() };
}

class Check {
  constructor(box, found, causes) {
    this.checker = found;
    this.causes = causes;
    this.setup = make("div", { class: "setupcard" });
    this.boardBox = make("div", { class: "boardbox" });
    this.undo = make("button", { type: "button", class: "btn quiet sm", onclick: () => this.change({ moves: this.moves.slice(0, -1).join(";") }) }, icon("undo"), words.undo);
    this.where = make("p", { class: "tiny muted" });
    this.editor = new Editor({ label: words.label, described: "check-said", value: memory.get(KEPT, null) ?? EXAMPLE, onchange: () => memory.set(KEPT, this.editor.source) });
    this.said = make("p", { class: "small said", id: "check-said", role: "status" });
    this.start = make("button", { type: "button", class: "btn primary grow start", disabled: true, onclick: () => this.ask() }, icon("eye"), words.start);
    this.stopping = make("button", { type: "button", class: "btn", hidden: true, onclick: () => this.running?.abort() }, words.stop);
    this.report = make("section", { class: "report stack", "aria-label": words.report }, this.empty());
    box.append(
      make(
        "div",
        { class: "check" },
        make("header", { class: "labhead" }, make("h1", {}, words.title), make("p", { class: "muted small desk-only grow" }, words.about), switcher("check")),
        make(
          "section",
          { class: "own stack", "aria-label": words.own },
          make("div", { class: "card pad stack typed" }, this.setup, this.editor.element, make("div", { class: "row nowrap" }, this.start, this.stopping), this.said, make("p", { class: "tiny muted" }, words.keys)),
          make("details", { class: "card pad" }, make("summary", { class: "small" }, words.fromHere), this.where, this.boardBox, this.undo),
        ),
        this.report,
      ),
    );
    if (!found) this.state(words.noPython, "bad");
  }

  empty() {
    return make("div", { class: "card pad stack empty" }, make("h2", {}, words.emptyTitle), ...words.empty.map((text) => make("p", { class: "muted" }, ...rich(text))));
  }

  // ----------------------------------------------------------- choices

  async load(query) {
    const mine = (this.asked = {});
    const moves = movesIn(query);
    const [games, heuristics, line] = await Promise.all([listGames(), call(...questions.heuristics(query.game)), call(...questions.positions(query.game, moves))]);
    if (this.asked !== mine) return;
    this.query = query;
    this.moves = moves;
    this.view = line.board;
    const known = games.map((game) => [game.name, spoken(game.title)]);
    if (!known.some(([name]) => name === query.game)) known.unshift([query.game, spoken(line.board.title)]);
    const game = choice(known, query.game, (value) => this.change({ game: value, moves: undefined, heuristic: undefined }));
    const depth = choice(["1", "2", "3", "4"].map((n) => [n, n]), query.depth, (value) => this.change({ depth: value }));
    const guess = choice(heuristics.map((name) => [name, name]), query.heuristic ?? "lines", (value) => this.change({ heuristic: value }));
    this.setup.replaceChildren(field(words.game, game), field(words.depth, depth), field(words.heuristic, guess));
    this.board = new Board(line.board, { onmove: (move) => this.change({ moves: [...moves, move].join(";") }) });
    this.boardBox.replaceChildren(this.board);
    this.board.update(line.positions.at(-1));
    this.where.textContent = moves.length ? words.position(moves.join(" ")) : words.everywhere;
    this.undo.disabled = !moves.length;
    this.start.disabled = !this.checker || Boolean(this.running);
  }

  change(changes) {
    location.hash = link("check", [], { ...this.query, ...changes });
  }

  state(text, kind = "") {
    this.said.className = `small said ${kind}`;
    this.said.replaceChildren(kind ? icon(kind === "bad" ? "warn" : "check") : "", text);
  }

  // ------------------------------------------------------------ asking

  async ask() {
    this.running?.abort();
    const running = (this.running = new AbortController());
    const { game, depth, heuristic = "lines" } = this.query;
    const { source } = this.editor;
    this.editor.number();
    this.start.disabled = true;
    this.stopping.hidden = false;
    try {
      this.state(words.loading);
      await this.checker.prepare();
      this.state(words.running);
      const answer = await this.checker.check({ game, moves: this.moves, source, depth: Number(depth), heuristic }, running.signal);
      if (this.running === running) await this.take(answer, source);
    } catch (error) {
      if (this.running !== running) return;
      if (error.name === "AbortError") this.state(words.stopped);
      else this.state(error instanceof Outage ? texts.outage.title : error.code === "python-slow" ? words.slow : error.message, "bad");
    } finally {
      if (this.running === running) {
        this.running = null;
        this.start.disabled = false;
        this.stopping.hidden = true;
      }
    }
  }

  async take({ report, fault, error = fault }, source) {
    if (error) {
      this.editor.number(error.line ?? (Number(/line (\d+)\)/.exec(error.message)?.[1]) || null));
      this.report.replaceChildren(this.empty());
      return this.state(error.code === "slow" ? words.slow : error.message, "bad");
    }
    const [finding] = report.findings;
    this.editor.number(finding?.line ?? null);
    this.state(finding ? words.found(finding.line, this.causes[finding.cause].title) : words.nothing, finding ? "bad" : "good");
    const shown = [this.hero(report, finding)];
    if (finding) shown.push(await this.node(report, finding), this.code(finding, source));
    if (report.trees) shown.push((this.trees = new Trees(report, finding, this.view, source)).element);
    if (report.pruning) shown.push(this.pruning(report.pruning));
    shown.push(this.rights(report));
    this.report.replaceChildren(...shown);
    this.trees?.ready();
  }

  // ----------------------------------------------------------- showing

  hero(report, finding) {
    const about = make("p", { class: "small muted" }, make("span", { class: "mono" }, report.name), ` · ${words.checked(report.positions)}`);
    const title = finding ? make("h2", { class: "bugtitle" }, words.wrong[report.kind], make("em", {}, this.causes[finding.cause].title)) : make("h2", { class: "bugtitle good" }, words.nothing);
    return make("header", { class: "bughead" }, about, title);
  }

  // The first wrong node: the boards on the way, what was returned, what is right, and each of its moves.
  async node(report, finding) {
    const parts = [];
    const before = finding.before ?? this.moves; // they are not named where they are those that one has played
    if (finding.start) {
      const moves = [...before, ...finding.path];
      const { board, positions } = await call(...questions.positions(report.game, moves));
      const first = Math.max(before.length, moves.length - SHOWN_BOARDS + 1);
      const boards = positions.slice(first).map((position, i) => {
        const at = first + i;
        const last = at === moves.length;
        const name = at === before.length ? words.searched(finding.depth) : words.after(sideName(board, positions[at - 1].to_move === "first" ? 0 : 1), moves[at - 1]);
        return make("figure", { class: last ? "last" : null }, picture(board, position, name, { last: at > before.length }), make("figcaption", {}, name));
      });
      parts.push(make("div", { class: "way" }, ...boards));
    }
    if (finding.got !== null) {
      const right = finding.right === null ? null : make("div", { class: "good" }, words.right, make("b", {}, shown(finding.right)));
      parts.push(make("div", { class: "returned" }, make("div", { class: "bad" }, words.got, make("b", {}, shown(finding.got))), right));
    }
    parts.push(make("p", { class: "small", lang: "en" }, finding.text));
    if (finding.moves.length) parts.push(kids(finding.moves));
    if (finding.chosen && finding.best && finding.chosen !== finding.best) parts.push(make("p", { class: "small" }, ...rich(words.plays(finding.chosen, finding.best))));
    return make("section", { class: "card pad stack" }, make("h2", {}, words.firstWrong), ...parts);
  }

  code(finding, source) {
    const lines = source.split("\n");
    const from = Math.max(1, finding.line - SHOWN_LINES);
    const listed = finding.line ? lines.slice(from - 1, finding.line + SHOWN_LINES).map((text, i) => make("span", { class: from + i === finding.line ? "del" : null }, make("i", {}, String(from + i)), text)) : [];
    const tried = finding.experiments.map(({ title, agree, of }) => {
      const bar = make("span", {});
      bar.style.setProperty("width", `${(100 * agree) / of}%`);
      return make("li", { class: agree === of ? "hit" : null }, make("span", {}, words.tried[title] ?? title), make("b", {}, words.of(agree, of)), make("span", { class: "m", "aria-hidden": "true" }, bar));
    });
    return make(
      "div",
      { class: "pair" },
      make("section", { class: "card pad stack" }, make("h2", {}, finding.line ? words.line(finding.line) : words.advice), listed.length ? make("pre", { class: "mono", tabindex: "0", "aria-label": words.code }, ...listed) : null, make("p", { class: "small muted" }, this.causes[finding.cause].advice), finding.traceback ? make("pre", { class: "mono printed", tabindex: "0", "aria-label": words.traceback }, finding.traceback) : null),
      tried.length ? make("section", { class: "card pad stack" }, make("h2", {}, words.how), make("p", { class: "tiny muted" }, words.agree), make("ul", { class: "tried" }, ...tried)) : null,
    );
  }

  pruning(counts) {
    const most = Math.max(...Object.values(counts));
    const rows = Object.entries(counts).map(([name, count]) => {
      const bar = make("span", { class: name });
      bar.style.setProperty("width", `${Math.max(1, (100 * count) / most)}%`);
      return make("div", {}, make("span", {}, words.counted[name]), make("b", {}, count.toLocaleString(language)), make("span", { class: "t", "aria-hidden": "true" }, bar));
    });
    return make("section", { class: "card pad stack" }, make("h2", {}, words.pruning), make("div", { class: "counted" }, ...rows));
  }

  rights(report) {
    const good = report.right.map((title) => make("span", { class: "tag good" }, words.rights[title] ?? title));
    const bad = report.findings.map(({ cause }) => make("span", { class: "tag bad" }, this.causes[cause].title));
    const notes = [...report.notes, report.assumed.join("; ")].filter(Boolean).map((text) => make("p", { class: "small muted", lang: "en" }, text));
    return make("section", { class: "card pad stack" }, make("h2", {}, words.alreadyRight), make("div", { class: "row tags" }, ...good, ...bad), ...notes);
  }

  close() {
    this.running?.abort();
    this.asked = null;
    this.trees?.close();
  }
}

const shown = (value) => (typeof value === "number" ? signed(value) : String(value));

// What the calls below said of each move, beside what is right, for the side to move.
function kids(moves) {
  const cell = ({ got, bound }) => (got === null ? "·" : `${bound ? `${words.bounds[bound]} ` : ""}${shown(got)}`);
  const differs = ({ got, right, bound }) => got !== null && right !== null && !bound && got !== right;
  const rows = moves.map((row) => make("tr", {}, make("th", { scope: "row" }, row.move), make("td", { class: differs(row) ? "bad" : null }, cell(row)), make("td", { class: "good" }, row.right === null ? "·" : shown(row.right))));
  const head = make("tr", {}, ...[words.move, words.yours, words.rightly].map((text) => make("th", { scope: "col" }, text)));
  return make("table", { class: "kids" }, make("thead", {}, head), make("tbody", {}, ...rows));
}

// The tree of the search beside the reference's, with the first difference lit; both can be stepped through.
class Trees {
  constructor(report, finding, view, source) {
    this.finding = finding;
    const about = { sides: view.sides, heuristic: report.heuristic };
    this.sources = [{ name: report.name.split(":").at(-1), file: report.name.split(":")[0], first: 1, text: source }];
    this.walks = [grown(report.trees.yours, about), grown(report.trees.reference, about)];
    this.lit = this.walks.map((walk) => nodeAt(walk, finding.path));
    this.lit[1].mark = "right";
    this.trees = this.walks.map((walk, i) => new Tree((node) => this.look(i, node)));
    this.scrolls = this.trees.map((tree) => make("div", { class: "treescroll" }, tree.element));
    this.said = make("p", { class: "say", role: "status" });
    this.code = new Code();
    this.bar = new PlayerBar({ onstep: (at) => this.show(at, null), extra: [make("button", { type: "button", class: "btn sm quiet lightbutton", onclick: () => this.light() }, words.light)] });
    const head = ([name, walk], i) => make("div", {}, make("div", { class: "row treehead" }, make("h3", { class: "grow" }, name), make("span", { class: "small muted" }, ...rich(words.worth(num(walk.root.value), walk.root.size)))), this.scrolls[i]);
    this.stepping = make("div", { class: "card codecol", hidden: true }, this.code.element);
    this.element = make("section", { class: "card grovebox" }, make("h2", { class: "pad" }, words.trees), make("div", { class: "grove" }, ...[[words.yourTree, this.walks[0]], [words.reference, this.walks[1]]].map(head)), this.said, this.bar.element, this.stepping, make("p", { class: "tiny muted pad" }, ...rich(words.legend)));
    this.resize = new ResizeObserver(() => this.draw());
  }

  // Once it is on the page, which gives it its size.
  ready() {
    this.bar.load(this.walks[0].last, this.walks[0].last);
    this.light();
    this.resize.observe(this.element);
  }

  // The whole trees with the way to the first wrong node open.
  light() {
    this.bar.load(this.walks[0].last, this.walks[0].last);
    this.show(this.walks[0].last, this.lit);
  }

  show(at, focus) {
    this.at = at;
    this.stepping.hidden = Boolean(focus);
    const [walk] = this.walks;
    const step = walk.steps[at];
    const node = walk.nodes[step.node];
    this.said.replaceChildren(...rich(focus ? words.lit(this.finding.path.join(" ") || say.search.root, num(this.lit[0].value), num(this.lit[1].value)) : sentence(walk, step)));
    if (!focus && step.line) this.code.show(this.sources, step);
    this.shown = focus ?? [null, nodeAt(this.walks[1], walk.line(node))];
    this.draw();
  }

  draw() {
    if (this.at === undefined) return;
    this.trees.forEach((tree, i) => {
      const scroll = this.scrolls[i];
      const at = i ? this.walks[1].last : this.at;
      const [x, y] = tree.show(this.walks[i], at, { width: scroll.clientWidth, height: scroll.clientHeight, chosen: this.chosen?.[i], focus: this.shown[i] });
      scroll.scrollLeft = x - scroll.clientWidth / 2;
      scroll.scrollTop = y - scroll.clientHeight / 2;
    });
  }

  // The same node in both trees.
  look(i, node) {
    const line = this.walks[i].line(node);
    const both = this.walks.map((walk) => nodeAt(walk, line));
    both[i] = node;
    this.chosen = both.map(({ id }) => id);
    this.shown = both;
    this.draw();
  }

  close() {
    this.bar.close();
    this.resize.disconnect();
  }
}
