// The puzzles that were written with the page, and what comes of an answer.

import { Refusal } from "../api.js";
import { file, gameFile } from "./library.js";
import { gameOf } from "./table.js";

const PAGE_PUZZLES = 50;
const DAY_MILLISECONDS = 86_400_000;

const refuse = (status, error, message) => new Refusal(status, { error, message });

// The packs of all games, without what it takes to solve them.
const shelf = () => file("puzzles.json");

export async function list({ game = "", theme = "", level = "", page = 0 }) {
  const { packs, themes, theme_words } = await shelf();
  const all = packs.flatMap((pack) => pack.puzzles);
  const wanted = all.filter((one) => (!game || one.game === game) && (!theme || one.theme === theme) && (!level || one.difficulty.level === Number(level)));
  return {
    count: wanted.length,
    pages: Math.ceil(wanted.length / PAGE_PUZZLES),
    games: packs.map((pack) => pack.game),
    titles: packs.map((pack) => pack.title),
    themes,
    theme_words,
    puzzles: wanted.slice(page * PAGE_PUZZLES, (Number(page) + 1) * PAGE_PUZZLES),
  };
}

// The puzzle of today: each comes once before any comes again.
export async function daily({ game = "" }) {
  const { packs, epoch } = await shelf();
  let number = epoch + Math.floor(Date.now() / DAY_MILLISECONDS);
  let pack = packs.find((one) => one.game === game);
  if (!game) {
    pack = packs[number % packs.length];
    number = Math.floor(number / packs.length);
  }
  if (!pack) throw refuse(422, "bad-game", `there are no puzzles of ${game}`);
  return one({ name: pack.puzzles[(number * pack.stride) % pack.puzzles.length].id });
}

async function found(name) {
  const { packs } = await shelf();
  for (const pack of packs) {
    const summary = pack.puzzles.find((puzzle) => puzzle.id === name);
    if (!summary) continue;
    const [{ puzzles }, table] = await Promise.all([gameFile(pack.game, "puzzles"), gameOf(pack.game)]);
    return { summary, puzzle: puzzles[name], table };
  }
  throw refuse(404, "no-puzzle", `there is no puzzle ${name}`);
}

export async function one({ name }) {
  const { summary, puzzle, table } = await found(name);
  return { ...summary, after: puzzle.after, board: table.board, positions: table.lineView([table.at(puzzle.after)]) };
}

// The tree of right moves has for each of them the reply and the tree after it, or nothing where the puzzle is solved.
export async function answer({ name, moves }) {
  const { puzzle, table } = await found(name);
  if (!moves.length) throw refuse(422, "bad-answer", "moves must end with an answer, got none");
  const line = [table.at(puzzle.after)];
  const play = (move) => line.push(table.game.play(line.at(-1), move));
  let tree = puzzle.tree;
  for (let i = 0; i < moves.length - 1; i += 2) {
    const [reply, next] = tree[moves[i]] ?? [];
    if (reply !== moves[i + 1]) throw refuse(422, "bad-answer", "the moves before the answer must be right moves and the replies to them");
    for (const text of [moves[i], reply]) play(table.parse(line.at(-1), text));
    tree = next;
  }
  if (!tree || !Object.keys(tree).length) throw refuse(409, "over", `the puzzle ${name} is solved; there is nothing left to answer`);
  const move = table.parse(line.at(-1), moves.at(-1));
  const text = table.text(move);
  const branch = tree[text];
  if (branch) play(move);
  if (branch?.length) play(table.parse(line.at(-1), branch[0]));
  const solved = branch?.length === 0;
  return { right: Boolean(branch), move: text, reply: branch?.[0] ?? null, solved, positions: table.lineView(line), explanation: solved ? puzzle.explanation : "", claims: solved ? puzzle.claims : [] };
}

export async function solution({ name }) {
  const { puzzle, table } = await found(name);
  const { after, answers, line } = puzzle;
  const positions = table.line([...after, ...line]).slice(after.length);
  return { answers, line, positions: table.lineView(positions), explanation: puzzle.explanation, claims: puzzle.claims };
}
