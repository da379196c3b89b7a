// The core of Plyground in WebAssembly: positions and searches of any game that is handed over as data; `judge.js` asks it
// what is known. It runs wherever there is WebAssembly, in a worker of the page and in node; nothing here knows a rule.
//
// A move is [place, lift], lift null for a plain one; a position is {kinds, ply, cards, last}; a limit {depth, nodes,
// seconds}, each optional; a score is what `Score.to_json` writes. What cannot be done is a CoreError.

import { CoreError, Module, flat, optional } from "./module.js";
import { ofEngine, unsearched } from "./score.js";

export { CoreError };

const FORMAT = 2;
const MEGABYTE = 1 << 20;
const TABLE_BYTES = 64 * MEGABYTE;
const EFFORT_TRIES = 300_000;
const NEAREST = [1_000_000_000, -1, 0];
const STATIC = [1, 0];
const MOST_TRACED_NODES = 200_000;
const ENDINGS = [null, "pattern", "full", "limit", "stuck"];

export const plainMove = ([place, lift]) => [place, lift ?? -1];
export const words = ({ kinds, ply, cards, last }) => [kinds, ply, cards, last ? plainMove(last) : [-1, -1]];
/** @type {(limit: any) => any[]} */
const limitWords = ({ nodes, seconds }) => [optional(nodes), optional(seconds)];
const netWords = (net) => (Array.isArray(net) ? [signedBytes(net[0]), ...net.slice(1)] : net);
const weightWords = ({ patterns, lines, cells, directions, threats, nets }) => [patterns, lines, cells, directions, threats, Array.isArray(nets) ? nets.map(netWords) : nets];

// The parts of a pattern that most games leave out are empty lists.
const patternWords = (pattern) => (Array.isArray(pattern) ? [...pattern, [], [], []].slice(0, 6) : pattern);

function signedBytes(text) {
  try {
    return Array.from(atob(text), (letter) => (letter.charCodeAt(0) << 24) >> 24);
  } catch {
    throw new CoreError("bad data: expected bytes in base 64");
  }
}

export class Core {
  // The engine's module: an address, a response, bytes, or a compiled module.
  static async load(engine, options = {}) {
    return new Core(await Module.load(engine, options));
  }

  constructor(module) {
    this.module = module;
  }

  // Whether a search can be stopped at any moment; elsewhere only between two depths.
  get interruptible() {
    return this.module.interruptible;
  }

  // Gives up what earlier searches have found, and the memory of it, judges too: the next one is as the first.
  forget() {
    if (this.module.searching) throw new CoreError("a search is running");
    this.module.call("forget");
  }

  // A game as `core_data` exports it.
  game(data) {
    return new Game(this, data);
  }

  // Ends the searches that run; they answer with what they have found.
  stop() {
    this.module.stop();
  }
}

function checked(data) {
  if (data?.format !== FORMAT) throw new CoreError(`bad data of a game: expected format ${FORMAT}, got ${data?.format}`);
  for (const part of ["rules", "heuristics", "texts"])
    if (typeof data[part] !== "object" || data[part] === null) throw new CoreError(`bad data of a game: ${part} is missing`);
  const { plain, lifted, laid } = data.texts;
  const lists = data.rules.recycle_from === null ? [plain] : [plain, lifted, laid];
  const places = Math.max(...[0, 1].map((side) => data.rules.placements?.[side]?.length ?? 0));
  const written = (list) => Array.isArray(list) && list.length >= places && list.every((text) => typeof text === "string");
  if (!lists.every(written)) throw new CoreError("bad data of a game: a text is missing for some move");
  return data;
}

export class Game {
  constructor(core, data) {
    const { rules, name, texts } = checked(data);
    this.core = core;
    this.module = core.module;
    this.data = data;
    this.name = name;
    this.texts = texts;
    this.heuristics = new Map();
    const { cells, layers, watches, patterns, placements, max_plies, recycle_from, symmetries } = rules;
    const { mover_wins_ties = true, full_winner = null, passes = [] } = rules;
    const whole = Array.isArray(patterns) ? patterns.map(patternWords) : patterns;
    const parts = [cells, layers, watches, whole, placements, max_plies, optional(recycle_from), symmetries];
    parts.push(mover_wins_ties ? 1 : 0, optional(full_winner), passes);
    this.number = this.module.call("make_game", ...parts).number();
  }

  // Frees what the core keeps of the game, which cannot be used any more.
  close() {
    if (this.module.searching) throw new CoreError("a search is running");
    this.module.call("drop_game", this.number);
  }

  start() {
    return { kinds: Array(this.data.rules.cells).fill(0), ply: 0, cards: [], last: null };
  }

  sideToMove(position) {
    return position.ply & 1;
  }

  moves(position) {
    return this.ask("moves", position).moves();
  }

  play(position, move) {
    return this.ask("play", position, plainMove(move)).position();
  }

  after(moves, from = this.start()) {
    return moves.reduce((position, move) => this.play(position, move), from);
  }

  outcome(position) {
    const answer = this.ask("outcome", position);
    const [ending, winner, cells] = [ENDINGS[answer.number()], answer.number(), answer.numbers()];
    return ending && { winner: winner < 0 ? null : winner, ending, cells };
  }

  // Every pattern that a side may still complete: [pattern, layer, cells held, cells of its neutraliser taken].
  live(position, side) {
    const answer = this.ask("live", position, side);
    const found = [];
    while (answer.more) found.push(answer.numbers(4));
    return found;
  }

  // The placements of a side for which there is room and support now.
  fitting(position, side) {
    const answer = this.ask("fitting", position, side);
    return answer.numbers(answer.words.length);
  }

  // The key that a position shares with its images, as 16 hexadecimal digits.
  key(position) {
    const digits = this.ask("key", position).numbers(2);
    return digits.map((half) => half.toString(16).padStart(8, "0")).join("");
  }

  perft(position, depth) {
    return this.ask("perft", position, depth).number();
  }

  text([place, lift]) {
    return lift === null ? this.texts.plain[place] : this.texts.lifted[lift] + this.texts.laid[place];
  }

  writeLine(moves) {
    return moves.map((move) => this.text(move)).join(this.texts.separator);
  }

  // The legal move with that text, in any case.
  parse(position, text) {
    const wanted = text.trim().toUpperCase();
    const found = this.moves(position).find((move) => this.text(move).toUpperCase() === wanted);
    if (!found) throw new CoreError(`illegal move '${text}' in ${this.name}`);
    return found;
  }

  // What a heuristic, by name or as data, says to the side to move.
  evaluate(position, heuristic = "engine") {
    return this.module.call("evaluate", this.number, this.heuristic(heuristic), ...words(position)).number();
  }

  // Ever better analyses; the last one when the limit is reached or nothing is left to find. Options: `among`, the moves
  // to choose from; `heuristic`, by name or as data; `table`, the bytes that the engine remembers at the most.
  /** @param {any} position @param {any} limit @param {any} options */
  async *think(position, limit = {}, options = {}) {
    const clock = this.beginSearch(position, limit, options);
    let found = false;
    let nodes = 0;
    for (let depth = 1; depth <= this.deepest(position, limit) && !this.module.stopped; ++depth) {
      const answer = await this.module.search("deepen", depth);
      const [complete, better, value, sure] = [answer.flag(), answer.flag(), answer.number(), answer.flag()];
      nodes = answer.number();
      if (complete || better) {
        found = true;
        yield analysis(answer.moves(), value, complete ? depth : depth - 1, nodes, clock(), sure);
      }
      if (!complete || sure) break;
    }
    if (!found) yield { ...unsearched((options.among ?? this.moves(position))[0]), nodes, seconds: clock() };
  }

  // One plain search to a fixed depth: same value, line, nodes and evaluations as its twin in Python.
  async plain(position, options) {
    return plainAnswer(await this.plainSearch("plain", position, options));
  }

  // The same with the tree that it walked; null where it is larger than the limit of nodes.
  async trace(position, options) {
    const answer = await this.plainSearch("trace", position, { nodes: MOST_TRACED_NODES, ...options });
    const found = plainAnswer(answer);
    return { ...found, tree: found.finished ? tree(answer) : null };
  }

  // Disjoint pairs of cells, one in each pattern of the side's opponent; `found` is null where the effort was spent.
  pairing(position, side, effort = EFFORT_TRIES) {
    const cells = this.data.rules.patterns.map(([own]) => own);
    const open = this.live(position, 1 - side).map(([pattern]) => cells[pattern].filter((cell) => !position.kinds[cell]));
    const answer = this.module.call("pairing", open, effort);
    const found = [false, true, null][answer.number()];
    return { found, pairs: Array.from({ length: answer.number() }, () => answer.numbers(2)) };
  }

  // The judge of the game, by what `judge_data` and the data of its books export; the caller closes the one before.
  async judge(settings, books = [], group = []) {
    const { Judge } = await import("./judge.js");
    return new Judge(this, settings, books, group);
  }

  ask(name, position, ...rest) {
    return this.module.call(name, this.number, ...words(position), ...rest);
  }

  // The number of a heuristic, by its name in the data or as data itself.
  heuristic(wanted) {
    const weights = typeof wanted === "string" ? this.data.heuristics[wanted] : wanted;
    if (!weights) throw new CoreError(`there is no heuristic '${wanted}' in the data of ${this.name}`);
    const key = typeof wanted === "string" ? wanted : String(flat(weightWords(wanted)));
    if (!this.heuristics.has(key)) {
      this.heuristics.set(key, this.module.call("make_evaluator", this.number, ...weightWords(weights)).number());
    }
    return this.heuristics.get(key);
  }

  deepest(position, { depth }) {
    const left = this.data.rules.max_plies - position.ply;
    return Math.min(depth ?? left, left);
  }

  // Begins a search of the engine; a clock that says how long it has run.
  beginSearch(position, limit, { among = null, heuristic = "engine", table = TABLE_BYTES }) {
    if (this.module.searching) throw new CoreError("a search is running already");
    this.module.begin();
    const started = performance.now();
    const which = [this.number, this.heuristic(heuristic), table];
    this.module.call("begin_search", ...which, ...words(position), (among ?? []).map(plainMove), ...limitWords(limit));
    return () => (performance.now() - started) / 1000;
  }

  plainSearch(name, position, options) {
    const { search = "alpha-beta", depth, heuristic = "engine", win = NEAREST, leaf = STATIC, order = [] } = options;
    if (!["alpha-beta", "minimax"].includes(search)) throw new CoreError(`there is no search '${search}' in the core`);
    this.module.begin();
    const which = [this.number, this.heuristic(heuristic), ...words(position)];
    return this.module.search(name, ...which, depth, win, leaf, search === "alpha-beta", order, ...limitWords(options));
  }
}

function analysis(line, value, depth, nodes, seconds, sure) {
  const score = ofEngine(value, sure);
  return { line, score, depth, nodes, seconds, points: score.result === "win" || score.result === "loss" ? null : value };
}

function plainAnswer(answer) {
  const [finished, value, nodes, evaluations] = [answer.flag(), answer.number(), answer.number(), answer.number()];
  return { finished, value, line: answer.moves(), nodes, evaluations };
}

// The tree of a trace: the value of each position for the side to move there, and where a game ended who won.
function tree(answer) {
  const move = answer.move();
  const [value, ending, winner, legal, count] = answer.numbers(5);
  const node = { value };
  if (move[0] >= 0) node.move = move;
  if (ending) node.over = winner < 0 ? null : winner;
  if (count) {
    node.children = Array.from({ length: count }, () => tree(answer));
    if (legal > count) node.cut = legal - count;
  }
  return node;
}
