// What people call the sides of a game: by the colour of their pieces, or by what they look for.

import { texts } from "./texts.js";

export function sideName(view, side) {
  const layers = view.watches[side];
  const names = layers.length === 1 ? view.look.names[String(layers[0])] : null;
  const called = names ? names[0] : view.sides[side];
  const name = texts.pieces[called] ?? called;
  return name[0].toUpperCase() + name.slice(1);
}

// The side of a text that the server sends: "first" or "second".
export const sideOf = (text) => (text === "first" ? 0 : 1);

// What a puzzle asks for: "Blue to move and win in 5 moves", "… and save the draw", "… and hold out for 12 plies".
export function goalOf({ board, side, goal: { result, plies } }) {
  const name = sideName(board, sideOf(side));
  return { win: () => texts.goals.win(name, Math.ceil((plies ?? 1) / 2)), draw: () => texts.goals.draw(name), loss: () => texts.goals.hold(name, plies) }[result]();
}
