// The page: which view a link means. Views are loaded when they are first wanted, with what they import asked for at once.

import { alertUser, make } from "./dom.js";
import { texts } from "./texts.js";

const VIEWS = {
  "": ["./setup.js"],
  game: ["./game.js", "./board.js"],
  analyse: ["./analyse.js", "./board.js", "./curve.js"],
  search: ["./search.js", "./board.js"],
  tournaments: ["./tournaments.js", "./board.js", "./curve.js"],
  learn: ["./learn.js", "./board.js"],
};

const NAV = [
  ["", texts.nav.play],
  ["analyse", texts.nav.analyse],
  ["search", texts.nav.search],
  ["tournaments", texts.nav.tournaments],
  ["learn", texts.nav.learn],
];

let leave = null;
let shown = null;

// A link is #/name/part/part?key=value
function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name, ...parts] = path.split("/").map(decodeURIComponent);
  return { name, parts, query: Object.fromEntries(new URLSearchParams(query)) };
}

async function show() {
  const { name, parts, query } = route();
  const modules = VIEWS[name] ?? VIEWS[""];
  leave?.();
  leave = null;
  const main = document.getElementById("view");
  // Each view has a box of its own, so that one that is still loading cannot write into the next.
  const box = make("div", { class: "view", "data-view": name });
  shown = box;
  for (const link of document.querySelectorAll("#nav a")) {
    if (link.dataset.name === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    const [view] = await Promise.all(modules.map((module) => import(module)));
    if (shown !== box) return;
    main.replaceChildren(box);
    document.title = texts.title(texts.nav[name] ?? texts.nav.play);
    const left = await view.open(box, parts, query);
    if (shown === box) leave = left ?? null;
    else left?.();
  } catch (error) {
    if (shown !== box) return;
    main.replaceChildren(make("p", { class: "failure" }, error.message), make("p", {}, make("a", { href: "#/" }, texts.setup.title)));
  }
}

document.getElementById("nav").append(...NAV.map(([name, label]) => make("a", { href: `#/${name}`, "data-name": name }, label)));
document.getElementById("footer").append(make("a", { href: "docs.html" }, texts.docs.link));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  document.getElementById("view").focus();
});
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => {
  event.preventDefault();
  alertUser(event.reason?.message ?? String(event.reason));
});
show();
