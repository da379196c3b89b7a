// The worker: one job at a time, its answers as they come, then what was proved meanwhile, for the other workers. A job that
// is stopped ends with what it has.

import { KINDS, takeNews, tell } from "./thinker.js";
import { useFiles } from "./library.js";
import { stopSearches, useModules } from "./table.js";

let running = null;

addEventListener("message", async ({ data }) => {
  if (data.modules) return useModules(data.modules), useFiles(data.files);
  if (data.stop !== undefined) return stop(data.stop);
  const { id, kind, job, known = [] } = data;
  running = { id, stopped: false };
  const mine = running;
  try {
    tell(job.game, known);
    for await (const answer of KINDS[kind](job, () => mine.stopped)) if (!mine.stopped) postMessage({ id, answer });
    for (const [game, news] of await takeNews()) postMessage({ id, game, news });
    postMessage({ id, done: true });
  } catch (error) {
    postMessage({ id, error: { status: error.status ?? 500, error: error.code ?? "crashed", message: error.message } });
  }
  if (running === mine) running = null;
});

function stop(id) {
  if (running?.id !== id) return;
  running.stopped = true;
  stopSearches();
}
