// The exact solver of Connect Four. A number is for the side to move: 0 is a draw, n > 0 a win with its n-th disc counted
// from its last one, -n a loss likewise.

import { CoreError, optional } from "./module.js";
import { DRAW, emptyCells, loss, win } from "./score.js";

const WIDEST_SCORE = 128;
const TABLE_BYTES = 64 << 20;

// The numbers that matter: one beyond them is reported as the nearest of the two.
export const EXACT = [-WIDEST_SCORE, WIDEST_SCORE];
export const RESULT = [-1, 1];

const numberOfWin = (empty) => Math.floor((empty + 1) / 2);

export class Solver {
  constructor(game, module, board, bytes = TABLE_BYTES) {
    Object.assign(this, { game, module, board, bytes });
  }

  // The exact number and score of a position that is not won; null where the limit came first.
  async solve(position, limit = {}, window = EXACT) {
    this.module.begin();
    return this.solveOne(position, limit, window);
  }

  // The same of every legal move, for its mover; the limit is for all of them together.
  async solveMoves(position, limit = {}, window = EXACT) {
    this.module.begin();
    const theirs = [-window[1], -window[0]];
    const left = { ...limit };
    const found = [];
    for (const move of this.game.moves(position)) {
      const after = this.game.play(position, move);
      const over = this.game.outcome(after);
      const ended = over && (over.winner === null ? 0 : numberOfWin(emptyCells(position)));
      const spent = [left.nodes, left.seconds].some((rest) => rest !== undefined && rest !== null && rest <= 0);
      if (over || spent || this.module.stopped) {
        const number = over ? Math.min(Math.max(ended, window[0]), window[1]) : null;
        found.push({ move, ...this.answer(position, number, window, 0, 0) });
        continue;
      }
      const { number, nodes, seconds } = await this.solveOne(after, left, theirs);
      if (left.nodes !== undefined && left.nodes !== null) left.nodes -= nodes;
      if (left.seconds !== undefined && left.seconds !== null) left.seconds -= seconds;
      found.push({ move, ...this.answer(position, number === null ? null : 0 - number, window, nodes, seconds) });
    }
    return found;
  }

  async solveOne(position, limit, window) {
    this.prepare();
    if (this.game.outcome(position)?.winner != null) throw new CoreError("the game is over, so there is nothing to solve");
    const own = this.game.sideToMove(position) + 1;
    const discs = position.kinds.map((kind) => (kind === 0 ? 0 : kind === own ? 1 : 2));
    const started = performance.now();
    const answer = await this.module.search("solve", discs, ...window, optional(limit.nodes), optional(limit.seconds));
    const [known, number, nodes] = [answer.flag(), answer.number(), answer.number()];
    return this.answer(position, known ? number : null, window, nodes, (performance.now() - started) / 1000);
  }

  // The module has one solver at a time, for one size of board.
  prepare() {
    const { rows, columns, line } = this.board;
    const size = [rows, columns, line, this.bytes];
    if (String(this.module.size) === String(size)) return;
    this.module.size = null;
    this.module.call("make_solver", ...size);
    this.module.size = size;
  }

  answer(position, number, window, nodes, seconds) {
    return { number, score: number === null ? null : scoreOf(position, number, window), nodes, seconds };
  }
}

// What a number says to the side to move; at the ends of a window the game may end sooner.
export function scoreOf(position, number, window = EXACT) {
  if (number === 0) return DRAW;
  const left = emptyCells(position);
  const atMost = window.includes(number) && numberOfWin(left) !== Math.abs(number);
  if (number > 0) return win(2 * (numberOfWin(left) - number) + 1, atMost);
  return loss(2 * (Math.floor(left / 2) + number) + 2, atMost);
}
