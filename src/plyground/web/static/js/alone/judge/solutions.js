// Who can force a win, proved by proof search: ever more that is known, between what is excluded and what is proved.

import { now } from "./limits.js";

// Solutions {winner, plies, shortest, first, line, drawn, nodes}; the last is final, or what the time allowed.
export async function* solutions(judge, position, { seconds = Infinity }, stopped) {
  const { prover, settings } = judge;
  const within = judge.game.data.rules.max_plies - position.ply;
  const before = prover.nodes;
  const solution = { winner: null, plies: null, first: null, line: [], excluded: [0, 0] };
  let cases = [0, 1].map((side) => caseOf(judge, position, side, within, seconds));
  for (const { side, excluded } of cases) solution.excluded[side] = excluded;
  const described = () => ({
    ...solution,
    shortest: solution.winner !== null && solution.plies === solution.excluded[solution.winner] + 1,
    drawn: Math.min(...solution.excluded) >= within,
    nodes: prover.nodes - before,
  });
  if (described().drawn) return yield described();
  let asked = 0; // the length with which the win reported last was proved
  let until = now() + seconds;
  for (let effort = settings.FIRST_LOOK_NODES; cases.length && now() < until && !stopped(); effort *= 2) {
    for (const one of [...cases]) {
      // A win is most likely at the longest length worth asking about, a refutation at the shortest.
      for (const [choose, nodes] of [[far, effort], [near, Math.floor(effort / 8)]]) {
        for (let plies = choose(judge, position, one); plies !== null; plies = choose(judge, position, one)) {
          const left = Math.max(0, until - now());
          const answer = await prover.canWin(position, one.side, plies, { nodes, ...(left < Infinity ? { seconds: left } : {}) });
          if (answer === null) break;
          if (answer) {
            Object.assign(one, await shortened(judge, position, one.side, plies));
            asked = plies;
            cases = [one]; // both sides cannot have a forced win
            if (until === Infinity) until = now() + settings.SHORTENING_SECONDS;
          } else one.excluded = (one.steps.find((length) => length > plies) ?? within + 1) - 1;
          solution.excluded[one.side] = one.excluded;
          if (one.proved !== null) Object.assign(solution, { winner: one.side, plies: one.proved, first: one.first });
          yield described();
        }
      }
      if (near(judge, position, one) === null) cases = cases.filter((other) => other !== one);
      if (one.proved !== null) break;
    }
  }
  if (solution.winner !== null && !stopped()) {
    const line = await prover.line(position, solution.winner, asked, settings.LINE_SECONDS);
    const fits = line.length <= solution.plies && (!solution.first || String(line[0]) === String(solution.first));
    solution.line = fits ? line : [];
  }
  yield described();
}

// What a win proved a moment ago takes at most, and the move for that of a winner who is to move.
async function shortened({ prover, settings }, position, side, plies) {
  const found = await prover.strategy(position, side, plies, settings.STRATEGY_SECONDS);
  const proved = found ? Math.min(plies, found.length) : plies;
  if ((position.ply & 1) !== side) return { proved, first: null };
  // The strategy's own move first: another one may keep the win as well, and take longer.
  return { proved, first: found?.first ?? (await prover.winningMove(position, proved)) };
}

// The case of a side before anything was asked: the numbers of plies after which it may have won.
function caseOf(judge, position, side, within, seconds) {
  const { placements, watches } = judge.game.data.rules;
  const shared = placements[1 - side].some(([adds]) => watches[side].some((layer) => adds[layer].length));
  const steps = [];
  for (let plies = shared || (position.ply & 1) === side ? 1 : 2; plies <= within; plies += shared ? 1 : 2) steps.push(plies);
  const held = steps.length && judge.pairable && judge.game.pairing(position, 1 - side, tries(judge, position, side, seconds)).found === true;
  return { side, steps, excluded: !steps.length || held ? within : steps[0] - 1, proved: null, first: null };
}

// How many pairs may be tried in a share of the time.
function tries({ game, settings }, position, side, seconds) {
  const { EFFORT_TRIES, HOLDING_SHARE, PATTERNS_PER_SECOND } = settings;
  const patterns = game.live(position, side).length;
  return patterns ? Math.min(EFFORT_TRIES, Math.floor(Math.floor(seconds * HOLDING_SHARE * PATTERNS_PER_SECOND) / patterns)) : EFFORT_TRIES;
}

// The lengths of which nothing is known.
const open = ({ steps, excluded, proved }) => steps.filter((length) => length > excluded && (proved === null || length < proved));

const near = (judge, position, one) => open(one)[0] ?? null;

// The longest length worth asking about; lifted cards make a different game, so whether it is won before is asked first.
function far({ game }, { ply }, one) {
  const { recycle_from: change } = game.data.rules;
  const early = open(one).filter((length) => change !== null && ply + length <= change);
  return (early.length ? early : open(one)).at(-1) ?? null;
}
