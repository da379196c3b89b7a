// Numbers of a search as people read them. All are for the first side, which is MAX.

import { say } from "./lab_texts.js";

export const signed = (value) => (value > 0 ? "+" : value < 0 ? "−" : "") + Math.abs(Math.round(value * 100) / 100);

// A number, "+∞", or a game that is decided: W3 where MAX wins in 3 plies, L3 where MIN does.
export function num(value) {
  if (value === null || value === undefined) return "·";
  if (typeof value === "object") return `${value.wins === 0 ? say.search.won : say.search.lost}${value.plies}`;
  return typeof value === "string" ? value : signed(value);
}

// The same for the other side, as code sees it that is written once for both.
export function negated(value) {
  if (value === null || value === undefined) return value;
  if (typeof value === "object") return { ...value, wins: 1 - value.wins };
  return typeof value === "string" ? { "+∞": "−∞", "−∞": "+∞" }[value] : -value;
}
