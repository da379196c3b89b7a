// Who answers the page. Everything that the page asks goes through this file; here a server answers, by JSON requests,
// streams of JSON lines, and a socket that comes back by itself. A page without a server has another file of this name,
// in which a worker gives the same answers.

import { Outage, Refusal } from "./api.js";

// What there is: friends on other devices, tournaments, a class, an interface for programs, games kept in this browser,
// the plain searches that can be followed.
export const offers = { friends: true, tournaments: true, class: true, programs: true, kept: false, searches: ["alpha-beta", "minimax", "beam"] };

// When what can wait may be asked for: here a server answers everything, so at once.
export const prepared = Promise.resolve();

// What it takes to type a heuristic in Python and run it in the browser; a server does not run it while one types.
export const python = async () => null;

// Who looks for the bug in a search that somebody has typed: the server, in a sandbox.
export const checker = async () => ({ prepare: async () => null, check: (job, signal) => call("/api/check", { body: job, signal }) });

// Where something that is answered as a file can be had: a picture, a code, a record.
export const address = async (path) => path;

// Lead an image or a link there.
export function lead(element, attribute, path) {
  element.setAttribute(attribute, path);
  return element;
}

async function reach(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Outage(error.message);
  }
}

// What was asked for before the modules came is taken once; a refusal is not: one asks again.
async function askedEarly(key) {
  const early = await globalThis.early?.get(key);
  globalThis.early?.delete(key);
  return early?.ok ? early : null;
}

// `body` goes as JSON, `file` as it is.
/** @type {(...asked: any[]) => Promise<any>} */
export async function call(path, { method = "GET", body, file, token, signal } = {}) {
  const headers = {};
  const sent = file ?? (body === undefined ? undefined : JSON.stringify(body));
  if (sent !== undefined) headers["Content-Type"] = file ? "application/octet-stream" : "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  const options = { method: sent !== undefined && method === "GET" ? "POST" : method, headers, body: sent, signal };
  const response = (await askedEarly(path + (sent ?? ""))) ?? (await reach(path, options));
  const answer = response.headers.get("content-type")?.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Refusal(response.status, typeof answer === "object" ? answer : { message: answer });
  return answer;
}

// Calls `each` with every JSON object of a stream of lines; an abort ends it quietly.
export async function stream(path, body, each, signal) {
  const response = await reach(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw new Refusal(response.status, await response.json());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) {
      if (!line) continue;
      const answer = JSON.parse(line);
      if (answer.error) throw new Refusal(500, answer);
      each(answer);
    }
  }
}

// The last thing that a program thinks of a position.
export async function thought(job, signal) {
  let last = null;
  await stream("/api/think", job, (answer) => (last = answer), signal);
  return last;
}

const BEAT_MILLISECONDS = 15000; // milliseconds between two signs of life
const SILENCE_MILLISECONDS = 5000; // how long the answer to one may take

// A socket to a room that says hello again whenever it had to be opened again, and notices when nobody answers.
export class LiveRoom {
  constructor(id, token, on) {
    this.id = id;
    this.token = token;
    this.on = on;
    this.wait = 250;
    this.closed = false;
    this.gone = () => this.lose();
    addEventListener("offline", this.gone);
    this.beat = setInterval(() => this.ask(), BEAT_MILLISECONDS);
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = (this.socket = new WebSocket(`${scheme}://${location.host}/api/rooms/${encodeURIComponent(this.id)}/live`));
    socket.onopen = () => {
      this.wait = 250;
      this.send({ type: "hello", token: this.token });
      this.on({ type: "online" });
    };
    socket.onmessage = (message) => {
      clearTimeout(this.silence);
      this.on(JSON.parse(message.data));
    };
    socket.onclose = (event) => {
      if (this.closed || socket !== this.socket || event.code === 1008) return;
      this.on({ type: "offline" });
      this.again();
    };
  }

  again() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, 8000);
  }

  // The connection is gone, whether or not the socket knows it.
  lose() {
    if (this.closed) return;
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.on({ type: "offline" });
    this.again();
  }

  ask() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ type: "ping" }));
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.lose(), SILENCE_MILLISECONDS);
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
    else this.on({ type: "offline" });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    clearInterval(this.beat);
    removeEventListener("offline", this.gone);
    this.socket?.close();
  }
}
