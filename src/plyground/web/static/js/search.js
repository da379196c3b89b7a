// A search made visible: the tree in the order it is walked, values rising, cut-offs where they happen.

import { call, stream } from "./api.js";
import { Board } from "./board.js";
import { gameChooser } from "./choices.js";
import { alertUser, choice, field, make } from "./dom.js";
import { texts } from "./texts.js";

const say = texts.search;

export async function open(main, parts, query) {
  const start = query.game ?? "tic-tac-toe";
  const fitting = (spec) => call(`/api/heuristics?${new URLSearchParams({ game: spec })}`);
  const [game, heuristics] = await Promise.all([gameChooser(start), fitting(start)]);
  const moves = make("input", { type: "text", value: (query.moves ?? "").replaceAll(";", " "), maxlength: 2000 });
  const depth = make("input", { type: "number", min: 1, max: 4, value: 2 });
  const stage = make("div", { class: "minor" });
  const panels = [new Panel(say.left, heuristics, "minimax"), new Panel(say.right, heuristics, "alpha-beta")];
  game.addEventListener("change", async () => {
    const names = await fitting(game.spec());
    panels.forEach((panel) => panel.offer(names));
  });
  let timer = null;
  const stop = () => clearInterval(timer);
  const step = () => panels.map((panel) => panel.step()).some(Boolean) || stop();
  const run = () => {
    stop();
    timer = setInterval(step, 60);
  };
  const go = async (event) => {
    event?.preventDefault();
    stop();
    const line = moves.value.trim() ? await call("/api/record", { body: { text: moves.value, game: game.spec() } }) : { game: game.spec(), moves: [] };
    const { board, positions } = await call("/api/positions", { body: { game: line.game, moves: line.moves } });
    const drawn = new Board(board);
    drawn.update(positions.at(-1));
    stage.replaceChildren(drawn.element);
    await Promise.all(panels.map((panel) => panel.load({ game: line.game, moves: line.moves, depth: Number(depth.value) })));
  };
  main.append(
    make("h1", {}, say.title),
    make("p", { class: "quiet" }, say.about),
    make("form", { class: "setup", onsubmit: go }, game, make("div", { class: "row" }, field(texts.game.moves, moves), field(say.depth, depth), make("button", { type: "submit", class: "primary go" }, say.go))),
    stage,
    make(
      "div",
      { class: "row controls" },
      make("button", { type: "button", class: "step", onclick: step }, say.step),
      make("button", { type: "button", class: "run", onclick: run }, say.run),
      make("button", { type: "button", class: "reset", onclick: () => (stop(), panels.forEach((panel) => panel.reset())) }, say.reset),
    ),
    make("div", { class: "twins" }, ...panels.map((panel) => panel.element)),
  );
  return stop;
}

class Panel {
  constructor(title, heuristics, algorithm) {
    this.algorithm = choice([["minimax", "minimax"], ["alpha-beta", "alpha-beta"]], algorithm);
    this.heuristic = choice([], "");
    this.offer(heuristics);
    this.counts = make("p", { class: "counts", role: "status" });
    this.tree = make("ul", { class: "tree", tabindex: 0, "aria-label": title });
    this.element = make("section", { class: "panel" }, make("h2", {}, title), make("div", { class: "row" }, field(say.algorithm, this.algorithm), field(say.heuristic, this.heuristic)), this.counts, this.tree);
    this.events = [];
  }

  offer(heuristics) {
    const chosen = this.heuristic.value || "lines";
    this.heuristic.replaceChildren(...heuristics.map((name) => make("option", { value: name }, name)));
    this.heuristic.value = heuristics.includes(chosen) ? chosen : heuristics[0];
  }

  async load(position) {
    this.found = null;
    try {
      const body = { ...position, search: this.algorithm.value, heuristic: this.heuristic.value };
      await stream("/api/tree", body, (found) => (this.found = found.searches[0]));
    } catch (error) {
      this.tree.replaceChildren();
      this.counts.textContent = error.message;
      return alertUser(error.message);
    }
    this.reset();
  }

  // The walk as a list of events: a node is entered, its value comes back, what was cut off is shown.
  reset() {
    this.events = [];
    this.at = 0;
    this.visited = 0;
    this.cuts = 0;
    this.tree.replaceChildren();
    if (!this.found) return;
    const walk = (node, parent) => {
      const item = make("li", {}, make("span", { class: "move" }, node.move ?? "●"), " ", make("span", { class: "value" }, "…"));
      this.events.push(() => {
        parent.append(item);
        this.visited += 1;
      });
      if (node.children) {
        const list = make("ul");
        item.append(list);
        node.children.forEach((child) => walk(child, list));
      }
      this.events.push(() => {
        item.querySelector(".value").textContent = node.over ? `${node.over === "draw" ? "=" : `${node.over} ✓`}` : node.wins ? `${node.wins} ✓` : String(node.value);
        item.classList.add(node.children ? "inner" : "leaf");
        if (node.cut) {
          this.cuts += 1;
          item.lastChild.append(make("li", { class: "cut" }, `✂ ${node.cut}`));
        }
      });
    };
    walk(this.found.tree, this.tree);
    this.count();
  }

  step() {
    if (this.at >= this.events.length) return false;
    this.events[this.at++]();
    this.count();
    return true;
  }

  count() {
    const evaluated = this.at >= this.events.length ? ` · ${say.evaluated(this.found.evaluations)}` : "";
    this.counts.textContent = `${say.visited(this.visited, this.found.nodes)} · ${say.cuts(this.cuts)}${evaluated}`;
  }
}
