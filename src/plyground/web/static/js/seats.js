// The seats this browser holds: a game is opened, and the token of its seat kept, so that a reload finds the way back.

import { memory } from "./api.js";
import { call } from "./backend.js";
import { go } from "./address.js";

export function remember(id, token, game) {
  const rooms = memory.get("rooms", []).filter((room) => room.id !== id);
  memory.set("rooms", [{ id, token, game, at: Date.now() }, ...rooms].slice(0, 50));
}

export const tokenOf = (id) => memory.get("rooms", []).find((room) => room.id === id)?.token ?? null;

export const recent = () => memory.get("rooms", []);

// Open a game and go there.
export async function openGame(wish, query = {}) {
  const opened = await call("/api/rooms", { body: wish });
  remember(opened.id, Object.values(opened.tokens)[0] ?? null, wish.game);
  go("game", [opened.id], query);
  return opened.id;
}
