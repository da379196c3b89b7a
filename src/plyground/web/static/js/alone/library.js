// The data files beside the page: what Python knew of each game when the folder was written. A file that is not what
// was written is refused.

import { Outage, Refusal } from "../api.js";

const FORMAT = 2;
const FOLDER = new URL("../../data/", import.meta.url);
const files = new Map();

const bad = (name, why) => new Refusal(500, { error: "bad-data", message: `the data file ${name} cannot be used: ${why}; reload the page, or write the folder again with plyground site` });

// The index, which lists every other file with its checksum.
export const index = () => kept("index.json", async () => checked("index.json", await fetched("index.json"), null));

// A data file by its name, as it was written: what its JSON says, or the bytes of a book.
export const file = (name) => (name === "index.json" ? index() : kept(name, () => loaded(name)));

async function loaded(name) {
  const [bytes, { files: sums }] = await Promise.all([fetched(name), index()]);
  return checked(name, bytes, sums);
}

// The folder of a game; of a game as text it is made when it is first asked for. A Refusal for one that there is not.
export async function folderOf(spec) {
  const { games } = await index();
  const found = games.find((game) => game.name === spec);
  if (found) return found.folder;
  if (!files.has(`${spec}/game.json`)) await (await import("./text_games.js")).write(spec, games);
  return spec;
}

export const gameFile = async (spec, name) => file(`${await folderOf(spec)}/${name}.json`);

// The files with which a game is played, by name; and back, for whoever is handed them.
export async function gameFiles(spec) {
  const folder = await folderOf(spec);
  const names = ["index.json", `${folder}/game.json`, `${folder}/core.json`];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await file(name)])));
}

export function useFiles(given) {
  for (const [name, data] of Object.entries(given)) files.set(name, Promise.resolve(data));
}

function kept(name, load) {
  if (!files.has(name)) {
    const loading = load();
    loading.catch(() => files.delete(name)); // the next try may find it
    files.set(name, loading);
  }
  return files.get(name);
}

async function fetched(name) {
  let response;
  try {
    response = (await asked(name)) ?? (await fetch(new URL(name, FOLDER)));
  } catch (error) {
    throw new Outage(error.message);
  }
  if (!response.ok) throw bad(name, `the host answers ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// What was asked for before the modules came is taken once. Whoever comes first asks.
function asked(name) {
  globalThis.ahead ??= {};
  const answer = globalThis.ahead[name];
  delete globalThis.ahead[name];
  return answer;
}

function checked(name, bytes, sums) {
  if (sums && sums[name] !== checksum(bytes)) throw bad(name, sums[name] === undefined ? "it is not in the index" : "it is cut off or was changed");
  if (!name.endsWith(".json")) return bytes;
  let data;
  try {
    data = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw bad(name, `it is not JSON (${error.message})`);
  }
  if (data?.format !== FORMAT) throw bad(name, `its format is ${data?.format}, this page reads ${FORMAT}`);
  return data;
}

const TABLE = Int32Array.from({ length: 256 }, (_, n) => [...Array(8)].reduce((value) => (value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1), n));

// The CRC-32 of some bytes.
function checksum(bytes) {
  let value = -1;
  for (const byte of bytes) value = (value >>> 8) ^ TABLE[(value ^ byte) & 255];
  return (value ^ -1) >>> 0;
}
