// The engine's levels in words: "3 Casual", "about 1100, answers at once".

import { texts } from "./texts.js";

export const levelName = (offer) => `${offer.number} ${texts.levels.names[offer.name] ?? offer.name}`;

export function levelNote({ rating, seconds }) {
  const rated = rating === null ? [] : [texts.levels.rated(rating)];
  const soon = seconds < 0.05 ? texts.levels.atOnce : texts.levels.takes(Number(seconds.toPrecision(1)));
  return [...rated, soon].join(", ");
}

// A program by what the server calls it.
export function programName(title) {
  return title.level ? levelName(title.level) : title.name;
}

export const programNote = (title) => (title.level ? levelNote(title.level) : "");
