// The controls that choose a game with its options, and a program with its level, as specs.

import { call } from "./api.js";
import { choice, field, make } from "./dom.js";
import { texts } from "./texts.js";

let games;
let players;

export const listGames = async () => (games ??= await call("/api/games"));
export const listPlayers = async () => (players ??= await call("/api/players"));

export function spec(name, values) {
  const said = Object.entries(values).filter(([, value]) => value !== "" && value !== undefined);
  return name + (said.length ? ":" + said.map(([key, value]) => `${key}=${value}`).join(",") : "");
}

export function parseSpec(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  return { name, values: Object.fromEntries(rest.split(",").filter(Boolean).map((part) => part.split("="))) };
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
      if (only && !only.includes(option.name)) continue;
      const value = (current.name === name && values[option.name]) || option.default;
      controls[option.name] = option.choices.length
        ? choice(option.choices.map((one) => [one, one]), value)
        : make("input", { type: option.number ? "number" : "text", value: value ?? "", step: "any" });
      options.append(field(option.name, controls[option.name]));
    }
  };
  const select = choice(list.map((entry) => [entry.name, entry.name]), current.name, (chosen) => {
    current = list.find((entry) => entry.name === chosen);
    fill();
    element.dispatchEvent(new Event("change"));
  });
  fill();
  const element = make("div", { class: "choice" }, field(label, select), options);
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

export const gameChooser = async (start = "polarized-ladder") => chooser(await listGames(), texts.setup.game, start);

export const playerChooser = async (start = "engine:level=3") =>
  chooser(await listPlayers(), texts.setup.player, start, ["level", "depth", "heuristic", "plies"]);
