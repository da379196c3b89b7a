// The parts of the lab, and the way from one to another.

import { link } from "./address.js";
import { make } from "./dom.js";
import { say } from "./lab_texts.js";

export const switcher = (here) =>
  make(
    "nav",
    { class: "seg", "aria-label": say.lab.label },
    ...["search", "workbench", "workshop"].map((name) => make("a", { href: link(name), "aria-current": name === here ? "page" : null }, say.lab[name])),
  );
