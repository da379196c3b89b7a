// What the judge of the page without a server says, in node: `node site_judge.mjs FOLDER QUESTIONS`, answers as JSON.
//
// A file of questions is a list of {game, positions: [moves], limit, way}. Where the way is rank, prove or guard, a fresh
// judge is asked about each of the positions in turn; else it is a job of the page's worker, which keeps its judge. The
// files of the folder are read as a browser would fetch them.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, file] = process.argv.slice(2);
globalThis.fetch = async (address) => {
  try {
    return new Response(readFileSync(new URL(address)));
  } catch {
    return new Response(null, { status: 404 });
  }
};
const { wholeGame } = await import(pathToFileURL(`${folder}/js/alone/table.js`));
const { Safeguard } = await import(pathToFileURL(`${folder}/js/alone/judge/safeguard.js`));
const { Judge } = await import(pathToFileURL(`${folder}/js/alone/judge/judge.js`));

const { KINDS } = await import(pathToFileURL(`${folder}/js/alone/thinker.js`));

const analysis = (table, { line, score, depth, points, source = "search", note = "" }) => ({ line: table.texts(line), score, depth, points, source, note: note ?? "" });

function asData(table, { compared, others, best, whole, nodes }) {
  const all = (list) => list.map((one) => analysis(table, one));
  return { compared: all(compared), others: all(others), best: table.text(best.line[0]), whole: analysis(table, whole), nodes };
}

const WAYS = {
  rank: (judge, position, limit) => judge.rank(position, limit),
  prove: (judge, position, limit) => judge.prove(position, limit),
  guard: (judge, position, limit) => new Safeguard(judge, () => false).think(position, limit),
};

// Answers of a fresh judge.
async function* asked(way, table, moves, limit, judge) {
  for await (const step of WAYS[way](judge, table.at(moves), limit)) yield step.best ? asData(table, step) : analysis(table, step);
}

const found = [];
for (const { game, positions, limit, way } of JSON.parse(readFileSync(file))) {
  const table = await wholeGame(game);
  if (WAYS[way]) table.core.forget();
  const judge = WAYS[way] && (await Judge.of(table));
  const said = [];
  for (const moves of positions) {
    const steps = [];
    for await (const step of judge ? asked(way, table, moves, limit, judge) : KINDS[way]({ game, moves, ...limit }, () => false)) steps.push(step);
    said.push(steps);
  }
  found.push(said);
}
process.stdout.write(JSON.stringify(found));
