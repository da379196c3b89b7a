// Times the core in WebAssembly in node: `node wasm_node.mjs STATIC WORK`, seconds by name as JSON.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { timed } from "./wasm_work.mjs";

const [folder, file] = process.argv.slice(2);
const { Core } = await import(pathToFileURL(`${folder}/js/core/core.js`));
const bytes = (name) => readFileSync(`${folder}/wasm/${name}.wasm`);
const cores = {};
const coreOf = ({ engine }) => (cores[engine] ??= Core.load(bytes(engine), bytes("solver")));
process.stdout.write(JSON.stringify(await timed(coreOf, JSON.parse(readFileSync(file)))));
