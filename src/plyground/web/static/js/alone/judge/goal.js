// The moves with which a side reaches at least a given number of the solver.

import { emptyCells } from "../scores.js";
import { now } from "./limits.js";

// The moves of the side to move that keep the goal {game, solver, side, least, visited}, as they are found: all are tried,
// in rounds of growing effort.
export async function* keepingMoves(goal, position, { nodes, seconds = Infinity }, { FIRST_TRY_NODES, MORE }, stopped) {
  const { game } = goal;
  const until = now() + seconds;
  const most = nodes === undefined ? Infinity : goal.visited + nodes;
  let waiting = [];
  for (const move of game.moves(position)) {
    const after = game.play(position, move);
    const reached = reachedAtEnd(goal, after);
    if (reached === null) waiting.push({ move, after });
    else if (reached) yield move;
  }
  for (let effort = FIRST_TRY_NODES; waiting.length; effort *= MORE) {
    const hard = [];
    for (const one of waiting) {
      const [left, time] = [Math.min(effort, most - goal.visited), until - now()];
      if (left <= 0 || time <= 0 || stopped()) return;
      const reached = await solved(goal, one.after, { nodes: left, ...(time < Infinity ? { seconds: time } : {}) });
      if (reached === null) hard.push(one);
      else if (reached) yield one.move;
    }
    waiting = hard;
  }
}

// Whether a game that is over reached the goal; null while it goes on.
function reachedAtEnd({ game, side, least }, position) {
  const outcome = game.outcome(position);
  if (!outcome) return null;
  const score = outcome.winner === null ? 0 : Math.floor((emptyCells(position) + 2) / 2);
  return (outcome.winner === side ? score : -score) >= least;
}

async function solved(goal, position, limit) {
  const { solver, side, least } = goal;
  const ours = (position.ply & 1) === side;
  const { number, nodes } = await solver.solve(position, limit, ours ? [least - 1, least] : [-least, 1 - least]);
  goal.visited += nodes;
  if (number === null) return null;
  return ours ? number >= least : -number >= least;
}
