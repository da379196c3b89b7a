// What takes time, in a worker: moves of programs, judgements, reviews, hints, proofs, trees and matches, each with the
// answers that the server's workers give.

import { Refusal } from "../api.js";
import { ofValue } from "../core/score.js";
import { given, part } from "./judge/limits.js";
import { programOf } from "./programs.js";
import { DRAW, beforeMove, loss, lost, numberOf, proved, text, turned, win, won } from "./scores.js";
import { gameOf, SIDES, wholeGame } from "./table.js";

const PAIRS_TRIED = 20_000;
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
  const table = await wholeGame(game);
  const position = table.at(moves);
  return { table, position };
}

async function going(job) {
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

// The judge of a game, loaded when it is first wanted: most moves of programs need none.
const judgeFor = async (table) => (await import("./judge/judge.js")).judgeOf(table);

// What is true about the first move of an analysis.
const claimsOf = async (...asked) => (await import("./claims.js")).claimsOf(...asked);

// What a job may take.
const limitOf = ({ depth, nodes, seconds }) => given({ depth, nodes, seconds });

// What the engine finds with its safeguard, which keeps all that is proved.
async function* guarded(table, position, limit, stopped) {
  const { Safeguard } = await import("./judge/safeguard.js");
  yield* new Safeguard(await judgeFor(table), stopped).think(position, limit);
}

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
  const asked = await judgeFor(table);
  const { best } = await asked.judge(position, limitOf(job), { allMoves: false, stopped });
  const reason = text(best.score);
  yield { ...asJson(table, best), reason, reasons: [reason], claims: await claimsOf(asked, position, best), ...table.moveView(position, best.line[0]) };
}

async function* judge(job, stopped) {
  const { table, position } = await going(job);
  const asked = await judgeFor(table);
  const { SUMMARY_SHARE } = asked.settings; // how much of the time of a search for proofs is left for opinions of the rest
  let limit = limitOf(job);
  if (job.prove) {
    for await (const judgement of asked.prove(position, part(limit, 1 - SUMMARY_SHARE), { stopped })) yield { partial: true, exact: exact(table, judgement) };
    limit = part(limit, SUMMARY_SHARE); // what was proved is remembered
  }
  let last;
  for await (const judgement of asked.rank(position, limit, { stopped })) {
    last = judgement;
    yield judged(table, judgement);
  }
  yield { ...judged(table, { ...last, compared: withLines(asked, last) }), final: true, reasons: [], claims: await claimsOf(asked, position, last.best) };
}

// The moves of a judgement, the lines of the best ones followed further where they are proved.
function withLines(asked, { position, compared }) {
  const { LINES } = asked.settings;
  return [...compared.slice(0, LINES).map((one) => continued(asked, position, one)), ...compared.slice(LINES)];
}

// A line that wins or loses, followed by what is known already to be best.
function continued(asked, position, one) {
  const { game, settings } = asked;
  if (!proved(one.score) || one.score.plies === null) return one;
  const line = one.line.slice(0, settings.LINE_PLIES);
  let at = game.after(line, position);
  while (line.length < settings.LINE_PLIES && !game.outcome(at)) {
    const best = asked.advice(at);
    if (!best || !proved(best.score)) break;
    line.push(best.line[0]);
    at = game.play(at, best.line[0]);
  }
  return { ...one, line };
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
  const table = await wholeGame(job.game);
  const asked = await judgeFor(table);
  const positions = table.line(job.moves);
  const limit = limitOf(job);
  if (limit.seconds !== undefined) limit.seconds = Math.min(limit.seconds, Math.max(LEAST_SHARE_SECONDS, REVIEW_SECONDS / positions.length));
  let after = null;
  for (const position of [...positions].reverse()) {
    if (stopped()) return;
    const played = positions[position.ply + 1]?.last ?? null;
    const found = await reviewed(asked, position, played, after, limit, stopped);
    after = found.own;
    yield found.answer;
  }
}

async function reviewed(asked, position, played, after, limit, stopped) {
  const { table, settings } = asked;
  const outcome = table.game.outcome(position);
  if (outcome) {
    const own = outcome.winner === null ? DRAW : (outcome.winner === (position.ply & 1) ? win : loss)(0);
    return { own, answer: answered(table, position, { own, depth: 0 }) };
  }
  const { best, compared, whole } = await asked.judge(position, limit, { stopped });
  let worth = null;
  if (played) {
    const name = table.text(played);
    worth = compared.find((one) => table.text(one.line[0]) === name)?.score ?? null;
    if (after && proved(after) && !proved(worth)) worth = beforeMove(after);
  }
  const mark = played && table.text(best.line[0]) !== table.text(played) ? markOf(whole.score, best, worth, settings.FALL_POINTS) : null;
  const claims = mark ? await claimsOf(asked, position, { line: [played], score: worth }) : [];
  const explained = claims.some(({ claim }) => !settings.claims.ASIDE.includes(claim));
  return { own: whole.score, answer: answered(table, position, { own: whole.score, depth: best.depth, mark, best, claims: explained ? claims : [] }) };
}

// What is wrong with a move, if comparable evidence shows it: an opinion must fall by that many points at equal depth.
// Beside an opinion a proved win counts as that many points, a draw as none, and a loss can only become better.
function markOf(best, move, worth, fall) {
  if (!best || !worth) return null;
  if (proved(best) && proved(worth)) return won(best) && !won(worth) ? "lost the win" : best.result === "draw" && lost(worth) ? "lost the draw" : null;
  if (lost(worth) && move.score?.result === "draw") return "lost the draw"; // also where another move might have won
  if (proved(worth)) return lost(worth) && worth.plies <= move.depth ? "mistake" : null; // the best was searched so deep
  const points = !proved(best) ? best.points : won(best) ? fall : lost(best) ? -Infinity : 0;
  return points - worth.points > fall ? "mistake" : null;
}

function answered(table, position, { own, depth, mark = null, best = null, claims = [] }) {
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
    claims,
    drawn: mark ? table.moveView(position, best.line[0]) : null,
  };
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

export const KINDS = { think, hint, judge, review, certificate, tree, match };
