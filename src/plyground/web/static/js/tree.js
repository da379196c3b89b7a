// A search tree, drawn as far as it has been walked. Finished parts that are not on the way to the current node are
// folded, so that four levels of a wide tree stay readable; a fold opens when it is chosen.

import { draw } from "./dom.js";
import { say } from "./lab_texts.js";
import { num } from "./numbers.js";

const SPACE_PIXELS = 44; // between two nodes, at least
const MOST_SPACE_PIXELS = 64; // between two nodes, at most
const NARROW_PIXELS = 480; // a narrower tree is drawn smaller

export class Tree {
  constructor(onchoose) {
    this.onchoose = onchoose;
    this.open = new Set(); // nodes that the reader has unfolded
    this.element = draw("svg", { class: "tree", role: "group", "aria-label": say.search.tree });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  // Draws a walk as it stands at a step into a box of so many pixels; returns the place of the current node. With a focus
  // the way to that node is drawn as the way to the current one is.
  show(walk, step, { width, height, chosen, focus = null }) {
    this.walk = walk;
    this.step = step;
    this.chosen = chosen;
    this.small = width < NARROW_PIXELS;
    this.current = focus ?? walk.nodes[walk.steps[step].node];
    this.way = new Set(walk.path(this.current)); // the nodes from the root to the current one
    this.fresh = this.current.kids.filter((kid) => walk.state(kid, step)?.done).at(-1); // finished last
    const wide = this.fit(width, height);
    const high = this.y(walk.depths) + 50;
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${wide} ${high}`, width: wide, height: high })) this.element.setAttribute(name, value);
    this.element.replaceChildren(...this.bands(wide), ...this.edges(), ...this.shown.map((place) => this.node(place)));
    const place = this.shown.find(({ node }) => node === this.current) ?? this.shown[0];
    return [this.x(place.column), this.y(this.current.level)];
  }

  // Gives columns and levels their places in a box of so many pixels; returns the width of the tree, which may be larger.
  fit(width, height) {
    const [left, right] = this.small ? [46, 40] : [78, 74];
    const room = width - left - right;
    this.arrange(false);
    if (this.columns > Math.floor(room / SPACE_PIXELS) + 1) this.arrange(true);
    const spaces = this.columns - 1;
    const unit = Math.max(SPACE_PIXELS, Math.min(MOST_SPACE_PIXELS, room / Math.max(1, spaces)));
    const start = left + Math.max(0, (room - unit * spaces) / 2);
    const gap = Math.round(Math.max(86, Math.min(150, (height - 96) / Math.max(1, this.walk.depths))));
    this.x = (column) => start + column * unit;
    this.y = (level) => 48 + level * gap;
    this.size = this.small ? 13 : 17;
    return Math.max(width, left + right + unit * spaces);
  }

  // --------------------------------------------------------- places

  // Gives each visible node a column. Crowded: of the finished children of a node only the best and the last two are
  // drawn one by one, the others as one fold.
  arrange(crowded) {
    this.shown = [];
    this.links = [];
    this.columns = 0;
    this.crowded = crowded;
    this.place(this.walk.root);
  }

  place(node) {
    const state = this.walk.state(node, this.step);
    const place = { node, state, kids: [], folded: this.isFolded(node, state) };
    const kids = place.folded ? [] : node.kids.filter((kid) => this.walk.state(kid, this.step));
    const [hidden, visible] = this.crowded ? this.parted(kids) : [[], kids];
    if (hidden.length) place.kids.push(this.stub({ node, hidden: hidden.length, of: hidden }));
    place.kids.push(...visible.map((kid) => this.place(kid)));
    if (state.cut && !place.folded) place.kids.push(this.stub({ node, cut: node.cut }));
    if (place.kids.length) place.column = (place.kids[0].column + place.kids.at(-1).column) / 2;
    else place.column = this.columns++;
    this.shown.push(place);
    this.links.push(...place.kids.map((kid) => [place, kid]));
    return place;
  }

  isFolded(node, state) {
    if (node.more) return state.done; // what is below was left out
    if (!node.kids.length || !state.done || node.parent === null) return false;
    return !this.way.has(node) && node !== this.fresh && !this.open.has(node.id);
  }

  // Of the children of a node those that become one fold, and the others.
  parted(kids) {
    const finished = kids.filter((kid) => !this.way.has(kid) && !this.open.has(kid.id));
    if (finished.length < 5 || kids.some((kid) => this.open.has(`all${kid.parent}`))) return [[], kids];
    const sign = this.walk.nodes[finished[0].parent].mover === 0 ? 1 : -1;
    const worth = ({ value }) => sign * (typeof value === "number" ? value : value?.wins === 0 ? 1e9 : value?.wins === 1 ? -1e9 : 0);
    const best = finished.reduce((one, other) => (worth(other) > worth(one) ? other : one));
    const kept = new Set([best, ...finished.slice(-2)]);
    const hidden = finished.filter((kid) => !kept.has(kid));
    return [hidden, kids.filter((kid) => !hidden.includes(kid))];
  }

  stub(what) {
    return { ...what, stub: true, kids: [], column: this.columns++ };
  }

  // -------------------------------------------------------- drawing

  bands(wide) {
    const { walk, small } = this;
    return [...Array(walk.depths + 1).keys()].flatMap((level) => {
      const mover = (walk.root.mover + level) % 2;
      const name = level === walk.depths ? say.search.leaf : mover === 0 ? say.search.max : say.search.min;
      return [draw("rect", { class: "band", x: 0, y: this.y(level) - 32, width: wide, height: 64 }), draw("text", { class: "level", x: small ? 8 : 12, y: this.y(level) - (small ? 18 : 0) }, name)];
    });
  }

  edges() {
    const lines = [];
    const names = [];
    for (const [from, to] of this.links) {
      const level = from.node.level;
      const [x, y, down, below] = [this.x(from.column), this.y(level) + this.size, this.x(to.column), this.y(level + 1) - (to.stub ? 16 : this.size)];
      const middle = (y + below) / 2;
      const on = !to.stub && this.way.has(to.node);
      lines.push(draw("path", { class: `edge${on ? " on" : ""}${to.cut ? " cut" : ""}`, d: `M${x} ${y}C${x} ${middle + 8} ${down} ${middle - 14} ${down} ${below}` }));
      if (!to.stub) names.push(draw("g", { class: `move${on ? " on" : ""}` }, draw("rect", { x: down - 15, y: below - 23, width: 30, height: 16, rx: 4 }), draw("text", { x: down, y: below - 15 }, to.node.move)));
    }
    lines.push(...this.shown.flatMap((place) => place.kids.filter((kid) => kid.stub).map((kid) => this.drawStub(kid))));
    return [...lines, ...names];
  }

  drawStub(stub) {
    const [x, y] = [this.x(stub.column), this.y(stub.node.level + 1)];
    const label = stub.cut ? say.search.neverLooked(stub.cut) : say.search.hidden(stub.hidden);
    const open = () => (this.open.add(`all${stub.node.id}`), this.onchoose(stub.node));
    return draw(
      "g",
      { class: stub.cut ? "stub cut" : "stub", ...(stub.cut ? {} : { onclick: open }) },
      draw("title", {}, label),
      draw("path", { d: `M${x} ${y - 16}l17 32h-34z` }),
      draw("text", { x, y: y + 8 }, stub.cut ? String(stub.cut) : `+${stub.hidden}`),
    );
  }

  node({ node, state, column, folded }) {
    const [x, y, r] = [this.x(column), this.y(node.level), this.size];
    const leaf = node.over || node.level === this.walk.depths;
    const names = ["node", node === this.current ? "at" : this.way.has(node) ? "on" : "", node.id === this.chosen ? "chosen" : "", state.done ? `done ${node.mark ?? ""}` : ""];
    const form = leaf ? draw("circle", { cx: x, cy: y, r: r - 3 }) : node.mover === 0 ? draw("rect", { x: x - r - 1, y: y - r, width: 2 * r + 2, height: 2 * r, rx: 6 }) : draw("circle", { cx: x, cy: y, r: r + 1 });
    const value = num(state.value);
    const drawn = draw(
      "g",
      { class: names.filter(Boolean).join(" "), role: "button", tabindex: node === this.current ? 0 : -1, "data-node": node.id, "aria-label": this.label(node, state, folded), onclick: () => this.choose(node, folded) },
      folded ? draw("path", { class: "fold", d: `M${x} ${y + 6}l17 40h-34z` }) : null,
      folded ? draw("text", { class: "count", x, y: y + 38 }, String(node.size - 1)) : null,
      form,
      draw("text", { class: `value${value.length > 3 ? " long" : ""}`, x, y }, value),
    );
    if (this.way.has(node) && !leaf && state.alpha !== null) drawn.append(...this.window(x, y, state));
    return drawn;
  }

  window(x, y, { alpha, beta }) {
    const at = x + this.size + 8;
    return [draw("text", { class: "ab", x: at, y: y - 7 }, `α ${num(alpha)}`), draw("text", { class: "ab", x: at, y: y + 8 }, `β ${num(beta)}`)];
  }

  label(node, state, folded) {
    const words = [node.parent === null ? say.search.root : node.move, node.mover === 0 ? say.search.max : say.search.min, say.search.worth(num(state.value))];
    if (state.alpha !== null) words.push(`α ${num(state.alpha)}`, `β ${num(state.beta)}`);
    if (folded) words.push(say.search.folded(node.size - 1));
    if (state.done && node.mark) words.push(say.search.marks[node.mark]);
    return words.join(", ");
  }

  choose(node, folded) {
    if (folded) this.open.add(node.id);
    else if (this.open.has(node.id) && this.chosen === node.id) this.open.delete(node.id);
    this.onchoose(node);
  }

  // ------------------------------------------------------- keyboard

  key(event) {
    const place = this.shown?.find(({ node }) => String(node.id) === event.target.dataset?.node);
    if (!place) return;
    const family = this.shown.filter(({ node }) => node.parent === place.node.parent).sort((a, b) => a.column - b.column);
    const below = place.kids.find((kid) => !kid.stub);
    const to = { ArrowUp: this.shown.find(({ node }) => node.id === place.node.parent), ArrowDown: below, ArrowLeft: family[family.indexOf(place) - 1], ArrowRight: family[family.indexOf(place) + 1] }[event.key];
    if (event.key === "Enter" || event.key === " ") this.choose(place.node, place.folded);
    else if (to) this.focus(to.node);
    else if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
  }

  focus(node) {
    this.element.querySelector(`[data-node="${node.id}"]`)?.focus();
  }
}
