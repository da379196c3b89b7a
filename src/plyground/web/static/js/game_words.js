// What a game says above its board: the most pressing thing in words, with what one can do about it; and its result.

import { texts } from "./texts.js";

const say = texts.game;

// [in bold, the rest, buttons as [class, label, action]]
export function wordsOf(game) {
  const { state } = game;
  const open = state.result === "*";
  if (!game.online) return [texts.outage.title + ".", texts.outage.about];
  if (game.resigning) return [say.resignAsk, "", [["sure danger", say.resignSure, () => game.resign()], ["not", say.resignNot, () => game.askResign(false)]]];
  if (state.undo_asked && game.you.length && !game.asked) {
    const asker = state.undo_asked === "first" ? 0 : 1;
    return [say.undoAsked(game.name(asker)), "", [["allow primary", say.allow, () => game.live.send({ type: "undo" })], ["decline", say.decline, () => game.live.send({ type: "decline" })]]];
  }
  if (game.asked) return ["", say.undoSent(game.name(state.undo_asked === "first" ? 1 : 0))];
  const judged = game.at != null && !open && game.review?.wordsAt(game.at);
  if (judged) return judged;
  if (game.at != null) return ["", say.looking(game.at, state.moves.length), open ? [["back", say.back, () => game.look(null)]] : []];
  if (game.prompt) return [game.prompt === game.hint?.text ? say.hintStep(game.hint.given) : "", game.prompt];
  if (!open) return [...verdict(game), [["review phone-only", say.tabs.review, () => game.reveal("coach")]]];
  if (!state.taken.every(Boolean) && game.you.length) return [say.waiting, "", [["invite", say.invite, () => game.sheets.invite()]]];
  if (game.myTurn() && game.you.length === 1) return [say.yourMove, game.coached ? game.coach.warning() : ""];
  const name = game.name(game.side());
  if (state.players[game.side()]) return ["", say.thinks(name)];
  if (game.away[game.side()]) return ["", say.away(name)];
  return ["", `${say.toMove(name)}${game.you.length ? "" : ` ${say.watching}`}`];
}

// Who won, and how.
export function verdict(game) {
  const { result, termination, moves } = game.state;
  const how = say.in(say.endings[termination] ?? termination, Math.ceil(moves.length / 2));
  if (result === "1/2-1/2") return [`${say.draw}.`, how];
  const winner = result === "1-0" ? 0 : 1;
  if (game.you.length === 1) return [`${game.mine(winner) ? say.youWin : say.youLose}.`, how];
  return [`${say.wins(game.name(winner))}.`, how];
}
