// What people call the sides of a game: by the colour of their pieces, or by what they look for.

import { texts } from "./texts.js";

export function sideName(view, side) {
  const layers = view.watches[side];
  const names = layers.length === 1 ? view.look.names[String(layers[0])] : null;
  const name = names ? (texts.pieces[names[0]] ?? names[0]) : view.sides[side];
  return name[0].toUpperCase() + name.slice(1);
}

// The side of a text that the server sends: "first" or "second".
export const sideOf = (text) => (text === "first" ? 0 : 1);
