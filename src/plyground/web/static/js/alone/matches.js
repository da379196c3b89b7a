// A match between two heuristics at the same depth: pairs of games from one opening, the second with the sides swapped,
// and between what points per game the truth lies.

import { file } from "./library.js";
import { dataOf } from "./workbench.js";

const OPENING_PLIES = 4; // moves that are drawn by lot
const TRIES = 1000; // openings that are looked at before one is taken as it is
const GLANCE = { nodes: 20_000 }; // how closely an opening is looked at
const POINTS = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };

export async function* played(table, { heuristic, against, depth, games }, stopped) {
  const intervals = await file("intervals.json");
  const [mine, theirs] = [heuristic, against].map((name) => dataOf(table, name));
  const made = []; // points of each game
  const seen = new Set();
  for (let pair = 0; pair < games / 2; pair++) {
    const opening = await drawn(table, seen);
    for (const swapped of [false, true]) {
      const game = await one(table, swapped ? [theirs, mine] : [mine, theirs], opening, depth, stopped);
      if (!game) return;
      const points = POINTS[game.result];
      made.push(swapped ? 1 - points : points);
      yield { ...standing(made, games, intervals), swapped, points, ...game };
    }
  }
}

// An opening that no side is seen to win, and that was not drawn before.
async function drawn(table, seen) {
  for (let left = TRIES; ; left--) {
    const line = [table.game.start()];
    while (line.length <= OPENING_PLIES && !table.game.outcome(line.at(-1))) {
      const moves = table.game.moves(line.at(-1));
      line.push(table.game.play(line.at(-1), moves[Math.floor(Math.random() * moves.length)]));
    }
    const position = line.at(-1);
    const key = table.game.key(position);
    if (table.game.outcome(position) || (left > 0 && (seen.has(key) || (await decidedAt(table, position))))) continue;
    seen.add(key);
    return table.texts(line.slice(1).map((one) => one.last));
  }
}

async function decidedAt(table, position) {
  let last;
  for await (last of table.game.think(position, GLANCE));
  return last.score?.plies != null;
}

// A game from an opening to its end; null when it is stopped.
async function one(table, heuristics, opening, depth, stopped) {
  const line = table.line(opening);
  while (!table.game.outcome(line.at(-1))) {
    if (stopped()) return null;
    const position = line.at(-1);
    line.push(table.game.play(position, await choice(table, position, heuristics[position.ply & 1], depth)));
  }
  const { winner } = table.game.outcome(line.at(-1));
  return { moves: table.texts(line.slice(1).map((position) => position.last)), result: winner === null ? "1/2-1/2" : ["1-0", "0-1"][winner] };
}

async function choice(table, position, heuristic, depth) {
  const { line } = await table.game.plain(position, { search: "alpha-beta", depth: Math.min(depth, table.rules.rules.max_plies - position.ply), heuristic });
  return line[0];
}

function standing(made, games, { intervals }) {
  const count = (points) => made.filter((one) => one === points).length;
  const [paired, singles] = [[0, 0, 0, 0, 0], [0, 0, 0]];
  for (let i = 0; i < made.length; i += 2) {
    if (i + 1 < made.length) paired[2 * (made[i] + made[i + 1])]++;
    else singles[2 * made[i]]++;
  }
  const [low, high] = intervals[`${paired.join(" ")} ${singles.indexOf(1)}`];
  const share = made.reduce((sum, points) => sum + points, 0) / made.length;
  return { played: made.length, games, wins: count(1), draws: count(0.5), losses: count(0), share, low, high };
}
