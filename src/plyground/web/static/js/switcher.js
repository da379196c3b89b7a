// The parts of the lab, and the way from one to the other.

import { link } from "./address.js";
import { checker } from "./backend.js";
import { make } from "./dom.js";
import { say } from "./lab_texts.js";

const way = (name, here) => make("a", { href: link(name), "aria-current": name === here ? "page" : null }, say.lab[name]);

export function switcher(here) {
  const ways = make("nav", { class: "seg", "aria-label": say.lab.label }, ...["search", "workbench", "workshop"].map((name) => way(name, here)));
  // One's own search can be checked where there is a Python to run it.
  checker().then((found) => found && ways.append(way("check", here)), () => null);
  return ways;
}
