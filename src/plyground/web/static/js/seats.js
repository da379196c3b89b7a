// The seats this browser holds: their tokens are kept, so that a reload or another day finds the way back.

import { memory } from "./api.js";

export function remember(id, token, game) {
  const rooms = memory.get("rooms", []).filter((room) => room.id !== id);
  memory.set("rooms", [{ id, token, game, at: Date.now() }, ...rooms].slice(0, 50));
}

export const tokenOf = (id) => memory.get("rooms", []).find((room) => room.id === id)?.token ?? null;

export const recent = () => memory.get("rooms", []);
