// What is true about a move, as far as the board and the next moves show it: claims of the program's kinds, each checked
// before it is said (kinds and what they mean are those of Python's `ClaimKind`). Reasons that take a proof of their own
// need Python.

import { lost, proved, won } from "./scores.js";
import { SIDES } from "./table.js";

const SHOWN_MOVES = 7; // of a forced play
const MANY_MOVES = 60; // where there are more, replies to replies are not tried

// Claims about the first move of a line, the most important first.
export function claimsOf(judge, position, { line, score }) {
  const { MOST_CLAIMS, ALIKE, ASIDE } = judge.settings.claims;
  const decided = proved(score) && (won(score) || lost(score));
  const said = [];
  for (const claim of new Claims(judge, position, line, score).found()) {
    if (said.length === MOST_CLAIMS || (decided && said.length && ASIDE.includes(claim.claim))) break;
    const alike = ALIKE.filter((kinds) => kinds.includes(claim.claim));
    if (!alike.some((kinds) => said.some((other) => kinds.includes(other.claim)))) said.push(claim);
  }
  return said;
}

class Claims {
  constructor(judge, position, line, score) {
    const [move] = line;
    const { table } = judge;
    const mover = position.ply & 1;
    Object.assign(this, { judge, table, game: table.game, position, line, move, mover, other: 1 - mover, score: proved(score) ? score : null, after: table.game.play(position, move) });
  }

  *found() {
    const outcome = this.game.outcome(this.after);
    if (outcome) {
      if (outcome.winner !== null) yield this.claim("completes", outcome.winner, { patterns: this.completed(this.after, outcome) });
      else yield* this.cannotWin(this.other);
      return;
    }
    if (won(this.score)) yield* this.winning();
    else if (lost(this.score)) yield* this.losing();
    else yield* this.holding();
    yield* this.poles();
    yield* this.threatens();
    yield* this.counted("blocks", this.other, this.blocked());
    yield* this.counted("builds", this.mover, this.advanced());
  }

  *winning() {
    yield* this.stops();
    if (this.score.at_most) return;
    if (this.score.plies === 3) {
      yield* this.twoThreats(this.mover, this.after, []);
      if (this.everyReplyLoses(this.after, this.mover)) yield this.claim(this.wins(this.after, this.mover).length ? "no-reply" : "zugzwang", this.mover);
    }
    yield* this.forces(this.mover);
  }

  // The play to the end as far as it is remembered to the ply: so nobody errs in it.
  *forces(side) {
    const moves = [];
    let [at, left] = [this.after, this.score.plies - 1];
    while (left > 0 && moves.length < SHOWN_MOVES) {
      const best = this.exactly(at, left);
      const next = best && this.game.play(at, best.line[0]);
      if (!best || (--left > 0 && !this.exactly(next, left))) break;
      moves.push(best.line[0]);
      at = next;
    }
    if (moves.length) yield this.claim("forces", side, { moves, number: this.score.plies });
  }

  // What is best in a position that is remembered to end in just so many plies.
  exactly(position, plies) {
    const best = this.judge.advice(position);
    return best?.score && proved(best.score) && !best.score.at_most && best.score.plies === plies ? best : null;
  }

  *losing() {
    const [reply] = this.wins(this.after, this.other);
    if (reply) {
      const before = this.wins(this.position, this.other).some(({ move }) => this.same(move, reply.move));
      const laid = this.table.laid(this.mover, this.move[0]).cells;
      const rests = this.table.rules.rules.placements[this.other][reply.move[0]][1];
      yield this.claim(rests.some((cell) => laid.includes(cell)) ? "gives-cell" : before ? "leaves" : "lets", this.other, { moves: [reply.move], patterns: reply.patterns });
    }
    const [, answer] = this.line;
    if (answer && this.score.plies === 4 && !this.score.at_most) yield* this.twoThreats(this.other, this.game.play(this.after, answer), [answer]);
    if (this.score.plies > 2 && !this.score.at_most) yield* this.forces(this.other);
    yield* this.stops();
  }

  *holding() {
    yield* this.stops();
    yield* this.poles();
    yield* this.threatens();
    yield* this.cannotWin(this.other);
    if (this.score) yield* this.cannotWin(this.mover);
  }

  *stops() {
    const [threat] = this.wins(this.position, this.other);
    if (threat && !this.wins(this.after, this.other).length) yield this.claim("stops", this.other, { moves: [threat.move], patterns: threat.patterns });
  }

  *threatens() {
    const [threat] = this.wins(this.after, this.mover);
    if (threat) yield this.claim("threatens", this.mover, { moves: [threat.move], patterns: threat.patterns });
  }

  // Two different patterns say more than two ways to complete one.
  *twoThreats(side, position, after) {
    const [first, ...others] = this.game.outcome(position) ? [] : this.wins(position, side);
    const second = others.find(({ patterns }) => String(patterns) !== String(first.patterns)) ?? others[0];
    if (second && this.everyReplyLoses(position, side)) yield this.claim("two-threats", side, { moves: [first.move, second.move], after, patterns: [...first.patterns, ...second.patterns] });
  }

  *cannotWin(side) {
    if (this.table.rules.rules.recycle_from === null && !this.game.live(this.after, side).length) yield this.claim("cannot-win", side);
  }

  // A pattern of the other side that a pole takes off the board, the one that lacked least.
  *poles() {
    const laid = this.table.laid(this.mover, this.move[0]).cells;
    const has = (cells) => cells.some((cell) => laid.includes(cell));
    const [gone] = this.gone(this.other).filter(({ cells, poles }) => has(poles) && !has(cells)).sort((a, b) => a.lacks - b.lacks);
    if (gone) yield this.claim("poles", this.other, { cells: gone.poles, patterns: [gone.cells] });
  }

  *counted(kind, side, number) {
    if (number) yield this.claim(kind, side, { number });
  }

  // ------------------------------------------------------------ looked up

  // The live patterns of a side that a move ends.
  gone(side) {
    const kept = new Set(this.game.live(this.after, side).map(([number, layer]) => `${number} ${layer}`));
    return this.game.live(this.position, side).flatMap(([number, layer, held]) => {
      const { cells, poles } = this.table.board.patterns[number];
      return kept.has(`${number} ${layer}`) ? [] : [{ cells, poles, held, lacks: cells.length - held }];
    });
  }

  blocked() {
    return this.gone(this.other).filter(({ held }) => held).length;
  }

  advanced() {
    const before = new Map(this.game.live(this.position, this.mover).map(([number, layer, held]) => [`${number} ${layer}`, held]));
    return this.game.live(this.after, this.mover).filter(([number, layer, held]) => held > (before.get(`${number} ${layer}`) ?? held)).length;
  }

  // The moves with which a side would win if it were its turn, and what each completes.
  wins(position, side) {
    const ready = (position.ply & 1) === side ? position : this.passed(position);
    if (!ready) return [];
    const near = this.near(ready, side);
    return this.game.moves(ready).flatMap((move) => {
      if (near && !near(this.table.laid(side, move[0]).cells)) return [];
      const after = this.game.play(ready, move);
      const outcome = this.game.outcome(after);
      return outcome?.winner === side ? [{ move, patterns: this.completed(after, outcome) }] : [];
    });
  }

  // Whether cells cover all that a live pattern of a side lacks; null where cards are lifted.
  near(position, side) {
    if (this.table.lifts(position)) return null;
    const lacking = this.game.live(position, side).map(([number]) => this.table.board.patterns[number].cells.filter((cell) => !position.kinds[cell]));
    return (cells) => lacking.some((lack) => lack.every((cell) => cells.includes(cell)));
  }

  // The same board with the other side to move; null where it has no move left, or where cards are lifted.
  passed(position) {
    const after = { ...position, ply: position.ply + 1 };
    return this.table.lifts(after) || this.game.outcome(position) || after.ply >= this.table.rules.rules.max_plies ? null : after;
  }

  // Whether the side to move completes a pattern of the other one or lets it do so, whatever it plays.
  everyReplyLoses(position, side) {
    const replies = this.game.moves(position);
    if (replies.length > MANY_MOVES) return false;
    return replies.every((reply) => {
      const after = this.game.play(position, reply);
      const outcome = this.game.outcome(after);
      return outcome ? outcome.winner === side : this.wins(after, side).length > 0;
    });
  }

  // The first pattern that the winner has.
  completed(position, { winner, cells }) {
    const live = new Set(this.game.live(position, winner).map(([number]) => number));
    const number = this.table.board.patterns.findIndex((pattern, number) => live.has(number) && pattern.cells.every((cell) => cells.includes(cell)));
    return [this.table.board.patterns[number].cells];
  }

  same(one, other) {
    return one[0] === other[0] && one[1] === other[1];
  }

  // A claim as the program writes it, without what it does not name.
  claim(kind, side, { moves = [], after = [], cells = [], patterns = [], number = 0 } = {}) {
    const names = (list) => [...list].sort((a, b) => a - b).map((cell) => this.table.board.cells[cell].name);
    const facts = { moves: this.table.texts(moves), at: moves.map(([place]) => names(this.table.laid(side, place).cells)), after: this.table.texts(after), cells: names(cells), patterns: patterns.map(names), number };
    const given = Object.entries(facts).filter(([, fact]) => (Array.isArray(fact) ? fact.length : fact));
    return { claim: kind, side: SIDES[side], ...Object.fromEntries(given) };
  }
}
