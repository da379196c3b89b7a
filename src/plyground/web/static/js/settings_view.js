// The settings: they take effect at once and stay in this browser.

import { lead, offers } from "./backend.js";
import { choice, field, make, segments } from "./dom.js";
import { icon } from "./icons.js";
import { change, settings } from "./settings.js";
import { LANGUAGES, texts } from "./texts.js";

const say = texts.settings;

// All games that this browser keeps, as one file.
const exported = (form) => lead(make("a", { class: "btn sm", download: `plyground.${form}` }, icon("down"), texts.share[form]), "href", `/api/export?form=${form}`);

export async function open(main) {
  const toggle = (key) => {
    const box = make("input", { type: "checkbox", checked: settings[key], onchange: () => change({ [key]: box.checked }) });
    return make("label", { class: "toggle" }, box, say[key]);
  };
  const theme = segments(say.theme, Object.entries(say.themes), settings.theme, (value) => change({ theme: value }));
  const board = segments(say.board, Object.entries(say.boards), settings.board, (value) => change({ board: value }));
  const language = choice([["", say.system], ...Object.entries(LANGUAGES)], settings.language, (value) => {
    change({ language: value });
    location.reload();
  });
  main.append(
    make(
      "div",
      { class: "page settings stack" },
      make("h1", {}, say.title),
      make("div", { class: "card pad stack" }, make("div", { class: "field" }, make("span", { class: "small muted" }, say.theme), theme), make("div", { class: "field" }, make("span", { class: "small muted" }, say.board), board), field(say.language, language), toggle("coordinates"), toggle("motion"), toggle("sound")),
      make("p", { class: "small muted" }, say.kept),
      offers.kept ? make("div", { class: "row games" }, make("span", { class: "grow" }, say.games), ...["pgn", "json"].map(exported)) : "",
      offers.friends ? "" : make("p", { class: "small alone" }, say.alone),
      offers.programs ? make("p", {}, make("a", { href: "docs.html" }, say.api)) : "",
    ),
  );
}
