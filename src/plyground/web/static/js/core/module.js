// A module of the core in WebAssembly: calls with lists of numbers in, numbers out, and searches that can be stopped.

// What the core refuses, in words for people.
export class CoreError extends Error {
  constructor(message) {
    super(message);
    this.name = "CoreError";
  }
}

const TURN_MILLISECONDS = 10;
// Browsers have more than the types know: WebAssembly's promises.
/** @type {any} */
const wasm = WebAssembly;
const SUSPENDS = typeof wasm.Suspending === "function" && typeof wasm.promising === "function";

// The numbers of nested lists end to end, each list after its length, as the core reads them.
export function flat(value, into = []) {
  if (typeof value === "number") {
    into.push(value);
  } else if (typeof value === "boolean") {
    into.push(Number(value));
  } else if (Array.isArray(value)) {
    into.push(value.length);
    for (const item of value) flat(item, into);
  } else {
    throw new CoreError(`bad data: expected numbers and lists, got ${value === null ? "null" : typeof value}`);
  }
  return into;
}

// Something that may be missing, as a list of none or one.
export const optional = (value) => (value === undefined || value === null ? [] : [value]);

// Lets everybody else have a turn: messages come in, and a search may be stopped.
export const turn = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(/** @type {BufferSource} */ (source));
  const response = await (source instanceof Response ? source : fetch(source));
  if (!response.ok) throw new CoreError(`the core could not be loaded: ${response.url} answered ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

export class Module {
  // `source`: an address, a response, bytes, or a compiled module. `flag`: an Int32Array of shared memory, not 0 when a
  // search is to end; there is none where pages are not isolated.
  static async load(source, { flag = null } = {}) {
    const module = new Module(flag);
    try {
      module.compiled = await compiled(source);
      const instance = await WebAssembly.instantiate(module.compiled, module.imports());
      module.exports = instance.exports;
    } catch (error) {
      if (error instanceof CoreError) throw error;
      throw new CoreError(`the core could not be loaded: ${error.message}`);
    }
    module.exports._initialize();
    return module;
  }

  constructor(flag) {
    /** @type {any} */
    this.exports = null;
    /** @type {WebAssembly.Module | null} */
    this.compiled = null;
    // What the solver in it is made for; null where there is none.
    /** @type {any} */
    this.size = null;
    this.flag = flag;
    this.searching = false;
    this.stopped = false;
    this.broken = "";
    this.lastTurn = 0;
    this.promising = new Map();
  }

  // Whether a search can be stopped at any moment by whoever runs on the same thread.
  get interruptible() {
    return SUSPENDS;
  }

  imports() {
    const none = () => 0;
    const interrupted = () => this.interrupted();
    return {
      plyground: {
        milliseconds: () => performance.now(),
        interrupted: SUSPENDS ? new wasm.Suspending(interrupted) : interrupted,
      },
      // Only what the standard library would print before it gives up.
      wasi_snapshot_preview1: { fd_close: none, fd_seek: none, fd_write: none },
    };
  }

  interrupted() {
    if (this.flag && Atomics.load(this.flag, 0)) this.stopped = true;
    if (this.stopped || !SUSPENDS || performance.now() - this.lastTurn < TURN_MILLISECONDS) return Number(this.stopped);
    return this.yieldTurn().then(() => Number(this.stopped));
  }

  async yieldTurn() {
    await turn();
    this.lastTurn = performance.now();
  }

  // What the core answers at once.
  call(name, ...parts) {
    return this.answered(this.guarded(() => this.exports[name](this.handOver(parts))));
  }

  // What a search answers. One search runs at a time; quick calls may come between.
  async search(name, ...parts) {
    if (this.searching) throw new CoreError("a search is running already");
    this.searching = true;
    try {
      if (performance.now() - this.lastTurn >= TURN_MILLISECONDS) await this.yieldTurn();
      return this.answered(await this.searched(name, this.handOver(parts)));
    } finally {
      this.searching = false;
    }
  }

  // Before the first part of a search that may consist of several.
  begin() {
    this.stopped = false;
    this.lastTurn = performance.now();
  }

  stop() {
    this.stopped = true;
  }

  async searched(name, words) {
    if (!SUSPENDS) return this.guarded(() => this.exports[name](words));
    if (!this.promising.has(name)) this.promising.set(name, wasm.promising(this.exports[name]));
    try {
      return await this.promising.get(name)(words);
    } catch (error) {
      throw this.failed(error);
    }
  }

  guarded(run) {
    if (this.broken) throw new CoreError(this.broken);
    try {
      return run();
    } catch (error) {
      throw this.failed(error);
    }
  }

  // Where the core broke down nothing it says can be trusted.
  failed(error) {
    if (error instanceof CoreError) return error;
    this.broken = `the core failed and must be loaded again: ${error.message}`;
    return new CoreError(this.broken);
  }

  handOver(parts) {
    const words = [];
    for (const part of parts) flat(part, words);
    const address = this.guarded(() => this.exports.room_for(words.length));
    new Float64Array(this.exports.memory.buffer, address, words.length).set(words);
    return words.length;
  }

  // Bytes for the next call that takes them.
  handOverBytes(bytes) {
    const address = this.guarded(() => this.exports.room_for_bytes(bytes.length));
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
  }

  answered(refused) {
    const { memory, answer, answer_words, refusal, refusal_bytes } = this.exports;
    if (refused) throw new CoreError(new TextDecoder().decode(new Uint8Array(memory.buffer, refusal(), refusal_bytes())));
    return new Answer(new Float64Array(memory.buffer, answer(), answer_words()).slice());
  }
}

// The numbers that the core answered, read one after the other.
export class Answer {
  constructor(words) {
    this.words = words;
    this.at = 0;
  }

  get more() {
    return this.at < this.words.length;
  }

  number() {
    return this.words[this.at++];
  }

  flag() {
    return this.number() !== 0;
  }

  numbers(count = this.number()) {
    this.at += count;
    return Array.from(this.words.subarray(this.at - count, this.at));
  }

  move() {
    const [place, lift] = this.numbers(2);
    return [place, lift < 0 ? null : lift];
  }

  moves() {
    return Array.from({ length: this.number() }, () => this.move());
  }

  position() {
    const [kinds, ply, cards, last] = [this.numbers(), this.number(), this.numbers(), this.move()];
    return { kinds, ply, cards, last: last[0] < 0 ? null : last };
  }
}
