// Times the core in WebAssembly in node: `node wasm_node.mjs STATIC WORK [processor]`, seconds by name as JSON, by the clock
// or of the processor. The first run is not counted: in a page too the code is compiled well after a moment.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { timed } from "./wasm_work.mjs";

const [folder, file, processor] = process.argv.slice(2);
const { Core } = await import(pathToFileURL(`${folder}/js/core/core.js`));
const bytes = (name) => readFileSync(`${folder}/wasm/${name}.wasm`);
const cores = {};
const coreOf = ({ engine }) => (cores[engine] ??= Core.load(bytes(engine)));
const used = () => Object.values(process.cpuUsage()).reduce((one, other) => one + other) / 1000;
const data = JSON.parse(readFileSync(file));
await timed(coreOf, data);
process.stdout.write(JSON.stringify(await timed(coreOf, data, ...(processor ? [used] : []))));
