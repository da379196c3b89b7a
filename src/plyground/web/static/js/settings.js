// What a reader has chosen, kept in this browser: theme, board, language, coordinates, motion, sound.

import { memory } from "./api.js";

export const DEFAULTS = { theme: "system", board: "blue", language: "", coordinates: true, motion: true, sound: false };

export const settings = { ...DEFAULTS, ...memory.get("settings", {}) };

export function change(changes) {
  Object.assign(settings, changes);
  memory.set("settings", settings);
  apply();
}

// The choices as attributes of the page, which the style reads.
export function apply() {
  const root = document.documentElement;
  if (settings.theme === "system") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.board = settings.board;
  root.classList.toggle("bare", !settings.coordinates);
  root.classList.toggle("still", !settings.motion);
}

export const still = () => !settings.motion || matchMedia("(prefers-reduced-motion: reduce)").matches;
