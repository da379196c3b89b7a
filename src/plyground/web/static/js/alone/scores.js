// Scores as the page gets them, {points: 12} or {result: "win", plies: 5}: their other side, two of them combined, their words.

import { DRAW, emptyCells, loss, proved, rank, ranking, unsearched, win, worse } from "../core/score.js";

const TURNED = { win: "loss", loss: "win", draw: "draw" };

export { DRAW, emptyCells, loss, proved, rank, ranking, unsearched, win, worse };
export const points = (number) => ({ points: number });
export const won = (score) => score?.result === "win";
export const lost = (score) => score?.result === "loss";

// Whether two scores, either of which may be missing, are the same.
export const same = (one, other) => String(Object.entries(one ?? {}).sort()) === String(Object.entries(other ?? {}).sort());

// The same for the other side.
export const turned = (score) => (score.result ? { ...score, result: TURNED[score.result] } : points(-score.points));

const later = (score, plies) => (score.plies === null || score.plies === undefined ? score : { ...score, plies: score.plies + plies });

// The worth of a move to its mover, if this is the worth of what it leads to to the side to move there; and back.
export const beforeMove = (score) => later(turned(score), 1);
export const afterMove = (score) => later(turned(score), -1);

// What two proofs about the same thing say together. They may differ in how soon the game ends, if one says `at most`.
export function combined(one, other) {
  const [exact, bound] = one.at_most ? [other, one] : [one, other];
  if (one.result !== other.result || (!bound.at_most && exact.plies !== bound.plies) || (bound.at_most && !exact.at_most && exact.plies > bound.plies))
    throw new Error(`two proofs contradict each other: ${text(one)} and ${text(other)}; please report this`);
  return exact.at_most && bound.plies <= exact.plies ? bound : exact;
}

export function text(score) {
  if (!score) return "no score";
  if (score.result === "draw") return "draw";
  if (score.result) return `${score.result} in ${score.at_most ? "at most " : ""}${score.plies}`;
  return score.points > 0 ? `+${score.points}` : String(score.points);
}

// The solver's number for a verdict on a position: the reverse of what its number says.
export function numberOf(position, score) {
  if (score.plies === null) return 0;
  const left = emptyCells(position);
  return won(score) ? Math.floor((left + 1) / 2) - Math.floor((score.plies - 1) / 2) : Math.floor((score.plies - 2) / 2) - Math.floor(left / 2);
}
