// The controls that choose a game with its options, and a program with its level, as specs.

import { call } from "./backend.js";
import { choice, field, make } from "./dom.js";
import { questions } from "./questions.js";
import { spoken, texts } from "./texts.js";

let games;
const players = new Map();

export const listGames = async () => (games ??= await call(...questions.games()));

export function listPlayers(game) {
  if (!players.has(game)) players.set(game, call(`/api/players?${new URLSearchParams({ game })}`));
  return players.get(game);
}

export function spec(name, values) {
  const said = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
  return name + (said.length ? ":" + said.map(([key, value]) => `${key}=${value}`).join(",") : "");
}

export function parseSpec(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  return { name, values: Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split("="))) };
}

const titles = new Map();

// What people call the game of a spec, as the server names it: `Connect Four 6 x 7`.
export async function titleOf(text) {
  const listed = (await listGames()).find((game) => game.name === text);
  if (listed) return spoken(listed.title);
  if (!titles.has(text)) titles.set(text, call(`/api/board?${new URLSearchParams({ game: text })}`).then(({ board }) => board.title));
  return spoken(await titles.get(text));
}

// Of some games those that there are: a board of another size only where sizes can be chosen.
export async function offered(specs) {
  const known = await listGames();
  return specs.filter((text) => known.some((game) => game.name === text || (game.options.length && game.name === parseSpec(text).name)));
}

// A control with a `.spec()`; options equal to their default are left out.
function chooser(list, label, start, only) {
  const { name, values } = parseSpec(start);
  let current = list.find((entry) => entry.name === name) ?? list[0];
  const options = make("div", { class: "row" });
  let controls = {};
  const fill = () => {
    controls = {};
    options.replaceChildren();
    for (const option of current.options) {
      if (only && !(current.levels ? option.name === "level" : only.includes(option.name))) continue;
      const value = (current.name === name && values[option.name]) || option.default;
      controls[option.name] = control(option, value, option.name === "level" && current.levels);
      options.append(field(texts.options[option.name] ?? option.name, controls[option.name]));
    }
    summary.textContent = current.summary;
  };
  const select = choice(list.map((entry) => [entry.name, spoken(entry.title)]), current.name, (chosen) => {
    current = list.find((entry) => entry.name === chosen);
    fill();
  });
  const summary = make("p", { class: "quiet summary" });
  const element = make("div", { class: "choice" }, field(label, select), summary, options);
  fill();
  element.spec = () => {
    const said = {};
    for (const option of current.options) {
      const control = controls[option.name];
      if (control && control.value !== String(option.default ?? "")) said[option.name] = control.value;
    }
    return spec(current.name, said);
  };
  return element;
}

function control(option, value, levels) {
  if (levels) return choice([...levels.map(({ number, text }) => [String(number), texts.setup.levelOffer(number, text)]), ["", texts.setup.noLevel]], value ?? "");
  if (option.choices.length) return choice(option.choices.map((one) => [one, one]), value);
  return make("input", { type: option.number ? "number" : "text", value: value ?? "", step: "any" });
}

export const gameChooser = async (start = "polarized-ladder") => chooser(await listGames(), texts.setup.game, start);

// The programs that know a game; when the game changes, `.refit` offers those of the other one.
export async function playerChooser(game, start = "engine:level=3") {
  const only = ["level", "depth", "plies", "heuristic"];
  const element = make("div");
  let chosen;
  element.refit = async (other) => {
    const next = chooser(await listPlayers(other), texts.setup.player, chosen?.spec() ?? start, only);
    element.replaceChildren((chosen = next));
  };
  element.spec = () => chosen.spec();
  await element.refit(game);
  return element;
}
