// Games as text on a page without a server: the data files that Python writes of a game, made here of what the compiler
// says. A test compares both.

import { Refusal } from "../api.js";
import { CoreError } from "../core/module.js";
import { Compiler } from "../core/text.js";
import * as names from "../game_name.js";
import { file, useFiles } from "./library.js";
import { covered, Look } from "./looks.js";
import { compiled } from "./table.js";

const [CELL, COLUMN, PIECE, CARD] = [0, 1, 2, 3]; // how a move is written
const PASS = "pass";
const WIDEST_NUMBERED = 9;

let compiling;
const compiler = () => (compiling ??= compiled("text").then((module) => Compiler.load(module)));

// The game that a text describes; a CoreError says line and column.
export const compile = async (source) => (await compiler()).compile(source);

// Write the files of a game whose name carries its text, or of one of the gallery; a Refusal for any other.
export async function write(spec, written) {
  const source = (await names.read(spec)) ?? (await textInGallery(spec));
  const bad = (message) => new Refusal(422, { error: "bad-position", message });
  if (source === null) throw bad(`the game ${spec.slice(0, 60)} is not part of this page; it has ${written.map(({ name }) => name).join(", ")}`);
  try {
    const made = new TextGame(await compile(source), spec, await file("texts.json"));
    useFiles({ [`${spec}/game.json`]: made.game(), [`${spec}/core.json`]: made.core() });
  } catch (error) {
    throw error instanceof CoreError ? bad(error.message) : error;
  }
}

async function textInGallery(name) {
  const { games } = await file("gallery.json");
  return games.find((entry) => entry.name === name)?.text ?? null;
}

// The name that carries a text.
export const nameOf = (found, source) => names.write(found.title, source);

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export class TextGame {
  constructor(found, spec, data) {
    this.found = found;
    this.spec = spec;
    this.data = data;
    this.look = new Look(found, data.look);
    this.names = found.places.map(([column, row]) => `${String.fromCharCode(64 + column)}${row}`);
    this.longest = Math.max(...found.patterns.map(({ cells }) => cells.length));
    this.goalLayers = this.watched();
    this.plain = this.isPlain();
    const [first] = found.placements;
    this.called = new Map(); // filled in when it is first asked for
    this.texts = first.map(({ name }) => (found.writing === CARD ? `0 ${name}` : name));
  }

  // ------------------------------------------------------------ rules

  isPlain() {
    const { patterns, mover_wins_ties, full_winner, passes } = this.found;
    const plain = (pattern) => !pattern.barred.length && !pattern.swapped.length && !pattern.loses && pattern.owner < 0 && pattern.layer < 0;
    return mover_wins_ties && full_winner === null && !passes.length && patterns.every(plain);
  }

  // For each side the layers in which patterns win for it: what it watches, and where others lose.
  watched() {
    const { watches, patterns } = this.found;
    const loses = patterns.some((pattern) => pattern.loses);
    return [0, 1].map((side) => [...watches[side], ...watches[1 - side].filter((layer) => loses && !watches[side].includes(layer))]);
  }

  // The layers in which a complete pattern wins for a side: the opponent's where it loses.
  layersFor(side, { loses, owner, layer }) {
    const holder = loses ? 1 - side : side;
    if (owner >= 0 && owner !== holder) return [];
    return this.found.watches[holder].filter((one) => layer < 0 || layer === one);
  }

  views(pattern) {
    const all = [0, 1].flatMap((side) => this.goalLayers[side].map((layer) => [side, layer]));
    const counted = all.flatMap(([side, layer], view) => (this.layersFor(side, pattern).includes(layer) ? [view] : []));
    return counted.length === all.length ? [] : counted;
  }

  rules() {
    const { layers, patterns, placements, places, max_plies, recycle_from, symmetries } = this.found;
    const { mover_wins_ties, full_winner, passes } = this.found;
    const whole = (pattern) => [pattern.cells, pattern.neutraliser, pattern.family, pattern.barred, pattern.swapped, this.views(pattern)];
    return {
      cells: places.length,
      layers: layers.length,
      watches: this.goalLayers,
      patterns: patterns.map((pattern) => whole(pattern).slice(0, this.plain ? 3 : 6)),
      placements: placements.map((side) => side.map(({ adds, rests_on }) => [adds, rests_on])),
      ...{ max_plies, recycle_from, symmetries: symmetries.map((one) => [one.cells, one.layers]) },
      ...(this.plain ? {} : { mover_wins_ties, full_winner, passes }),
    };
  }

  core() {
    const most = Math.max(...this.found.placements.map((side) => side.length));
    const engine = Object.keys(this.data.engines).find((name) => this.data.engines[name] >= most);
    const solver = this.solver();
    return {
      format: this.data.core_format,
      name: this.spec,
      engine: engine + (solver ? this.data.endings.solver : ""),
      player: engine + this.data.endings.player,
      rules: this.rules(),
      heuristics: this.heuristics(),
      level: null,
      terms: { directions: this.weights({ directions: [this.places(() => 1)] }), cells: this.ownDiscs ? this.weights({ cells: [this.cellWeights()] }) : null },
      texts: { plain: this.texts, ...this.halves(), separator: this.separator },
      solver,
      pairable: this.isPairable(),
    };
  }

  // ------------------------------------------------------------ what weights count

  weights(parts) {
    return { patterns: [], lines: [], cells: [], directions: [], threats: [], nets: [], ...parts };
  }

  places(each) {
    return this.found.places.map((_, cell) => each(cell));
  }

  get through() {
    return this.places((cell) => this.found.patterns.filter(({ cells }) => cells.includes(cell)).length);
  }

  // Whether each side has discs of its own, so that a disc's cell counts for it.
  get ownDiscs() {
    return this.found.watches.every((layers) => layers.length === 1);
  }

  cellWeights() {
    const { watches } = this.found;
    const kinds = watches.map(([layer], side) => [1 << layer, this.through.map((count) => (side ? -count : count))]);
    return [...new Map(kinds)];
  }

  heuristics() {
    const { growth } = this.data;
    const held = Array.from({ length: this.longest + 1 }, (_, n) => n);
    const free = held.map((n) => growth ** (n + 1));
    const lines = held.map((n) => (n ? 4 ** n : 0));
    const found = { engine: this.weights({ patterns: [[free, free.map((worth) => Math.floor((worth * 3) / 4))]] }), lines: this.weights({ patterns: [[lines]] }), completable: this.weights({ directions: [this.places(() => 1)] }) };
    if (this.ownDiscs) found.centrality = this.weights({ cells: [this.cellWeights()] });
    return { ...found, "completable-centrality": this.weights({ directions: [this.through] }) };
  }

  // ------------------------------------------------------------ who answers what

  // The board of the exact solver, where the game is Connect Four of some size.
  solver() {
    const { columns, rows, kind } = this.look;
    const { watches, patterns, placements, max_plies, places } = this.found;
    const index = (column, row) => this.look.index.get(String([column, row]));
    const falls = (side) => same(placements[side].map(({ adds, rests_on }) => [adds[side], adds[1 - side], rests_on]), places.map(([column, row], cell) => [[cell], [], row > 1 ? [index(column, row - 1)] : []]));
    if (kind !== "frame" || !this.plain || this.found.recycle_from !== null || !same(watches, [[0], [1]]) || max_plies !== places.length || !falls(0) || !falls(1)) return null;
    const steps = [[1, 0], [0, 1], [1, 1], [1, -1]];
    /** @type {(from: number[], step: number[]) => any[]} */
    const line = ([column, row], [across, up]) => Array.from({ length: this.longest }, (_, i) => index(column + i * across, row + i * up)).sort((a, b) => a - b);
    const lines = places.flatMap((place) => steps.map((step) => line(place, step)).filter((cells) => !cells.includes(undefined)).map(String));
    const known = new Set(lines);
    if (patterns.some(({ cells, neutraliser }) => neutraliser.length || !known.has(String(cells))) || new Set(patterns.map(({ cells }) => String(cells))).size !== known.size) return null;
    return (rows + 1) * columns <= this.data.widest_bits ? { rows, columns, line: this.longest } : null;
  }

  isPairable() {
    const { recycle_from, watches, placements, places } = this.found;
    const own = (side) => watches[side].length === 1 && placements[side].every(({ adds }) => adds.every((cells, layer) => layer === watches[side][0] || !cells.length));
    const single = (side) => same(placements[side].map((laid) => covered(laid).map(([cell]) => cell)).sort((a, b) => a[0] - b[0]), places.map((_, cell) => [cell]));
    return recycle_from === null && this.plain && !same(watches[0], watches[1]) && [0, 1].every((side) => own(side) && placements[side].every(({ rests_on }) => !rests_on.length) && single(side));
  }

  // ------------------------------------------------------------ moves as texts

  get separator() {
    return { [CELL]: " ", [COLUMN]: this.look.columns > WIDEST_NUMBERED ? " " : "", [PIECE]: "; ", [CARD]: "; " }[this.found.writing];
  }

  // What moves say of the card they lift, and of where they lay it.
  halves() {
    if (this.found.recycle_from === null) return { lifted: null, laid: null };
    const [first] = this.found.placements;
    const source = (placement) => covered(placement).map(([cell]) => `${this.names[cell][0]} ${this.names[cell].slice(1)} `).join("");
    return { lifted: first.map(source), laid: first.map(({ name }) => name) };
  }

  // What else is read as a placement's text, in small letters.
  spellings() {
    const found = {};
    for (const text of new Set(this.texts))
      for (const typed of candidates(text)) if (!(typed in found) && this.means(typed) === text) found[typed] = text;
    return found;
  }

  // The text of the placement that something typed in small letters means.
  means(typed) {
    const { writing, passes, layers } = this.found;
    if (typed === PASS && passes.length) return PASS;
    const named = (cell) => {
      const [, letter, number] = /^([a-z])(\d+)$/.exec(cell) ?? /^(\d+)([a-z])$/.exec(cell)?.map((part, i, all) => all[(3 - i) % 3]) ?? [];
      return letter && `${letter.toUpperCase()}${Number(number)}`;
    };
    if (writing === CELL) return named(typed);
    if (writing === COLUMN) return /^\d+$/.test(typed) ? String(Number(typed)) : String(typed.charCodeAt(0) - 96);
    if (writing === CARD) return /^0 \d+ [a-z] \d+$/.test(typed) ? typed.toUpperCase() : undefined;
    for (const piece of layers)
      for (const cell of [typed.startsWith(piece) && typed.slice(piece.length).trimStart(), typed.endsWith(piece) && / $/.test(typed.slice(0, -piece.length)) && typed.slice(0, -piece.length).trim()])
        if (cell && /^[a-z]\d+$/.test(cell)) return `${piece} ${named(cell)}`;
    return undefined;
  }

  // How cells are called in sentences.
  written(cells) {
    if (this.found.writing !== COLUMN) return cells.map((cell) => this.names[cell]).join("-");
    const places = cells.map((cell) => this.found.places[cell]).sort(([a, b], [c, d]) => a - c || b - d);
    let [columns, rows] = [0, 1].map((axis) => places.map((place) => place[axis]));
    let way = "slanting";
    if (places.length === 1) way = "cell";
    else if (new Set(rows).size === 1) [way, rows] = ["across", rows.slice(0, 1)];
    else if (new Set(columns).size === 1) [way, columns] = ["upward", columns.slice(0, 1)];
    return this.data.places[way].replace("{columns}", columns.join("-")).replace("{rows}", rows.join("-"));
  }

  // ------------------------------------------------------------ as it is shown

  laid(placement) {
    const cells = covered(placement);
    const mine = { cells: cells.map(([cell]) => cell), kinds: cells.map(([, layers]) => layers) };
    const hot = this.hot.get(placement.name);
    return same(hot, mine.cells) ? mine : { ...mine, hot };
  }

  // All cells of the placements of one name.
  get hot() {
    if (!this.called.size)
      for (const placement of this.found.placements[0])
        this.called.set(placement.name, [...new Set([...(this.called.get(placement.name) ?? []), ...covered(placement).map(([cell]) => cell)])].sort((a, b) => a - b));
    return this.called;
  }

  board() {
    const { sides, title, watches, families, patterns, layers, goal, special, writing, placements } = this.found;
    const example = this.data.examples[writing].replaceAll("{piece}", layers[0]);
    const [first] = placements;
    const covers = first.map((laid) => covered(laid).map(([cell]) => cell));
    return {
      ...{ game: this.spec, sides, title, watches, columns: this.look.columns, rows: this.look.rows },
      cells: this.found.places.map(([column, row], cell) => ({ name: this.names[cell], column, row })),
      numbered: writing === COLUMN,
      example,
      patterns: patterns.map(({ cells, neutraliser, family }) => ({ cells, poles: neutraliser, family: families[family] })),
      turns: covers.some((cells) => cells.length > 1) || new Set(covers.map(String)).size < covers.length,
      look: this.look.toJSON(),
      guide: { goal, special, typing: example.split(", such as")[0] },
    };
  }

  start() {
    const move = (laid, place) => ({ move: this.texts[place], ...this.laid(laid) });
    const moves = this.found.placements[0].flatMap((laid, place) => (laid.rests_on.length || !covered(laid).length ? [] : [move(laid, place)]));
    return { ply: 0, to_move: "first", pieces: [], last: [], moves, lift: false, outcome: null };
  }

  game() {
    const { placements, patterns } = this.found;
    const lists = same(placements[0], placements[1]) ? placements.slice(0, 1) : placements;
    return {
      format: this.data.format,
      game: this.spec,
      title: this.found.title,
      board: this.board(),
      start: this.start(),
      moves: { spellings: this.spellings(), where: { cells: this.names.map((_, cell) => this.written([cell])), patterns: patterns.map(({ cells }) => this.written(cells)) }, laid_as: lists.map((side) => side.map((laid) => this.laid(laid))) },
      levels: this.data.levels,
      scales: {},
      workbench: { longest: this.longest, rows: Math.max(1, ...patterns.map(({ neutraliser }) => neutraliser.length)), terms: this.ownDiscs ? ["directions", "cells"] : ["directions"], through: this.through },
      books: false,
    };
  }
}

// What else might be read as the text of a move.
function candidates(text) {
  const small = text.toLowerCase();
  const letters = small.replace(/\d+$/, "");
  const turned = letters && letters !== small ? [small.slice(letters.length) + letters] : [];
  const letter = /^\d+$/.test(small) && Number(small) <= 26 ? [String.fromCharCode(96 + Number(small))] : [];
  return [small, small.replaceAll(" ", ""), ...turned, ...letter];
}
