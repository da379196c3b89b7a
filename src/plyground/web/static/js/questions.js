// What places ask a backend when they are opened, as `call` takes it: a path, and options. The places ask it themselves,
// and a small script (early.js) asks it for the first of them while the modules are still on their way.

export const ANALYSED_GAME = "connect-four"; // where an address names none
export const SEARCHED = { game: "tic-tac-toe", moves: "A3;B2", search: "alpha-beta", heuristic: "lines", depth: "3" }; // likewise

// The moves that an address names.
export const movesIn = (query) => (query.moves ? query.moves.split(";") : []);

export const questions = {
  home: () => ["/api/home"],
  games: () => ["/api/games"],
  heuristics: (game) => [`/api/heuristics?${new URLSearchParams({ game })}`],
  positions: (game, moves) => ["/api/positions", { body: { game, moves } }],
  tree: (game, moves, { search, heuristic, depth }) => ["/api/tree", { body: { game, moves, search, heuristic, depth: Number(depth) } }],
  lesson: (game) => [`/api/lessons/${encodeURIComponent(game)}`],
  puzzle: (id, game) => [id === "daily" && game ? `/api/puzzles/daily?${new URLSearchParams({ game })}` : `/api/puzzles/${encodeURIComponent(id)}`],
  puzzles: (wanted) => [`/api/puzzles?${new URLSearchParams(wanted)}`],
};

// What a place asks first, by its address.
/** @param {string} place @param {string[]} parts @param {any} query */
export function firstQuestions(place, [part], query) {
  const { home, games, heuristics, positions, tree, lesson, puzzle, puzzles } = questions;
  const example = [SEARCHED.game, movesIn(SEARCHED)];
  const asked = {
    "": () => [home()],
    analyse: () => [positions(query.game ?? ANALYSED_GAME, movesIn(query))],
    search: () => (Object.keys(query).length ? [] : [games(), heuristics(SEARCHED.game), positions(...example), tree(...example, SEARCHED)]),
    learn: () => (part ? [lesson(part)] : [home(), puzzles({ page: 0 })]),
    puzzles: () => (part ? [puzzle(part, query.game)] : []),
  };
  return asked[place]?.() ?? [];
}
