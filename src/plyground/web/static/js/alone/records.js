// Games as text: a record of a game that this browser keeps, and what somebody pastes. A record of a game has the form
// that every part of Plyground reads.

import { Refusal } from "../api.js";
import { index } from "./library.js";
import { ended, found } from "./rooms.js";
import { all } from "./store.js";
import { gameOf } from "./table.js";

const RESULTS = ["1-0", "0-1", "1/2-1/2", "*"];
const WIDTH_COLUMNS = 100;

export const recordOf = async ({ id, form = "pgn" }) => written(await found(id), form);

// All games that this browser keeps, the latest first.
export async function everyRecord({ form = "pgn" }) {
  const rooms = (await all()).sort((a, b) => b.changed - a.changed);
  const records = await Promise.all(rooms.map((room) => written(room, form)));
  return form === "json" ? records.map((record) => `${record}\n`).join("") : records.join("\n");
}

async function written(room, form) {
  const table = await gameOf(room.game);
  const { result, termination } = ended(table, room, table.at(room.moves.map(({ move }) => move)));
  const control = room.control ? `${room.control.seconds}+${room.control.increment}` : "";
  const head = { game: room.game, first: room.names[0], second: room.names[1], result, termination, time_control: control };
  return form === "json" ? jsonOf(head, room.moves) : pgnOf(head, room.moves);
}

const given = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== undefined && value !== null));

// An opinion is a number, a verdict an object.
const scoreOf = (score) => (score === undefined ? undefined : (score.points ?? score));

function jsonOf({ game, first, second, result, ...rest }, moves) {
  const noted = moves.map(({ move, score, depth, seconds, clock }) => ({ move, ...given({ score: scoreOf(score), depth, seconds, clock }) }));
  return `${JSON.stringify({ game, first, second, result, ...given(rest), moves: noted })}`;
}

const evalOf = (score) => (score === undefined ? undefined : score.result === "draw" ? "=" : score.result ? `#${score.at_most ? "<" : ""}${score.result === "loss" ? "-" : ""}${score.plies}` : String(score.points));

function pgnOf({ game, first, second, result, termination, time_control }, moves) {
  const [name, rules = ""] = game.split(/:(.*)/s);
  const tags = { Game: name, Rules: rules, First: first, Second: second, Result: result, Termination: termination, ...given({ TimeControl: time_control }) };
  const head = Object.entries(tags).map(([key, value]) => `[${key} "${value.replace(/[\\"]/g, "\\$&")}"]\n`).join("");
  /** @type {string[]} */
  const words = moves.flatMap(({ move, score, depth, seconds, clock }, ply) => {
    const notes = Object.entries(given({ eval: evalOf(score), depth, emt: seconds, clk: clock })).map(([key, value]) => `[%${key} ${value}]`);
    return [...(ply % 2 ? [] : [`${ply / 2 + 1}.`]), move, ...(notes.length ? [`{${notes.join(" ")}}`] : [])];
  });
  return `${head}\n${wrapped([...words, result])}\n`;
}

/** @param {string[]} words */
function wrapped([first, ...words]) {
  const lines = [first];
  for (const word of words) {
    if (lines.at(-1).length + word.length < WIDTH_COLUMNS) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join("\n");
}

// ------------------------------------------------------------------ reading

const broken = (why) => new Refusal(422, { error: "bad-record", message: why });

// A pasted record, or moves of a given game, as a list of moves.
export async function read(text, game) {
  const pasted = text.trim();
  if (pasted.startsWith("{")) return readJson(pasted);
  if (pasted.startsWith("[")) return readPgn(pasted);
  const table = await gameOf(game);
  return { game, moves: follow(table, pasted) };
}

async function readJson(text) {
  let record;
  try {
    record = JSON.parse(text.split("\n")[0]);
  } catch (error) {
    throw broken(`broken record: not JSON: ${error.message}`);
  }
  if (typeof record.game !== "string" || !Array.isArray(record.moves)) throw broken("broken record: a record has a game and moves");
  const table = await gameOf(record.game);
  const moves = record.moves.map((one) => one.move ?? one);
  return { game: record.game, moves: table.texts(table.line(moves).slice(1).map((position) => position.last)), first: record.first, second: record.second };
}

async function readPgn(text) {
  const tags = Object.fromEntries([...text.matchAll(/\[\s*(\w+)\s+"((?:\\.|[^"\\])*)"\s*\]/g)].map(([, key, value]) => [key, value.replace(/\\(.)/g, "$1")]));
  if (!tags.Game) throw broken('broken record: the tag [Game "..."] is missing');
  const game = tags.Rules ? `${tags.Game}:${tags.Rules}` : tags.Game;
  const { games } = await index();
  if (!games.some((one) => one.name === game)) throw broken(`the game ${game} is not part of this page`);
  const table = await gameOf(game);
  const [, after = ""] = text.split(/\]\s*\n\s*\n(.*)/s);
  const plain = after.replace(/\{(?:\\.|[^}\\])*\}/gs, " ").replace(/(^|\s)\d+\.+(?=\s|$)/g, " ");
  const words = plain.trim().split(/\s+/);
  if (!RESULTS.includes(words.at(-1))) throw broken("broken record: the result at the end of the moves is missing; is the file cut off?");
  return { game, moves: follow(table, words.slice(0, -1).join(" ")), first: tags.First ?? "?", second: tags.Second ?? "?" };
}

// The legal moves that a text names one after the other, whatever stands between them: the longest that fits comes first.
function follow(table, text) {
  const moves = [];
  let position = table.game.start();
  let rest = text.replace(/^[\s,;]+/, "");
  while (rest) {
    const found = longest(table, position, rest);
    if (!found) throw broken(`illegal move '${rest.split(/[\s,;]/)[0]}' in ${table.spec}${moves.length ? ` after ${moves.join(" ")}` : ""}`);
    moves.push(table.text(found.move));
    position = table.game.play(position, found.move);
    rest = rest.slice(found.length).replace(/^[\s,;]+/, "");
  }
  return moves;
}

function longest(table, position, rest) {
  const { spellings } = table.data.moves;
  const legal = new Map((table.game.outcome(position) ? [] : table.game.moves(position)).map((move) => [table.text(move), move]));
  const low = rest.toLowerCase();
  const fits = [...[...legal.keys()].map((text) => [text.toLowerCase(), text]), ...Object.entries(spellings)].filter(([typed, text]) => legal.has(text) && low.startsWith(typed));
  const best = fits.sort(([a], [b]) => b.length - a.length)[0];
  return best && { move: legal.get(best[1]), length: best[0].length };
}
