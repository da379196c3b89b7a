// What is said of moves, in the reader's words: templates with named slots, which the program reads too.

import { language } from "./texts.js";

export const words = await (await fetch(new URL(`../words/${language}.json`, import.meta.url))).json();

// A text with what belongs into its slots: `{who}`, and `{number:lines}`, a count with its noun.
export const fill = (template, slots) =>
  template.replace(/\{(\w+)(?::([\w-]+))?\}/g, (_, name, noun) => {
    if (!(name in slots)) throw new Error(`nothing was given for ${name} in ${template}`);
    const [one, many] = noun ? words.counts[noun] : ["{n}", "{n}"];
    return (slots[name] === 1 ? one : many).replace("{n}", slots[name]);
  });
