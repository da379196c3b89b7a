// How the board of a game as text looks: the twin of render/look.py, which a test compares. Shapes that are the same for
// every board are data; what depends on its size is made here.

const UNIT = 100;
const LARGE_CELLS = 9;
const DISCS = "xo";
const LETTERS = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].filter((letter) => !DISCS.includes(letter)).join("");

const paint = (name) => `var(--pg-${name})`;
const gradient = (name) => `url(#pg-${name})`;
const once = (...shapes) => ({ every: false, shapes });
const rectangle = ([x, y, width, height], fill, rx, edge, stroke = 2) => ["rect", { x, y, width, height, fill, rx, ...(edge ? { stroke: paint(edge), "stroke-width": stroke } : {}) }];
const strokes = (d, colour, width, ends) => ["path", { d, stroke: paint(colour), "stroke-width": width, fill: "none", "stroke-linecap": ends }];
const range = (from, to) => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);

// The cells that a placement covers, each with the layers it adds there.
export const covered = ({ adds }) => {
  const cells = new Map();
  adds.forEach((added, layer) => added.forEach((cell) => cells.set(cell, [...(cells.get(cell) ?? []), layer])));
  return [...cells].sort(([a], [b]) => a - b);
};

export class Look {
  constructor(found, data) {
    this.data = data;
    this.found = found;
    this.places = found.places;
    this.index = new Map(found.places.map((place, cell) => [String(place), cell]));
    this.columns = Math.max(...found.places.map(([column]) => column));
    this.rows = Math.max(...found.places.map(([, row]) => row));
    this.laid = found.placements.map((placements) => placements.map(covered));
    this.letters = this.discs();
    this.kind = this.kindOf();
    this.step = this.kind === "hexagons" ? data.hexagon_step : [UNIT, UNIT];
    this.wide = UNIT + (this.columns - 1) * this.step[0];
    this.high = UNIT + (this.rows - 1) * this.step[1];
  }

  has(column, row) {
    return this.index.has(String([column, row]));
  }

  get hexagonal() {
    const { places } = this;
    return this.rows > 1 && places.every(([column, row]) => (column + row) % 2 === (places[0][0] + places[0][1]) % 2) && places.some(([column, row]) => this.has(column + 2, row));
  }

  kindOf() {
    if (this.laid[0].some((cells) => cells.length > 1)) return "cards";
    if (this.hexagonal) return "hexagons";
    if (this.places.length < this.columns * this.rows) {
      const stands = this.places.every(([column, row]) => row === 1 || this.has(column, row - 1));
      const gaps = new Set(this.places.map(([column]) => column)).size < this.columns;
      return stands && !gaps ? "steps" : "tiles";
    }
    if (this.found.placements.some((side) => side.some(({ rests_on }) => rests_on.length))) return "frame";
    return Math.min(this.columns, this.rows) >= LARGE_CELLS ? "crossings" : "grid";
  }

  // The letter of everything that a placement puts on a cell: x and o for what the sides lay, else a, b, c.
  discs() {
    const laid = this.laid.map((placements) => [...new Set(placements.flatMap((cells) => cells.map(([, layers]) => String(layers))))]);
    const letters = new Map();
    laid.forEach((kinds, side) => {
      const fresh = kinds.find((kind) => !letters.has(kind));
      if (fresh !== undefined) letters.set(fresh, DISCS[side]);
    });
    const others = [...new Set(laid.flat())].filter((kind) => !letters.has(kind));
    others.forEach((kind, i) => letters.set(kind, LETTERS[i]));
    return letters;
  }

  colour(layers) {
    const { tiles, colours } = this.data;
    const name = this.found.layers[layers[0]];
    if (tiles.includes(name)) return name;
    const pieces = colours.slice(tiles.length);
    const letter = this.letters.get(String(layers));
    return DISCS.includes(letter) ? pieces[DISCS.indexOf(letter)] : pieces[2 + (LETTERS.indexOf(letter) % 2)];
  }

  isOpen(layer) {
    return this.data.open.includes(this.found.layers[layer]);
  }

  face(layers, joined) {
    const colour = this.colour(layers);
    if (this.kind !== "cards") return this.data.faces[this.kind][colour];
    const dot = layers.length < 2 ? "" : this.isOpen(layers[1]) ? "open" : "filled";
    return this.data.cards[`${colour} ${dot} ${joined}`];
  }

  faces() {
    const faces = {};
    for (const cells of this.laid.flat())
      for (const [cell, layers] of cells) {
        const [column, row] = this.places[cell];
        const ways = { n: [column, row + 1], e: [column + 1, row], s: [column, row - 1], w: [column - 1, row] };
        const joined = Object.keys(ways).filter((way) => cells.some(([other]) => String(this.places[other]) === String(ways[way]))).join("");
        const key = layers.join(",") + (joined ? `:${joined}` : "");
        faces[key] ??= this.face(layers, joined);
      }
    return faces;
  }

  // The layers that can cover a cell together, on one side or on both.
  coverings(sides) {
    const all = new Map(sides.flatMap((side) => this.laid[side].flatMap((cells) => cells.map(([, layers]) => [String(layers), layers]))));
    const before = (a, b) => a.map((layer, i) => layer - (b[i] ?? -1)).find((one) => one) ?? a.length - b.length;
    return [...all.values()].sort(before);
  }

  names() {
    const called = (layers) => (this.data.tiles.includes(this.colour(layers)) ? layers.map((layer) => this.found.layers[layer]) : [this.data.names[this.colour(layers)]]);
    return Object.fromEntries(this.coverings([0, 1]).map((layers) => [layers.join(","), called(layers)]));
  }

  chip(side) {
    const { chips, tiles } = this.data;
    const watched = this.found.watches[side];
    const laid = this.coverings([side]);
    if (!tiles.includes(this.colour(laid[0]))) return chips.discs[this.colour(laid.find((layers) => layers.some((layer) => watched.includes(layer))) ?? laid[0])];
    if (laid.every(([first]) => watched.includes(first))) {
      const [one, other] = watched.map((layer) => this.found.layers[layer]);
      return JSON.parse(JSON.stringify(chips.halves).replaceAll("{one}", one).replaceAll("{other}", other));
    }
    const dots = watched.slice(0, 2).map((layer) => (this.isOpen(layer) ? "True" : "False"));
    return chips.dots[`[${dots.join(", ")}]`];
  }

  // ------------------------------------------------------------ board

  // What depends on the size of a board, in the place of the same of the sample.
  ground() {
    const { under, over, box } = this.data.grounds[this.kind];
    const sized = this[this.kind] ? this[this.kind]() : {};
    const fitted = (coats, drawn = []) => coats.map((coat) => (coat.every ? coat : drawn.shift()));
    return { under: fitted(under, sized.under), over: fitted(over, sized.over), box: [box[0], box[1], this.wide + box[2], this.high + box[3]] };
  }

  get centres() {
    const [across, down] = this.step;
    return this.places.map(([column, row]) => [UNIT / 2 + (column - 1) * across, UNIT / 2 + (this.rows - row) * down]);
  }

  frame() {
    const { wide, high } = this;
    const base = high + 46;
    const sole = `M-26 ${base - 10}h${wide + 52}l7 24a7 7 0 0 1 -7 9h${-(wide + 52)}a7 7 0 0 1 -7 -9z`;
    const foot = [
      ["ellipse", { cx: wide / 2, cy: base + 24, rx: wide / 2 + 30, ry: 12, fill: "#060a1c", "fill-opacity": 0.22 }],
      ["path", { d: sole, fill: paint("frame-edge") }],
      ["path", { d: `M-24 ${base - 5}h${wide + 48}`, stroke: "#fff", "stroke-opacity": 0.16, "stroke-width": 3 }],
    ];
    const holes = this.centres.map(([x, y]) => `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0 -80 0z`).join("");
    const [edge, front] = [60, 54].map((below) => rounded(-14, -14, wide + 28, high + below, 30) + holes);
    const shapes = [
      ["path", { d: edge, "fill-rule": "evenodd", fill: paint("frame-edge") }],
      ["path", { d: front, "fill-rule": "evenodd", fill: gradient("frame") }],
      ["path", { d: `M16 -11h${wide - 32}`, stroke: "#fff", "stroke-opacity": 0.35, "stroke-width": 3, "stroke-linecap": "round" }],
    ];
    return { under: [once(...foot, rectangle([-4, -4, wide + 8, high + 8], gradient("hole"), 20))], over: [once(...shapes)] };
  }

  steps() {
    const edges = range(0, this.rows).flatMap((i) => {
      const row = this.rows - i;
      const columns = range(1, this.columns + 1).filter((column) => this.has(column, row));
      const starts = columns.filter((column) => !columns.includes(column - 1));
      const ends = columns.filter((column) => !columns.includes(column + 1));
      return starts.map((first, n) => rectangle([(first - 1) * UNIT + 1, i * UNIT + 12, (ends[n] - first + 1) * UNIT - 2, UNIT - 2], paint("step-edge"), 16));
    });
    return { under: [once(...edges)] };
  }

  cards() {
    return { under: [once(rectangle([-10, -10, this.wide + 20, this.high + 20], paint("table"), 26, "table-line"))] };
  }

  crossings() {
    const middle = (place) => UNIT / 2 + place * UNIT;
    const [right, low] = [middle(this.columns - 1), middle(this.rows - 1)];
    const upright = range(0, this.columns).map((column) => `M${middle(column)} ${UNIT / 2}V${low}`);
    const level = range(0, this.rows).map((row) => `M${UNIT / 2} ${middle(row)}H${right}`);
    const stars = (count) => range(0, count).filter((place) => (count >= 13 && [3, count - 4].includes(place)) || (count % 2 && place === (count - 1) / 2)).map(middle);
    const dots = stars(this.columns).flatMap((cx) => stars(this.rows).map((cy) => ["circle", { cx, cy, r: 11, fill: paint("paper-line") }]));
    const paper = rectangle([-64, -10, this.wide + 74, this.high + 74], paint("paper"), 40);
    return { under: [once(paper, strokes([...upright, ...level].join(""), "paper-line", 4, "square"), ...dots)] };
  }

  grid() {
    const { wide, high } = this;
    const upright = range(1, this.columns).map((column) => `M${column * UNIT} 22V${high - 22}`);
    const level = range(1, this.rows).map((row) => `M22 ${row * UNIT}H${wide - 22}`);
    return { under: [once(rectangle([0, 0, wide, high], paint("step"), 28, "step-line", 3), strokes([...upright, ...level].join(""), "bar", 5, "round"))] };
  }

  // What is written under each column: its number where a move is a column, else its letter.
  columnLabels() {
    const letters = range(0, this.columns).map((column) => String.fromCharCode(65 + column));
    const placements = this.found.placements[0];
    const names = new Map();
    for (const [number, { name }] of placements.entries())
      for (const [cell] of this.laid[0][number]) {
        const [column] = this.places[cell];
        if (!names.has(column)) names.set(column, name);
        if (names.get(column) !== name || placements.length <= this.columns) return letters;
      }
    return letters.map((_, column) => names.get(column + 1));
  }

  labels() {
    const [across, down] = this.step;
    const used = new Set(this.places.map(([column]) => column));
    const below = this.high + (this.kind === "frame" ? 19 : 34);
    const columns = this.columnLabels().flatMap((text, column) => (used.has(column + 1) ? [[text, UNIT / 2 + column * across, below]] : []));
    if (this.kind === "frame") return columns;
    const firsts = new Map();
    for (const [column, row] of this.places) firsts.set(row, Math.min(column, firsts.get(row) ?? column));
    const rows = [...firsts].sort(([a], [b]) => a - b).map(([row, first]) => [String(row), (first - 1) * across - 28, UNIT / 2 + (this.rows - row) * down]);
    return [...columns, ...rows];
  }

  toJSON() {
    const { under, over, box } = this.ground();
    return {
      ...{ kind: this.kind, box, step: this.step, under, over, labels: this.labels(), faces: this.faces() },
      ...{ marks: this.data.marks[this.kind], chips: [this.chip(0), this.chip(1)], names: this.names(), paints: this.data.paints },
    };
  }
}

function rounded(x, y, wide, high, r) {
  const [across, down] = [wide - 2 * r, high - 2 * r];
  return `M${x + r} ${y}h${across}q${r} 0 ${r} ${r}v${down}q0 ${r} ${-r} ${r}h${-across}q${-r} 0 ${-r} ${-r}v${-down}q0 ${-r} ${r} ${-r}z`;
}
