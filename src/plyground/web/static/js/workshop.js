// The workshop: the text of a game on one side, its board alive on the other. What the text means, and what is wrong with
// it, is answered by the compiler.

import { go as goTo, link, note } from "./address.js";
import { Outage, memory } from "./api.js";
import { call, stream } from "./backend.js";
import { Board } from "./board.js";
import { Sheet, copy } from "./dialog.js";
import { alertUser, announce, choice, make } from "./dom.js";
import { chip } from "./drawing.js";
import { read } from "./game_name.js";
import { icon } from "./icons.js";
import { linkTo } from "./invite.js";
import { say } from "./lab_texts.js";
import { levelName } from "./levels.js";
import { analysisLink } from "./links.js";
import { openGame } from "./seats.js";
import { settings } from "./settings.js";
import { sideName, sideOf } from "./sides.js";
import { switcher } from "./switcher.js";
import { texts } from "./texts.js";

const words = say.shop;
const EXAMPLE = "yavalath";
const TYPING_MILLISECONDS = 150; // a pause after which a text is looked at
const REST_MILLISECONDS = 1200; // a pause after which it is asked who wins
const TRIED_SECONDS = 2;
const LONGER_SECONDS = 60;
const GAME_SECONDS = 1.5;
const MOVES_PARTED = ";";
const PASS = "pass"; // as moves are written

let games = null; // of the gallery, fetched once
let themes = {};

export async function open(box, parts, query) {
  if (!games) ({ games, themes } = await call("/api/workshop"));
  const shop = new Workshop(box);
  await shop.load(query);
  return { go: (next) => shop.load(next), close: () => shop.close() };
}

// The text of a line in parts that look different: what it begins with, numbers, a remark.
function painted(line, fault) {
  const [, space, head, rest, remark] = /^(\s*)([^\s:,]*)(.*?)(\/\/.*)?$/.exec(line);
  const parts = [[space], [head, words.list.some(([word]) => word === head) ? "word" : ""]];
  for (const part of rest.split(/(\b\d+\b)/)) parts.push([part, /^\d+$/.test(part) ? "number" : ""]);
  parts.push([remark ?? "", "remark"]);
  if (!fault) return parts.map(([text, name]) => (text && name ? make("span", { class: name }, text) : text));
  const [from, to] = placeOf(line, fault);
  return [line.slice(0, from), make("u", {}, line.slice(from, to) || " "), line.slice(to)];
}

// Where in its line a fault lies: from the column to the end of the word. Columns count letters, also those of two units.
function placeOf(line, { column }) {
  const from = [...line].slice(0, column - 1).join("").length;
  return [from, from + (/^[^\s,:]*/.exec(line.slice(from))[0].length || 1)];
}

// The text with line numbers behind it, and a fault at its place.
class Editor {
  constructor(onchange) {
    this.lines = make("ol", { "aria-hidden": "true" });
    this.area = make("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": words.text, "aria-describedby": "shop-state", oninput: () => (this.draw(), onchange()) });
    this.repair = make("button", { type: "button", class: "fix", hidden: true, onclick: () => (this.mend(), onchange()) });
    this.element = make("div", { class: "shopcode" }, this.lines, this.area, this.repair);
  }

  get text() {
    return this.area.value;
  }

  set text(text) {
    this.area.value = text;
    this.draw();
  }

  draw(fault = null) {
    this.fault = fault;
    const lines = this.text.split("\n");
    this.lines.replaceChildren(...lines.map((line, i) => make("li", { class: fault?.line === i + 1 ? "bad" : null }, make("span", {}, String(i + 1)), make("code", {}, ...painted(line, fault?.line === i + 1 ? fault : null)))));
    this.area.rows = lines.length;
    this.area.setAttribute("aria-invalid", String(Boolean(fault)));
    this.repair.hidden = !fault?.nearest;
    this.repair.textContent = fault?.nearest ? words.change(fault.nearest) : "";
    this.element.style.setProperty("--line", String((fault?.line ?? 1) - 1));
  }

  // The nearest known word in the place of the wrong one.
  mend() {
    const lines = this.text.split("\n");
    const line = lines[this.fault.line - 1];
    const [from, to] = placeOf(line, this.fault);
    lines[this.fault.line - 1] = line.slice(0, from) + this.fault.nearest + line.slice(to);
    this.text = lines.join("\n");
    this.area.focus();
  }
}

class Workshop {
  constructor(box) {
    this.game = "";
    /** @type {any} */
    this.view = null;
    /** @type {any} */
    this.position = null;
    /** @type {any} */
    this.factsFound = null;
    this.moves = [];
    this.asked = 0;
    this.editor = new Editor(() => this.wait());
    this.file = make("h2", { class: "grow filename" });
    this.state = make("p", { class: "state", id: "shop-state", role: "status" });
    this.gallery = make("div", { class: "shopgallery" });
    this.message = make("p", { class: "shopsay" });
    this.level = choice([], "", (level) => memory.set("level", Number(level)));
    this.level.setAttribute("aria-label", words.level);
    this.play = make("button", { type: "button", class: "btn primary fight", onclick: () => this.begin() }, icon("go"), words.play);
    this.share = make("button", { type: "button", class: "btn share", onclick: () => this.openShare() }, icon("share"), words.share);
    this.undo = make("button", { type: "button", class: "btn sm quiet undo", onclick: () => this.takeBack() }, icon("undo"), words.undo);
    this.clear = make("button", { type: "button", class: "btn sm quiet clear", onclick: () => this.playMoves([]) }, icon("first"), words.clear);
    this.analyse = make("a", { class: "btn sm quiet" }, icon("analyse"), words.analyse);
    this.boardBox = make("div", { class: "boardbox" });
    this.facts = make("div", { class: "card found", "aria-label": words.found, role: "group" });
    this.wins = make("b", {});
    this.winsWhy = make("span", {});
    this.tryMore = make("button", { type: "button", class: "btn sm quiet longer", hidden: true, onclick: () => this.askWhoWins(LONGER_SECONDS) }, words.longer);
    this.element = make(
      "div",
      { class: "workshop" },
      make("header", { class: "labhead" }, make("h1", {}, words.title), make("p", { class: "muted small desk-only grow" }, words.about), switcher("workshop")),
      make(
        "section",
        { class: "shoptext", "aria-label": words.text },
        make("div", { class: "card shopeditor" }, make("div", { class: "row nowrap shopbar" }, this.file, make("button", { type: "button", class: "btn quiet sm words", onclick: () => new WordSheet().open() }, icon("learn"), words.words)), this.editor.element, this.state),
      ),
      make(
        "section",
        { class: "shopboard", "aria-label": words.game },
        make("div", { class: "row nowrap shoptop" }, this.message, this.level, this.play, this.share),
        this.boardBox,
        make("div", { class: "row nowrap shopunder" }, this.undo, this.clear, make("span", { class: "grow" }), this.analyse),
        this.facts,
      ),
      make("section", { class: "shopstart", "aria-label": words.start }, make("div", { class: "row nowrap" }, make("h2", { class: "grow" }, words.start), make("span", { class: "tiny muted desk-only" }, words.kept)), this.gallery),
    );
    box.append(this.element);
  }

  // ----------------------------------------------------------- loading

  async load(query) {
    const wanted = query.game ?? EXAMPLE;
    if (this.view && wanted === this.game) return;
    const text = games.find(({ name }) => name === wanted)?.text ?? (await read(wanted));
    if (text === null) await call(`/api/board?${new URLSearchParams({ game: wanted })}`); // which refuses it, in words
    this.moves = query.moves ? query.moves.split(MOVES_PARTED) : [];
    this.editor.text = (text ?? "").trimEnd();
    document.title = texts.title(words.title);
    await this.look();
  }

  // Whoever types is not interrupted: the text is looked at in a pause.
  wait() {
    clearTimeout(this.timer);
    this.stopAsking();
    const { text } = this.editor;
    if (!games.some((game) => game.text.trimEnd() === text.trimEnd())) memory.set("workshop", text);
    this.timer = setTimeout(() => this.look().catch((error) => alertUser(error instanceof Outage ? texts.outage.title : error.message)), TYPING_MILLISECONDS);
  }

  async look() {
    const mine = ++this.asked;
    const { text } = this.editor;
    const found = await call("/api/workshop", { body: { text } });
    if (mine !== this.asked || this.closed) return;
    this.editor.draw(found.fault ?? null);
    this.offerGames();
    this.setOld(Boolean(found.fault));
    if (found.fault) return this.showFault(found.fault);
    const other = found.board.cells.length !== this.view?.cells.length;
    Object.assign(this, { game: found.game, view: found.board, factsFound: found.facts });
    this.file.textContent = `${found.game.split(".game")[0]}.game`;
    this.showGoal();
    await this.place(other, found.position, mine);
    this.offerLevels();
  }

  // The board of a new text: what was played stays on it where it still can be.
  async place(other, position, mine) {
    if (other && this.position) this.moves = [];
    const line = this.moves.length ? await this.positions(this.moves).catch(() => null) : null;
    if (mine !== this.asked) return;
    if (!line) this.moves = [];
    this.position = line?.at(-1) ?? position;
    this.board = new Board(this.view, { onmove: (move) => this.playMoves([...this.moves, move]), onsay: (text) => text && announce(text) });
    this.boardBox.replaceChildren(this.board);
    this.boardBox.style.setProperty("--ratio", String(this.view.look.box[2] / this.view.look.box[3]));
    this.show();
    this.showFacts();
    const known = this.fromGallery()?.known;
    if (known) this.showKnown(known);
    else this.timer = setTimeout(() => this.askWhoWins(TRIED_SECONDS), REST_MILLISECONDS);
  }

  positions(moves) {
    return call("/api/positions", { body: { game: this.game, moves } }).then(({ positions }) => positions);
  }

  // ------------------------------------------------------------ the board

  async playMoves(moves) {
    const { game } = this;
    const position = (await this.positions(moves)).at(-1);
    if (game !== this.game) return null;
    const [forced, other] = position.moves;
    if (forced && !other && !forced.cells.length) return this.playMoves([...moves, forced.move]); // a side that can only pass
    this.moves = moves;
    this.position = position;
    return this.show();
  }

  // Takes back the last move, and the passes after it.
  takeBack() {
    const kept = [...this.moves];
    while (kept.pop() === PASS);
    return this.playMoves(kept);
  }

  show() {
    this.board.update(this.position, {});
    const { outcome, to_move } = this.position;
    const side = sideOf(to_move);
    const sign = (which) => chip(this.view, which, 24);
    if (!outcome) this.message.replaceChildren(sign(side), make("b", {}, words.toMove(sideName(this.view, side))));
    else if (!outcome.winner) this.message.replaceChildren(make("b", {}, words.drawn));
    else this.message.replaceChildren(sign(sideOf(outcome.winner)), make("b", {}, words.won(sideName(this.view, sideOf(outcome.winner)))));
    this.undo.disabled = this.clear.disabled = !this.moves.length;
    this.analyse.href = analysisLink(this.game, this.moves);
    this.remember();
  }

  // The game of the gallery with this very text.
  fromGallery() {
    return games.find(({ text }) => text.trimEnd() === this.editor.text.trimEnd());
  }

  // The text is in the address, or the name of the gallery's game that has it.
  remember() {
    this.address = { game: this.fromGallery()?.name ?? this.game, moves: this.moves.join(MOVES_PARTED) };
    note("workshop", this.address);
  }

  setOld(old) {
    this.element.classList.toggle("old", old);
    this.play.disabled = this.share.disabled = this.level.disabled = old;
    if (this.board) this.board.onmove = old ? null : (move) => this.playMoves([...this.moves, move]);
    if (old) this.message.replaceChildren(make("span", { class: "muted" }, words.old));
  }

  // ------------------------------------------------------------ what is said

  showFault({ line, column, what, nearest }) {
    this.stopAsking();
    this.state.className = "state bad";
    this.state.replaceChildren(icon("warn"), make("span", {}, make("b", {}, words.place(line, column)), ` ${what}. `, nearest ? make("b", {}, words.meant(nearest)) : "", " ", this.view ? words.stays : ""));
  }

  showGoal() {
    const { goal, special } = this.view.guide;
    this.state.className = "state good";
    this.state.replaceChildren(icon("check"), make("span", {}, make("b", {}, words.isGame), ` ${goal.join(" ")} `, make("span", { class: "muted" }, special.join(" "))));
  }

  showFacts() {
    const { cells, patterns, symmetries, first_moves } = this.factsFound;
    const total = patterns.reduce((sum, { count }) => sum + count, 0);
    const fact = (number, ...about) => make("div", {}, make("b", {}, number), ...about);
    this.wins.textContent = words.whoWins.unknown;
    this.winsWhy.textContent = words.whoWins.soon;
    this.tryMore.hidden = true;
    this.facts.replaceChildren(
      fact(String(cells), make("span", {}, words.cells)),
      fact(String(total), make("span", {}, words.patterns(total)), ...patterns.map((one) => make("span", {}, words.ofSize(one.count, one.cells, one.loses)))),
      fact(String(symmetries), make("span", {}, words.symmetries(symmetries, first_moves))),
      make("div", { class: "wins" }, this.wins, this.winsWhy, this.tryMore),
    );
  }

  // What was proved of a game of the gallery before.
  showKnown(known) {
    this.wins.textContent = this.verdict(known);
    this.winsWhy.textContent = words.whoWins.known;
  }

  // What judge, solver and proof search know of the empty board.
  async askWhoWins(seconds) {
    this.stopAsking();
    const asking = (this.asking = new AbortController());
    const began = Date.now();
    this.tryMore.hidden = true;
    this.winsWhy.textContent = words.whoWins.trying;
    /** @type {any} */
    let known = null;
    try {
      await stream("/api/judge", { game: this.game, moves: [], seconds, prove: true }, (answer) => (known = answer.proved && answer.worth ? answer : known), asking.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.winsWhy.textContent = error instanceof Outage ? texts.outage.title : error.message;
      return;
    }
    if (asking.signal.aborted) return;
    const took = Math.max(0.1, (Date.now() - began) / 1000);
    this.tryMore.hidden = Boolean(known) || seconds > TRIED_SECONDS;
    this.winsWhy.textContent = known ? words.whoWins.solved(took) : words.whoWins.tried(seconds);
    if (known) this.wins.textContent = this.verdict(known.worth);
  }

  verdict({ result, plies }) {
    if (result === "draw") return words.whoWins.draw;
    const side = result === "win" ? 0 : 1;
    return words.whoWins.side(sideName(this.view, side), plies ? Math.ceil(plies / 2) : null);
  }

  stopAsking() {
    clearTimeout(this.timer);
    this.asking?.abort();
  }

  // ------------------------------------------------------------ playing and sharing

  async offerLevels() {
    const { game } = this;
    const players = await call(`/api/players?${new URLSearchParams({ game })}`);
    if (game !== this.game || this.closed) return;
    const levels = players.find(({ levels }) => levels)?.levels ?? [];
    const chosen = String(memory.get("level", 3));
    this.level.replaceChildren(...levels.map((offer) => make("option", { value: String(offer.number) }, levelName(offer))));
    this.level.value = chosen;
  }

  async begin() {
    this.play.disabled = true;
    try {
      await openGame({ game: this.game, first: { kind: "me" }, second: { kind: "ai", player: `engine:level=${this.level.value || 3}` }, ai_seconds: GAME_SECONDS });
    } catch (error) {
      alertUser(error instanceof Outage ? texts.outage.title : error.message);
    }
    this.play.disabled = false;
  }

  openShare() {
    new ShareSheet(linkTo(link("workshop", [], this.address)), this.editor.text, this.file.textContent).open();
  }

  // ------------------------------------------------------------ the gallery

  offerGames() {
    const own = memory.get("workshop", "");
    const text = this.editor.text.trimEnd();
    const mine = own ? [{ name: "", title: words.mine, rule: own.split("\n")[0], text: own }] : [];
    const tile = (game) =>
      make(
        "button",
        { type: "button", "data-game": game.name || "mine", "aria-pressed": String(game.text.trimEnd() === text), onclick: () => this.take(game) },
        game.name ? pictureOf(game) : icon("lab"),
        make("span", {}, make("b", {}, game.title), make("small", {}, game.rule)),
      );
    if (this.tiles !== own) this.gallery.replaceChildren(...[...mine, ...games].map(tile));
    else for (const button of this.gallery.children) button.setAttribute("aria-pressed", String(textOf(button, own).trimEnd() === text));
    this.tiles = own;
  }

  take({ name, text }) {
    this.moves = [];
    this.stopAsking();
    if (name) return goTo("workshop", [], { game: name });
    this.editor.text = text;
    return this.look();
  }

  close() {
    this.closed = true;
    this.stopAsking();
  }
}

const textOf = (button, own) => games.find(({ name }) => name === button.dataset.game)?.text ?? own;

// A small picture of a game under way, in the colours of the page.
function pictureOf({ picture }) {
  const drawn = picture.replace("/* theme */", themes[settings.theme] ?? themes.system);
  return make("img", { class: "thumb", alt: "", width: 46, height: 46, src: `data:image/svg+xml,${encodeURIComponent(drawn)}` });
}

class ShareSheet extends Sheet {
  constructor(address, text, file) {
    super("shopshare", words.shareTitle);
    const input = make("input", { type: "text", readonly: true, value: address, "aria-label": words.link });
    const said = make("p", { class: "small muted said", role: "status" });
    const copying = async () => (said.textContent = (await copy(input)) ? texts.share.copied : texts.invite.byHand);
    const saved = URL.createObjectURL(new Blob([`${text.trimEnd()}\n`], { type: "text/plain" }));
    this.body.append(
      make("p", { class: "muted" }, words.shareMeans),
      make("div", { class: "row nowrap" }, input, make("button", { type: "button", class: "btn primary copy", onclick: copying }, texts.share.copy)),
      make("p", {}, make("a", { class: "btn sm", href: saved, download: file }, icon("down"), file)),
      said,
    );
    this.dialog.addEventListener("close", () => URL.revokeObjectURL(saved));
  }
}

// Every word that a line may begin with, with an example.
class WordSheet extends Sheet {
  constructor() {
    super("shopwords", words.words);
    const row = ([word, example, meaning]) => make("tr", {}, make("th", { scope: "row" }, make("code", {}, word)), make("td", {}, make("code", {}, example)), make("td", {}, meaning));
    this.body.append(make("p", { class: "muted small" }, words.wordsMean), make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.words }, make("table", {}, make("tbody", {}, ...words.list.map(row)))));
  }
}
