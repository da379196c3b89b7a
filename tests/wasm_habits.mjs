// How the core in WebAssembly behaves in a page: whether searches let others have a turn and can be stopped, and whether
// it takes more and more memory.

// Turns that others had while a search without end ran, and whether it ended when it was asked to.
export async function stopping(coreOf, data) {
  const core = await coreOf(data);
  const game = core.game(data);
  let turns = 0;
  const timer = setInterval(() => {
    if (++turns === 5) core.stop();
  }, 10);
  const found = [];
  const started = performance.now();
  for await (const step of game.think(game.start(), { seconds: 300 })) found.push(step);
  clearInterval(timer);
  game.close();
  return { interruptible: core.interruptible, turns, found: found.length, seconds: (performance.now() - started) / 1000 };
}

// A quick question and a second search while one search runs.
export async function between(coreOf, data) {
  const core = await coreOf(data);
  const game = core.game(data);
  const answers = {};
  const timer = setTimeout(async () => {
    answers.moves = game.moves(game.start()).length;
    try {
      for await (const _ of game.think(game.start(), { depth: 1 }));
    } catch (error) {
      answers.refused = error.message;
    }
    core.stop();
  }, 100);
  const steps = [];
  for await (const { line, nodes } of game.think(game.start(), { seconds: 300 })) steps.push({ line, nodes });
  clearTimeout(timer);
  const again = [];
  for await (const { line, nodes } of game.think(game.start(), { depth: 3 })) again.push({ line, nodes });
  game.close();
  return { ...answers, first: steps[0].line.length, again: again.length };
}

// The memory of the module after a tenth of many analyses, and after all of them.
export async function growth(coreOf, { data, settings, analyses }) {
  const core = await coreOf(data);
  const game = core.game(data);
  const judge = await game.judge({ ...settings, megabytes: { solver: 16, proofs: 1, engine: 1 } });
  const sizes = [];
  for (let i = 0; i < analyses; ++i) {
    for await (const _ of game.think(game.start(), { nodes: 500 }, { table: 1 << 20 }));
    for await (const _ of judge.rank(game.start(), { nodes: 500 }));
    sizes.push(core.module.exports.memory.buffer.byteLength);
  }
  judge.close();
  game.close();
  return [sizes[Math.floor(analyses / 10)], sizes.at(-1)];
}

// The memory of the module after searches with the tables that the page gives them.
export async function held(coreOf, { data, settings }) {
  const core = await coreOf(data);
  const game = core.game(data);
  const judge = await game.judge(settings);
  for await (const _ of game.think(game.start(), { nodes: 20_000 }));
  for await (const _ of judge.rank(game.start(), { nodes: 20_000 }));
  judge.close();
  game.close();
  return core.module.exports.memory.buffer.byteLength;
}
