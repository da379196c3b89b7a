// The exact value of a position and the moves that keep it, if a solver finds them within a share of the limit.

import { RESULT, scoreOf } from "../../core/solver.js";
import { emptyCells } from "../scores.js";
import { keepingMoves } from "./goal.js";
import { now, part } from "./limits.js";

// {moves, score, nodes, seconds}; null where the limit is not enough, or one of depth.
export async function exact({ game, solver, settings }, position, limit, stopped) {
  if (limit.depth !== undefined || !worthAsking(position, part(limit, settings.WHO_SHARE), settings)) return null;
  const started = now();
  const who = await solver.solve(position, part(limit, settings.WHO_SHARE), RESULT);
  if (who.number === null) return null;
  const when = await solver.solve(position, part(limit, settings.WHEN_SHARE));
  const latest = when.number === null && who.number !== 0;
  const value = when.number ?? who.number;
  const goal = { game, solver, side: position.ply & 1, least: value, visited: 0 };
  let moves = [];
  if (latest && value < 0) moves = game.moves(position); // whatever is played
  else for await (const move of keepingMoves(goal, position, part(limit, settings.WHICH_SHARE), settings.goal, stopped)) moves.push(move);
  if (!moves.length) return null;
  const score = latest ? scoreOf(position, value, RESULT) : scoreOf(position, value);
  return { moves, score, nodes: who.nodes + when.nodes + goal.visited, seconds: now() - started };
}

// Whether enough of the board is filled for a solver to answer within a limit, by experience.
function worthAsking(position, { nodes, seconds }, { GENEROUS_NODES, GENEROUS_SECONDS, EARLY_FILLED_SHARE, FILLED_SHARE }) {
  const generous = (nodes ?? Infinity) >= GENEROUS_NODES && (seconds ?? Infinity) >= GENEROUS_SECONDS;
  const cells = position.kinds.length;
  return (cells - emptyCells(position)) / cells >= (generous ? EARLY_FILLED_SHARE : FILLED_SHARE);
}
