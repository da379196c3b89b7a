// Boards of games under way, as far as their moves are known here.

import { make } from "./dom.js";
import { chip, picture } from "./drawing.js";
import { say } from "./study_texts.js";

const words = say.tournaments;
const MOST_BOARDS = 4;

export function boards(view, games) {
  const seen = games.filter((game) => game.plies);
  return (seen.length ? seen : games).slice(0, MOST_BOARDS).map((game) => mini(view, game));
}

function mini(view, game) {
  const turn = game.board.to_move === "first" ? 0 : 1;
  const player = (side) => make("div", { class: `p${turn === side ? " on" : ""}` }, chip(view, side, 18), make("span", {}, side ? game.second : game.first), make("small", {}, turn === side ? words.thinks : ""));
  return make("div", { class: "card mini" }, player(1), picture(view, game.board, words.boardOf(game.first, game.second), { last: true }), player(0));
}
