// What the judge of the page without a server says, in node: `node wasm_judge.mjs FOLDER QUESTIONS`, answers as JSON.
//
// A file of questions is a list of {game, positions: [moves], limit, way}. A fresh judge is asked about each of the positions
// in turn. Where the way is rank, prove or guard it is asked itself; else it is a job of the page's worker. The files of the
// folder are read as a browser would fetch them.

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
const alone = (name) => import(pathToFileURL(`${folder}/js/alone/${name}.js`));
const [{ wholeGame }, { Safeguard }, { forgetJudges, judgeOf }, { KINDS }] = await Promise.all(["table", "safeguard", "judge", "thinker"].map(alone));

const analysis = (table, { line, score, depth, points, source = "search", note = "" }) => ({ line: table.texts(line), score, depth, points, source, note });

function asData(table, { compared, others, best, whole, nodes }) {
  const all = (list) => list.map((one) => analysis(table, one));
  return { compared: all(compared), others: all(others), best: table.text(best.line[0]), whole: analysis(table, whole), nodes };
}

// What a judge says at a glance that was told what another one has proved.
async function told(table, position, limit) {
  forgetJudges();
  const one = await judgeOf(table);
  for await (const _ of one.rank(position, limit, { proofsOnly: true }));
  const news = one.takeNews();
  forgetJudges();
  const other = await judgeOf(table);
  other.learn(news);
  return other.rank(position, { nodes: 1 });
}

const WAYS = {
  told,
  rank: async (table, position, limit) => (await judgeOf(table)).rank(position, limit),
  opinions: async (table, position, limit) => (await judgeOf(table)).rank(position, limit, { allMoves: false, opinions: true }),
  prove: async (table, position, limit) => (await judgeOf(table)).rank(position, limit, { proofsOnly: true }),
  guard: async (table, position, limit) => new Safeguard(await judgeOf(table), table, () => false).think(position, limit),
};

async function* asked(way, table, moves, limit) {
  for await (const step of await WAYS[way](table, table.at(moves), limit)) yield step.best ? asData(table, step) : analysis(table, step);
}

const found = [];
for (const { game, positions, limit, way } of JSON.parse(readFileSync(file))) {
  const table = await wholeGame(game);
  forgetJudges();
  table.core.forget();
  const said = [];
  for (const moves of positions) {
    const steps = [];
    for await (const step of WAYS[way] ? asked(way, table, moves, limit) : KINDS[way]({ game, moves, ...limit }, () => false)) steps.push(step);
    said.push(steps);
  }
  found.push(said);
}
process.stdout.write(JSON.stringify(found));
