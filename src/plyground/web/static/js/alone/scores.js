// Scores as the page gets them, {points: 12} or {result: "win", plies: 5}, and their words.

import { loss, proved, unsearched } from "../core/score.js";

export { loss, proved, unsearched };
export const won = (score) => score?.result === "win";
export const lost = (score) => score?.result === "loss";

// What scores are ordered by: wins, the sooner the better, then opinions with draws among them as 0, then losses.
const rank = ({ result, plies, points }) => (result === "win" ? [1, -plies] : result === "loss" ? [-1, plies] : [0, points ?? 0]);

export function exceeds(one, other) {
  if (!one || !other) return false;
  const [[a, b], [c, d]] = [rank(one), rank(other)];
  return a === c ? b > d : a > c;
}

export function text(score) {
  if (!score) return "no score";
  if (score.result === "draw") return "draw";
  if (score.result) return `${score.result} in ${score.at_most ? "at most " : ""}${score.plies}`;
  return score.points > 0 ? `+${score.points}` : String(score.points);
}
