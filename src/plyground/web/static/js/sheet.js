// A new game is a sheet over the page: against the computer, with a friend, on the same screen, or two programs.

import { memory } from "./api.js";
import { call, offers } from "./backend.js";
import { choice, field, make, segments } from "./dom.js";
import { icon } from "./icons.js";
import { levelName, levelNote } from "./levels.js";
import { openGame } from "./seats.js";
import { parseSpec, spec } from "./choices.js";
import { spoken, texts } from "./texts.js";

const say = texts.sheet;

const CLOCKS = ["", "60+0", "180+2", "600+5", "1800+10"];
const WITH = [
  ["computer", "computer"],
  ["friend", "lobby"],
  ["same", "same"],
  ["watch", "eye"],
].filter(([kind]) => kind !== "friend" || offers.friends);

const clockName = (control) => {
  const [seconds, increment] = control.split("+").map(Number);
  return control ? say.control(seconds / 60, increment) : say.noClock;
};

export class NewGame {
  constructor(home, query, onclose) {
    this.home = home;
    this.query = query;
    this.onclose = onclose;
    this.games = null;
    this.dialog = make("dialog", { class: "sheet newgame", "aria-label": say.title });
    this.dialog.addEventListener("close", () => {
      this.dialog.remove();
      if (!this.started) this.onclose();
    });
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  open() {
    const wanted = this.query.game ?? memory.get("game", this.home.game);
    const { name, values } = parseSpec(wanted);
    const named = (text) => this.home.games.find((one) => one.name === text);
    const known = named(wanted) ?? named(name) ?? this.home.games[0];
    this.game = choice(this.home.games.map((one) => [one.name, spoken(one.title)]), known.name, () => (this.side.pick(this.offered()), this.refit({})));
    this.with = segments(say.with, WITH.map(([kind, drawn]) => [kind, say[kind], icon(drawn)]), WITH.some(([kind]) => kind === this.query.with) ? this.query.with : "computer", () => this.show());
    this.about = make("p", { class: "small muted about" });
    this.level = make("input", { type: "range", min: 1, max: this.home.levels.length, step: 1, value: String(memory.get("level", this.home.level)), "aria-label": say.level, oninput: () => this.nameLevel() });
    this.levelName = make("output", { class: "levelname" });
    this.levelBox = make("div", { class: "stack levelbox" }, this.levelName, this.level);
    this.side = segments(say.side, ["first", "second", "random"].map((side) => [side, say[side]]), this.query.side ?? this.offered());
    this.sideBox = make("div", { class: "field" }, make("span", { class: "small muted" }, say.side), this.side);
    this.clock = choice(CLOCKS.map((control) => [control, clockName(control)]), "");
    this.name = make("input", { type: "text", maxlength: 40, autocomplete: "nickname", value: memory.get("name", "") });
    this.nameField = field(say.name, this.name);
    this.listed = make("input", { type: "checkbox" });
    this.listedBox = make("label", { class: "toggle small" }, this.listed, say.listed);
    this.options = make("div", { class: "options" });
    this.programs = make("div", { class: "stack" });
    this.pair = make("div", { class: "stack" });
    this.more = make("details", {}, make("summary", {}, say.more), make("div", { class: "stack" }, field(say.clock, this.clock), this.options, this.programs));
    this.problem = make("p", { class: "problem small", role: "alert" });
    this.start = make("button", { type: "submit", class: "btn primary start" }, say.start);
    const form = make(
      "form",
      { onsubmit: (event) => (event.preventDefault(), this.begin()) },
      make("header", {}, make("h2", {}, say.title), make("button", { type: "button", class: "btn quiet square close", "aria-label": texts.close, onclick: () => this.dialog.close() }, icon("close"))),
      make("div", { class: "body" }, field(say.game, this.game), this.with, this.about, this.levelBox, this.nameField, this.sideBox, this.listedBox, this.pair, this.more),
      this.problem,
      make("footer", {}, this.start),
    );
    this.dialog.append(form);
    document.body.append(this.dialog);
    this.refit(values);
    this.show();
    this.dialog.showModal();
    this.start.focus();
  }

  close() {
    this.started = true;
    if (this.dialog.open) this.dialog.close();
  }

  // The side that a newcomer plays in the chosen game.
  offered() {
    return this.home.games.find(({ name }) => name === this.game.value).newcomer;
  }

  // The levels of the chosen game, as far as they are known: how strong one is differs from game to game.
  get levels() {
    const rated = this.known?.find((one) => one.levels)?.levels;
    if (rated || this.game.value === this.home.game) return rated ?? this.home.levels;
    return this.home.levels.map(({ number, name }) => ({ number, name, rating: null, seconds: null }));
  }

  nameLevel() {
    const offer = this.levels[this.level.value - 1];
    const note = offer.seconds === null ? "…" : levelNote(offer);
    this.levelName.replaceChildren(make("b", {}, levelName(offer)), make("span", { class: "small muted" }, note));
    this.level.setAttribute("aria-valuetext", `${levelName(offer)}, ${note}`);
  }

  show() {
    const kind = this.with.value;
    this.about.textContent = say.about[kind];
    this.about.hidden = kind === "computer";
    this.levelBox.hidden = kind !== "computer";
    this.nameField.hidden = kind !== "friend";
    this.listedBox.hidden = kind !== "friend";
    this.sideBox.hidden = kind === "same" || kind === "watch";
    this.showPrograms();
  }

  // The options of the chosen game, and the programs that know it.
  async refit(values) {
    const name = this.game.value;
    this.known = null;
    this.nameLevel();
    const games = await (this.games ??= call("/api/games"));
    const described = games.find((game) => game.name === name);
    if (this.game.value !== name) return;
    this.controls = Object.fromEntries(described.options.map((option) => [option.name, control(option, values[option.name] ?? option.default)]));
    this.options.replaceChildren(...described.options.map((option) => field(texts.options[option.name] ?? option.name, this.controls[option.name])));
    this.defaults = Object.fromEntries(described.options.map((option) => [option.name, String(option.default ?? "")]));
    const known = await call(`/api/players?${new URLSearchParams({ game: name })}`);
    if (this.game.value !== name) return;
    this.known = known;
    this.nameLevel();
    this.showPrograms();
  }

  // Old programs and plain searches, instead of the engine at its level.
  showPrograms() {
    const kind = this.with.value;
    const names = (this.known ?? []).filter((one) => !one.levels).map((one) => [one.name, one.name]);
    const engine = this.levels.map((offer) => [`engine:level=${offer.number}`, levelName(offer)]);
    const before = this.chosen?.map((select) => select.value) ?? [];
    const pick = (label, list, value) => {
      const select = choice(list, list.some(([one]) => one === value) ? value : list[0][0]);
      return [select, field(label, select)];
    };
    const made =
      kind === "computer"
        ? [pick(say.program, [["", say.levels], ...names], before[0] ?? "")]
        : kind === "watch"
          ? [pick(say.firstProgram, [...engine, ...names], before[0] ?? "engine:level=5"), pick(say.secondProgram, [...engine, ...names], before[1] ?? "engine:level=3")]
          : [];
    this.chosen = made.map(([select]) => select);
    (kind === "watch" ? this.programs : this.pair).replaceChildren();
    (kind === "watch" ? this.pair : this.programs).replaceChildren(...made.map(([, box]) => box));
  }

  spec() {
    const said = Object.entries(this.controls ?? {}).filter(([key, one]) => one.value !== this.defaults[key]);
    return spec(this.game.value, Object.fromEntries(said.map(([key, one]) => [key, one.value])));
  }

  seats() {
    const kind = this.with.value;
    const me = { kind: "me", name: kind === "friend" ? this.name.value : "" };
    if (kind === "same") return [me, { kind: "me" }];
    if (kind === "watch") return this.chosen.map((select) => ({ kind: "ai", player: select.value }));
    const other = kind === "friend" ? { kind: "friend" } : { kind: "ai", player: this.chosen[0].value || `engine:level=${this.level.value}` };
    const mine = this.side.value === "random" ? ["first", "second"][Math.floor(Math.random() * 2)] : this.side.value;
    return mine === "first" ? [me, other] : [other, me];
  }

  // A second press while the first is under way does nothing.
  async begin() {
    if (this.start.disabled) return;
    this.start.disabled = true;
    const [first, second] = this.seats();
    const [seconds, increment] = this.clock.value.split("+").map(Number);
    const wish = { game: this.spec(), first, second, control: this.clock.value ? { seconds, increment } : null, listed: this.with.value === "watch" || (this.with.value === "friend" && this.listed.checked) };
    memory.set("game", wish.game);
    memory.set("level", Number(this.level.value));
    if (this.with.value === "friend") memory.set("name", this.name.value);
    try {
      this.started = true;
      await openGame(wish);
    } catch (error) {
      this.started = false;
      this.start.disabled = false;
      this.problem.textContent = error.code ? error.message : texts.outage.title;
      return;
    }
    this.close();
  }
}

function control(option, value) {
  if (option.choices.length) return choice(option.choices.map((one) => [one, one]), value);
  return make("input", { type: option.number ? "number" : "text", value: value ?? "", step: "any" });
}
