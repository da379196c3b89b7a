// Addresses of places that others lead to.

import { link } from "./address.js";

export const analysisLink = (game, moves, at) => link("analyse", [], { game, moves: moves.join(";"), at });
