// Answers questions about positions with the core in WebAssembly: `node wasm_twin.mjs STATIC QUESTIONS`, answers as JSON.
//
// A file of questions is {games: {name: data}, questions: [{game, moves, position, ask: [[method, ...arguments]]}]}; each
// question is answered by the position after the moves and a list of answers.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
const { Core } = await import(pathToFileURL(`${folder}/js/core/core.js`));
const { answers } = await import("./wasm_answers.mjs");
const bytes = (name) => readFileSync(`${folder}/wasm/${name}.wasm`);
const cores = {};
const coreOf = (data, engine = data?.engine ?? "engine") => (cores[engine] ??= Core.load(bytes(engine)));
process.stdout.write(JSON.stringify(await answers(coreOf, JSON.parse(readFileSync(file)))));
