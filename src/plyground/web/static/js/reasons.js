// Why a move wins, loses or holds, in the reader's words: the server sends claims with their facts, here they are said as
// `judge/claim_words.py` says them.

import { sideName, sideOf } from "./sides.js";
import { fill, words } from "./words.js";

const LONGEST_SENTENCE_LETTERS = 160;

// Cells, by their numbers in the view, as a person finds them on the board.
export function where(view, cells) {
  const places = cells.map((cell) => view.cells[cell]).sort((a, b) => a.column - b.column || a.row - b.row);
  if (!view.numbered) return cells.map((cell) => view.cells[cell].name).join("-");
  const [columns, rows] = ["column", "row"].map((way) => places.map((place) => place[way]));
  const one = (all) => new Set(all).size === 1;
  const way = places.length === 1 ? "cell" : one(rows) ? "across" : one(columns) ? "upward" : "slanting";
  const shown = (all, once) => (once ? all.slice(0, 1) : all).join("-");
  return fill(words.places[way], { columns: shown(columns, way === "upward"), rows: shown(rows, way === "across") });
}

// One sentence for each claim about a move of a side, 0 or 1.
export const reasons = (view, claims, mover) => (claims.length ? claims.map((claim) => sentence(view, claim, mover)) : [words.claims["changes-little"]]);

// Where it gets too long a shorter text is taken, and fewer moves or pairs are named.
function sentence(view, claim, mover) {
  const { moves = [], pairs = [], number = 0 } = claim;
  const slots = slotsOf(view, claim, mover);
  const written = pairs.map((pair) => pair.join("-"));
  const lists = {
    line: (count) => moves.slice(0, count).join(view.numbered ? (view.columns > 9 ? " " : "") : view.turns ? "; " : " ") + (count < number - 1 ? " ..." : "."),
    pairs: (count) => (count < pairs.length ? fill(words.places.more, { shown: written.slice(0, count).join(", "), n: pairs.length - count }) : written.join(", ")),
  };
  let text = "";
  for (const template of [words.claims[keyOf(claim, mover)]].flat()) {
    const list = Object.keys(lists).find((name) => template.includes(`{${name}}`));
    for (let count = list ? Math.max(1, moves.length, pairs.length) : 1; count > 0; --count) {
      text = fill(template, list ? { ...slots, [list]: lists[list](count) } : slots);
      if (text.length <= LONGEST_SENTENCE_LETTERS) return text;
    }
  }
  return text;
}

// Which text says a claim about a move of a side.
function keyOf({ claim, side, after = [], patterns = [], number = 0 }, mover) {
  const later = after.length ? "-after" : "";
  if (claim === "two-threats") return `${claim}${later}${String(patterns[0]) === String(patterns[1]) ? "-of-one" : ""}`;
  if (claim === "follows") return `${claim}${later}${number ? "-odd" : ""}${patterns.length ? "-to" : ""}`;
  if (claim === "completes" && sideOf(side) !== mover) return "completes-for-other";
  return claim === "lasts" && number === 2 ? "lasts-now" : claim;
}

function slotsOf(view, { claim, side, moves = [], after = [], cells = [], patterns = [], at = [], number = 0 }, mover) {
  const numbers = new Map(view.cells.map(({ name }, index) => [name, index]));
  const place = (names) => where(view, names.map((name) => numbers.get(name)));
  const laid = (index) => (at[index]?.length === 1 ? fill(words.places.at, { cell: place(at[index]) }) : fill(words.places.with, { move: moves[index] ?? "" }));
  const [who, other] = [sideName(view, sideOf(side)), sideName(view, 1 - sideOf(side))];
  // The winner of a game that is lost within some plies is the other side.
  const winner = claim === "only" || claim === "lasts" ? 1 - sideOf(side) : sideOf(side);
  return {
    who,
    other,
    Who: who,
    Other: other,
    number,
    moves: Math.floor((number + (winner === mover ? 1 : 0)) / 2),
    poles: cells.length === 2 ? fill(words.places.and, { one: cells[0], other: cells[1] }) : cells.join(", "),
    reply: after[0] ?? "",
    pattern: patterns.length ? place(patterns[0]) : "",
    pattern2: patterns.length > 1 ? place(patterns[1]) : "",
    where: laid(0),
    where2: laid(1),
    filled: claim === "must-fill" ? place(at.at(-2)) : "",
  };
}
