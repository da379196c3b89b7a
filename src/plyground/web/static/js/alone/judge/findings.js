// What a judge has found out about one position so far, and what follows from it.

import { combined, loss, lost, points, proved, rank, ranking, unsearched, win, won } from "../scores.js";

// The note on a move after which a pairing keeps its mover from losing.
export const CANNOT_LOSE = "cannot lose";

export class Findings {
  constructor(table, position, facts) {
    Object.assign(this, { table, position, facts, legal: table.game.moves(position) });
    this.opinions = { compared: [], others: this.legal.map(unsearched) }; // the engine's, of moves that are not decided
    this.safeMoves = new Set(); // texts of moves after which the mover cannot lose
    this.cannotWin = false; // whether the side to move cannot win, so that the position is a draw at best
    this.soonest = false; // whether no move wins sooner than the soonest win among the facts
  }

  // The ranking of all moves, and what follows for the position. `known` is the verdict on the position as a whole; null
  // where there is none.
  conclusion(known) {
    const { compared, others } = this.ranking(known);
    const best = bestOf({ compared, others }, known?.score);
    return { compared, others, best, whole: this.ofPosition([...compared, ...others], best, known) };
  }

  // All moves, those that can be compared first.
  ranking(known) {
    const first = ({ line }) => this.table.text(line[0]);
    const opinions = new Map([...this.opinions.compared, ...this.opinions.others].map((one) => [first(one), one]));
    const notCompared = new Set(this.opinions.others.map(first));
    const bounded = this.legal.map((move) => this.bounded(combine(this.facts.of(move), opinions.get(this.table.text(move))), known));
    const found = byElimination(bounded, known);
    const apart = (one) => notCompared.has(first(one)) && !proved(one.score);
    return ranking(found.filter((one) => !apart(one)), found.filter(apart));
  }

  // What the best move says about the position, if no other can be better; else what is known about it.
  ofPosition(all, best, known) {
    const allProved = all.every((one) => proved(one.score));
    let found = best;
    if (won(best.score)) {
      if (!allProved && !this.soonest) found = { ...best, score: perhapsSooner(best.score) };
    } else if (proved(best.score) && !allProved && !this.cannotWin) {
      found = { ...best, score: points(0) }; // a move that draws does not show that no other move wins
    }
    if (!known) return found;
    return proved(found.score) ? { ...found, score: combined(known.score, found.score) } : { ...known, line: best.line };
  }

  // What is known about a move, within what is known about the position.
  bounded(one, known) {
    const { score } = one;
    if (known && lost(known.score)) {
      // Every move loses, and none lasts longer than the best one.
      const latest = loss(known.score.plies, true);
      return proved(score) ? { ...one, score: combined(score, latest) } : { ...one, score: latest, source: known.source };
    }
    if (known && won(score) && !known.score.at_most) {
      // No move wins sooner than the position is won.
      return score.at_most && score.plies === known.score.plies ? { ...one, score: known.score } : one;
    }
    const noWin = this.cannotWin || (known && !won(known.score));
    if (noWin && score && !proved(score) && score.points > 0) return { ...one, score: points(0) };
    if (this.safeMoves.has(this.table.text(one.line[0])) && !proved(score) && !one.note) return { ...one, note: CANNOT_LOSE };
    return one;
  }
}

// What is proved about a move, with the points of an opinion about it; the opinion where nothing is proved.
function combine(fact, opinion) {
  if (!fact) return opinion;
  return !opinion || proved(opinion.score) ? fact : { ...fact, points: opinion.points };
}

// The same analyses, with the verdict of the position for the last move that is not proved to be worse.
function byElimination(all, known) {
  const left = all.filter((one) => !proved(one.score));
  if (!known || left.length !== 1) return all;
  if (all.some((one) => one !== left[0] && rank(one.score)[0] >= rank(known.score)[0])) return all;
  return all.map((one) => (one === left[0] ? { ...one, score: known.score, source: known.source } : one));
}

// The win of one move as a win of the position, in which another move may win sooner.
const perhapsSooner = ({ plies, at_most: atMost }) => win(plies, atMost || plies > 1);

// The best move of a ranking as far as is known: one that nobody looked at where all others are proved to be worse than
// the position, whose score is given where it is known.
export function bestOf({ compared, others }, worth = null) {
  const least = worth ? rank(worth)[0] : 0;
  return compared.find(({ score }) => !proved(score) || rank(score)[0] >= least) ?? others[0] ?? compared[0];
}
