// Games and their positions as the server would show them: what lies where, what may be played, how it ended. Rules and
// outcomes come from the core, texts and drawings from the data files; nothing of either is known here.

import { Outage, Refusal } from "../api.js";
import { Core } from "../core/core.js";
import { gameFile } from "./library.js";

const WASM = new URL("../../wasm/", import.meta.url);
const SIDES = ["first", "second"];
const modules = {};

// A module of the core, compiled once.
export function compiled(name) {
  modules[name] ??= fetched(name);
  modules[name].catch(() => delete modules[name]);
  return modules[name];
}

async function fetched(name) {
  const bad = (why) => new Refusal(500, { error: "bad-data", message: `the core ${name}.wasm cannot be used: ${why}; reload the page, or write the folder again with plyground site` });
  const response = await fetch(new URL(`${name}.wasm`, WASM)).catch((error) => {
    throw new Outage(error.message);
  });
  if (!response.ok) throw bad(`the host answers ${response.status}`);
  try {
    return await WebAssembly.compile(await response.arrayBuffer());
  } catch (error) {
    throw bad(error.message);
  }
}

const cores = {};
const games = new Map();

// The game of a spec, ready to be asked: by what is enough to play it, or by a whole engine with the judge and plain searches.
export function gameOf(spec, whole = false) {
  const key = `${spec} ${whole}`;
  if (!games.has(key)) {
    const loading = loaded(spec, whole);
    loading.catch(() => games.delete(key));
    games.set(key, loading);
  }
  return games.get(key);
}

export const wholeGame = (spec) => gameOf(spec, true);

// Ends the searches that run.
export function stopSearches() {
  for (const core of Object.values(cores)) core.then((running) => running.stop());
}

// Hands over compiled modules, to whoever cannot compile them itself.
export function useModules(given) {
  for (const [name, module] of Object.entries(given)) modules[name] = Promise.resolve(module);
}

// One core for all games of an engine.
function coreOf(engine) {
  cores[engine] ??= compiled(engine).then((module) => Core.load(module));
  cores[engine].catch(() => delete cores[engine]);
  return cores[engine];
}

async function loaded(spec, whole) {
  const [data, rules] = await Promise.all([gameFile(spec, "game"), gameFile(spec, "core")]);
  if (whole) await withNets(spec, rules);
  const core = await coreOf(whole ? rules.engine : rules.player);
  return new Table(core, data, core.game(rules), rules);
}

// Heuristics with a net are large and lie in a file of their own: levels do without.
async function withNets(spec, rules) {
  const missing = Object.keys(rules.heuristics).filter((name) => !rules.heuristics[name]);
  if (missing.length) Object.assign(rules.heuristics, (await gameFile(spec, "nets")).heuristics);
}

// One game.
export class Table {
  constructor(core, data, game, rules) {
    this.core = core;
    this.data = data;
    this.game = game;
    this.rules = rules;
    this.spec = data.game;
    this.board = data.board;
  }

  // The position after some texts, and every one before it; a Refusal for what is not legal.
  line(texts) {
    const positions = [this.game.start()];
    for (const [number, text] of texts.entries()) positions.push(this.game.play(positions.at(-1), this.parse(positions.at(-1), text, texts.slice(0, number))));
    return positions;
  }

  at(texts) {
    return this.line(texts).at(-1);
  }

  // The legal move that a text means.
  parse(position, text, before = []) {
    const typed = String(text).trim();
    const meant = this.data.moves.spellings[typed.toLowerCase()] ?? this.data.moves.spellings[typed.toLowerCase().replaceAll(" ", "")] ?? typed;
    const legal = this.game.outcome(position) ? [] : this.game.moves(position);
    const found = legal.find((move) => this.text(move) === meant) ?? legal.find((move) => this.text(move).toLowerCase() === meant.toLowerCase());
    if (found) return found;
    const after = before.length ? ` after ${before.join(" ")}` : "";
    const why = legal.length ? `legal: ${legal.slice(0, 16).map((move) => this.text(move)).join("; ")}${legal.length > 16 ? ` ... (${legal.length} in all)` : ""}` : "the game is over";
    throw new Refusal(422, { error: "illegal", message: `illegal move '${text}' in ${this.spec}${after}; ${why}` });
  }

  text(move) {
    return this.game.text(move);
  }

  texts(moves) {
    return moves.map((move) => this.text(move));
  }

  // ------------------------------------------------------------ as it is shown

  // What a placement of a side lays; both sides share one list where they lay the same.
  laid(side, place) {
    const { laid_as: lists } = this.data.moves;
    return lists[Math.min(side, lists.length - 1)][place];
  }

  view(position, moves = true) {
    const side = position.ply & 1;
    const outcome = this.game.outcome(position);
    return {
      ply: position.ply,
      to_move: SIDES[side],
      pieces: this.pieces(position),
      last: position.last ? this.laid(1 - side, position.last[0]).cells : [],
      moves: moves ? (outcome ? [] : this.game.moves(position).map((move) => this.moveView(position, move))) : null,
      lift: this.lifts(position),
      outcome: outcome && { winner: outcome.winner === null ? null : SIDES[outcome.winner], ending: outcome.ending, cells: outcome.cells },
    };
  }

  lifts({ ply }) {
    return this.rules.rules.recycle_from !== null && ply >= this.rules.rules.recycle_from;
  }

  pieces({ cards, kinds }) {
    if (cards.length) return [...cards].sort((a, b) => a - b).map((card) => ({ cells: this.laid(0, card).cells, kinds: this.laid(0, card).kinds }));
    return kinds.flatMap((kind, cell) => (kind ? [{ cells: [cell], kinds: [layersOf(kind)] }] : []));
  }

  moveView(position, move) {
    const side = position.ply & 1;
    const [place, lift] = move;
    return { move: this.text(move), ...this.laid(side, place), ...(lift === null ? {} : { lift: this.laid(side, lift).cells }) };
  }

  // A line of play: each position with the move that led to it, the last one with its legal moves.
  lineView(positions) {
    return positions.map((position, i) => ({
      ...this.view(position, i === positions.length - 1),
      ...(i && position.last ? { played: this.moveView(positions[i - 1], position.last) } : {}),
    }));
  }
}

export const layersOf = (kind) => [...Array(8).keys()].filter((layer) => (kind >> layer) & 1);

export { SIDES };
