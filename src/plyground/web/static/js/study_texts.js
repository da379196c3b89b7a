// The texts of puzzles, lessons, tournaments and classes, in the reader's language; fetched with the first of them.

import { language } from "./texts.js";

export const { say } = await import(`./texts/study/${language}.js`);
