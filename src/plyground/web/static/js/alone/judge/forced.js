// Forced wins of the side to move, looked for by proof search where threats abound.

import { win } from "../scores.js";
import { Allowance } from "./prover.js";

// A forced win, looked for with a share of the limit where there are patterns far advanced; null where none was found.
export async function forcedWin(judge, position, limit, share) {
  const { prover, game, settings } = judge;
  const side = position.ply & 1;
  const near = game.live(position, side).filter(([, , held]) => held >= judge.longest - 2);
  if (near.length < 2) return null; // nothing to force with
  const [allowance, most] = [new Allowance(prover, position, limit, share), horizon(judge, position, limit)];
  const short = [];
  for (let plies = 1; plies <= Math.min(settings.SHORT_PLIES, most); plies += 2) short.push(plies);
  let refuted = 0; // within so many plies there is no win
  for (const plies of [...short, most]) {
    // A short win that takes long to find matters less than a long one that follows from threats.
    const answer = await allowance.canWin(position, side, plies, plies === most ? 1 : 4);
    if (answer === false) refuted = plies;
    if (!answer) continue;
    const line = await lineOf(judge, position, plies, limit, share);
    if (!line.length) return null;
    const score = win(plies, refuted < plies - 1);
    return { line, score, depth: plies, nodes: allowance.visited, seconds: allowance.spent, points: null, source: "proof search" };
  }
  return null;
}

// With a limit of nodes the play after a long win is not looked for by the clock: it must come out the same again.
async function lineOf({ prover, settings }, position, plies, { seconds }, share) {
  if (seconds !== undefined || plies <= settings.SHORT_PLIES) return prover.line(position, position.ply & 1, plies, seconds === undefined ? undefined : seconds * share);
  const move = await prover.winningMove(position, plies);
  return move ? [move] : [];
}

// The plies that questions to a prover are about at most: the same ply for a while, so that it remembers what it found.
export function horizon({ settings, game }, { ply }, { depth }) {
  const { recycle_from: from, max_plies: last } = game.data.rules;
  const end = from === null || ply >= from ? last : from;
  return depth === undefined ? Math.min(end, (Math.floor(ply / settings.STEP_PLIES) + 2) * settings.STEP_PLIES) - ply : Math.min(end - ply, depth);
}
