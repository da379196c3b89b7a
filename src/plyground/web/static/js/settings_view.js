// The settings: they take effect at once and stay in this browser.

import { choice, field, make, segments } from "./dom.js";
import { change, settings } from "./settings.js";
import { LANGUAGES, texts } from "./texts.js";

const say = texts.settings;

export async function open(main) {
  const toggle = (key) => {
    const box = make("input", { type: "checkbox", checked: settings[key], onchange: () => change({ [key]: box.checked }) });
    return make("label", { class: "toggle" }, box, say[key]);
  };
  const theme = segments(say.theme, Object.entries(say.themes), settings.theme, (value) => change({ theme: value }));
  const language = choice([["", say.system], ...Object.entries(LANGUAGES)], settings.language, (value) => {
    change({ language: value });
    location.reload();
  });
  main.append(
    make(
      "div",
      { class: "page settings stack" },
      make("h1", {}, say.title),
      make("div", { class: "card pad stack" }, make("div", { class: "field" }, make("span", { class: "small muted" }, say.theme), theme), field(say.language, language), toggle("coordinates"), toggle("motion"), toggle("sound")),
      make("p", { class: "small muted" }, say.kept),
      make("p", {}, make("a", { href: "docs.html" }, say.api)),
    ),
  );
}
