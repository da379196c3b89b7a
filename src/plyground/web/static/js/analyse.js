// The analysis board: any position of any game, the judge always on, the course of a whole game.

import { go as goTo, note } from "./address.js";
import { Outage, memory } from "./api.js";
import { call } from "./backend.js";
import { Board } from "./board.js";
import { pliesOf, short } from "./brief.js";
import { offered, titleOf } from "./choices.js";
import { announce, choice, make } from "./dom.js";
import { Engine } from "./engine.js";
import { GameCourse } from "./game_course.js";
import { icon } from "./icons.js";
import { say } from "./lab_texts.js";
import { MoveList } from "./movelist.js";
import { signed } from "./numbers.js";
import { ANALYSED_GAME, movesIn, questions } from "./questions.js";
import { reasons } from "./reasons.js";
import { sideName, sideOf } from "./sides.js";
import { texts } from "./texts.js";
import { shareOf, worthWords } from "./worth.js";

const words = say.analyse;
const SHOWN_LINES = 3;
const GAMES = ["connect-four", "connect-four:rows=6,columns=7", "polarized-ladder", "double-card", "gomoku", "tic-tac-toe"];

export async function open(box, parts, query) {
  const view = new Analysis(box);
  await view.load(query);
  return view;
}

class Analysis {
  constructor(box) {
    this.moves = [];
    this.positions = [];
    this.at = 0;
    this.on = memory.get("engine", true);
    this.flipped = false;
    this.engine = new Engine({ onanswer: (answer) => this.judged(answer), onstate: (state) => this.progress(state) });
    this.course = new GameCourse({ onpick: (ply) => this.step(ply), onmarks: () => this.showList() });
    this.list = new MoveList((ply) => this.step(ply));
    this.stage(box);
    this.onkey = (event) => this.key(event);
    addEventListener("keydown", this.onkey);
  }

  close() {
    this.engine.stop();
    this.course.stop();
    this.sheet?.close();
    removeEventListener("keydown", this.onkey);
  }

  // ----------------------------------------------------------- the page

  stage(box) {
    const tool = (name, drawn, act) => make("button", { type: "button", class: `btn sm ${name}`, "aria-label": words[name], onclick: act }, icon(drawn), make("span", { class: "lbl" }, words[name]));
    this.games = make("div", { class: "gamepick" });
    this.file = make("input", { type: "file", accept: ".pgn,.json,.jsonl,.txt", hidden: true, "aria-label": words.openFile, onchange: () => this.openFile() });
    this.bar = make("div", { class: "vbar", role: "img", "aria-label": words.bar }, make("span", {}), make("b", {}));
    this.boardBox = make("div", { class: "boardbox" });
    this.message = make("p", { class: "msg small", role: "status" });
    this.verdict = make("b", {});
    this.tag = make("span", { class: "tag" });
    this.power = make("button", { type: "button", class: "btn sm square power", onclick: () => this.toggle() });
    this.meter = make("div", { class: "meter" }, make("span", {}));
    this.lines = make("ol", { class: "lines", "aria-label": words.lines });
    this.source = make("p", { class: "tiny faint source" });
    this.reason = make("p", { class: "small reason" });
    const tools = make("div", { class: "row tools" }, make("h1", { class: "unseen" }, words.title), this.games, make("span", { class: "grow" }), tool("paste", "paste", () => this.paste()), tool("open", "open", () => this.file.click()), tool("share", "share", () => this.share()), tool("flip", "flip", () => this.flip()), this.file);
    this.root = make(
      "div",
      { class: "game analysis" },
      make("section", { class: "stage", "aria-label": words.title }, tools, make("div", { class: "bench" }, this.bar, this.boardBox), this.message, this.course.element),
      make(
        "aside",
        { class: "side", "aria-label": words.engine },
        make("div", { class: "panel enginebox" }, make("div", { class: "row nowrap" }, make("div", { class: "grow verdict" }, this.verdict, this.tag), this.power), this.meter, this.lines, this.reason, this.source),
        make("div", { class: "panel movesbox" }, this.list.element),
        this.list.ribbon,
      ),
    );
    box.append(this.root);
    this.dressPower();
  }

  dressPower() {
    this.power.replaceChildren(icon(this.on ? "pause" : "go"));
    this.power.setAttribute("aria-label", this.on ? words.stop : words.start);
  }

  async offerGames() {
    const list = [...new Set([...(await offered(GAMES)), this.game])];
    const titles = await Promise.all(list.map(titleOf));
    const select = choice(list.map((spec, i) => [spec, titles[i]]), this.game, (game) => goTo("analyse", [], { game }));
    select.setAttribute("aria-label", words.game);
    this.games.replaceChildren(select);
  }

  // --------------------------------------------------------- the line

  // A state by its address; what was asked for last is what is shown.
  async load(query) {
    const game = query.game ?? ANALYSED_GAME;
    const moves = movesIn(query);
    const at = Math.max(0, Math.min(moves.length, Number(query.at ?? moves.length) || 0));
    if (game === this.game && moves.join(";") === this.moves.join(";") && this.positions.length) return this.go(at);
    const mine = (this.asked = {});
    this.engine.stop();
    const { board, positions } = await call(...questions.positions(game, moves));
    if (this.asked !== mine) return;
    const [forced, choice] = positions.at(-1).moves;
    if (forced && !choice && !forced.cells.length && at === moves.length) return this.load({ game, moves: [...moves, forced.move].join(";") }); // a side that can only pass
    const [other, grown] = [game !== this.game, moves.length - this.moves.length];
    this.game = game;
    this.moves = moves;
    this.positions = positions;
    this.view = board;
    if (other) this.place();
    this.course.follow(game, moves, board, other || Math.abs(grown) > 1);
    this.go(at);
  }

  go(query) {
    // Called by the page with the query of a new address, and here with a ply.
    if (typeof query === "object") return this.load(query);
    this.at = query;
    this.shown = null;
    this.board.update(this.positions[this.at]);
    this.showList();
    this.course.at(this.at);
    announce(this.at ? this.moves[this.at - 1] : texts.game.start);
    note("analyse", { game: this.game, moves: this.moves.join(";"), at: this.at === this.moves.length ? undefined : this.at });
    this.learnMoves();
    this.think();
    this.certify();
  }

  // Who cannot lose by a pairing of cells, where there is one; its pairs are drawn while one points at the words.
  async certify() {
    this.message.replaceChildren();
    const { at, positions } = this;
    if (positions[at].outcome) return;
    const { proofs } = await call("/api/certificate", { body: { game: this.game, moves: this.moves.slice(0, at) } });
    if (!proofs.length || this.positions !== positions || this.at !== at) return;
    const pairs = (on) => ((this.shown = on ? proofs[0] : null), this.board.update(positions[at], on ? { pairs: proofs[0].pairs } : {}), on || this.drawMarks());
    const said = proofs.length > 1 ? words.neitherLoses : words.cannotLose(sideName(this.view, sideOf(proofs[0].side)));
    this.message.replaceChildren(make("button", { type: "button", class: "proof", onpointerenter: () => pairs(true), onpointerleave: () => pairs(false), onfocus: () => pairs(true), onblur: () => pairs(false) }, said));
  }

  step(ply) {
    this.go(Math.max(0, Math.min(this.moves.length, ply)));
  }

  place() {
    this.board = new Board(this.view, { onmove: (move) => this.play([move]), onsay: (text, more = "") => this.message.replaceChildren(`${text} ${more}`.trim()), flipped: this.flipped });
    this.boardBox.replaceChildren(this.board);
    this.root.classList.toggle("turns", this.view.turns);
    this.root.dataset.kind = this.view.look.kind;
    this.root.style.setProperty("--ratio", String(this.view.look.box[2] / this.view.look.box[3]));
    this.offerGames();
  }

  play(line) {
    const moves = [...this.moves.slice(0, this.at), ...line];
    goTo("analyse", [], { game: this.game, moves: moves.join(";") });
  }

  // The legal moves of a position are asked for when one goes there.
  async learnMoves() {
    const { at, positions } = this;
    if (positions[at].moves || positions[at].outcome) return;
    const answer = await call(...questions.positions(this.game, this.moves.slice(0, at)));
    positions[at] = { ...positions[at], moves: answer.positions[at].moves };
    if (this.positions === positions && this.at === at) this.board.update(positions[at], this.board.marks);
  }

  showList() {
    this.list.show(this.moves, this.at, this.course.marks);
  }

  key(event) {
    if (event.defaultPrevented || event.target.closest?.("input, textarea, select, dialog, ply-board, [role=radiogroup]")) return;
    if (this.list.key(event)) event.preventDefault();
  }

  // --------------------------------------------------------- the judge

  toggle() {
    this.on = !this.on;
    memory.set("engine", this.on);
    this.dressPower();
    this.think();
  }

  think() {
    this.engine.stop();
    this.answer = null;
    this.reason.replaceChildren();
    const position = this.positions[this.at];
    if (position.outcome) return this.over(position.outcome);
    this.showVerdict(this.on ? texts.coach.asks : words.off, null);
    this.showLines([]);
    this.source.textContent = this.on ? "" : words.offMeans;
    this.meter.firstChild.style.setProperty("width", "0");
    if (!this.on) return this.fill(0, false);
    this.engine.start(this.game, this.moves.slice(0, this.at)).catch((error) => {
      if (!this.answer) this.showVerdict(texts.lost.failed, null);
      this.source.replaceChildren(`${error instanceof Outage ? texts.outage.title : error.message} `, make("button", { type: "button", class: "btn sm again", onclick: () => this.think() }, texts.lost.again));
    });
  }

  over({ winner, ending }) {
    const side = winner ? sideOf(winner) : null;
    this.showVerdict(winner ? texts.game.wins(sideName(this.view, side)) : texts.game.draw, null);
    this.showLines([]);
    this.source.textContent = texts.game.endings[ending] ?? ending;
    this.meter.firstChild.style.setProperty("width", "0");
    this.fill(winner ? (side === 0 ? 1 : -1) : 0, true);
  }

  judged(answer) {
    if (answer.partial && !this.answer) return;
    if (answer.partial) return (this.answer.exact = { ...this.answer.exact, ...answer.exact }), this.drawMarks();
    // Where all others lose, the best move may be one that has not been looked at yet.
    const unseen = answer.not_compared.find((one) => one.move === answer.best);
    this.answer = unseen ? { ...answer, moves: [unseen, ...answer.moves] } : answer;
    const turn = sideOf(this.positions[this.at].to_move);
    const share = shareOf(answer.worth, turn);
    if (answer.worth) this.showVerdict(this.inWords(share, answer.worth, answer.proved), answer.proved);
    this.fill(share, answer.proved, answer.worth);
    this.showLines(this.answer.moves.slice(0, SHOWN_LINES));
    this.showReason(answer);
    this.source.textContent = words.source(words.sources[answer.source] ?? answer.source, answer.depth, answer.nodes, answer.seconds);
    this.drawMarks();
  }

  // Why the best move is the best: reasons come last, and go as soon as another move is.
  showReason({ best, claims }) {
    if (claims) this.reason.replaceChildren(make("b", {}, `${best}: `), reasons(this.view, claims, sideOf(this.positions[this.at].to_move))[0]);
    else if (best !== this.explained) this.reason.replaceChildren();
    if (claims || best !== this.explained) this.explained = claims ? best : null;
  }

  inWords(share, worth, proved) {
    if (proved && worth.result === "draw") return texts.coach.draw;
    const name = sideName(this.view, share > 0 ? 0 : 1);
    if (proved) return texts.coach.wins(name, pliesOf(worth));
    return Math.abs(share) < 0.06 ? texts.coach.even : texts.coach.ahead(name);
  }

  showVerdict(text, proved) {
    this.verdict.textContent = text;
    this.tag.hidden = proved === null;
    this.tag.className = proved ? "tag good proved" : "tag";
    this.tag.textContent = proved ? texts.coach.proved : texts.coach.opinion;
  }

  // share: from -1 to 1 for the first player.
  fill(share, proved, worth = null) {
    this.bar.style.setProperty("--rest", `${(50 - 50 * Math.max(-0.97, Math.min(0.97, share))).toFixed(1)}%`);
    this.bar.classList.toggle("proof", proved);
    this.bar.classList.toggle("upper", share < 0);
    this.bar.lastChild.textContent = worth?.result ? short(worth).replace(/^[+−]/, "") : "";
    this.bar.setAttribute("aria-label", texts.coach.evaluation(this.verdict.textContent));
  }

  progress({ state, share }) {
    this.meter.firstChild.style.setProperty("width", state === "running" ? `${(100 * share).toFixed(0)}%` : "0");
    this.meter.classList.toggle("running", state === "running");
  }

  // ---------------------------------------------------------- the lines

  showLines(moves) {
    const rows = [...Array(SHOWN_LINES).keys()].map((i) => (moves[i] ? this.line(moves[i], i) : make("li", { class: "none", "aria-hidden": "true" }, make("span", { class: "rank" }), make("p", {}, " "), make("p", { class: "then" }, " "))));
    const focused = document.activeElement?.closest?.(".lines li") ? [...this.lines.children].indexOf(document.activeElement.closest("li")) : -1;
    this.lines.replaceChildren(...rows);
    if (focused >= 0) this.lines.children[focused]?.querySelector("button")?.focus();
  }

  line(entry, i) {
    const exact = this.answer.exact[entry.move];
    const enter = () => this.showLine(entry, i);
    const leave = () => this.showLine(null);
    return make(
      "li",
      { onpointerenter: enter, onpointerleave: leave },
      make("button", { type: "button", class: "rank", "aria-label": words.playIt(entry.move), onfocus: enter, onblur: leave, onclick: () => this.play([entry.move]) }, entry.move.length > 3 ? String(i + 1) : entry.move),
      make("p", {}, make("b", {}, worthWords(entry.worth)), exact === undefined ? "" : make("span", { class: "small muted" }, ` ${signed(exact)}`)),
      make("p", { class: "then" }, entry.line.slice(0, 10).join(entry.move.length > 3 ? " · " : " ") + (entry.line.length > 10 ? " …" : "")),
    );
  }

  // A line on the board: its moves as numbered ghosts.
  async showLine(entry, rank = 0) {
    this.shown = entry;
    if (!entry) return this.drawMarks();
    const { at } = this;
    const { positions } = await call(...questions.positions(this.game, [...this.moves.slice(0, at), ...entry.line.slice(0, 6)]));
    if (this.shown !== entry || this.at !== at) return;
    const ghosts = positions.slice(at + 1).map((position) => position.played);
    this.board.update(this.positions[at], { ...this.scores(), ghosts, arrows: this.view.turns ? [] : [{ cells: ghosts[0].cells, rank }] });
  }

  drawMarks() {
    if (this.shown || !this.answer) return;
    const moves = this.positions[this.at].moves ?? [];
    const best = moves.find((move) => move.move === this.answer.moves[0]?.move);
    const arrows = best && this.view.look.kind === "frame" ? [{ cells: best.cells, rank: 0 }] : [];
    this.board.update(this.positions[this.at], { ...this.scores(), arrows, ghosts: best && !arrows.length ? [best] : [] });
  }

  // What is exact of each move: under its column where pieces fall, else on its cell.
  scores() {
    const moves = new Map((this.positions[this.at].moves ?? []).map((move) => [move.move, move]));
    if (this.view.look.kind === "frame") {
      const exact = Object.entries(this.answer.exact).filter(([move]) => moves.has(move));
      const top = this.answer.exact[this.answer.moves[0]?.move]; // the best move is marked once it is known which it is
      const alike = exact.every(([, value]) => value === top); // where all are as good, none is marked
      return { scores: exact.map(([move, value]) => ({ column: this.view.cells[moves.get(move).cells[0]].column, text: signed(value), tone: value > 0 ? "good" : "", best: value === top && !alike })) };
    }
    if (this.view.turns) return {};
    const proved = this.answer.moves.filter((one) => one.proved && moves.has(one.move) && !one.worth.at_most);
    if (new Set(proved.map((one) => short(one.worth))).size < 2) return {}; // where all are alike there is nothing to show
    return { numbers: Object.fromEntries(proved.map((one) => [moves.get(one.move).cells[0], short(one.worth)])) };
  }

  // --------------------------------------------------------- the tools

  async paste() {
    const { OpenSheet } = await import("./open_sheet.js");
    this.sheet = new OpenSheet(this.game, (game, moves) => goTo("analyse", [], { game, moves: moves.join(";") }));
    this.sheet.open();
  }

  async openFile() {
    const [file] = this.file.files;
    this.file.value = "";
    if (!file) return;
    const [text, { openFile }] = await Promise.all([file.text(), import("./open_sheet.js")]);
    openFile(text, this.game, (game, moves) => goTo("analyse", [], { game, moves: moves.join(";") }), (sheet) => (this.sheet = sheet));
  }

  async share() {
    const { PositionShare } = await import("./position_share.js");
    this.sheet = new PositionShare(this.game, this.moves.slice(0, this.at), this.view.title);
    this.sheet.open();
  }

  flip() {
    this.flipped = !this.flipped;
    this.board.flip(this.flipped);
  }
}
