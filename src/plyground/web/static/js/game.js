// A game under way: the board, whose turn it is, what one may do.

import { LiveRoom, Refusal, call, prospects, stream } from "./api.js";
import { Board } from "./board.js";
import { alertUser, announce, make } from "./dom.js";
import { remember, tokenOf } from "./setup.js";
import { texts } from "./texts.js";

const say = texts.game;

const JUDGED = 0.3; // seconds that a position is judged for the bar

export async function open(main, [id]) {
  const view = new GameView(main, id);
  return () => view.close();
}

class GameView {
  constructor(main, id) {
    this.main = main;
    this.id = id;
    this.you = [];
    this.show = { threats: false, poles: false };
    this.live = new LiveRoom(id, tokenOf(id), (event) => this.on(event));
    this.ticker = setInterval(() => this.tick(), 250);
  }

  close() {
    clearInterval(this.ticker);
    this.judging?.abort();
    this.live.close();
  }

  on(event) {
    // What happens before the welcome is part of the state that comes with it.
    if (!this.board && ["state", "thinking", "waiting", "hint", "look"].includes(event.type)) return;
    const handlers = {
      welcome: () => this.welcome(event),
      state: () => this.update(event),
      thinking: () => this.thinking(event),
      waiting: () => this.status(event.message),
      hint: () => this.hint(event),
      look: () => this.look(event),
      error: () => (this.board ? alertUser(event.message) : this.missing(event.message)),
      offline: () => this.connection(texts.offline),
      online: () => this.connection(""),
    };
    handlers[event.type]?.();
  }

  // There is no such game (any more), and no board to show it on.
  missing(message) {
    this.main.replaceChildren(make("h1", {}, message), make("p", {}, make("a", { href: "#/" }, texts.setup.title)));
  }

  welcome({ you, board, state }) {
    this.you = you;
    if (!this.board) this.build(board);
    this.update(state);
  }

  build(view) {
    this.board = new Board(view, { onmove: null });
    this.heading = make("h1", { class: "turnline" });
    this.names = make("div", { class: "names" });
    this.connectionNote = make("p", { class: "connection", role: "status" });
    this.bar = make("div", { class: "evalbar", role: "img", "aria-label": say.evaluation(say.even) }, make("div", { class: "fill" }));
    this.barWords = make("p", { class: "quiet summary", "aria-hidden": "true" }, say.evaluation(say.even));
    this.thought = make("p", { class: "thought quiet" });
    this.list = make("ol", { class: "moves", tabindex: 0, "aria-label": say.moves });
    this.invitation = make("div", { class: "invitation" });
    const button = (name, label, deed) => make("button", { type: "button", class: name, onclick: deed }, label);
    this.buttons = {
      undo: button("undo", say.undo, () => this.live.send({ type: "undo" })),
      hint: button("hint", say.hint, () => this.live.send({ type: "hint" })),
      resign: button("resign", say.resign, () => this.askResign(true)),
      resignSure: button("sure", say.resignSure, () => (this.askResign(false), this.live.send({ type: "resign" }))),
      resignNot: button("not", say.resignNot, () => this.askResign(false)),
      rematch: button("rematch", say.rematch, () => this.rematch()),
    };
    this.buttons.resignSure.hidden = this.buttons.resignNot.hidden = true;
    const typed = make("input", { type: "text", "aria-label": say.typed, placeholder: say.typed, autocomplete: "off", maxlength: 40 });
    this.entry = make(
      "form",
      {
        class: "entry",
        onsubmit: (event) => {
          event.preventDefault();
          if (typed.value.trim()) this.play(typed.value.trim());
          typed.value = "";
        },
      },
      typed,
      make("button", { type: "submit" }, say.playIt),
    );
    const toggle = (key, label) => {
      const box = make("input", { type: "checkbox", onchange: () => ((this.show[key] = box.checked), this.askLook()) });
      return make("label", { class: "toggle" }, box, ` ${label}`);
    };
    this.legend = make("p", { class: "legend quiet" });
    const poles = view.patterns.some((pattern) => pattern.poles.length);
    this.main.append(
      make(
        "div",
        { class: "table" },
        make("section", { class: "stage" }, this.heading, this.names, this.board.element, this.connectionNote),
        make(
          "aside",
          {},
          make("div", {}, this.bar, this.barWords),
          this.thought,
          make("div", { class: "row buttons" }, ...Object.values(this.buttons)),
          this.entry,
          make("div", { class: "row" }, toggle("threats", say.showThreats), poles ? toggle("poles", say.showPoles) : null),
          this.legend,
          this.invitation,
          this.list,
          make(
            "p",
            { class: "row" },
            (this.analyseLink = make("a", {}, say.analyse)),
            make("a", { href: `/api/rooms/${this.id}/record`, download: `plyground-${this.id}.pgn` }, say.record),
          ),
        ),
      ),
    );
  }

  update(state) {
    const before = this.state;
    this.state = state;
    this.received = performance.now();
    const { position, names, result } = state;
    const open = result === "*";
    const mine = open && this.you.includes(position.to_move);
    this.board.onmove = mine ? (move) => this.play(move) : null;
    this.askLook();
    this.heading.textContent = this.headline();
    this.clockBoxes = names.map((name, side) =>
      make(
        "span",
        { class: `name s${side}${open && this.sideIndex() === side ? " moving" : ""}` },
        make("span", { class: `chip s${side}` }, this.board.view.sides[side]),
        ` ${name}`,
        make("span", { class: "clock" }),
      ),
    );
    this.names.replaceChildren(...this.clockBoxes);
    this.tick();
    this.list.replaceChildren(...pairs(state.moves).map(([one, two]) => make("li", {}, make("span", {}, one), two ? make("span", {}, two) : null)));
    this.list.scrollTop = this.list.scrollHeight;
    this.buttons.undo.disabled = !this.you.length || !state.moves.length;
    this.buttons.hint.disabled = !mine;
    this.buttons.resign.disabled = !this.you.length || !open;
    if (!open && this.buttons.resign.hidden) this.askResign(false);
    this.buttons.rematch.hidden = open || (!this.you.length && !state.rematch);
    this.buttons.rematch.textContent = state.rematch ? say.toRematch : say.rematch;
    this.entry.classList.toggle("idle", !mine); // it keeps its place, so that nothing jumps
    this.analyseLink.href = `#/analyse?${new URLSearchParams({ game: state.game, moves: state.moves.join(";") })}`;
    this.invite(state);
    if (!this.state.players[this.sideIndex()] || !open) this.thought.textContent = "";
    if (state.undo_asked && this.you.includes(state.undo_asked)) this.board.say(say.undoSent);
    if (state.undo_asked && !this.you.includes(state.undo_asked) && this.you.length) alertUser(say.undoAsked(names[state.undo_asked === "first" ? 0 : 1]));
    if (!before || state.moves.length !== before.moves.length || state.result !== before.result) this.judge();
    if (before && state.moves.length > before.moves.length) {
      const mover = (state.moves.length - 1) % 2;
      announce(`${say.moved(names[mover], state.moves.at(-1))} ${this.headline()}`);
    } else announce(this.headline());
  }

  draw() {
    if (!this.state) return;
    const patterns = [];
    // What threatens and what is neutralised was decided by the server; here it is only drawn.
    if (this.show.threats) for (const threat of this.seen?.threats ?? []) patterns.push({ cells: threat.cells, kind: `threat s${threat.side}` });
    if (this.show.poles) for (const { cells, poles, dead, side } of this.seen?.poles ?? []) patterns.push({ cells, poles, kind: dead ? "dead" : `s${side}` });
    this.board.update(this.state.position, { patterns });
  }

  askLook() {
    this.seen = null;
    this.legend.textContent = [this.show.threats && say.threatsMean, this.show.poles && say.polesMean].filter(Boolean).join(" ");
    if (this.show.threats || this.show.poles) this.live.send({ type: "look" });
    this.draw();
  }

  look(seen) {
    this.seen = seen;
    if (!this.board.choice && !this.board.lifted) this.draw();
  }

  sideIndex() {
    return this.state.position.to_move === "first" ? 0 : 1;
  }

  headline() {
    const { state } = this;
    const side = this.board.view.sides[this.sideIndex()];
    if (state.result === "*") {
      if (this.you.includes(state.position.to_move) && this.you.length === 1) return say.yourTurn(side);
      const name = state.names[this.sideIndex()];
      return state.players[this.sideIndex()] ? say.thinks(name) : say.turn(name, side);
    }
    const how = say.endings[state.termination] ?? state.termination;
    if (state.result === "1/2-1/2") return say.draw(how);
    const winner = state.result === "1-0" ? 0 : 1;
    return say.won(state.names[winner], this.board.view.sides[winner], how);
  }

  play(move) {
    this.live.send({ type: "move", ply: this.state.position.ply, move });
  }

  askResign(asking) {
    this.buttons.resign.hidden = asking;
    this.buttons.resignSure.hidden = this.buttons.resignNot.hidden = !asking;
    (asking ? this.buttons.resignNot : this.buttons.resign).focus();
  }

  async rematch() {
    const opened = this.state.rematch ? { id: this.state.rematch } : await call(`/api/rooms/${this.id}/rematch`, { method: "POST", token: tokenOf(this.id) });
    remember(opened.id, tokenOf(this.id), this.state.game);
    location.hash = `#/game/${opened.id}`;
  }

  thinking({ depth, line, text, seconds }) {
    this.thought.textContent = `${say.depth(depth)} · ${text} · ${line.slice(0, 8).join("  ")} · ${say.seconds(seconds)}`;
  }

  // What the position is worth, by what is known of it and not by what an opponent thinks.
  async judge() {
    this.judging?.abort();
    const { position, result, game, moves, players } = this.state;
    if (result !== "*") return this.showWorth({ "1-0": 1, "0-1": -1 }[result] ?? 0, true);
    if (!players.some(Boolean)) return;
    const judging = (this.judging = new AbortController());
    const turn = position.to_move === "first" ? 1 : -1;
    try {
      await stream("/api/judge", { game, moves, seconds: JUDGED }, ({ worth, proved }) => worth && this.showWorth(turn * prospects(worth), proved), judging.signal);
    } catch (error) {
      if (error.name !== "AbortError" && !(error instanceof Refusal)) throw error; // a busy server leaves the bar as it is
    }
  }

  // worth: from -1 to 1 for the first player.
  showWorth(worth, proved) {
    const share = 50 + 50 * worth;
    this.bar.firstChild.style.setProperty("--share", `${share.toFixed(1)}%`);
    const side = this.board.view.sides[share > 50 ? 0 : 1];
    const even = Math.abs(share - 50) < 3;
    const who = proved ? (worth ? say.wins(side) : say.drawn) : even ? say.even : say.ahead(side);
    this.bar.setAttribute("aria-label", say.evaluation(who));
    this.barWords.textContent = say.evaluation(who);
  }

  hint({ ply, move, reason, text, cells, kinds }) {
    if (ply !== this.state.position.ply) return;
    const sentence = say.hintSays(move, reason, text);
    this.board.update(this.state.position, { ghosts: [{ cells, kinds }] });
    this.board.say(sentence);
  }

  invite(state) {
    const free = state.taken.findIndex((taken) => !taken);
    if (free < 0) {
      this.invitation.replaceChildren(this.you.length ? "" : make("p", { class: "quiet" }, say.watch));
    } else if (this.you.length) {
      const link = make("input", { type: "text", readonly: true, value: location.href, "aria-label": say.waiting });
      const copy = async () => {
        link.select();
        await navigator.clipboard?.writeText(location.href);
        alertUser(say.copied);
      };
      this.invitation.replaceChildren(make("p", {}, say.waiting), make("div", { class: "row" }, link, make("button", { type: "button", onclick: copy }, say.copy)));
    } else {
      const name = make("input", { type: "text", maxlength: 40, placeholder: texts.setup.name, "aria-label": texts.setup.name });
      const join = async () => {
        const seat = await call(`/api/rooms/${this.id}/join`, { body: { name: name.value } });
        remember(this.id, seat.token, state.game);
        this.live.token = seat.token;
        this.live.send({ type: "hello", token: seat.token });
      };
      this.invitation.replaceChildren(make("div", { class: "row" }, name, make("button", { type: "button", class: "primary join", onclick: join }, say.join)));
    }
  }

  connection(text) {
    if (this.connectionNote) this.connectionNote.textContent = text;
  }

  status(text) {
    this.thought.textContent = text;
  }

  tick() {
    if (!this.state || !this.clockBoxes) return;
    this.state.clocks.forEach((left, side) => {
      if (left === null) return;
      const running = this.state.result === "*" && this.state.moves.length && this.sideIndex() === side;
      const now = Math.max(0, left - (running ? (performance.now() - this.received) / 1000 : 0));
      const text = `${Math.floor(now / 60)}:${String(Math.floor(now % 60)).padStart(2, "0")}`;
      this.clockBoxes[side].querySelector(".clock").textContent = text;
    });
  }
}

function pairs(moves) {
  const made = [];
  for (let i = 0; i < moves.length; i += 2) made.push([moves[i], moves[i + 1]]);
  return made;
}
