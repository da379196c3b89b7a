// Scores in the one form of JSON, `{points: 12}` or `{result: "win", plies: 5}`.

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

// What is known about a move that nobody looked at.
export const unsearched = (move) => ({ line: [move], score: null, depth: 0, nodes: 0, seconds: 0, points: null });
