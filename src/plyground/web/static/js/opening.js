// Opening a game: the room is made, its seat remembered, and the page goes there.

import { call } from "./api.js";
import { go } from "./address.js";
import { remember } from "./seats.js";

export async function openGame(wish, query = {}) {
  const opened = await call("/api/rooms", { body: wish });
  remember(opened.id, Object.values(opened.tokens)[0] ?? null, wish.game);
  go("game", [opened.id], query);
  return opened.id;
}
