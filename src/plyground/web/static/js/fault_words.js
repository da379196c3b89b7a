// How a bot lost without being beaten, in the reader's words: the server sends the kind and the referee's reason.

import { language } from "./texts.js";

const { say } = await import(`./texts/faults/${language}.js`);

// Reasons as patterns, those with more words of their own first.
const pattern = (text) => new RegExp(`^${text.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("(.+)")}$`, "s");
const known = Object.entries(say.reasons)
  .map(([text, words]) => ({ read: pattern(text), words, length: text.length }))
  .sort((a, b) => b.length - a.length);

export const faultName = (kind) => say.names[kind] ?? kind;
export const faultMeaning = (kind) => say.meanings[kind] ?? "";

// `x: it ended with status 1`, the side before it as it is; what nobody knows here stays as the referee wrote it.
export function faultReason(why) {
  const [, side, text] = /^(\S+: )?(.*)$/s.exec(why);
  for (const { read, words } of known) {
    const found = read.exec(text);
    if (found) return side ? `${side}${filled(words, found.slice(1))}` : filled(words, found.slice(1));
  }
  return why;
}

const filled = (words, facts) => words.replace(/\*/g, () => facts.shift());
