// How good the moves of a game were, as the judge's review says it: signs, words and colours of the five grades.

import { numbered } from "./movelist.js";
import { reasons } from "./reasons.js";
import { texts } from "./texts.js";
import { fill, words } from "./words.js";

const say = texts.review;

export const SIGNS = { best: "★", good: "✓", inaccurate: "?!", mistake: "?", blunder: "??" };
const TONES = { best: "good", good: "good", inaccurate: "warn", mistake: "bad", blunder: "bad" };

export const gradeName = (grade) => words.grades[grade];
export const toneOf = (grade) => TONES[grade] ?? "";

const FAULTY = ["inaccurate", "mistake", "blunder"];

export const isFaulty = (one) => FAULTY.includes(one?.grade);

// "blunder, cost the win"
export function gradeWords({ grade, cost }) {
  if (!grade) return "";
  return cost ? `${gradeName(grade)}, ${fill(words.costs[cost.what], { number: cost.number })}` : gradeName(grade);
}

// The same with the better move, and why where that is known.
export function faultWords(view, one) {
  const why = one.claims?.length ? reasons(view, one.claims, one.ply % 2)[0] : "";
  return [`${gradeWords(one)}.`, one.better ? say.better(one.better) : "", why].filter(Boolean).join(" ");
}

// What the list of moves shows beside each of them, by their numbers from 1.
export function notesOf(judged) {
  const graded = judged.filter((one) => one?.grade);
  return Object.fromEntries(graded.map((one) => [one.ply + 1, { text: gradeWords(one), tone: TONES[one.grade], sign: SIGNS[one.grade] }]));
}

// What stood before the move that decided the game: "You were winning until here".
export function momentWords(one, who, mine) {
  if (one.grade !== "blunder") return words.moments.none;
  const { what } = one.cost;
  return mine ? words.moments[`you-${what}`] : fill(words.moments[what], { who });
}

export const moveName = (moves, ply) => `${numbered(ply + 1)} ${moves[ply]}`;
