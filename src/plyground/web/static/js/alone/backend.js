// Who answers a page without a server: the page itself where that is quick, a worker with the core where it takes time.
// It has the same form as the file that asks a server, and gives the same answers.

import { Outage, Refusal } from "../api.js";
import { answerOf } from "./desk.js";
import { gameFiles, index } from "./library.js";
import { isTyped } from "./programs.js";
import * as rooms from "./rooms.js";
import { compiled, gameOf } from "./table.js";

// Friends on other devices, tournaments and programs need a server.
export const offers = { friends: false, tournaments: false, class: false, programs: false, kept: true, searches: ["alpha-beta", "minimax"] };

const STOPPED_MILLISECONDS = 40; // a search that has not ended by then is ended with its worker

// What is asked of the worker: the path of the server, and what the worker calls it.
const KINDS = { "/api/judge": "judge", "/api/review": "review", "/api/certificate": "certificate", "/api/tree": "tree", "/api/workbench/match": "match" };

/** @type {(...asked: any[]) => Promise<any>} */
export async function call(path, { method = "GET", body } = {}) {
  const kind = KINDS[path];
  if (kind) {
    let last = null;
    await queueOf(kind).ask(kind, body, (answer) => (last = answer));
    return last;
  }
  const answer = answerOf(body !== undefined && method === "GET" ? "POST" : method, path, body);
  if (answer === undefined) throw new Refusal(404, { error: "not-here", message: "this needs a server" });
  return structuredClone(await answer);
}

export async function stream(path, body, each, signal) {
  const kind = KINDS[path];
  if (!kind) throw new Refusal(404, { error: "not-here", message: "this needs a server" });
  await queueOf(kind).ask(kind, body, each, signal);
}

// Where something that is made here can be had as a file.
export async function address(path) {
  const text = await call(path);
  const kind = path.startsWith("/api/picture") ? "image/svg+xml" : "text/plain";
  return URL.createObjectURL(new Blob([text], { type: kind }));
}

// Lead an image or a link there; one that cannot be made here is not offered.
export function lead(element, attribute, path) {
  address(path).then((found) => element.setAttribute(attribute, found), () => (element.hidden = true));
  return element;
}

const MOST_NEWS = 1000; // answers of workers of which it is kept what they have proved of a game

// What the workers have proved of each game, so that each of them knows what another has found out.
class Verdicts {
  constructor() {
    this.games = new Map();
    this.last = 0;
  }

  add(game, news, by) {
    const kept = [...(this.games.get(game) ?? []), { news, by, number: ++this.last }];
    this.games.set(game, kept.slice(-MOST_NEWS));
  }

  // What others have proved of a game after a number.
  since(game, heard, by) {
    return (this.games.get(game) ?? []).filter((one) => one.number > heard && one.by !== by).map(({ news }) => news);
  }
}

const verdicts = new Verdicts();

// A worker and the jobs that wait for it.
class WorkerQueue {
  constructor() {
    this.waiting = [];
    this.number = 0;
  }

  // Every answer to a job goes to `each`; an abort ends it at once.
  ask(kind, job, each, signal) {
    const one = { id: this.number++, kind, job, each };
    one.over = new Promise((done, fail) => Object.assign(one, { done, fail }));
    if (signal?.aborted) one.fail(aborted());
    else {
      signal?.addEventListener("abort", () => this.stop(one), { once: true });
      this.waiting.push(one);
      this.next();
    }
    return one.over;
  }

  // Until there is nothing to do: what a first study loads must not keep the first move waiting.
  async rest() {
    await null; // who asks for a move does so in this turn
    while (this.running) await this.running.over.catch(() => null);
  }

  async next() {
    if (this.running || !this.waiting.length) return;
    const one = (this.running = this.waiting.shift());
    try {
      if (this !== playing && !this.worker) await playing.rest();
      if (this.running !== one) return;
      await this.equip(one.job.game, one.kind !== "think");
    } catch (error) {
      this.running = null;
      one.fail(error instanceof Refusal ? error : new Outage(error.message));
      return this.next();
    }
    if (this.running !== one) return;
    const known = verdicts.since(one.job.game, this.heard.get(one.job.game) ?? 0, this.worker);
    this.heard.set(one.job.game, verdicts.last);
    this.worker.postMessage({ id: one.id, kind: one.kind, job: one.job, known });
  }

  // A worker that has what it takes to play a game, or to look into it as a whole: what the page has is not fetched again.
  async equip(game, whole) {
    this.worker ??= this.started();
    const { rules } = await gameOf(game);
    const name = whole ? rules.engine : rules.player;
    const [module, files] = await Promise.all([compiled(name), gameFiles(game)]);
    const equipment = `${game} ${name}`;
    if (this.worker && this.equipped.has(equipment)) return;
    this.worker ??= this.started(); // it may have been ended meanwhile
    this.worker.postMessage({ modules: { [name]: module }, files });
    this.equipped.add(equipment);
  }

  started() {
    this.equipped = new Set();
    this.heard = new Map(); // up to which verdict of each game
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => this.receive(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.receive({ id: this.running?.id, error: { status: 500, error: "crashed", message: event.message ?? "the search failed" } });
      this.end();
    };
    return worker;
  }

  /** @param {{ id: any, answer?: any, done?: boolean, error?: any, game?: string, news?: any }} message */
  receive({ id, answer, done, error, game, news }) {
    if (news) return verdicts.add(game, news, this.worker);
    const one = this.running;
    if (one?.id !== id) return;
    if (answer) return one.stopped ? null : one.each(answer);
    clearTimeout(this.patience);
    this.running = null;
    if (one.stopped) one.fail(aborted());
    else if (error) one.fail(new Refusal(error.status, error));
    else if (done) one.done();
    this.next();
  }

  stop(one) {
    if (this.waiting.includes(one)) {
      this.waiting = this.waiting.filter((other) => other !== one);
      return one.fail(aborted());
    }
    if (this.running !== one || one.stopped) return null;
    one.stopped = true;
    this.worker?.postMessage({ stop: one.id });
    this.patience = setTimeout(() => {
      this.end();
      this.receive({ id: one.id });
    }, STOPPED_MILLISECONDS);
    return null;
  }

  end() {
    this.worker?.terminate();
    this.worker = undefined;
  }
}

const aborted = () => new DOMException("stopped", "AbortError");

// A move, an answer that somebody waits for, and a whole game or match are thought about side by side.
const playing = new WorkerQueue();
const studying = new WorkerQueue();
const following = new WorkerQueue();
const queueOf = (kind) => ({ think: playing, review: following, match: following })[kind] ?? studying;

// The last thing that a program thinks of a position.
export async function thought(job, signal) {
  let last = null;
  await playing.ask("think", job, (answer) => (last = answer), signal);
  return last;
}

// What it takes to type a heuristic in Python, where the folder was written with it; null elsewhere.
export const python = async () => ((await index()).python ? import("./python.js") : null);

// Who looks for the bug in a search that somebody has typed: the browser's own Python, where there is one.
export const checker = python;

// A game that this page shows.
export class LiveRoom extends rooms.LiveRoom {
  constructor(id, token, on) {
    const typed = (job, each, signal) => import("./python.js").then((mine) => mine.think(job, each, signal));
    super(id, token, on, (kind, job, each, signal) => (kind === "think" && isTyped(job.player) ? typed(job, each, signal) : queueOf(kind).ask(kind, job, each, signal)));
  }
}

// What a first game needs that the first place does not.
async function prepare() {
  const { ready, games } = await index();
  const { player } = games.find(({ name }) => name === ready);
  await Promise.all([import("../game.js"), compiled(player), playing.equip(ready, false)]);
}

// Once the page is there a first game is made ready, before anything else is loaded; a board within another page is a game
// already. Then all files are kept, so that keeping them delays nothing.
const shown = document.readyState === "complete" ? Promise.resolve() : new Promise((done) => addEventListener("load", done, { once: true }));
export const prepared = shown.then(() => document.querySelector(".app") && prepare()).catch(() => null);
prepared.then(() => import("./offline.js")).then(({ keepOffline }) => keepOffline()).catch(() => null);
