// Why a move wins, loses or holds, in the reader's words: the server sends claims with their facts, here they are said.

import { sideName, sideOf } from "./sides.js";
import { language } from "./texts.js";

const { say } = await import(`./texts/claims/${language}.js`);

const LONGEST_LINE_MOVES = 12; // moves of a line that are named
const NAMED_PAIRS = 6; // pairs of cells that are named

// Cells, by their numbers in the view, as a person finds them on the board.
export function where(view, cells) {
  const places = cells.map((cell) => view.cells[cell]).sort((a, b) => a.column - b.column || a.row - b.row);
  if (!view.numbered) return cells.map((cell) => view.cells[cell].name).join("-");
  const [columns, rows] = ["column", "row"].map((way) => places.map((place) => place[way]));
  if (places.length === 1) return say.cell(columns[0], rows[0]);
  if (new Set(rows).size === 1) return say.across(columns.join("-"), rows[0]);
  if (new Set(columns).size === 1) return say.upward(rows.join("-"), columns[0]);
  return say.slanting(columns.join("-"), rows.join("-"));
}

// One sentence for each claim.
export const reasons = (view, claims) => (claims.length ? claims.map((claim) => sentence(view, claim)) : [say.nothing]);

function sentence(view, { claim, side, moves = [], after = [], cells = [], patterns = [], pairs = [], at = [], number = 0 }) {
  const numbers = new Map(view.cells.map(({ name }, index) => [name, index]));
  const place = (names) => where(view, names.map((name) => numbers.get(name)));
  const laid = (index) => (at[index]?.length === 1 ? say.at(place(at[index])) : say.with(moves[index] ?? ""));
  const line = moves.slice(0, LONGEST_LINE_MOVES).join(view.numbered ? "" : view.turns ? "; " : " ");
  const facts = {
    who: sideName(view, sideOf(side)),
    other: sideName(view, 1 - sideOf(side)),
    pattern: patterns.length ? place(patterns[0]) : "",
    pattern2: patterns.length > 1 ? place(patterns[1]) : "",
    where: laid(0),
    where2: laid(1),
    reply: after[0] ?? "",
    filled: at.length > 1 ? place(at[at.length - 2]) : "",
    poles: cells.length === 2 ? say.and(...cells) : cells.join(", "),
    pairs: pairs.slice(0, NAMED_PAIRS).map((pair) => pair.join("-")).join(", ") + (pairs.length > NAMED_PAIRS ? " …" : ""),
    moves: `${line}${moves.length > LONGEST_LINE_MOVES || moves.length < number - 1 ? " …" : ""}.`,
    number,
  };
  const more = claim === "two-threats" && after.length ? "two-threats-after" : claim === "follows" && patterns.length ? "follows-to" : claim;
  return say[more](facts).replace("….", "…");
}
