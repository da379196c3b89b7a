// A hint in three steps: an idea and where to look, the cells that matter, the move with its reasons. All of it is made of
// what the judge says about the move, as `judge/ideas.py` does for the terminal.

import { movesOf } from "./brief.js";
import { make } from "./dom.js";
import { reasons, where } from "./reasons.js";
import { sideName } from "./sides.js";
import { texts } from "./texts.js";
import { fill, words } from "./words.js";

const say = texts.game;

const PATTERNS_NAMED = 2;
const STEPS = 3;
const LONGEST_LETTERS = 150; // of a reason that the line above the board has room for

export class Hint {
  // What the judge said, in a position with its legal moves.
  constructor(view, position, { move, claims, worth, cells, kinds }) {
    this.move = move;
    this.worth = worthOf(worth);
    this.given = 1;
    this.why = reasons(view, claims, position.ply % 2);
    const { idea, area, closer, matter } = stepsTo(view, position, cells, claims);
    const reason = this.why.find((text) => text.length <= LONGEST_LETTERS);
    this.texts = [idea, closer, reason ? `${move}: ${reason}` : say.playMove(move)];
    this.marks = [
      { heat: Object.fromEntries(area.map((cell) => [cell, 0.35])) },
      { threats: matter.map((cell) => ({ cell, side: position.ply % 2 })) },
      { ghosts: [{ cells, kinds }] },
    ];
  }

  get text() {
    return this.texts[this.given - 1];
  }

  get shown() {
    return this.marks[this.given - 1];
  }

  get isLast() {
    return this.given === STEPS;
  }

  // Whether there was another step.
  next() {
    return this.given < STEPS && ++this.given > 0;
  }

  // The step that is given now, in a box of a fixed size: as many reasons as it has room for.
  fill(box, onmore) {
    const last = this.isLast;
    const told = last ? this.why : [this.text];
    const parts = told.map((text) => make("p", { class: "small muted" }, text));
    if (last && this.worth) parts.unshift(make("p", { class: "small worthis" }, this.worth));
    box.replaceChildren(
      make("header", { class: "row" }, make("h3", { class: "grow" }, say.hintStep(this.given, say.hintSteps[this.given - 1])), last ? make("b", { class: "mv" }, this.move) : make("button", { type: "button", class: "btn sm more", onclick: onmore }, say.hintMore[this.given - 1])),
      ...parts,
    );
    while (parts.length > 1 && box.scrollHeight > box.clientHeight) parts.pop().remove();
  }
}

// What is proved about a move to whoever asks.
function worthOf(worth) {
  if (!worth?.result) return "";
  return worth.result === "draw" ? texts.coach.draw : (worth.result === "win" ? texts.coach.youWin : texts.coach.youLose)(movesOf(worth));
}

// The first two steps: {idea, area, closer, matter}, the last three with cells by their numbers.
export function stepsTo(view, position, own, claims) {
  const numbers = new Map(view.cells.map(({ name }, index) => [name, index]));
  const patterns = (claims.find((claim) => claim.patterns?.length)?.patterns ?? []).slice(0, PATTERNS_NAMED).map((names) => names.map((name) => numbers.get(name)));
  const other = sideName(view, 1 - (position.ply % 2));
  const idea = (place) => fill(words.ideas[claims[0]?.claim] ?? words.ideas.none, { where: place, other });
  if (patterns.length) {
    const [area, place] = around(view, patterns[0]);
    const named = [...new Set(patterns.map((cells) => where(view, cells)))].join(", ");
    return { idea: idea(place), area, closer: fill(words.ideas.cells, { cells: named }), matter: [...new Set(patterns.flat())] };
  }
  const half = halfAround(view, own);
  const [first, last] = spanOf(view, own);
  const near = [Math.max(1, first - 1), Math.min(view.columns, last + 1)];
  const among = new Set(inColumns(view, near));
  const matter = [...new Set(position.moves.filter(({ cells }) => cells.every((cell) => among.has(cell))).flatMap(({ cells }) => cells))];
  return { idea: idea(columnsOf(view, half)), area: inColumns(view, half), closer: fill(words.ideas.near, { where: columnsOf(view, near) }), matter };
}

// The columns of a half of the board in which a move is laid.
function halfAround(view, own) {
  const [first, last] = spanOf(view, own);
  const half = Math.floor((view.columns + 1) / 2);
  const start = last <= half ? 1 : Math.min(first, view.columns - half + 1);
  return [start, Math.max(start + half - 1, last)];
}

function spanOf(view, cells) {
  const columns = cells.map((cell) => view.cells[cell].column);
  return [Math.min(...columns), Math.max(...columns)];
}

// The row of a pattern, or the columns it lies in: their cells and their name.
function around(view, pattern) {
  const rows = new Set(pattern.map((cell) => view.cells[cell].row));
  if (rows.size > 1) return [inColumns(view, spanOf(view, pattern)), columnsOf(view, spanOf(view, pattern))];
  const [row] = rows;
  return [cellsWhere(view, (cell) => cell.row === row), fill(words.places.row, { row })];
}

const cellsWhere = (view, holds) => view.cells.flatMap((cell, index) => (holds(cell) ? [index] : []));
const inColumns = (view, span) => cellsWhere(view, ({ column }) => column >= span[0] && column <= span[1]);

// Neighbouring columns as the board names them.
function columnsOf(view, span) {
  const [first, last] = span.map((column) => view.look.labels[column - 1][0]);
  return fill(words.places[first === last ? "column" : "span"], { first, last });
}
