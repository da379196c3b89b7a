// The judge asked about a position again and again, each time for longer, until all is proved or the last time is over.

import { stream } from "./backend.js";

// Opinions soon, better ones later; at last the time goes into proofs.
const LADDER = [{ seconds: 0.4 }, { seconds: 2 }, { seconds: 10, prove: true }];

export class Engine {
  constructor({ onanswer, onstate }) {
    this.onanswer = onanswer;
    this.onstate = onstate;
    this.running = null;
  }

  static get seconds() {
    return LADDER.reduce((sum, one) => sum + one.seconds, 0);
  }

  stop() {
    this.running?.abort();
    this.running = null;
    clearInterval(this.ticker);
  }

  async start(game, moves) {
    this.stop();
    const running = (this.running = new AbortController());
    const began = performance.now();
    const report = (state) => this.running === running && this.onstate({ state, share: Math.min(1, (performance.now() - began) / 1000 / Engine.seconds) });
    this.ticker = setInterval(() => report("running"), 250);
    report("running");
    try {
      for (const rung of LADDER) {
        /** @type {any} */
        let latest = null;
        await stream("/api/judge", { game, moves, ...rung }, (answer) => this.running === running && (answer.partial || (latest = answer), this.onanswer(answer)), running.signal);
        if (!latest || (latest.proved && latest.moves.every((one) => one.proved && !one.worth?.at_most))) break;
      }
      report("done");
    } catch (error) {
      if (error.name === "AbortError") return;
      report("failed");
      throw error;
    } finally {
      if (this.running === running) this.stop();
    }
  }
}
