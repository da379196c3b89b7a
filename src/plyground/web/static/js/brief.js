// What a move is worth in few signs.

import { texts } from "./texts.js";

// In how many plies a game is won or lost: "5", or "at most 5" where no more is proved.
export const pliesOf = ({ plies, at_most }) => (at_most ? texts.coach.atMost(plies) : String(plies));

// A worth in few signs: +5 a win in 5, −≤4 a loss in at most 4, = a draw, or points.
export function short(worth) {
  if (worth.result === "draw") return "=";
  if (worth.result) return `${worth.result === "win" ? "+" : "−"}${worth.at_most ? "≤" : ""}${worth.plies}`;
  return `${worth.points > 0 ? "+" : worth.points < 0 ? "−" : ""}${Math.abs(worth.points)}`;
}

// The same, its end counted in moves of the winner, as people count.
export const inMoves = (worth) => (worth.plies ? { ...worth, plies: Math.ceil(worth.plies / 2) } : worth);

// In how many moves of the winner a game is won or lost: "at most 3 moves".
export const movesOf = ({ plies, at_most }) => texts.coach.moves(Math.ceil(plies / 2), Boolean(at_most));
