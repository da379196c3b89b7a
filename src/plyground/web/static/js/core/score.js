// Scores in the one form of JSON, `{points: 12}` or `{result: "win", plies: 5}`, and what is ranked by them.

const WIN = 1_000_000_000;
const MAX_HEURISTIC = 900_000_000;

// A win that takes more plies than these may be one that the engine has not seen the shortest way to.
const SURELY_SOONEST_PLIES = 3;

export const DRAW = { result: "draw", plies: null };

const verdict = (result, plies, atMost) => (atMost ? { result, plies, at_most: true } : { result, plies });

export const win = (plies, atMost = false) => verdict("win", plies, atMost);
export const loss = (plies, atMost = false) => verdict("loss", plies, atMost);
export const proved = (score) => score !== null && score.result !== undefined;

// The score of a number that plain searches count in.
export function ofValue(value) {
  if (Math.abs(value) <= MAX_HEURISTIC) return { points: value };
  return value > 0 ? win(WIN - value) : loss(WIN + value);
}

// What the engine's number says: it proves that a game is won, but it may be won sooner.
export function ofEngine(value, isProved) {
  const score = ofValue(value);
  if (!proved(score)) return isProved ? DRAW : score;
  return verdict(score.result, score.plies, score.plies > SURELY_SOONEST_PLIES + Number(score.result === "loss"));
}

// What the order of scores goes by: sooner wins, later losses, opinions around a draw.
export function rank(score) {
  if (score.result === "win") return [1, -score.plies];
  if (score.result === "loss") return [-1, score.plies];
  return [0, score.points ?? 0];
}

const order = ({ score, points }) => [
  ...rank(score),
  Number(proved(score)),
  Number(!score.at_most),
  proved(score) ? (points ?? 0) : 0,
];

function worseFirst(a, b) {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : a[at] - b[at];
}

// Whether a score is worse than another one.
export const worse = (score, than) => worseFirst(rank(score), rank(than)) < 0;

// What is known about a move that nobody looked at.
export const unsearched = (move) => ({ line: [move], score: null, depth: 0, nodes: 0, seconds: 0, points: null });

// One analysis for each move: those that can be compared, the best first, and the others.
export function ranking(analyses, others = []) {
  const scored = analyses.filter((analysis) => analysis.score !== null);
  const unscored = analyses.filter((analysis) => analysis.score === null);
  return {
    compared: scored.sort((a, b) => worseFirst(order(b), order(a))),
    others: [...unscored, ...others],
  };
}

// How many cells of a position are empty: the solver's numbers count from the end of the game.
export const emptyCells = ({ kinds }) => kinds.filter((kind) => !kind).length;
