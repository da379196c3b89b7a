// The API for programs, drawn from the server's own OpenAPI document.

import { call } from "./backend.js";
import { make } from "./dom.js";
import { icon } from "./icons.js";
import { apply } from "./settings.js";
import { texts } from "./texts.js";

const say = texts.docs;

// A schema in a few words: its type, bounds and default; a model by its name.
function words(schema = {}) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(words).join(" | ");
  if (schema.enum || schema.const) return (schema.enum ?? [schema.const]).map((one) => JSON.stringify(one)).join(" | ");
  const kind = schema.type === "array" ? `[${words(schema.items)}]` : (schema.type ?? say.anything);
  const bounds = ["exclusiveMinimum", "minimum", "maximum", "minLength", "maxLength", "maxItems", "pattern"].filter((key) => key in schema).map((key) => `${key} ${schema[key]}`);
  return [kind, ...bounds].join(", ");
}

// A text in which code stands between backquotes.
const marked = (text) => text.split(/\x60/).map((part, i) => (i % 2 ? make("code", {}, part) : part));

const row = (name, schema, required, about) =>
  make("tr", {}, make("td", {}, make("code", {}, name)), make("td", {}, words(schema)), make("td", {}, required ? say.required : "default" in (schema ?? {}) ? JSON.stringify(schema.default) : ""), make("td", {}, ...marked(about ?? "")));

const table = (rows) =>
  make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": say.columns.join(", ") }, make("table", {}, make("thead", {}, make("tr", {}, ...say.columns.map((text) => make("th", { scope: "col" }, text)))), make("tbody", {}, ...rows)));

const fields = (model) => table(Object.entries(model.properties ?? {}).map(([name, schema]) => row(name, schema, model.required?.includes(name), schema.description)));

const slug = (method, path) => `${method}${path.replaceAll(/[^a-z0-9]+/gi, "-")}`;
const verb = (method) => make("span", { class: `verb ${method}` }, method.toUpperCase());

function operation(path, method, described) {
  const body = described.requestBody?.content["application/json"]?.schema;
  return make(
    "section",
    { class: "card operation", id: slug(method, path) },
    make("h3", {}, verb(method), make("code", {}, path)),
    make("p", {}, ...marked(described.description ?? described.summary)),
    described.parameters ? table(described.parameters.map((one) => row(one.name, one.schema, one.required, one.description))) : "",
    body ? make("p", {}, say.body, " ", make("a", { href: `#${words(body)}` }, words(body))) : "",
    make("p", { class: "answers" }, Object.entries(described.responses).map(([status, { description }]) => `${status}: ${description}`).join(" · ")),
  );
}

apply();
const document_ = await call("/openapi.json");
const operations = Object.entries(document_.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, described]) => [path, method, described]));
const models = Object.entries(document_.components?.schemas ?? {}).filter(([name]) => name.endsWith("Model"));
const jump = (id, ...text) => make("a", { href: `#${id}` }, ...text);
document.getElementById("view").append(
  make(
    "div",
    { class: "docs" },
    make("header", {}, make("h1", {}, say.title), make("p", { class: "lead" }, say.about, " ", make("a", { href: "/openapi.json" }, "openapi.json"))),
    make("nav", { class: "contents", "aria-label": say.title }, make("h2", {}, say.operations), ...operations.map(([path, method]) => jump(slug(method, path), verb(method), path.replace("/api", ""))), make("h2", {}, say.bodies), ...models.map(([name]) => jump(name, name))),
    make(
      "article",
      {},
      make("h2", {}, say.live),
      make("p", {}, say.liveAbout),
      make("pre", { class: "textboard", tabindex: 0, "aria-label": say.live }, say.liveExample),
      make("h2", {}, say.operations),
      ...operations.map((one) => operation(...one)),
      make("h2", {}, say.bodies),
      ...models.map(([name, model]) => make("section", { class: "card model", id: name }, make("h3", {}, make("code", {}, name)), make("p", {}, ...marked(model.description ?? "")), fields(model))),
    ),
  ),
);
document.querySelector(".skip").textContent = texts.docs.skip;
document.querySelector(".rail").append(...[["", "play"], ["learn", "learn"], ["analyse", "analyse"], ["search", "lab"], ["tournaments", "tournaments"]].map(([name, word]) => make("a", { class: "nav", href: `./#/${name}` }, icon(word), texts.nav[word])));
