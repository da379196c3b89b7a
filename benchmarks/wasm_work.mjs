// What the core in WebAssembly is timed with: searches that visit the same nodes wherever they run.

const byTheClock = () => performance.now();

export async function timed(coreOf, { games, work, judges }, milliseconds = byTheClock) {
  const seconds = {};
  for (const { name, game: data, moves, nodes, solve } of work) {
    const core = await coreOf(games[data]);
    const game = core.game(games[data]);
    const position = game.after(moves);
    core.forget();
    const judge = solve ? await game.judge(judges) : null;
    const started = milliseconds();
    if (solve) await judge.judge(position, { nodes });
    else for await (const _ of game.think(position, { nodes }));
    seconds[name] = (seconds[name] ?? 0) + (milliseconds() - started) / 1000;
    game.close();
  }
  return seconds;
}

// How many milliseconds after a timer that stops it was due a search ends, tried several times.
export async function stopped(coreOf, { games, work }) {
  const late = [];
  for (const { game: data, moves } of work.filter(({ solve }) => !solve)) {
    const core = await coreOf(games[data]);
    const game = core.game(games[data]);
    let stops = false;
    const due = performance.now() + 500;
    const timer = setTimeout(() => {
      stops = true;
      core.stop();
    }, 500);
    for await (const _ of game.think(game.after(moves), { seconds: 60 }));
    clearTimeout(timer);
    if (stops) late.push(performance.now() - due);
    game.close();
  }
  return late;
}
