// One game of a tournament or a class, move by move: list, ribbon, autoplay, what its players thought of it.

import { note, parse } from "./address.js";
import { prospects } from "./api.js";
import { call } from "./backend.js";
import { Board } from "./board.js";
import { curve } from "./curve.js";
import { make } from "./dom.js";
import { chip } from "./drawing.js";
import { faultName } from "./fault_words.js";
import { icon } from "./icons.js";
import { say } from "./study_texts.js";
import { analysisLink } from "./links.js";
import { MoveList } from "./movelist.js";
import { PlayerBar } from "./player_bar.js";
import { sideName } from "./sides.js";
import { texts } from "./texts.js";

const words = say.tournaments;

// `source` says where the game is asked for (path, token), and where one comes from (back: [address, name]).
export async function replay(box, source, key, query) {
  const view = new Replay(box, source, key);
  await view.load(query);
  return view;
}

class Replay {
  constructor(box, source, key) {
    this.box = box;
    this.source = source;
    this.key = key;
    this.onkey = (event) => !event.target.closest?.("input, ply-board") && this.list?.key(event) && event.preventDefault();
    addEventListener("keydown", this.onkey);
  }

  close() {
    this.bar?.close();
    URL.revokeObjectURL(this.record);
    removeEventListener("keydown", this.onkey);
  }

  async load(query) {
    const game = (this.game = await call(`${this.source.path}/${encodeURIComponent(this.key)}`, { token: this.source.token }));
    const [back, from] = this.source.back;
    const { board, positions } = await call("/api/positions", { body: { game: game.game, moves: game.moves } });
    this.view = board;
    this.positions = positions;
    this.board = new Board(board);
    this.list = new MoveList((ply) => this.bar.jump(ply));
    this.bar = new PlayerBar({ onstep: (at) => this.show(at), onrest: (at) => note(parse(back).name, { ply: at }) });
    this.curve = make("div", { class: "curvebox" });
    const strip = (side) => make("div", { class: "strip" }, chip(board, side, 32), make("div", { class: "who grow" }, make("b", {}, side ? game.second : game.first), make("span", {}, sideName(board, side))), make("span", { class: `tag ${this.tone(side)}` }, this.word(side)));
    this.record = URL.createObjectURL(new Blob([game.pgn], { type: "text/plain" }));
    const pgn = make("a", { class: "btn sm", href: this.record, download: `${this.key}.pgn` }, icon("down"), "PGN");
    const root = make(
      "div",
      { class: `game replay${board.turns ? " turns" : ""}` },
      make("section", { class: "stage", "aria-label": words.replay }, strip(1), this.board, strip(0), this.bar.element),
      make(
        "aside",
        { class: "side", "aria-label": words.replay },
        make("div", { class: "panel enginebox" }, make("p", { class: "small" }, make("a", { href: back }, `‹ ${from}`)), make("h1", { class: "replaytitle" }, words.versus(game.first, game.second)), make("p", { class: "small muted" }, `${game.result.replace("1/2-1/2", "½-½")} · ${texts.game.endings[game.termination] ?? faultName(game.termination)}`), this.curve, make("div", { class: "row" }, make("a", { class: "btn sm", href: analysisLink(game.game, game.moves) }, icon("analyse"), words.analyse), pgn)),
        make("div", { class: "panel movesbox" }, this.list.element),
        this.list.ribbon,
      ),
    );
    root.style.setProperty("--ratio", String(board.look.box[2] / board.look.box[3]));
    this.box.append(root);
    this.bar.load(game.moves.length, query.ply === undefined ? game.moves.length : Number(query.ply) || 0);
  }

  tone(side) {
    const won = this.game.result === (side ? "0-1" : "1-0");
    return this.game.result === "1/2-1/2" ? "warn" : won ? "good" : "";
  }

  word(side) {
    if (this.game.result === "*") return "";
    if (this.game.result === "1/2-1/2") return texts.game.drawn;
    return this.game.result === (side ? "0-1" : "1-0") ? texts.game.won : texts.game.lost;
  }

  show(at) {
    this.board.update(this.positions[at]);
    this.list.show(this.game.moves, at);
    const values = [null, ...this.game.scores.map((score, i) => (score ? (i % 2 ? -1 : 1) * prospects(score) : null))];
    if (values.some((value) => value !== null)) this.curve.replaceChildren(curve(values, { at, label: words.thought, sides: [0, 1].map((side) => texts.review.wins(sideName(this.view, side))), onpick: (ply) => this.bar.jump(ply) }));
  }
}
