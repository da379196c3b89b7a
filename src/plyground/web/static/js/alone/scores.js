// Scores as the page gets them, {points: 12} or {result: "win", plies: 5}, and their words.

import { loss, proved, unsearched } from "../core/score.js";

export { loss, proved, unsearched };
export const won = (score) => score?.result === "win";
export const lost = (score) => score?.result === "loss";

export function text(score) {
  if (!score) return "no score";
  if (score.result === "draw") return "draw";
  if (score.result) return `${score.result} in ${score.at_most ? "at most " : ""}${score.plies}`;
  return score.points > 0 ? `+${score.points}` : String(score.points);
}
