// A position as an SVG picture, put together from what the data files draw of each piece.

import { file, gameFile } from "./library.js";
import { gameOf, layersOf } from "./table.js";

export async function pictureOf({ game, moves = "", theme = "system" }) {
  const { pictures, themes } = await file("home.json"); // those of the first place are ready
  const ready = pictures[`${game} ${moves}`];
  if (ready) return ready.replace("/* theme */", themes[theme] ?? themes.system);
  const [table, drawn] = await Promise.all([gameOf(game), gameFile(game, "picture")]);
  const position = table.at(moves.split(";").filter((text) => text.trim()));
  const outcome = table.game.outcome(position);
  const won = outcome?.winner === null || !outcome ? [] : table.board.patterns.flatMap(({ cells }, number) => (cells.every((cell) => outcome.cells.includes(cell)) ? [drawn.win[number]] : []));
  const last = position.last ? drawn.last[1 - (position.ply & 1)][position.last[0]] : "";
  return drawn.board
    .replace("/* theme */", drawn.themes[theme] ?? drawn.themes.system)
    .replace('<g class="pg-pieces"></g>', `<g class="pg-pieces">${pieces(table, drawn, position).join("")}</g>`)
    .replace('<g class="pg-marks"></g>', `<g class="pg-marks">${last}${won.join("")}</g>`);
}

function pieces(table, drawn, { cards, kinds }) {
  if (cards.length) return [...cards].sort((a, b) => a - b).map((card) => drawn.pieces[0][card]);
  return kinds.flatMap((kind, cell) => (kind ? [pieceOn(table, drawn, cell, kind)] : []));
}

// The piece of one cell that lays just these layers there.
function pieceOn(table, drawn, cell, kind) {
  const layers = layersOf(kind).join();
  for (const side of [0, 1]) {
    const place = drawn.pieces[side].findIndex((_, one) => table.laid(side, one).cells.length === 1 && table.laid(side, one).cells[0] === cell && table.laid(side, one).kinds[0].join() === layers);
    if (place >= 0) return drawn.pieces[side][place];
  }
  return "";
}
