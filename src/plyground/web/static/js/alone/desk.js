// Quick questions answered in the page itself: games, boards, positions, lessons, puzzles, pictures. Each has the path
// and the answer of the server's route of that name.

import { Refusal } from "../api.js";
import { file, gameFile, index } from "./library.js";
import { listed } from "./programs.js";
import { pictureOf } from "./pictures.js";
import * as puzzles from "./puzzles.js";
import { everyRecord, read, recordOf } from "./records.js";
import * as rooms from "./rooms.js";
import { gameOf, SIDES } from "./table.js";

/** @type {[string, string, any][]} */
const PATHS = [
  ["GET", "/api/home", home],
  ["GET", "/api/games", () => index().then(({ games }) => games.map(({ name, title, summary }) => ({ name, title, summary, options: [], sides: SIDES })))],
  ["GET", "/api/players", async ({ game }) => listed(await gameOf(game))],
  ["GET", "/api/heuristics", async ({ game }) => Object.keys((await gameFile(game, "core")).heuristics)],
  ["GET", "/api/board", async ({ game }) => gameFile(game, "game").then(({ board, start }) => ({ board, position: start }))],
  ["POST", "/api/positions", positions],
  ["POST", "/api/record", ({ text, game }) => read(text, game)],
  ["GET", "/api/lessons/:game", lesson],
  ["POST", "/api/lessons/:game/:step", answerLesson],
  ["GET", "/api/puzzles", puzzles.list],
  ["GET", "/api/puzzles/daily", puzzles.daily],
  ["GET", "/api/puzzles/:name", puzzles.one],
  ["POST", "/api/puzzles/:name/answer", puzzles.answer],
  ["GET", "/api/puzzles/:name/solution", puzzles.solution],
  ["POST", "/api/workbench", async ({ game, moves }) => (await import("./workbench.js")).workbenchOf(await gameOf(game), moves)],
  ["GET", "/api/picture", pictureOf],
  ["GET", "/api/workshop", () => file("gallery.json")],
  ["POST", "/api/workshop", async (wanted) => (await import("./workshop.js")).look(wanted)],
  ["POST", "/api/rooms", rooms.open],
  ["POST", "/api/rooms/:id/rematch", ({ id }) => rooms.rematch(id)],
  ["GET", "/api/rooms/:id/record", recordOf],
  ["GET", "/api/export", everyRecord],
];

/** @type {[string, RegExp, any][]} */
const ROUTES = PATHS.map(([method, path, answer]) => [method, new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`), answer]);

// The answer to a request; undefined for one that is not answered here.
export function answerOf(method, address, body) {
  const { pathname, searchParams } = new URL(address, location.origin);
  for (const [wanted, pattern, answer] of ROUTES) {
    const found = wanted === method && pattern.exec(pathname);
    if (found) return answer({ ...Object.fromEntries(searchParams), ...body, ...decoded(found.groups) });
  }
  return undefined;
}

const decoded = (groups = {}) => Object.fromEntries(Object.entries(groups).map(([key, value]) => [key, decodeURIComponent(value)]));

// The first place; what it shows of a game comes from that game's file, which the first move needs too.
async function home() {
  const { ready } = await index();
  const [written, { board, start, levels }] = await Promise.all([file("home.json"), gameFile(ready, "game")]);
  return { ...written.home, board, position: start, levels };
}

async function positions({ game, moves = [] }) {
  const table = await gameOf(game);
  return { board: table.board, positions: table.lineView(table.line(moves)) };
}

async function lesson({ game }) {
  const [{ lesson: written }, { board }] = await Promise.all([gameFile(game, "lesson"), gameFile(game, "game")]);
  return { ...written, board };
}

async function answerLesson({ game, step, move }) {
  const [{ lesson: written, answers }, table] = await Promise.all([gameFile(game, "lesson"), gameOf(game)]);
  const task = answers[step];
  if (!task) throw new Refusal(422, { error: "bad-move", message: `the lesson of ${game} has no task ${step}; steps are 0 to ${answers.length - 1}` });
  const before = table.at(written.steps[step].moves);
  const played = table.parse(before, move);
  const [correct, why, reply] = task.moves[table.text(played)];
  const after = table.game.play(before, played);
  return {
    correct,
    why: task.why[why],
    mover: SIDES[before.ply & 1],
    reply: reply === null ? null : table.moveView(after, table.parse(after, reply)),
    played: table.moveView(before, played),
    position: table.view(after, false),
  };
}
