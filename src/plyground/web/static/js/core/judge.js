// What is known of positions of one game: the judge of the core, values in and values out.
//
// An analysis is {line, score, source, note, depth, nodes, seconds, points}, a judgement {position, whole, best, worth,
// compared, others, nodes, seconds}; a claim has the kind's name and moves, cells and patterns by their numbers.

import { plainMove, words } from "./core.js";
import { CoreError, optional } from "./module.js";
import { DRAW, loss, win } from "./score.js";

const VERDICTS = [loss, () => DRAW, win, (points) => ({ points })];
const MEGABYTE = 1 << 20;
const RESULTS = ["loss", "draw", "win"];

const limitWords = ({ depth, nodes, seconds }) => [optional(depth), optional(nodes), optional(seconds)];
const imageWords = ([cells, layers, places]) => [[cells, layers], places];
const maybe = (answer, read) => (answer.flag() ? read() : null);
const listed = (answer, read) => Array.from({ length: answer.number() }, read);

// A score as the core reads it, none or one.
function scoreWords(score) {
  if (!score) return [];
  const result = score.result ? RESULTS.indexOf(score.result) : RESULTS.length;
  return [[result, score.points ?? score.plies ?? 0, Number(score.at_most ?? false)]];
}

export class Judge {
  // Names and sizes as `judge_data` exports them; `books` are what it exports of each with its entries as bytes, `group` the
  // symmetries of the rules where there are books.
  constructor(game, { names, megabytes }, books = [], group = []) {
    this.game = game;
    this.module = game.module;
    this.names = names;
    if (this.module.searching) throw new CoreError("a search is running");
    for (const book of books) this.add(book);
    const { solver } = game.data;
    const board = solver ? [solver.rows, solver.columns, solver.line] : null;
    const sizes = ["solver", "proofs", "engine"].map((tool) => megabytes[tool] * MEGABYTE);
    this.module.call("make_judge", game.number, game.heuristic("engine"), group.map(imageWords), optional(board), ...sizes);
  }

  add({ bytes, kind, plies, side, size, like, group, sizes }) {
    this.module.handOverBytes(bytes);
    const images = [optional(like).map(imageWords), group.map(imageWords)];
    this.module.call("add_book", this.game.number, kind, plies, side, ...size, ...images, sizes);
  }

  // Frees what it keeps; it cannot be asked any more.
  close() {
    if (this.module.searching) throw new CoreError("a search is running");
    this.module.call("drop_judge", this.game.number);
  }

  // Ever better judgements of a position that goes on; what is proved comes first. It ends when every move asked about is
  // settled. Options: `allMoves`, else one that keeps what the position is worth is enough; `opinions`, whether moves that
  // are proved to draw are ranked by opinion then; `proofsOnly`.
  async *rank(position, limit, options = {}) {
    this.inquire(position, limit, options);
    while (!this.module.stopped) {
      const answer = await this.search("next_judgement", false);
      if (!answer.flag()) return;
      yield this.judgement(answer, position);
    }
  }

  // The last of them alone.
  async judge(position, limit, options = {}) {
    this.inquire(position, limit, options);
    const answer = await this.search("next_judgement", true);
    answer.flag();
    return this.judgement(answer, position);
  }

  inquire(position, limit, { allMoves = true, opinions = false, proofsOnly = false }) {
    this.begin();
    this.call("inquire", ...words(position), ...limitWords(limit), allMoves, opinions, proofsOnly);
  }

  // The move that the board, the books and earlier proofs show at once; null where they show none.
  advice(position) {
    const answer = this.call("advice", ...words(position));
    return maybe(answer, () => this.analysis(answer));
  }

  // Remembers that somebody was advised to make a move, so that no review calls it a mistake.
  advise(position, move) {
    this.call("advise", ...words(position), plainMove(move));
  }

  // What to do before a program thinks: {then: "done", "choose", "defend" or "think", answer, moves}.
  async counsel(position, limit) {
    this.begin();
    const answer = await this.search("counsel", ...words(position), ...limitWords(limit));
    return { then: ["done", "choose", "defend", "think"][answer.number()], answer: maybe(answer, () => this.analysis(answer)), moves: answer.moves() };
  }

  // {moves, within}: the moves that last longest, and the plies within which all lose, null where that is not proved; null
  // where the move chosen is not known to lose, and not found to.
  async defend(position, move, lost, limit) {
    this.begin();
    const answer = await this.search("defend", ...words(position), plainMove(move), lost, ...limitWords(limit));
    return maybe(answer, () => {
      const [moves, within] = [answer.moves(), answer.number()];
      return { moves, within: within < 0 ? null : within };
    });
  }

  // Why a legal move is worth a score: {claims, score}, the score made exact by them. `effort` is {nodes, nodes_in_all}.
  async explain(position, move, score, effort, seconds) {
    this.begin();
    const given = [plainMove(move), scoreWords(score), effort.nodes, effort.nodes_in_all, optional(seconds)];
    return this.explanation(await this.search("explain", ...words(position), ...given));
  }

  // Every position of a game from the last to the first: {worth, advised, grade, cost, why, judgement}, null where it
  // was over; then {summary}.
  async *review(start, moves, limit, effort, seconds) {
    this.begin();
    const given = [moves.map(plainMove), ...limitWords(limit), effort.nodes, effort.nodes_in_all, seconds];
    this.call("begin_review", ...words(start), ...given);
    const positions = moves.reduce((line, move) => [...line, this.game.play(line.at(-1), move)], [start]).reverse();
    for (const position of positions) {
      if (this.module.stopped) return;
      const answer = await this.search("next_review");
      if (!answer.flag()) return;
      if (answer.flag()) {
        yield null;
        continue;
      }
      const worth = this.score(answer);
      const [advised, grade] = [answer.flag(), this.names.grades[answer.number()]];
      const [what, number] = [this.names.losses[answer.number()], answer.number()];
      const why = maybe(answer, () => this.explanation(answer));
      yield { worth, advised, grade, cost: what ? { what, number } : null, why, judgement: this.judgement(answer, position) };
    }
    const answer = await this.search("next_review");
    if (answer.flag()) throw new CoreError("more positions were reviewed than there are");
    const counts = [0, 1].map(() => Object.fromEntries(this.names.grades.map((grade) => [grade, answer.number()]).filter(([grade]) => grade)));
    const [first, second, decisive] = [0, 1, 2].map(() => answer.number()).map((number) => (number < 0 ? null : number));
    yield { summary: { counts, accuracy: [first, second], decisive: decisive === null ? null : start.ply + decisive } };
  }

  // What was proved since the last call, for a judge of the same game elsewhere, which takes it as it is.
  takeNews() {
    return this.call("take_news").words;
  }

  learn(news) {
    this.call("learn", Array.from(news));
  }

  // ------------------------------------------------------------ numbers read

  begin() {
    if (this.module.searching) throw new CoreError("a search is running already");
    this.module.begin();
  }

  call(name, ...rest) {
    return this.module.call(name, this.game.number, ...rest);
  }

  search(name, ...rest) {
    return this.module.search(name, this.game.number, ...rest);
  }

  score(answer) {
    return maybe(answer, () => {
      const [result, number, atMost] = [answer.number(), answer.number(), answer.flag()];
      return VERDICTS[result](number, atMost);
    });
  }

  analysis(answer) {
    const [line, score, source, remark, ply] = [answer.moves(), this.score(answer), answer.number(), answer.number(), answer.number()];
    const [depth, nodes, seconds] = answer.numbers(3);
    const { sources, remarks } = this.names;
    return { line, score, source: sources[source], note: remarks[remark].replace("{}", ply), depth, nodes, seconds, points: maybe(answer, () => answer.number()) };
  }

  judgement(answer, position) {
    const [nodes, seconds] = answer.numbers(2);
    const [worth, whole, best] = [this.score(answer), this.analysis(answer), this.analysis(answer)];
    const [compared, others] = [0, 0].map(() => listed(answer, () => this.analysis(answer)));
    return { position, whole, best, worth, compared, others, nodes, seconds };
  }

  explanation(answer) {
    const [score, contradicts] = [this.score(answer), answer.flag()];
    if (contradicts) throw new CoreError("two proofs contradict each other; please report this");
    return { score, claims: listed(answer, () => this.claim(answer)) };
  }

  claim(answer) {
    const [kind, side, moves, after, cells] = [answer.number(), answer.number(), answer.moves(), answer.moves(), answer.numbers()];
    const patterns = listed(answer, () => answer.numbers());
    const pairs = listed(answer, () => answer.numbers(2));
    return { kind: this.names.claims[kind], side, moves, after, cells, patterns, pairs, number: answer.number() };
  }
}
