// What the judges of games answer, in a worker: hints, judgements and reviews, each as the server's workers give them. The
// judges themselves are the core's; here they are made, with their books, and told what other workers have proved.

import { file, gameFile } from "./library.js";
import { exceeds, proved, text, won } from "./scores.js";
import { SIDES, wholeGame } from "./table.js";
import { asJson, going, limitOf, noted, rounded, told } from "./thinker.js";

const MOST_JUDGES = 3; // the one that was asked longest ago goes, with all that it has proved
const NEWLINE = 10;
const CHECKSUM_BYTES = 32;
const REVIEW_SECONDS = 20; // for all positions of a long game together
const LEAST_SHARE_SECONDS = 0.05;

const judges = new Map(); // by table

// The judge of a game.
export async function judgeOf(table) {
  const asked = judges.get(table) ?? (await made(table));
  judges.delete(table);
  judges.set(table, asked);
  return asked;
}

// What was proved since the last call, by game.
export const takeNews = () => [...judges].map(([{ spec }, asked]) => [spec, asked.takeNews()]).filter(([, news]) => news.length);

// The same, told what other workers have proved.
export async function judgeFor(table) {
  const asked = await judgeOf(table);
  for (const news of told(table.spec)) asked.learn(news);
  return asked;
}

// Lets judges go until so many are left, those that were asked longest ago, with what they have proved.
export function forgetJudges(most = 0) {
  for (const [oldest, asked] of [...judges].slice(0, Math.max(0, judges.size - most))) {
    asked.close();
    judges.delete(oldest);
  }
}

async function made(table) {
  const settings = await file("judge.json");
  const { books, group } = table.data.books ? await gameFile(table.spec, "books") : { books: [], group: [] };
  const read = await Promise.all(books.map(async (book) => ({ ...book, bytes: entriesOf(await file(book.file)) })));
  forgetJudges(MOST_JUDGES - 1);
  return Object.assign(await table.game.judge(settings, read, group), { settings });
}

// A file is a line of JSON, the entries, and a checksum; the index has checked it already.
const entriesOf = (bytes) => bytes.subarray(bytes.indexOf(NEWLINE) + 1, bytes.length - CHECKSUM_BYTES);

// ------------------------------------------------------------ jobs

export async function* hint(job, stopped) {
  const { table, position } = await going(job);
  const asked = await judgeFor(table);
  const { best } = await asked.judge(position, limitOf(job), { allMoves: false, opinions: true });
  if (stopped()) return;
  asked.advise(position, best.line[0]);
  const reason = text(best.score);
  const { claims } = await explained(asked, table, position, best);
  yield { ...asJson(table, best), reason, reasons: [reason], claims, ...table.moveView(position, best.line[0]) };
}

export async function* judge(job, stopped) {
  const { table, position } = await going(job);
  const asked = await judgeFor(table);
  const { lines, patience, shares } = asked.settings;
  let limit = limitOf(job);
  if (job.prove) {
    for await (const judgement of asked.rank(position, part(limit, 1 - shares.summary), { proofsOnly: true })) yield { partial: true, exact: exact(table, judgement) };
    if (stopped()) return;
    limit = part(limit, shares.summary); // what was proved is remembered
  }
  let last;
  for await (const judgement of asked.rank(position, limit, { opinions: true })) {
    last = judgement;
    yield judged(table, judgement);
  }
  if (stopped()) return;
  const { claims } = await explained(asked, table, position, last.best, Math.min(patience, limit.seconds ?? patience)); // a quick question wants no long search for words
  const compared = last.compared.map((one, number) => (number < lines ? continued(asked, position, one) : one));
  yield { ...judged(table, { ...last, compared }), final: true, reasons: [], claims };
}

function judged(table, judgement) {
  const { whole, best, nodes, seconds, compared, others } = judgement;
  return {
    worth: whole.score,
    text: noted(whole.score, whole.note),
    proved: proved(whole.score),
    source: whole.source,
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
function exact(table, { position, compared, others }) {
  if (!table.rules.solver) return {};
  const known = [...compared, ...others].filter((one) => proved(one.score) && !one.score.at_most);
  return Object.fromEntries(known.map((one) => [table.text(one.line[0]), numberOf(position, one.score)]));
}

export async function* review(job) {
  const table = await wholeGame(job.game);
  const asked = await judgeFor(table);
  const { aside, explaining, patience, faulty } = asked.settings;
  const positions = table.line(job.moves).reverse();
  const limit = limitOf(job);
  if (limit.seconds !== undefined) limit.seconds = Math.min(limit.seconds, Math.max(LEAST_SHARE_SECONDS, REVIEW_SECONDS / positions.length));
  const played = positions.slice(0, -1).map(({ last }) => last).reverse();
  for await (const found of asked.review(table.game.start(), played, limit, explaining, patience)) {
    if (found?.summary) {
      yield found;
      return;
    }
    const position = positions.shift();
    if (!found) yield answered(table, position, { own: ended(table.game.outcome(position), position), depth: 0 });
    else {
      const { worth, grade, cost, why, judgement } = found;
      const better = faulty.includes(grade) && exceeds(judgement.best.score, worth);
      const says = why && why.claims.some(({ kind }) => !aside.includes(kind));
      const claims = says ? why.claims.map((claim) => claimView(table, claim)) : [];
      yield answered(table, position, { own: judgement.whole.score, depth: judgement.best.depth, grade, cost, better, best: judgement.best, claims });
    }
  }
}

// What the end of a game says to the side that would be to move.
const ended = ({ winner }, { ply }) => (winner === null ? { result: "draw", plies: null } : { result: winner === (ply & 1) ? "win" : "loss", plies: 0 });

function answered(table, position, { own, depth, grade = null, cost = null, better = false, best = null, claims = [] }) {
  const score = own && position.ply % 2 ? turned(own) : own;
  return {
    ply: position.ply,
    score: score ?? null,
    text: score ? text(score) : "",
    depth,
    grade,
    cost,
    best: best ? table.text(best.line[0]) : null,
    line: best ? table.texts(best.line) : [],
    better: better ? table.text(best.line[0]) : null,
    reasons: [],
    claims,
    drawn: better ? table.moveView(position, best.line[0]) : null,
  };
}

// ------------------------------------------------------------ why

// Why the first move of an analysis is worth what it is worth: {explained, claims}.
async function explained(asked, table, position, { line, score }, seconds = asked.settings.patience) {
  const { claims } = await asked.explain(position, line[0], score, asked.settings.explaining, seconds);
  return { explained: claims.some(({ kind }) => !asked.settings.aside.includes(kind)), claims: claims.map((claim) => claimView(table, claim)) };
}

// A claim as the program writes it, without what it does not name.
function claimView(table, { kind, side, moves, after, cells, patterns, pairs, number }) {
  const name = (cell) => table.board.cells[cell].name;
  const names = (list) => [...list].sort((a, b) => a - b).map(name);
  // A forced play is read move by move; elsewhere the cells of a move say more than its column.
  const at = kind === "forces" ? [] : moves.map(([place]) => names(table.laid(side, place).cells));
  const facts = { moves: table.texts(moves), at, after: table.texts(after), cells: names(cells), patterns: patterns.map(names), pairs: pairs.map((pair) => pair.map(name)), number };
  const said = Object.entries(facts).filter(([, fact]) => (Array.isArray(fact) ? fact.length : fact));
  return { claim: kind, side: SIDES[side], ...Object.fromEntries(said) };
}

// A line that wins or loses, followed by what is known already to be best.
function continued(asked, position, one) {
  const { game, settings } = asked;
  if (!proved(one.score) || one.score.plies === null) return one;
  const line = one.line.slice(0, settings.line_plies);
  let at = game.after(line, position);
  while (line.length < settings.line_plies && !game.outcome(at)) {
    const best = asked.advice(at);
    if (!best || !proved(best.score)) break;
    line.push(best.line[0]);
    at = game.play(at, best.line[0]);
  }
  return { ...one, line };
}

// ------------------------------------------------------------ scores and limits

const TURNED = { win: "loss", loss: "win", draw: "draw" };

// A score for the other side.
const turned = (score) => (score.result ? { ...score, result: TURNED[score.result] } : { points: 0 - score.points });

const emptyCells = ({ kinds }) => kinds.filter((kind) => !kind).length;

// The solver's number for a verdict on a position.
function numberOf(position, score) {
  if (score.plies === null) return 0;
  const left = emptyCells(position);
  return won(score) ? Math.floor((left + 1) / 2) - Math.floor((score.plies - 1) / 2) : Math.floor((score.plies - 2) / 2) - Math.floor(left / 2);
}

export const now = () => performance.now() / 1000;

// A share of the nodes and the seconds; the depth stays.
export function part({ nodes, seconds, ...rest }, share) {
  const found = { ...rest };
  if (nodes !== undefined) found.nodes = Math.max(1, Math.trunc(nodes * share));
  if (seconds !== undefined) found.seconds = seconds * share;
  return found;
}

// What is left of a limit after the time since then; a quarter of it at least.
export const less = (limit, started) => (limit.seconds === undefined ? limit : { ...limit, seconds: Math.max(limit.seconds - (now() - started), limit.seconds / 4) });
