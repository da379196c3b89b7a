// What takes time, in a worker: moves of programs, judgements, reviews, hints, proofs, trees and matches, each with the
// answers that the server's workers give.

import { Refusal } from "../api.js";
import { ofValue } from "../core/score.js";
import { Inquiry } from "./judge.js";
import { programOf } from "./programs.js";
import { DRAW, beforeMove, loss, lost, numberOf, proved, text, turned, win, won } from "./scores.js";
import { lookAt } from "./seen.js";
import { gameOf, SIDES } from "./table.js";

const SUMMED_UP = 0.1; // how much of the time of a search for proofs is left for opinions of the rest
const PAIRS_TRIED = 20_000;
const FALL_POINTS = 200; // by how much an opinion must fall at equal depth for a move to be called a mistake
const REVIEW_SECONDS = 20; // for all positions of a long game together
const LEAST_SHARE_SECONDS = 0.05;

const rounded = (seconds) => Math.round(seconds * 1000) / 1000;

// An analysis as JSON; what it is worth, proved or not, is for the side to move.
function asJson(table, { line, score, points: own, source, note, depth, nodes, seconds }) {
  const words = note ? `${text(score)}, ${note}` : text(score);
  return {
    move: table.text(line[0]),
    score: own ?? null,
    verdict: proved(score) ? score : null,
    proved: proved(score),
    source: score ? source ?? "search" : null,
    text: words,
    depth,
    nodes,
    seconds: rounded(seconds),
    line: table.texts(line),
    worth: score,
  };
}

async function at({ game, moves }) {
  const table = await gameOf(game);
  const position = table.at(moves);
  return { table, position };
}

async function going(job) {
  const found = await at(job);
  if (found.table.game.outcome(found.position)) throw new Refusal(409, { error: "over", message: "the game is over in this position; there is nothing to think about" });
  return found;
}

async function* think(job) {
  const { table, position } = await going(job);
  const program = programOf(table, job.player);
  if (program.slips && Math.random() < program.slips) {
    const moves = table.game.moves(position);
    yield asJson(table, { line: [moves[Math.floor(Math.random() * moves.length)]], score: null, depth: 0, nodes: 1, seconds: 0 });
    return;
  }
  if (program.kind === "plain") return yield* plain(table, position, program, job);
  const { limit } = program;
  const seconds = Math.min(job.seconds, limit.seconds ?? Infinity);
  for await (const found of table.game.think(position, { ...given(limit), seconds })) yield asJson(table, found);
}

const given = (limit) => Object.fromEntries(Object.entries(limit).filter(([, value]) => value !== null));

// A plain search, ever deeper as far as the time goes.
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

async function* hint(job, stopped) {
  const { table, position } = await going(job);
  const inquiry = new Inquiry(table, position, job.seconds, { whole: false, stopped });
  let judgement;
  for await (judgement of inquiry.run());
  const { best } = judgement;
  const reason = text(best.score);
  yield { ...asJson(table, best), reason, reasons: [reason], claims: claimsOf(table, position, best), ...table.moveView(position, best.line[0]) };
}

// What can be said without a doubt: that a move completes a pattern, or takes the cell with which the other side would
// have done so. More reasons need the program.
function claimsOf(table, position, { line }) {
  const mover = position.ply & 1;
  const names = (cells) => cells.map((cell) => table.board.cells[cell].name);
  const { cells } = table.laid(mover, line[0][0]);
  const outcome = table.game.outcome(table.game.play(position, line[0]));
  if (outcome?.winner === mover) return [{ claim: "completes", side: SIDES[mover], moves: table.texts(line.slice(0, 1)), patterns: [names(outcome.cells)], at: [names(cells)] }];
  const stopped = lookAt(table, position).threats.filter((one) => one.side !== mover && one.at_once && cells.includes(one.missing[0]));
  return stopped.slice(0, 1).map((one) => ({ claim: "stops", side: SIDES[one.side], moves: names(one.missing), patterns: [names(one.cells)], at: [names(one.missing)] }));
}

async function* judge(job, stopped) {
  const { table, position } = await going(job);
  let { seconds } = job;
  if (job.prove) {
    for await (const judgement of new Inquiry(table, position, seconds * (1 - SUMMED_UP), { stopped }).prove()) yield { partial: true, exact: exact(table, judgement) };
    seconds *= SUMMED_UP;
  }
  let last;
  for await (const judgement of new Inquiry(table, position, seconds, { stopped }).run()) {
    last = judgement;
    yield judged(table, judgement);
  }
  yield { ...judged(table, last), final: true, reasons: [] };
}

function judged(table, judgement) {
  const { whole, best, nodes, seconds, compared, others } = judgement;
  return {
    worth: whole.score,
    text: text(whole.score),
    proved: proved(whole.score),
    source: whole.source ?? "search",
    depth: best.depth,
    nodes,
    seconds: rounded(seconds),
    exact: exact(table, judgement),
    moves: compared.map((one) => asJson(table, one)),
    not_compared: others.map((one) => asJson(table, one)),
    best: table.text(best.line[0]),
  };
}

// The solver's number for each move whose end is known to the ply, where the game has a solver.
function exact(table, { position, compared }) {
  if (!table.rules.solver) return {};
  const known = compared.filter((one) => proved(one.score) && !one.score.at_most);
  return Object.fromEntries(known.map((one) => [table.text(one.line[0]), numberOf(position, one.score)]));
}

async function* review(job, stopped) {
  const table = await gameOf(job.game);
  const positions = table.line(job.moves);
  const seconds = Math.min(job.seconds, Math.max(LEAST_SHARE_SECONDS, REVIEW_SECONDS / positions.length));
  let after = null;
  for (const position of [...positions].reverse()) {
    if (stopped()) return;
    const played = positions[position.ply + 1]?.last ?? null;
    const found = await reviewed(table, position, played, after, seconds, stopped);
    after = found.own;
    yield found.answer;
  }
}

async function reviewed(table, position, played, after, seconds, stopped) {
  const side = position.ply & 1;
  const outcome = table.game.outcome(position);
  if (outcome) {
    const own = outcome.winner === null ? DRAW : (outcome.winner === side ? win : loss)(0);
    return { own, answer: answered(table, position, { own, depth: 0 }) };
  }
  let judgement;
  for await (judgement of new Inquiry(table, position, seconds, { stopped }).run());
  const { best, compared, whole } = judgement;
  let worth = null;
  if (played) {
    const name = table.text(played);
    worth = compared.find((one) => table.text(one.line[0]) === name)?.score ?? null;
    if (after && proved(after) && !proved(worth)) worth = beforeMove(after);
  }
  const mark = played && table.text(best.line[0]) !== table.text(played) ? markOf(whole.score, worth) : null;
  return { own: whole.score, answer: answered(table, position, { own: whole.score, depth: best.depth, mark, best }) };
}

// What is wrong with a move, if comparable evidence shows it.
function markOf(best, worth) {
  if (!best || !worth) return null;
  if (proved(best) && proved(worth)) return won(best) && !won(worth) ? "lost the win" : best.result === "draw" && lost(worth) ? "lost the draw" : null;
  return !proved(best) && !proved(worth) && best.points - worth.points > FALL_POINTS ? "mistake" : null;
}

function answered(table, position, { own, depth, mark = null, best = null }) {
  const score = own && position.ply % 2 ? turned(own) : own;
  return {
    ply: position.ply,
    score: score ?? null,
    text: score ? text(score) : "",
    depth,
    mark,
    blunder: mark !== null && mark !== "mistake",
    better: mark ? table.text(best.line[0]) : null,
    reasons: [],
    drawn: mark ? table.moveView(position, best.line[0]) : null,
  };
}

async function* certificate(job) {
  const { table, position } = await at(job);
  const sides = table.game.outcome(position) ? [] : [0, 1];
  const found = sides.map((side) => ({ side: SIDES[side], ...table.game.pairing(position, side, PAIRS_TRIED) }));
  yield { proofs: found.filter((one) => one.found).map(({ side, pairs }) => ({ side, pairs })) };
}

async function* tree(job) {
  const { table, position } = await going(job);
  const { treeOf } = await import("./walks.js");
  yield await treeOf(table, position, job);
}

async function* match(job, stopped) {
  const table = await gameOf(job.game);
  const { played } = await import("./matches.js");
  yield* played(table, job, stopped);
}

export const KINDS = { think, hint, judge, review, certificate, tree, match };
