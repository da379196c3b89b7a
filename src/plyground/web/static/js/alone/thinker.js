// What takes time, in a worker: moves of programs, judgements, reviews, hints, proofs, trees and matches, each with the
// answers that the server's workers give.

import { Refusal } from "../api.js";
import { ofValue } from "../core/score.js";
import { given, programOf } from "./programs.js";
import { proved, text } from "./scores.js";
import { gameOf, SIDES, wholeGame } from "./table.js";

const PAIRS_TRIED = 20_000;

export const rounded = (seconds) => Math.round(seconds * 1000) / 1000;

// A score in words, with what was noted of it.
export const noted = (score, note) => (note ? `${text(score)}, ${note}` : text(score));

// An analysis as JSON; what it is worth, proved or not, is for the side to move.
/** @param {any} table @param {any} analysis */
export function asJson(table, { line, score, points: own, source, note, depth, nodes, seconds }) {
  return {
    move: table.text(line[0]),
    score: own ?? null,
    verdict: proved(score) ? score : null,
    proved: proved(score),
    source: score ? source ?? "search" : null,
    text: noted(score, note),
    depth,
    nodes,
    seconds: rounded(seconds),
    line: table.texts(line),
    worth: score,
  };
}

async function at({ game, moves }) {
  const table = await wholeGame(game);
  const position = table.at(moves);
  return { table, position };
}

export async function going(job) {
  const found = await at(job);
  return goesOn(found);
}

function goesOn(found) {
  if (found.table.game.outcome(found.position)) throw new Refusal(409, { error: "over", message: "the game is over in this position; there is nothing to think about" });
  return found;
}

async function* think(job, stopped) {
  const light = await gameOf(job.game);
  const program = programOf(light, job.player);
  const table = program.guarded || program.kind === "plain" ? await wholeGame(job.game) : light;
  const { position } = goesOn({ table, position: table.at(job.moves) });
  if (program.slips && Math.random() < program.slips) {
    const moves = table.game.moves(position);
    yield asJson(table, { line: [moves[Math.floor(Math.random() * moves.length)]], score: null, depth: 0, nodes: 1, seconds: 0 });
    return;
  }
  if (program.kind === "plain") return yield* plain(table, position, program, job);
  const limit = { ...given(program.limit), seconds: Math.min(job.seconds, program.limit.seconds ?? Infinity) };
  const heuristic = table.rules.level ?? "engine";
  for await (const found of program.guarded ? guarded(table, position, limit, stopped) : table.game.think(position, limit, { heuristic })) yield asJson(table, found);
}

// What asks the judge, loaded when it is first wanted: most moves of programs need none.
let judging = null;
const judges = () => (judging ??= import("./judge.js"));

const untold = new Map(); // what other workers have proved, by game, until a judge is asked

export const tell = (game, news) => untold.set(game, [...(untold.get(game) ?? []), ...news]);

// The same, for the judge that is asked now.
export function told(game) {
  const news = untold.get(game) ?? [];
  untold.delete(game);
  return news;
}

// What was proved here since the last call, by game.
export const takeNews = async () => (judging ? (await judging).takeNews() : []);

// A job that the judge answers.
const judged = (kind) =>
  async function* answers(job, stopped) {
    yield* (await judges())[kind](job, stopped);
  };

// What a job may take.
/** @returns {any} */
export const limitOf = ({ depth, nodes, seconds }) => given({ depth, nodes, seconds });

// What the engine finds with its safeguard, which keeps all that is proved.
async function* guarded(table, position, limit, stopped) {
  const [{ Safeguard }, { judgeFor }] = await Promise.all([import("./safeguard.js"), judges()]);
  yield* new Safeguard(await judgeFor(table), table, stopped).think(position, limit);
}

// A plain search, ever deeper as far as the time goes.
/** @param {any} table @param {any} position @param {any} program @param {any} job */
async function* plain(table, position, { search, depth, heuristic }, { seconds }) {
  const began = performance.now();
  const spent = () => (performance.now() - began) / 1000;
  const guess = await heuristicOf(table, heuristic);
  let found = null;
  for (let plies = 1; plies <= depth; plies++) {
    const left = seconds - spent();
    if (found && left <= 0) return;
    const answer = await table.game.plain(position, { search, depth: plies, heuristic: guess, ...(found ? { seconds: left } : {}) });
    if (!answer.finished || !answer.line.length) break;
    found = { line: answer.line, score: ofValue(answer.value), depth: plies, nodes: answer.nodes, seconds: spent(), points: answer.value };
    yield asJson(table, found);
    if (proved(found.score)) return;
  }
}

async function heuristicOf(table, name) {
  const { dataOf } = await import("./workbench.js");
  return dataOf(table, name);
}

async function* certificate(job) {
  const { table, position } = await at(job);
  const sides = !table.rules.pairable || table.game.outcome(position) ? [] : [0, 1];
  const found = sides.map((side) => ({ side: SIDES[side], ...table.game.pairing(position, side, PAIRS_TRIED) }));
  yield { proofs: found.filter((one) => one.found).map(({ side, pairs }) => ({ side, pairs })) };
}

async function* tree(job) {
  const { table, position } = await going(job);
  const { treeOf } = await import("./walks.js");
  yield await treeOf(table, position, job);
}

async function* match(job, stopped) {
  const table = await wholeGame(job.game);
  const { played } = await import("./matches.js");
  yield* played(table, job, stopped);
}

export const KINDS = { think, certificate, tree, match, hint: judged("hint"), judge: judged("judge"), review: judged("review") };
