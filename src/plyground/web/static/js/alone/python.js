// Heuristics and searches that somebody types in Python: one worker, one question at a time. A question that is not answered in time
// ends the worker, so that the page goes on whatever was typed; the next question starts another one.

import { Refusal, memory } from "../api.js";
import { programOf } from "./programs.js";
import { gameOf } from "./table.js";

const KEPT = "python";
const VALUE_SECONDS = 2;
const THINKING_SECONDS = 20;
const CHECK_SECONDS = 12; // a browser's Python takes several times as long
const CHECK_PATIENCE_SECONDS = 45; // by the clock, where other programs compute too
const GRACE_SECONDS = 2; // Python ends endless loops itself, in the line where they are; this is for what it cannot end

// What was typed last in this browser.
export const kept = { get: () => memory.get(KEPT, null), set: (source) => memory.set(KEPT, source) };

let worker = null;
let ready = null; // a promise: Python is there
let asked = null; // what is being worked out
let before = Promise.resolve();

const slow = (seconds) => new Refusal(422, { error: "python-slow", message: `no answer after ${seconds} s` });

function start() {
  if (worker) return;
  worker = new Worker(new URL("./python_worker.js", import.meta.url), { type: "module" });
  ready = new Promise((done, fail) => {
    worker.onmessage = ({ data }) => {
      if (data.ready) return done();
      if (data.failed) return end(new Refusal(500, { error: "python-broken", message: data.failed }), fail);
      asked?.done(data.answer);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(new Refusal(500, { error: "python-broken", message: event.message ?? "Python could not be started" }), fail);
    };
  });
  ready.catch(() => null);
}

function end(why, fail) {
  worker?.terminate();
  worker = null;
  fail?.(why);
  asked?.fail(why);
}

// One question after the other; the time that Python takes to come counts for nobody.
function ask(job, patience, signal) {
  const answer = before.then(async () => {
    if (signal?.aborted) throw new DOMException("stopped", "AbortError");
    start();
    await ready;
    const stop = () => end(new DOMException("stopped", "AbortError"));
    const timer = setTimeout(() => end(slow(patience)), 1000 * patience);
    signal?.addEventListener("abort", stop);
    try {
      return await new Promise((done, fail) => {
        asked = { done, fail };
        worker.postMessage(job);
      });
    } finally {
      asked = null;
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  });
  before = answer.catch(() => null);
  return answer;
}

// Python is loaded once it is wanted.
export function prepare() {
  start();
  return ready;
}

// What a typed function says of a position: {name, value, moves, printed}, or {error: {code, message, line}, printed}.
export const valueOf = (game, moves, source, signal) => ask({ kind: "value", game, moves, source, seconds: VALUE_SECONDS }, VALUE_SECONDS + GRACE_SECONDS, signal);

// What is wrong with a typed search, and where: {report, printed}, or {error: {code, message, line}, printed}.
export const check = (job, signal) => ask({ kind: "check", ...job, seconds: CHECK_SECONDS }, CHECK_PATIENCE_SECONDS, signal);

// The move of a search with the function that was typed last, as programs answer.
export async function think({ game, moves, player, seconds }, each, signal) {
  const { depth } = programOf(await gameOf(game), player);
  const source = kept.get();
  if (!source) throw new Refusal(404, { error: "python-gone", message: "this browser no longer has the Python code of this program" });
  const answer = await ask({ kind: "choose", game, moves, source, depth, seconds }, THINKING_SECONDS, signal);
  if (answer.error) throw new Refusal(422, { error: "bad-python", message: `${answer.error.message}${answer.error.line ? ` (line ${answer.error.line})` : ""}` });
  each(answer);
}
