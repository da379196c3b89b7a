// The page: its rail, and which place an address means. Places are loaded when they are first wanted.

import { Outage, Refusal } from "./api.js";
import { NoSuchPlace, link, parse } from "./address.js";
import { offers } from "./backend.js";
import { alertUser, make } from "./dom.js";
import { open as openHome } from "./home.js";
import { icon } from "./icons.js";
import { apply } from "./settings.js";
import { texts } from "./texts.js";

// What each place needs: its module, those it imports and the first place does not, and its style. All are asked for at
// once. The first place comes with the page.
const PLACES = {
  "": [],
  new: [],
  game: ["./game.js", "./game_sheets.js", "./game_words.js", "./message.js", "./movelist.js", "./seats.js", "./sound.js", "./strips.js"],
  lobby: ["./lobby.js"],
  settings: ["./settings_view.js"],
  analyse: ["./analyse.js", "./brief.js", "./choices.js", "./curve.js", "./engine.js", "./game_course.js", "./grades.js", "./lab_texts.js", "./movelist.js", "./numbers.js", "./reasons.js", "./sides.js", "./worth.js", "lab", "./words.js"],
  search: ["./search.js", "./choices.js", "./code.js", "./lab_texts.js", "./numbers.js", "./player_bar.js", "./sentence.js", "./switcher.js", "./tree.js", "./walk.js", "lab"],
  check: ["./check.js", "./choices.js", "./code.js", "./editor.js", "./grown.js", "./lab_texts.js", "./numbers.js", "./player_bar.js", "./sentence.js", "./sides.js", "./switcher.js", "./tree.js", "./walk.js", "lab"],
  workbench: ["./workbench.js", "./choices.js", "./dialog.js", "./duel.js", "./lab_texts.js", "./links.js", "./numbers.js", "./seats.js", "./sides.js", "./switcher.js", "./weights.js", "lab"],
  workshop: ["./workshop.js", "./dialog.js", "./game_name.js", "./invite.js", "./lab_texts.js", "./links.js", "./seats.js", "./sides.js", "./strips.js", "./switcher.js", "lab"],
  tournaments: ["./tournaments.js", "./curve.js", "./fault_words.js", "./study_texts.js", "./links.js", "./movelist.js", "./player_bar.js", "./polling.js", "./replay.js", "./sides.js", "./standings.js", "./wall.js", "lab", "study"],
  class: ["./class.js", "./class_own.js", "./curve.js", "./fault_words.js", "./study_texts.js", "./links.js", "./movelist.js", "./player_bar.js", "./polling.js", "./replay.js", "./sides.js", "./standings.js", "./wall.js", "lab", "study"],
  learn: ["./learn.js", "./study_texts.js", "./sides.js", "study"],
  puzzles: ["./puzzles.js", "./study_texts.js", "./links.js", "./reasons.js", "./sides.js", "study", "./words.js"],
};

const NAV = [
  ["", "play"],
  ["learn", "learn"],
  ["analyse", "analyse"],
  ["search", "lab"],
  ["tournaments", "tournaments"],
].filter(([name]) => offers[name] ?? true);

// Places that are reached from another one light up that one's icon.
const UNDER = { class: "tournaments", game: "", lobby: "", new: "", workbench: "search", check: "search", workshop: "search", puzzles: "learn" };

let leave = null;
let shown = { box: null, place: "" };

function read() {
  try {
    return parse(location.hash);
  } catch {
    return { name: "?", parts: [], query: {} };
  }
}

async function show() {
  const { name, parts, query } = read();
  const place = name === "new" ? "" : [name, ...parts].join("/"); // a sheet over the first place
  if (shown.view?.go && shown.place === place) return goOn(query);
  const wanted = offers[{ lobby: "friends" }[name] ?? name] === false ? null : PLACES[name];
  leave?.();
  leave = null;
  const main = document.getElementById("view");
  // Each place has a box of its own, so that one that is still loading cannot write into the next.
  const box = make("div", { class: "view", "data-view": name, "data-loading": texts.loading });
  shown = { box, place };
  for (const item of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".nav"))) {
    if (item.dataset.name === (UNDER[name] ?? name)) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
  }
  try {
    if (!wanted) throw new NoSuchPlace();
    const [view = { open: openHome }] = await Promise.all(wanted.map((one) => (one.startsWith("./") ? import(one) : style(one))));
    if (shown.box !== box) return;
    main.replaceChildren(box);
    document.title = texts.title(texts.nav[name || "play"] ?? "");
    const opened = (await view.open(box, parts, query)) ?? null;
    if (shown.box !== box) return typeof opened === "function" ? opened() : opened?.close?.();
    shown.view = opened;
    leave = typeof opened === "function" ? opened : () => opened?.close?.();
  } catch (error) {
    if (shown.box !== box) return;
    document.title = texts.title(reasonOf(error)[0]);
    main.replaceChildren(failure(error));
  }
}

// Another state of the place that is shown; one that its address does not name rightly takes its place.
async function goOn(query) {
  const { box, view } = shown;
  try {
    await view.go(query);
  } catch (error) {
    if (!isBadAddress(error)) throw error;
    if (shown.box !== box) return;
    leave?.();
    leave = null;
    shown = { box: null, place: "" };
    document.getElementById("view").replaceChildren(failure(error));
  }
}

// Whether what an address names is refused: a game, moves, a contest that is not there.
const isBadAddress = (error) => error instanceof Refusal && [404, 422].includes(error.status);

// Why a place cannot be shown: a title, a sentence, and what the server says to it.
function reasonOf(error) {
  if (error instanceof NoSuchPlace) return [texts.lost.title, error.message || texts.lost.about];
  if (error instanceof Outage) return [texts.outage.title, texts.outage.about];
  const known = isBadAddress(error) && texts.lost.because[error.code];
  return known ? [texts.lost.title, known, error.message] : [texts.lost.failed, error.message];
}

// What stands in the place of one that cannot be shown.
function failure(error) {
  const [title, about, detail] = reasonOf(error);
  const { name } = read();
  const mayPass = !(error instanceof NoSuchPlace) && !(error instanceof Refusal);
  return make(
    "div",
    { class: "page failure stack empty" },
    icon(mayPass ? "warn" : "eye"),
    make("h1", {}, title),
    make("p", { class: "muted" }, about),
    detail ? make("details", { class: "small muted" }, make("summary", {}, texts.lost.detail), detail) : null,
    make(
      "p",
      { class: "row" },
      make("a", { class: "btn primary", href: "#/" }, texts.lost.home),
      detail && texts.nav[name] ? make("a", { class: "btn", href: link(name) }, texts.lost.anew(texts.nav[name])) : null,
      mayPass ? make("button", { type: "button", class: "btn", onclick: show }, texts.lost.again) : null,
    ),
  );
}

const styles = new Map();
function style(name) {
  if (!styles.has(name)) {
    const sheet = make("link", { rel: "stylesheet", href: `css/${name}.css` });
    styles.set(name, new Promise((done) => ["load", "error"].forEach((event) => sheet.addEventListener(event, done))));
    document.head.append(sheet);
  }
  return styles.get(name);
}

function rail() {
  const item = (name, label, extra = "") => make("a", { class: `nav${extra}`, href: `#/${name}`, "data-name": name }, icon(name === "search" ? "lab" : name || "play"), label);
  document.querySelector(".rail").append(...NAV.map(([name, word]) => item(name, texts.nav[word])), make("span", { class: "grow" }), item("settings", texts.nav.settings, " extra"));
  document.querySelector(".rail").setAttribute("aria-label", texts.nav.label);
  document.querySelector(".brand").setAttribute("aria-label", texts.nav.home);
  document.getElementById("alerts").dataset.close = texts.close;
  const skip = document.querySelector(".skip");
  skip.textContent = texts.skip;
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("view").focus();
  });
}

apply();
rail();
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  const { reason } = event;
  if (reason?.name !== "AbortError") alertUser(reason instanceof Outage ? texts.outage.title : (reason?.message ?? String(reason)));
});
show();
