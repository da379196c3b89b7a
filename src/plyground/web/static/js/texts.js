// The texts of the page in the reader's language: the chosen one, else the browser's, else English.

import { Refusal } from "./api.js";
import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" };

const wanted = [settings.language, ...(navigator.languages ?? [])].map((name) => name.slice(0, 2));
export const language = wanted.find((name) => name in LANGUAGES) ?? "en";
export const { texts } = await import(`./texts/${language}.js`);
document.documentElement.lang = language;

// What the server says in English, in the reader's language: sentences, in which numbers stand for themselves, and
// refusals by their code.
const server = language === "en" ? { sentences: {}, refusals: {} } : await import(`./texts/server/${language}.js`);

export function spoken(text) {
  const numbers = text.match(/\d+/g) ?? [];
  return server.sentences[text.replace(/\d+/g, "#")]?.replace(/#/g, () => numbers.shift()) ?? text;
}

// What is wrong with what somebody gave is worth its detail.
Refusal.said = (code, message) => {
  const known = server.refusals[code];
  return known ? (code.startsWith("bad-") ? `${known.replace(/\.$/, "")}: ${message}` : known) : message;
};
