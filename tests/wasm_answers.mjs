// What the core in WebAssembly answers to questions, in node and in a browser.

export async function answers(coreOf, { games, questions }) {
  const loaded = new Map();
  const found = [];
  for (const { game: name, moves = [], position = null, ask } of questions) {
    try {
      if (!loaded.has(name)) loaded.set(name, (await coreOf(games[name])).game(games[name]));
      const game = loaded.get(name);
      const at = position ?? game.after(moves);
      const given = [];
      for (const [method, ...rest] of ask) given.push(await answer(game, at, method, rest));
      found.push({ position: at, answers: given });
    } catch (error) {
      found.push({ error: error.message, kind: error.name, ...(error.name === "CoreError" ? {} : { stack: error.stack }) });
    }
  }
  for (const game of loaded.values()) game.close();
  return found;
}

async function answer(game, position, method, rest) {
  if (method === "forget") return game.core.forget() ?? null;
  if (method.startsWith("judge.")) return judged(game, position, method.slice("judge.".length), rest);
  return gathered(game[method](position, ...rest));
}

// What a judge that was made for it answers.
async function judged(game, position, method, [{ settings, books = [], group = [] }, ...rest]) {
  const judge = await game.judge(settings, books.map((book) => ({ ...book, bytes: Uint8Array.from(book.bytes) })), group);
  try {
    return await (method === "learn" ? judge.learn(...rest) : gathered(judge[method](position, ...rest)));
  } finally {
    judge.close();
  }
}

async function gathered(given) {
  if (typeof given?.[Symbol.asyncIterator] !== "function") return given;
  const all = [];
  for await (const step of given) all.push(step);
  return all;
}
