// The texts of analysis, lab and workbench, in the reader's language; fetched with the first of these places.

import { language } from "./texts.js";

export const { say } = await import(`./texts/lab/${language}.js`);
