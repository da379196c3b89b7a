// How soon a game is won or lost, where it is only proved that it is: asked of proof search, as far as time allows.

import { loss, lost, win, won } from "../scores.js";
import { proofOf } from "./facts.js";
import { Allowance } from "./prover.js";

// Replaces `at most` in the facts by exact numbers of plies, as far as `left`, the rest of the limit, allows.
export async function settle(judge, findings, left) {
  const { facts, position } = findings;
  const allowance = new Allowance(judge.prover, position, enough(left, judge.settings), 1);
  await tellLossesApart(judge, findings, allowance);
  for (const fact of facts.all) {
    if (fact.score.at_most && fact.source !== "book" && !allowance.over) facts.set(fact.line[0], await exact(judge, position, fact));
  }
  await lookForASoonerWin(judge, findings);
}

// What all questions may take: nodes where only nodes are limited, so that the same is found again.
function enough({ nodes, seconds }, { USUAL_SETTLING_SECONDS, LEAST_SETTLING_SECONDS, SETTLING_NODES }) {
  if (seconds !== undefined) return { seconds: Math.max(seconds, LEAST_SETTLING_SECONDS) };
  return nodes === undefined ? { seconds: USUAL_SETTLING_SECONDS } : { nodes: Math.max(nodes, SETTLING_NODES) };
}

// Finds out which of several lost moves loses when, the shortest losses first.
async function tellLossesApart({ game, prover, settings }, { facts, position }, allowance) {
  let waiting = facts.all.filter(({ score }) => lost(score) && score.at_most).map(({ line }) => line[0]);
  if (waiting.length < 2) return;
  const most = Math.max(...waiting.map((move) => facts.of(move).score.plies));
  for (let plies = 1; plies < most; plies++) {
    for (const move of [...waiting]) {
      const after = game.play(position, move);
      const answer = await prover.canWin(after, after.ply & 1, plies, { nodes: Math.floor(settings.SETTLING_NODES / 10) });
      if (answer) facts.set(move, { ...facts.of(move), score: loss(plies + 1), line: [move], note: "" });
      if (answer !== false) waiting = waiting.filter((other) => other !== move);
      if (allowance.over) return;
    }
  }
}

// A fact with the fewest plies that can be proved.
async function exact({ game, prover, settings }, position, fact) {
  const after = game.play(position, fact.line[0]);
  const mover = position.ply & 1;
  const [winner, verdict] = won(fact.score) ? [mover, win] : [1 - mover, loss];
  let { score } = fact;
  while (score.at_most) {
    const sooner = score.plies - 2; // the plies that are left after the move, and one fewer
    const answer = sooner > 0 ? await prover.canWin(after, winner, sooner, { nodes: settings.SETTLING_NODES }) : false;
    if (answer === null) break;
    score = verdict(score.plies - Number(answer), answer);
  }
  return { ...fact, score, line: fact.line.length <= score.plies ? fact.line : fact.line.slice(0, 1) };
}

// Finds out whether a move of which nothing is proved wins sooner than the soonest known win.
async function lookForASoonerWin({ prover, settings }, findings) {
  const { facts, position } = findings;
  const wins = facts.all.map(({ score }) => score).filter(won);
  if (!wins.length || facts.all.length === findings.legal.length) return;
  const soonest = wins.reduce((one, other) => (other.plies < one.plies ? other : one));
  if (soonest.at_most) return;
  const sooner = soonest.plies - 1;
  const answer = sooner > 0 ? await prover.canWin(position, position.ply & 1, sooner, { nodes: settings.SETTLING_NODES }) : false;
  findings.soonest = answer === false;
  const better = answer ? await prover.winningMove(position, sooner) : null;
  if (better) facts.add(proofOf(win(sooner, true), [better], "proof search"));
}
