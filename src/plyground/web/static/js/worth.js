// What a position or a move is worth, in words and as a share of a bar.

import { prospects } from "./api.js";
import { say } from "./lab_texts.js";
import { signed } from "./numbers.js";

// For the side to move: "Win in 21", "Loss in at most 8", "Draw", "+12".
export function worthWords(worth) {
  if (!worth) return say.worth.unknown;
  if (worth.result === "draw") return say.worth.draw;
  if (worth.result) return (worth.result === "win" ? say.worth.win : say.worth.loss)(worth.plies, Boolean(worth.at_most));
  return signed(worth.points);
}

// From -1 to 1 for the first player.
export const shareOf = (worth, turn) => (worth ? (turn === 0 ? 1 : -1) * prospects(worth) : 0);
