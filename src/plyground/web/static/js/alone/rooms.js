// Games under way in this browser: who may do what and when, as in a room of the server, for people at this screen and
// programs of the core. Clocks, taking back, resigning, playing again.

import { Refusal } from "../api.js";
import { programOf } from "./programs.js";
import * as store from "./store.js";
import { gameOf, SIDES } from "./table.js";

const WATCHED_MILLISECONDS = 700; // a move of two programs stays on the board so long before the next one
const HINT_SECONDS = 1;
const LEAST_SECONDS = 0.02; // a program on the clock has at least so long for a move
const MOVES_TO_GO = 20;
const DEFAULT_NAMES = SIDES.map((side) => `${side} player`);
const NAME_LETTERS = 40;

const refuse = (status, error, message) => new Refusal(status, { error, message });
const secret = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const cleaned = (name, otherwise) => (name ?? "").replace(/\p{C}/gu, "").trim().slice(0, NAME_LETTERS) || otherwise;

// What a game has before its first move.
const begun = (control) => ({ moves: [], left: control ? [control.seconds, control.seconds] : null, turn_started: Date.now(), lost: null, rematch: null, changed: Date.now() });

// Open a game; both seats are held by this browser, or by programs.
/** @param {{ game: any, first?: any, second?: any, control?: any, ai_seconds?: number, moves?: any[] }} wishes */
export async function open({ game, first = {}, second = { kind: "ai" }, control = null, ai_seconds = 1, moves = [] }) {
  const table = await gameOf(game);
  const wishes = [first, second];
  if (wishes.some((wish) => wish.kind === "friend")) throw refuse(422, "no-friends", "friends on other devices need a server");
  const players = wishes.map((wish) => (wish.kind === "ai" ? wish.player ?? "engine" : null));
  for (const player of players) if (player !== null) programOf(table, player);
  const positions = table.line(moves);
  const room = {
    id: secret(),
    token: secret(),
    game,
    names: wishes.map((wish, side) => cleaned(wish.name, players[side] ?? DEFAULT_NAMES[side])),
    players,
    control,
    ai_seconds,
    ...begun(control),
    moves: passed(table, positions.slice(1).map((position) => ({ move: table.text(position.last) }))),
  };
  await store.add(room);
  const mine = SIDES.filter((_, side) => players[side] === null);
  return { id: room.id, tokens: Object.fromEntries(mine.map((side) => [side, room.token])) };
}

// The same two play again, with sides swapped.
export async function rematch(id) {
  const before = await found(id);
  if (before.rematch) return { id: before.rematch };
  const names = [...before.names].reverse().map((name, side) => (DEFAULT_NAMES.includes(name) ? DEFAULT_NAMES[side] : name));
  const room = { ...before, id: secret(), names, players: [...before.players].reverse(), ...begun(before.control) };
  await store.add(room);
  await store.update(id, (kept) => ({ ...kept, rematch: room.id }));
  return { id: room.id };
}

export async function found(id) {
  const room = await store.load(id);
  if (!room) throw refuse(404, "not-found", `there is no game ${id} in this browser`);
  return room;
}

// ------------------------------------------------------------------ how it stands

const resultOf = (winner) => (winner === null ? "1/2-1/2" : ["1-0", "0-1"][winner]);

// Result and reason of a game as it is kept.
export function ended(table, room, position) {
  if (room.lost) return { result: resultOf(1 - room.lost[0]), termination: room.lost[1] };
  const outcome = table.game.outcome(position);
  return outcome ? { result: resultOf(outcome.winner), termination: outcome.ending } : { result: "*", termination: "" };
}

const textsOf = (room) => room.moves.map((played) => played.move);

// Seconds a side has left now; clocks start with the first move.
function left(room, side, open) {
  if (!room.control) return null;
  const running = open && room.moves.length > 0 && side === room.moves.length % 2;
  return room.left[side] - (running ? (Date.now() - room.turn_started) / 1000 : 0);
}

export function stateOf(table, room) {
  const position = table.at(textsOf(room));
  const { result, termination } = ended(table, room, position);
  const rounded = (value) => (value === null ? null : Math.round(value * 100) / 100);
  return {
    type: "state",
    id: room.id,
    game: room.game,
    names: room.names,
    players: room.players,
    taken: [true, true],
    moves: textsOf(room),
    position: table.view(position),
    result,
    termination,
    clocks: [0, 1].map((side) => rounded(left(room, side, result === "*"))),
    titles: room.players.map((player) => (player === null ? null : titleOf(table, player))),
    hints: room.control === null || room.players.some((player) => player !== null),
    undo_asked: null,
    rematch: room.rematch,
  };
}

function titleOf(table, player) {
  const number = Number(/^engine:level=(\d+)$/.exec(player)?.[1]);
  const level = table.data.levels.find((one) => one.number === number);
  return level ? { name: `${number} ${level.name}`, level } : { name: player, level: null };
}

// ------------------------------------------------------------------ what may happen

function mustBeOpen(table, room) {
  const position = table.at(textsOf(room));
  const { result, termination } = ended(table, room, position);
  if (result !== "*") throw refuse(409, "over", `the game is over: ${result} by ${termination}`);
  return position;
}

// The game after a move of the side to move, with what its program thought of it.
function played(table, room, ply, text, notes = {}) {
  const position = mustBeOpen(table, room);
  if (ply !== position.ply) throw refuse(409, "stale", `that move was for ply ${ply}, the game is at ply ${position.ply}; reload the state`);
  const move = table.text(table.parse(position, text));
  const side = position.ply & 1;
  const seconds = (Date.now() - room.turn_started) / 1000;
  const after = { ...room, turn_started: Date.now(), changed: Date.now() };
  if (room.control && room.moves.length) {
    if (room.left[side] - seconds <= 0) return expired(after, side);
    after.left = room.left.with(side, Math.max(0, room.left[side] - seconds) + room.control.increment);
  }
  const clock = after.left ? { clock: Math.round(1000 * after.left[side]) / 1000 } : {};
  after.moves = passed(table, [...room.moves, { move, seconds: Math.round(seconds * 1000) / 1000, ...clock, ...notes }]);
  return after;
}

// With the passes that a move forces: where the other side lays several times running.
function passed(table, moves) {
  const [forced] = isPass(table, moves.length) ? table.game.moves(table.at(textsOf({ moves }))) : [];
  return forced ? passed(table, [...moves, { move: table.text(forced) }]) : moves;
}

const isPass = (table, ply) => table.rules.rules.passes?.includes(ply);

const expired = (room, side) => ({ ...room, left: room.left.with(side, 0), lost: [side, "time exceeded"] });

function expire(table, room) {
  const side = room.moves.length % 2;
  const open = ended(table, room, table.at(textsOf(room))).result === "*";
  return open && left(room, side, true) <= 0 ? expired(room, side) : room;
}

function resigned(table, room) {
  const side = mustBeOpen(table, room).ply & 1;
  return { ...room, lost: [room.players[side] === null ? side : 1 - side, "resignation"], changed: Date.now() };
}

function undone(table, room) {
  if (room.lost) throw refuse(409, "over", "the game is over; ask for a rematch");
  const people = room.players.filter((player) => player === null).length;
  const side = room.players.indexOf(null);
  let ply = room.moves.length - 1;
  while (isPass(table, ply) || (people < 2 && ply >= 0 && ply % 2 !== side)) ply--;
  if (ply < 0) throw refuse(409, "nothing-to-undo", "you have not moved yet");
  return { ...room, moves: room.moves.slice(0, ply), turn_started: Date.now(), changed: Date.now() };
}

// ------------------------------------------------------------------ following a game

// A game that this page shows: the same events as from a server's socket.
export class LiveRoom {
  constructor(id, token, on, thinking) {
    this.id = id;
    this.token = token;
    this.on = on;
    this.thinking = thinking;
    this.closed = false;
    this.thought = null;
    this.unfollow = store.follow((changed) => changed === id && this.refresh());
    this.begin();
  }

  async begin() {
    try {
      const room = await found(this.id);
      this.table = await gameOf(room.game);
      if (this.closed) return;
      this.welcome(room);
    } catch (error) {
      this.refuse(error);
    }
  }

  welcome(room) {
    const holds = this.token === room.token;
    this.on({ type: "welcome", you: holds ? SIDES.filter((_, side) => room.players[side] === null) : [], board: this.table.board, state: stateOf(this.table, room) });
    this.goOn(room);
  }

  async refresh() {
    const room = await store.load(this.id);
    if (this.closed || !room || !this.table) return;
    this.on(stateOf(this.table, room));
    this.goOn(room);
  }

  refuse(error) {
    if (!this.closed) this.on({ type: "error", error: error.code ?? "error", message: error.message });
  }

  async send(said) {
    const deeds = {
      hello: () => found(this.id).then((room) => this.welcome(room)),
      move: () => this.change((room) => played(this.table, room, said.ply, said.move)),
      undo: () => this.change((room) => undone(this.table, room)),
      resign: () => this.change((room) => resigned(this.table, room)),
      look: () => this.look(),
      hint: () => this.hint(),
    };
    try {
      await deeds[said.type]?.();
    } catch (error) {
      this.refuse(error);
    }
  }

  // Only who holds the seat may change the game; the change is shown by `refresh`.
  async change(how) {
    return store.update(this.id, (room) => {
      if (this.token !== room.token) throw refuse(403, "no-seat", "this game was opened elsewhere; you can only watch");
      return how(room);
    });
  }

  async look() {
    const room = await found(this.id);
    const { lookAt } = await import("./seen.js");
    this.on({ type: "look", ...lookAt(this.table, this.table.at(textsOf(room))) });
  }

  async hint() {
    const room = await found(this.id);
    const position = mustBeOpen(this.table, room);
    if (room.players[position.ply & 1] !== null) throw refuse(409, "out-of-turn", "hints are only given on your own turn");
    /** @type {any} */
    let answer;
    await this.thinking("hint", { game: room.game, moves: textsOf(room), seconds: HINT_SECONDS }, (one) => (answer = one));
    if (!this.closed && answer) this.on({ type: "hint", ply: position.ply, ...answer });
  }

  // ------------------------------------------------------------ programs and clocks

  goOn(room) {
    clearTimeout(this.flag);
    const position = this.table.at(textsOf(room));
    const open = ended(this.table, room, position).result === "*";
    const side = position.ply & 1;
    if (open && room.control && room.moves.length) this.flag = setTimeout(() => this.change((kept) => expire(this.table, kept)).catch(() => null), Math.max(0, left(room, side, true)) * 1000 + 10);
    const player = open && this.token === room.token ? room.players[side] : null;
    const key = player === null ? null : textsOf(room).join(";");
    if (this.thought?.key === key) return;
    this.thought?.abort.abort();
    this.thought = key === null ? null : { key, abort: new AbortController() };
    if (this.thought) this.think(room, position, player, this.thought);
  }

  async think(room, position, player, thought) {
    const side = position.ply & 1;
    const has = left(room, side, true);
    const seconds = has === null ? room.ai_seconds : Math.max(LEAST_SECONDS, Math.min(room.ai_seconds, has / MOVES_TO_GO));
    /** @type {any} */
    let best = null;
    try {
      await this.thinking("think", { game: room.game, moves: textsOf(room), player, seconds }, (answer) => {
        best = answer;
        if (!this.closed && this.thought === thought) this.on({ type: "thinking", ply: position.ply, ...answer });
      }, thought.abort.signal);
      if (room.players.every((one) => one !== null)) await new Promise((go) => setTimeout(go, WATCHED_MILLISECONDS));
      if (this.closed || this.thought !== thought || !best) return;
      const notes = { ...(best.worth ? { score: best.worth } : {}), ...(best.depth ? { depth: best.depth } : {}) };
      await this.change((kept) => played(this.table, kept, position.ply, best.line[0], notes));
    } catch (error) {
      if (error.name !== "AbortError" && error.code !== "stale" && error.code !== "over") this.refuse(error);
    }
  }

  close() {
    this.closed = true;
    this.thought?.abort.abort();
    clearTimeout(this.flag);
    this.unfollow();
  }
}
