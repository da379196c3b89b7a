// The search lab: a position, the tree that a search walks there step by step, and the code that does it.

import { link, note } from "./address.js";
import { Outage } from "./api.js";
import { call, offers } from "./backend.js";
import { Board } from "./board.js";
import { listGames } from "./choices.js";
import { choice, field, make } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { Code } from "./code.js";
import { negated, num } from "./numbers.js";
import { PlayerBar } from "./player_bar.js";
import { rich, sentence } from "./sentence.js";
import { switcher } from "./switcher.js";
import { SEARCHED, movesIn, questions } from "./questions.js";
import { spoken, texts } from "./texts.js";
import { Tree } from "./tree.js";
import { Walk } from "./walk.js";

const words = say.search;

export async function open(box, parts, query) {
  const lab = new Lab(box);
  await lab.load(whole(query));
  return { go: (next) => lab.load(whole(next)), close: () => lab.close() };
}

// An address that leaves out the game means the example; one that leaves out how to search means the usual search.
function whole(query) {
  const { search, heuristic } = SEARCHED;
  return query.game ? { search, heuristic, depth: "2", ...query } : { ...SEARCHED, ...query };
}

class Lab {
  constructor(box) {
    this.panels = [new Panel(this, 0), new Panel(this, 1)];
    this.code = new Code();
    this.variables = make("p", { class: "small muted variables" });
    this.boardBox = make("div", { class: "boardbox" });
    this.where = make("h2", { class: "where" });
    this.turn = make("p", { class: "tiny muted turn" });
    this.home = make("button", { type: "button", class: "btn sm", onclick: () => this.rootBoard(), disabled: true }, words.back);
    this.start = make("button", { type: "button", class: "btn sm", onclick: () => this.restart(), disabled: true }, words.fromHere);
    this.undo = make("button", { type: "button", class: "btn quiet sm square", "aria-label": words.undo, onclick: () => this.change({ moves: this.moves.slice(0, -1).join(";") }) }, icon("undo"));
    this.nextCut = make("button", { type: "button", class: "btn quiet sm cutbutton", disabled: true, onclick: () => this.toCut() }, words.nextCut);
    this.bar = new PlayerBar({ onstep: (at) => this.show(at), onrest: (at) => note("search", { step: at }), extra: [this.nextCut] });
    this.setup = make("div", { class: "setupcard stack" });
    this.compareButton = make("button", { type: "button", class: "btn sm compare", onclick: () => this.compare() }, icon("swap"), words.compare);
    this.fault = make("p", { class: "notice", role: "alert", hidden: true });
    this.root = make(
      "div",
      { class: "lab" },
      make("header", { class: "labhead" }, make("h1", {}, words.title), make("p", { class: "muted small desk-only grow" }, words.about), switcher("search")),
      make(
        "section",
        { class: "labside stack", "aria-label": words.position },
        make("div", { class: "card pad position" }, make("div", { class: "row" }, this.where, this.undo), this.boardBox, this.turn, make("div", { class: "row nodebuttons" }, this.home, this.start)),
        this.setup,
        this.compareButton,
      ),
      make("section", { class: "trees", "aria-label": words.tree }, this.fault, ...this.panels.map((panel) => panel.element)),
      make("section", { class: "card codecol", "aria-label": words.code }, this.code.element, this.variables, legend()),
      this.bar.element,
    );
    box.append(this.root);
    this.resize = new ResizeObserver(() => this.walks.length && this.show(this.bar.at));
    this.resize.observe(this.panels[0].scroll);
  }

  get walks() {
    return this.panels.filter((panel) => panel.walk).map((panel) => panel.walk);
  }

  get comparing() {
    return Boolean(this.query.search2);
  }

  // ---------------------------------------------------------- loading

  // A state by its address: asks for what has changed.
  async load(query) {
    const before = this.query;
    this.query = query;
    const asked = (query) => JSON.stringify({ ...query, step: undefined });
    if (before && asked(before) === asked(query)) return this.bar.load(this.bar.last, Number(query.step ?? this.bar.at));
    const mine = (this.asked = {});
    this.moves = movesIn(query);
    this.blank();
    try {
      const trees = Promise.all(this.panels.map((panel) => panel.load(mine)));
      trees.catch(() => null); // what went wrong is shown below, where it is awaited
      const [games, heuristics, position] = await Promise.all([listGames(), call(...questions.heuristics(query.game)), call(...questions.positions(query.game, this.moves))]);
      if (this.asked !== mine) return;
      this.offer(games, heuristics, position.board.title);
      this.place(position);
      await trees;
    } catch (error) {
      if (this.asked !== mine) return;
      if (error.code === "bad-position") throw error; // there is nothing to search
      return this.fail(error);
    }
    if (this.asked === mine) this.ready(query);
  }

  // Nothing is shown under a label that it does not belong to.
  blank() {
    this.bar.load(-1);
    this.fault.hidden = true;
    this.panels.forEach((panel) => panel.blank());
    this.panels[1].element.hidden = !this.comparing;
    this.root.classList.toggle("comparing", this.comparing);
    this.compareButton.replaceChildren(icon(this.comparing ? "close" : "swap"), this.comparing ? words.compareNot : words.compare);
    this.root.setAttribute("aria-busy", "true");
  }

  fail(error) {
    this.fault.hidden = false;
    this.fault.replaceChildren(icon("warn"), error instanceof Outage ? texts.outage.title : (texts.lost.because[error.code] ?? error.message));
    this.root.removeAttribute("aria-busy");
  }

  ready(query) {
    this.root.removeAttribute("aria-busy");
    for (const panel of this.panels) panel.walk = panel.found;
    const longest = this.comparing ? Math.max(...this.walks.map((walk) => walk.nodes.length)) - 1 : this.walks[0].last;
    const [walk] = this.walks;
    const cut = walk.steps.find((step) => step.kind === "cut" && walk.nodes[step.node].level === 1) ?? walk.nextCut(-1);
    this.nextCut.disabled = true;
    this.bar.load(longest, query.step === undefined ? (this.comparing ? longest : (cut?.index ?? longest)) : Number(query.step) || 0);
    this.nextCut.disabled = !cut || this.comparing;
  }

  // ------------------------------------------------------------ choices

  change(changes) {
    location.hash = link("search", [], { ...this.query, step: undefined, ...changes });
  }

  compare() {
    if (this.comparing) return this.change({ search2: undefined, heuristic2: undefined });
    this.change({ search2: this.query.search === "minimax" ? "alpha-beta" : "minimax", heuristic2: this.query.heuristic });
  }

  offer(games, heuristics, title) {
    const { query } = this;
    const known = games.map((game) => [game.name, spoken(game.title)]);
    if (!known.some(([name]) => name === query.game)) known.unshift([query.game, spoken(title)]);
    const game = choice(known, query.game, (value) => this.change({ game: value, moves: undefined, heuristic: "lines", heuristic2: query.search2 && "lines", depth: value === "tic-tac-toe" ? 3 : 2 }));
    const depth = choice([1, 2, 3, 4].map((n) => [String(n), String(n)]), query.depth ?? "2", (value) => this.change({ depth: value }));
    this.setup.replaceChildren(field(words.game, game), field(words.depth, depth));
    this.panels.forEach((panel) => panel.offer(heuristics));
  }

  // -------------------------------------------------------------- board

  place({ board, positions }) {
    this.view = board;
    this.rootPosition = positions.at(-1);
    this.board = new Board(board, { onmove: (move) => this.change({ moves: [...this.moves, move].join(";") }) });
    this.boardBox.replaceChildren(this.board);
    this.undo.disabled = !this.moves.length;
    this.shownNode = 0;
    this.rootBoard();
  }

  rootBoard() {
    this.chosen = null;
    this.board.onmove = (move) => this.change({ moves: [...this.moves, move].join(";") });
    this.board.update(this.rootPosition);
    this.where.textContent = words.playHere;
    this.turn.textContent = this.mover(this.rootPosition.to_move === "first" ? 0 : 1);
    this.home.disabled = this.start.disabled = true;
    if (this.walks.length) this.show(this.bar.at);
  }

  mover(side) {
    return words.toMove(this.view.sides[side], side === 0 ? words.max : words.min);
  }

  // The board of a node, asked for when one looks at it.
  async look(walk, node) {
    this.chosen = node.id;
    this.show(this.bar.at);
    const line = walk.line(node);
    const mine = (this.looking = {});
    const { positions } = await call(...questions.positions(this.query.game, [...this.moves, ...line]));
    if (this.looking !== mine) return;
    this.board.onmove = null;
    this.board.update(positions.at(-1));
    this.where.textContent = line.length ? words.after(line.join(" ")) : words.position;
    this.turn.textContent = `${this.mover(node.mover)} · ${words.worth(num(walk.state(node, this.bar.at)?.value ?? null))}`;
    this.home.disabled = false;
    this.start.disabled = !line.length || node.over;
    this.startMoves = [...this.moves, ...line];
  }

  restart() {
    this.change({ moves: this.startMoves.join(";") });
  }

  // -------------------------------------------------------------- steps

  toCut() {
    const found = this.walks[0].nextCut(this.bar.at);
    if (found) this.bar.jump(found.index);
  }

  show(at) {
    for (const panel of this.panels) if (panel.walk) panel.show(this.comparing ? panel.walk.stepAt(at + 1) : at);
    if (this.comparing || !this.walks.length) return;
    const [walk] = this.walks;
    const step = walk.steps[at];
    this.code.show(walk.sources, step);
    const [alpha, beta] = walk.nodes[step.node].mover === 0 ? [step.alpha, step.beta] : [negated(step.beta), negated(step.alpha)];
    this.variables.replaceChildren(...(alpha === null || alpha === undefined ? [words.noWindow] : rich(words.inCode(num(alpha), num(beta), walk.nodes[step.node].mover === 0))));
  }

  close() {
    this.asked = null;
    this.bar.close();
    this.resize.disconnect();
  }
}

// One search with its tree; two of them are compared.
class Panel {
  constructor(lab, number) {
    this.lab = lab;
    this.number = number;
    this.walk = null;
    this.tree = new Tree((node) => lab.look(this.walk, node));
    this.scroll = make("div", { class: "treescroll" }, this.tree.element);
    this.choices = make("div", { class: "row treehead" });
    this.counts = make("p", { class: "small counts" });
    this.say = make("p", { class: "say", role: "status" });
    this.element = make("div", { class: "card treebox", hidden: number > 0 }, this.choices, this.scroll, this.say);
  }

  key(name) {
    return this.number ? `${name}2` : name;
  }

  get wanted() {
    const { query } = this.lab;
    return { search: query[this.key("search")], heuristic: query[this.key("heuristic")] ?? "lines" };
  }

  offer(heuristics) {
    const { search, heuristic } = this.wanted;
    if (!search) return;
    const named = heuristics.includes(heuristic) ? heuristics : [heuristic, ...heuristics];
    const algorithm = choice(offers.searches.map((name) => [name, words.searches[name]]), search, (value) => this.lab.change({ [this.key("search")]: value }));
    const guess = choice(named.map((name) => [name, name.startsWith("weights:") ? say.bench.mine : name]), heuristic, (value) => this.lab.change({ [this.key("heuristic")]: value }));
    algorithm.setAttribute("aria-label", words.search);
    guess.setAttribute("aria-label", words.heuristic);
    this.choices.replaceChildren(algorithm, guess, this.counts);
  }

  blank() {
    this.walk = this.found = null;
    this.tree.open.clear();
    this.tree.element.replaceChildren();
    this.say.textContent = "";
    this.counts.textContent = "";
  }

  async load(mine) {
    const { search, heuristic } = this.wanted;
    if (!search) return;
    this.say.textContent = words.searching;
    const { query } = this.lab;
    const found = await call(...questions.tree(query.game, this.lab.moves, { search, heuristic, depth: query.depth ?? 2 }));
    if (this.lab.asked !== mine) return;
    if (found.error) throw new Error(found.message);
    this.found = new Walk(found);
  }

  show(at) {
    const { walk, scroll } = this;
    const step = walk.steps[at];
    const [x, y] = this.tree.show(walk, at, { width: scroll.clientWidth, height: scroll.clientHeight, chosen: this.lab.chosen });
    scroll.scrollLeft = x - scroll.clientWidth / 2;
    scroll.scrollTop = y - scroll.clientHeight / 2;
    this.say.replaceChildren(...rich(at === walk.last && this.lab.comparing ? words.result(num(walk.root.value), walk.nodes.length) : sentence(walk, step)));
    this.counts.replaceChildren(...this.countWords(at));
  }

  countWords(at) {
    const { walk } = this;
    const counted = [make("b", {}, String(walk.visited(at))), ` ${words.positions(walk.nodes.length)}`];
    const { counterpart } = walk;
    if (counterpart && !this.lab.comparing) counted.push(make("span", { class: "muted" }, ` · ${words.counterpart(words.searches[counterpart.search] ?? counterpart.search, counterpart.nodes)}`));
    return counted;
  }
}

function legend() {
  const drawn = { max: "■", min: "●", fold: "▲", cut: "△", won: `${words.won}3`, lost: `${words.lost}3` };
  return make("ul", { class: "legend desk-only" }, ...Object.entries(words.legend).map(([name, text]) => make("li", {}, make("span", { class: `sign ${name}`, "aria-hidden": "true" }, drawn[name]), text)));
}
