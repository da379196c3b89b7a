// A game under way: the board between two strips, a line that says what goes on, and a column with tabs.

import { Refusal } from "./api.js";
import { LiveRoom, call } from "./backend.js";
import { NoSuchPlace, note } from "./address.js";
import { Board } from "./board.js";
import { announce, make, tabs } from "./dom.js";
import { GameSheets } from "./game_sheets.js";
import { wordsOf } from "./game_words.js";
import { icon } from "./icons.js";
import { MessageLine } from "./message.js";
import { MoveList } from "./movelist.js";
import { openGame, remember, tokenOf } from "./seats.js";
import { knock } from "./sound.js";
import { Strip, nameOf } from "./strips.js";
import { spoken, texts } from "./texts.js";

const say = texts.game;

const AWAY_MILLISECONDS = 3000; // milliseconds after which somebody who has gone is said to have left: a reload takes less
const PACE_MILLISECONDS = 300; // milliseconds before a program's answer is shown at the earliest

export async function open(main, [id], query) {
  if (!id) throw new NoSuchPlace();
  const view = new GameView(main, id, query);
  await view.arrived;
  return view;
}

class GameView {
  constructor(main, id, query) {
    this.main = main;
    this.id = id;
    this.query = query;
    this.you = [];
    this.line = [];
    this.swapped = false;
    this.prompt = "";
    this.away = [false, false];
    this.hint = null;
    this.coach = null;
    this.review = null;
    this.online = true;
    this.arrived = new Promise((done, fail) => {
      this.done = done;
      this.fail = fail;
    });
    this.sheets = new GameSheets(this);
    this.live = new LiveRoom(id, tokenOf(id), (event) => this.on(event));
    this.ticker = setInterval(() => this.tick(), 100);
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
  }

  close() {
    clearInterval(this.ticker);
    clearTimeout(this.pacing);
    clearTimeout(this.leaving);
    this.closed = true;
    removeEventListener("keydown", this.onkey);
    this.coach?.close();
    this.review?.close();
    this.sheets.close();
    this.live.close();
  }

  // The address has changed to another ply of the same game.
  go(query) {
    this.query = query;
    this.look(query.ply === undefined ? null : Number(query.ply), false);
  }

  on(event) {
    // What happens before the welcome is part of the state that comes with it.
    if (!this.board && !["welcome", "error", "offline"].includes(event.type)) return;
    const handlers = {
      welcome: () => this.welcome(event),
      state: () => this.pace(event),
      waiting: () => this.notify(event.message),
      declined: () => this.you.length && this.asked && ((this.asked = false), this.notify(say.declined)),
      hint: () => this.hinted(event),
      look: () => this.seen(event),
      presence: () => this.sawOff(event.present),
      error: () => (this.board ? this.refused(event) : this.fail(new NoSuchPlace(texts.lost.game))),
      offline: () => this.connected(false),
      online: () => this.connected(true),
    };
    handlers[event.type]?.();
  }

  refused({ error, message }) {
    if (error === "stale" || error === "over") return this.live.send({ type: "hello", token: this.live.token });
    this.draw();
    this.notify(Refusal.said(error, message));
  }

  welcome({ you, board, state }) {
    this.you = you;
    if (!this.board) this.build(board, state);
    this.update(state);
    this.done(undefined);
  }

  // A program's answer is shown a moment after the move it answers, so that one sees both.
  pace(state) {
    clearTimeout(this.pacing);
    const grown = this.state && state.moves.length > this.state.moves.length;
    const mover = state.position.to_move === "first" ? 1 : 0;
    const wait = grown && state.players[mover] ? PACE_MILLISECONDS - (performance.now() - this.shownAt) : 0;
    if (wait > 0) this.pacing = setTimeout(() => this.update(state), wait);
    else this.update(state);
  }

  // ------------------------------------------------------------ build

  build(view, state) {
    this.view = view;
    this.board = new Board(view, { onsay: (text) => this.prompted(text) });
    this.strips = [0, 1].map((side) => new Strip(view, side));
    this.message = new MessageLine();
    this.moveList = new MoveList((ply) => this.look(ply === this.state.moves.length ? null : ply));
    const panels = { moves: this.movesPanel(), coach: make("div", { class: "panel coach" }), rules: rules(view) };
    // Between people there is no coach, so its tab comes last: it is there only when the game is reviewed.
    const order = this.isQuiet(state) ? ["moves", "rules", "coach"] : ["moves", "coach", "rules"];
    const open = state.result === "*";
    const chosen = this.query.tab in panels && !(open && this.isQuiet(state) && this.query.tab === "coach") ? this.query.tab : open ? "moves" : "coach";
    this.tabs = tabs(say.about, order.map((name) => [name, say.tabs[name], panels[name]]), chosen, (name) => this.turnTo(name));
    this.coachPanel = panels.coach;
    this.hintBox = make("section", { class: "hintbox desk-only", "aria-label": say.hint });
    this.stage = make("section", { class: "stage", "aria-label": say.stage });
    this.heading = make("h1", { class: "unseen" });
    this.main.append(
      make("div", { class: `game match ${view.look.kind}${view.turns ? " turns" : ""}` }, this.heading, this.stage, make("aside", { class: "side", "aria-label": say.about }, this.tabs, ...Object.values(panels), this.hintBox, this.moveList.ribbon, this.actions())),
    );
    this.root = this.main.firstChild;
    this.root.style.setProperty("--ratio", String(view.look.box[2] / view.look.box[3]));
    this.stage.addEventListener("pointerdown", () => this.peek(false));
    this.seatStage(this.you.length === 1 && this.you[0] === "second");
    if (this.query.ply !== undefined) this.wanted = Math.max(0, Math.min(state.moves.length, Number(this.query.ply) || 0));
  }

  movesPanel() {
    const typed = make("input", { type: "text", "aria-label": say.typed, placeholder: say.typed, autocomplete: "off", maxlength: 40 });
    const enter = (event) => {
      event.preventDefault();
      if (typed.value.trim()) this.play(typed.value.trim());
      typed.value = "";
    };
    this.entry = make("form", { class: "entry row", onsubmit: enter }, typed, make("button", { type: "submit", class: "btn sm" }, say.playIt));
    this.text = make("pre", { class: "mono tiny" });
    return make("div", { class: "panel played" }, this.moveList.element, this.entry, make("details", {}, make("summary", { class: "small" }, texts.board.asText), this.text));
  }

  actions() {
    const act = (name, drawn, label, onclick, extra = "") => make("button", { type: "button", class: `act ${name}${extra}`, onclick }, icon(drawn), label);
    this.buttons = {
      undo: act("undo", "undo", say.undo, () => this.live.send({ type: "undo" })),
      hint: act("hint", "hint", say.hint, () => this.askHint()),
      flip: act("flip", "flip", say.flip, () => this.flip(), " desk-only"),
      share: act("share", "share", say.shareIt, () => this.sheets.share(), " desk-only"),
      resign: act("resign", "resign", say.resign, () => this.askResign(true), " desk-only"),
      moves: act("moves-button", "moves", say.moves, () => this.showMoves(), " phone-only"),
      more: act("more", "more", say.more, () => this.sheets.more(), " phone-only"),
    };
    return make("div", { class: "actions" }, ...Object.values(this.buttons));
  }

  // See the board from the other side.
  flip() {
    this.board.flip(!this.board.drawing.flipped);
    this.seatStage(!this.swapped);
  }

  // Who sits below: the first player, or the second where the seats are swapped.
  seatStage(swapped) {
    this.swapped = swapped;
    const [below, above] = swapped ? [1, 0] : [0, 1];
    this.strips[above].element.classList.replace("me", "top") || this.strips[above].element.classList.add("top");
    this.strips[below].element.classList.replace("top", "me") || this.strips[below].element.classList.add("me");
    this.stage.replaceChildren(this.strips[above].element, this.message.element, this.board, this.strips[below].element);
  }

  // The reader has taken a seat.
  seated({ token, side }) {
    this.live.token = token;
    this.you = [side];
    this.seatStage(side === "second");
    this.live.send({ type: "hello", token });
  }

  // ------------------------------------------------------------ state

  update(state) {
    const before = this.state;
    this.state = state;
    this.received = performance.now();
    if (this.wanted !== undefined) {
      this.at = this.wanted === state.moves.length ? null : this.wanted;
      delete this.wanted;
    } else if (before && state.moves.length !== before.moves.length) this.at = null;
    const open = state.result === "*";
    if (!before || state.moves.length !== before.moves.length || state.result !== before.result) {
      this.prompt = "";
      this.hint = null;
      this.hintBox.replaceChildren(make("h3", {}, say.hint), make("p", { class: "small muted" }, say.hintAbout));
    }
    this.hintBox.hidden = !open || !state.hints || !this.you.length;
    this.strips.forEach((strip, side) => strip.show(state, this.mine(side)));
    if (state.present && String(state.present) !== String(before?.present)) this.sawOff(state.present);
    this.buttons.undo.disabled = !this.you.length || !state.moves.length || !open;
    this.buttons.hint.disabled = !this.myTurn() || !state.hints;
    this.buttons.hint.title = state.hints ? "" : say.noHints;
    this.buttons.resign.disabled = !this.you.length || !open;
    this.entry.classList.toggle("idle", !this.myTurn());
    if (!open) this.resigning = false;
    this.asked = Boolean(state.undo_asked && this.you.includes(state.undo_asked));
    this.tick();
    this.draw();
    if (before && state.moves.length > before.moves.length) knock();
    this.speak(before);
    this.tabs.label("coach", open ? say.tabs.coach : say.tabs.review, open && this.isQuiet(state));
    if (!open) this.ended(before);
    else this.followCoach();
    this.sheets.seats();
    this.heading.textContent = `${spoken(this.view.title)}: ${this.strips.map((strip) => strip.called).join(" – ")}`;
    document.title = texts.title(`${this.myTurn() ? "● " : ""}${spoken(this.view.title)}`);
    this.shownAt = performance.now();
  }

  mine(side) {
    return this.you.length === 1 && this.you.includes(side ? "second" : "first");
  }

  myTurn() {
    return this.state.result === "*" && this.you.includes(this.state.position.to_move);
  }

  side() {
    return this.state.position.to_move === "first" ? 0 : 1;
  }

  name(side) {
    return this.strips[side].called ?? nameOf(this.state, side, this.mine(side));
  }

  // Somebody came or left; whoever stays away for a while is said to.
  sawOff(present) {
    clearTimeout(this.leaving);
    this.state.present = present;
    const apply = () => {
      this.away = [0, 1].map((side) => !present[side] && this.state.taken[side]);
      this.strips.forEach((strip, side) => strip.leave(this.away[side]));
      this.showMessage();
    };
    if (present.every(Boolean)) apply();
    else this.leaving = setTimeout(apply, AWAY_MILLISECONDS);
  }

  // Whether people play each other: then nobody is coached.
  isQuiet(state) {
    return !state.players.some(Boolean);
  }

  // The coach speaks only while somebody has its tab open.
  get coached() {
    return this.tabs.shown === "coach" && this.state.result === "*" && this.coach;
  }

  turnTo(tab) {
    note("game", { tab: tab === (this.state.result === "*" ? "moves" : "coach") ? undefined : tab });
    if (this.state.result === "*") this.followCoach();
    this.draw();
  }

  async followCoach() {
    if (this.tabs.shown !== "coach") return this.coach?.rest();
    if (!this.coach) {
      const { Coach } = await import("./coach.js");
      this.coach ??= new Coach(this);
    }
    if (this.tabs.shown !== "coach" || this.state.result !== "*" || this.closed) return;
    this.coachPanel.replaceChildren(this.coach.element);
    this.coach.follow();
  }

  // The review of a game comes by itself.
  async ended(before) {
    if (before && before.result !== "*") return;
    this.coach?.rest();
    if (before) this.tabs.show("coach");
    const { Review } = await import("./review.js");
    if (this.closed || this.state.result === "*") return;
    this.review ??= new Review(this);
    this.coachPanel.replaceChildren(this.review.element);
    this.review.start(this.state);
  }

  async look(ply, said = true) {
    const total = this.state.moves.length;
    this.at = ply === null || Number.isNaN(ply) || ply >= total ? null : Math.max(0, ply);
    if (said) note("game", { ply: this.at ?? undefined });
    await this.fetchLine();
    this.draw();
    const at = this.at ?? total;
    if (said) announce(at ? `${this.state.moves[at - 1]}, ${say.place(at, total)}` : say.start);
  }

  // All positions of the game so far, asked for when somebody looks back.
  async fetchLine() {
    const { game, moves } = this.state;
    if (this.lineOf === moves.join(";")) return;
    const { positions } = await call("/api/positions", { body: { game, moves } });
    this.line = positions;
    this.lineOf = moves.join(";");
  }

  draw() {
    const { state } = this;
    const at = this.at ?? null;
    if (at !== null && this.lineOf !== state.moves.join(";")) {
      this.fetchLine().then(() => this.draw());
      return;
    }
    this.board.onmove = this.myTurn() && at === null && this.online ? (move) => this.play(move) : null;
    const position = at === null ? state.position : this.line[at];
    this.board.update(position, { ...(this.coached && this.coach.marks(at)), ...(at === null && this.hint?.shown), ...(this.state.result !== "*" && this.review?.marks(at)) });
    this.moveList.show(state.moves, at ?? state.moves.length, this.review?.notes ?? {});
    this.text.textContent = this.board.asText();
    this.showMessage();
  }

  // -------------------------------------------------------- the line

  notify(text) {
    this.prompt = text;
    this.showMessage();
    announce(text);
  }

  prompted(text) {
    this.prompt = text;
    this.showMessage();
  }

  showMessage() {
    const [bold, rest, offers] = wordsOf(this);
    this.message.say(bold, rest, offers);
  }

  // What a screen reader hears: the move that was played, and what is said above the board.
  speak(before) {
    const { moves } = this.state;
    const moved = before && moves.length > before.moves.length ? `${say.moved(this.name((moves.length - 1) % 2), moves.at(-1))} ` : "";
    announce(moved + this.message.text);
  }

  // ----------------------------------------------------------- playing

  play(move) {
    this.prompt = "";
    this.live.send({ type: "move", ply: this.state.position.ply, move });
  }

  askResign(asking) {
    this.resigning = asking;
    this.showMessage();
    if (asking) this.message.element.querySelector(".not")?.focus();
  }

  resign() {
    this.resigning = false;
    this.live.send({ type: "resign" });
  }

  // Each time the next step of a hint; it may take a moment until the first one is there: one sees that it comes.
  askHint() {
    if (this.hint?.next()) return this.showHint();
    this.live.send({ type: "hint" });
    if (this.online) this.notify(say.hintComes);
  }

  async hinted(found) {
    const { Hint } = await import("./hint.js");
    if (this.closed || found.ply !== this.state.position.ply || this.state.result !== "*") return;
    this.hint = new Hint(this.view, this.state.position, found);
    if (this.coached) this.coach.hinted(found);
    this.showHint();
  }

  showHint() {
    if (this.at != null) this.look(null);
    this.hint.fill(this.hintBox, () => this.askHint());
    if (this.hint.isLast) this.board.advise(this.hint.move);
    this.draw();
    this.notify(this.hint.text);
  }

  seen(look) {
    if (!this.coached) return;
    this.coach.seen(look);
    this.showMessage();
    if (!this.board.busy) this.coach.drawn() && this.draw();
  }

  async rematch() {
    if (this.rematching) return;
    this.rematching = true;
    try {
      const opened = this.state.rematch ? { id: this.state.rematch } : await call(`/api/rooms/${this.id}/rematch`, { method: "POST", token: tokenOf(this.id) });
      remember(opened.id, tokenOf(this.id), this.state.game);
      location.hash = `#/game/${opened.id}`;
    } finally {
      this.rematching = false;
    }
  }

  // Play on from an earlier position, on the same side, against the same opponent.
  async retry(ply) {
    const { game, players, moves, names } = this.state;
    const seat = (side) => (players[side] ? { kind: "ai", player: players[side] } : { kind: "me", name: names[side] });
    const [first, second] = [seat(0), seat(1)];
    await openGame({ game, first, second, moves: moves.slice(0, ply) });
  }

  connected(online) {
    if (this.online === online) return;
    this.online = online;
    this.board?.classList.toggle("out", !online); // a connection may be lost before the game has come
    if (this.state) this.draw();
    announce(online ? texts.outage.back : texts.outage.title);
  }

  key(event) {
    if (event.target.closest?.("input, textarea, select, dialog, [role=tab], [role=radio]") || event.defaultPrevented) return;
    if (event.key === "Escape") this.peek(false);
    if (event.target.closest?.(".cell") && event.key.startsWith("Arrow")) return;
    if (this.state && this.moveList.key(event)) event.preventDefault();
  }

  // ------------------------------------------------------ on a phone

  // A phone has the tabs below the board, or over it where the board needs all the room.
  reveal(tab) {
    this.tabs.show(tab, true);
    this.peek(true);
    this.tabs.scrollIntoView({ block: "start" });
  }

  peek(open) {
    if (!this.view.turns) return;
    this.root.classList.toggle("peek", open);
    this.buttons.moves.setAttribute("aria-expanded", open);
  }

  showMoves() {
    if (this.root.classList.contains("peek") && this.tabs.shown === "moves") this.peek(false);
    else this.reveal("moves");
  }

  tick() {
    if (!this.state) return;
    this.state.clocks.forEach((left, side) => {
      if (left === null) return;
      const running = this.state.result === "*" && this.state.moves.length && this.side() === side;
      this.strips[side].tick(Math.max(0, left - (running ? (performance.now() - this.received) / 1000 : 0)));
    });
  }
}

function rules({ guide, title }) {
  return make("div", { class: "panel" }, make("div", { class: "stack" }, make("h2", {}, spoken(title)), ...[guide.goal.join(" "), ...guide.special].map((text) => make("p", {}, spoken(text))), make("p", { class: "small muted" }, say.typing(spoken(guide.typing)))));
}
