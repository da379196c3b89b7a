// The strip of a player above or below the board: disc, name, what is known of them, clock, turn or result.

import { make } from "./dom.js";
import { chip } from "./drawing.js";
import { programName, programNote } from "./levels.js";
import { texts } from "./texts.js";

const say = texts.game;

export class Strip {
  constructor(view, side) {
    this.view = view;
    this.side = side;
    this.name = make("b", {});
    this.note = make("span", {});
    this.clock = make("span", { class: "clock", role: "timer", hidden: true });
    this.gone = make("span", { class: "tag warn", hidden: true }, say.gone);
    this.state = make("span", { class: "state" });
    this.element = make("div", { class: "strip" }, chip(view, side, 32), make("div", { class: "who grow" }, this.name, this.note), this.gone, this.state, this.clock);
  }

  // The piece a side plays in words, or what the side is called where both lay the same.
  piece() {
    const layers = this.view.watches[this.side];
    const names = layers.length === 1 ? this.view.look.names[String(layers[0])] : null;
    const name = names ? names[0] : this.view.sides[this.side];
    return texts.pieces[name] ?? name;
  }

  // A program by its level; one that is no level by the name that somebody gave it, else by what it is.
  program({ names, players }, title) {
    const given = names[this.side];
    return title.level || !given || given === players[this.side] ? programName(title) : given;
  }

  show(state, mine) {
    const title = state.titles[this.side];
    const open = state.result === "*";
    const turn = open && (state.position.to_move === "first" ? 0 : 1) === this.side;
    this.called = title ? this.program(state, title) : nameOf(state, this.side, mine);
    this.name.textContent = this.called;
    this.note.textContent = title ? programNote(title) || this.seat() : nameless(state, this.side) && !mine ? this.piece() : this.seat();
    this.element.classList.toggle("on", turn);
    this.clock.hidden = state.clocks[this.side] === null;
    this.clock.setAttribute("aria-label", say.clock(this.called));
    this.state.className = `state ${open ? "turn" : `tag ${tone(state.result, this.side)}`}`;
    this.state.textContent = open ? (turn ? (mine ? say.yourTurn : say.theirTurn) : "") : word(state.result, this.side);
  }

  // Whether the player is not there any more.
  leave(away) {
    this.element.classList.toggle("away", away);
    this.gone.hidden = !away;
  }

  seat() {
    return say.player(say.sides[this.side ? "second" : "first"], this.piece());
  }

  tick(left) {
    const text = left < 10 ? `0:0${left.toFixed(1)}` : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    if (this.clock.textContent !== text) this.clock.textContent = text;
    this.clock.classList.toggle("low", left < 10);
  }
}

const DEFAULTS = ["first player", "second player"];

// What somebody is called: the name they gave, else "You", else by their side.
export function nameOf(state, side, mine) {
  if (!nameless(state, side)) return state.names[side];
  const called = say.sides[side ? "second" : "first"];
  return mine ? say.you : called[0].toUpperCase() + called.slice(1);
}

export const nameless = (state, side) => !state.names[side] || state.names[side] === DEFAULTS[side];

const won = (result, side) => result === (side ? "0-1" : "1-0");
const tone = (result, side) => (result === "1/2-1/2" ? "warn" : won(result, side) ? "good" : "");
const word = (result, side) => (result === "1/2-1/2" ? say.drawn : won(result, side) ? say.won : say.lost);
