// Who wins a position by force and how soon, by questions to a prover: proved, never guessed.

import { now } from "./limits.js";

// Ever better solutions {winner, plies, shortest, first, line, drawn, nodes}; the last is final, or what the time allowed.
export async function* solutions(judge, position, { seconds = Infinity }, stopped) {
  const proving = new Proving(judge, position, seconds, stopped);
  if (proving.solution.drawn) return yield proving.solution;
  yield* proving.rounds();
  yield await proving.final();
}

// Asks about the forced wins of both sides, in rounds of growing effort.
class Proving {
  constructor(judge, position, seconds, stopped) {
    Object.assign(this, { judge, position, stopped, prover: judge.prover, settings: judge.settings });
    this.within = judge.game.data.rules.max_plies - position.ply;
    this.nodesBefore = this.prover.nodes;
    this.cases = [0, 1].map((side) => caseOf(judge, position, side, this.within, seconds));
    this.found = { winner: null, plies: null, first: null, line: [], excluded: this.cases.map(({ excluded }) => excluded) };
    this.deadline = now() + seconds;
    this.asked = 0; // the length with which the win reported last was proved
  }

  // What is proved so far.
  get solution() {
    const { winner, plies, excluded } = this.found;
    const shortest = winner !== null && plies === excluded[winner] + 1;
    return { ...this.found, shortest, drawn: Math.min(...excluded) >= this.within, nodes: this.prover.nodes - this.nodesBefore };
  }

  // Ever better solutions, until nothing is left to ask, or no time.
  async *rounds() {
    for (let effort = this.settings.FIRST_LOOK_NODES; this.cases.length && now() < this.deadline && !this.stopped(); effort *= 2) {
      for (const one of [...this.cases]) {
        // A win is most likely at the longest length worth asking about, a refutation at the shortest.
        yield* this.ask(one, far, effort);
        yield* this.ask(one, near, Math.floor(effort / 8));
        if (near(this.judge, this.position, one) === null) this.cases = this.cases.filter((other) => other !== one);
        if (one.proved !== null) break;
      }
    }
  }

  // Solutions after each answer about one length after the other, until one takes too much effort.
  async *ask(one, choose, nodes) {
    const { judge, position } = this;
    for (let plies = choose(judge, position, one); plies !== null; plies = choose(judge, position, one)) {
      const left = Math.max(0, this.deadline - now());
      const answer = await this.prover.canWin(position, one.side, plies, { nodes, ...(left < Infinity ? { seconds: left } : {}) });
      if (answer === null) return;
      if (answer) await this.takeWin(one, plies);
      else one.excluded = (one.steps.find((length) => length > plies) ?? this.within + 1) - 1;
      this.found.excluded[one.side] = one.excluded;
      if (one.proved !== null) Object.assign(this.found, { winner: one.side, plies: one.proved, first: one.first });
      yield this.solution;
    }
  }

  // Goes on with the winner's case alone, since both sides cannot have a forced win.
  async takeWin(one, plies) {
    Object.assign(one, await shortened(this.judge, this.position, one.side, plies));
    this.asked = plies;
    this.cases = [one];
    if (this.deadline === Infinity) this.deadline = now() + this.settings.SHORTENING_SECONDS;
  }

  // What was found, with the line of a win.
  async final() {
    const { winner, plies, first } = this.found;
    if (winner !== null && !this.stopped()) {
      const line = await this.prover.line(this.position, winner, this.asked, this.settings.LINE_SECONDS);
      const fits = line.length <= plies && (!first || String(line[0]) === String(first));
      this.found.line = fits ? line : [];
    }
    return this.solution;
  }
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
  const cannotWin = steps.length && judge.pairable && judge.game.pairing(position, 1 - side, tries(judge, position, side, seconds)).found === true;
  return { side, steps, excluded: !steps.length || cannotWin ? within : steps[0] - 1, proved: null, first: null };
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
