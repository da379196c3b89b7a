// The texts of the page in the reader's language: the chosen one, else the browser's, else English.

import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

const wanted = [settings.language, ...(navigator.languages ?? [])].map((name) => name.slice(0, 2));
export const language = wanted.find((name) => name in LANGUAGES) ?? "en";
export const { texts } = await import(`./texts/${language}.js`);
document.documentElement.lang = language;
