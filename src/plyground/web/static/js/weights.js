// A heuristic as weights: what the sliders say, the spec that says the same, and what it makes of a position.
// The counts come from the server; a value is nothing but counts times weights.

export class Weights {
  // held: weights of a live pattern by the cells held, from 1; poles: per cent that is left with each pole taken.
  constructor({ longest, rows, terms }, values) {
    this.longest = longest;
    this.rows = rows;
    this.terms = terms;
    this.values = values;
  }

  static usual({ longest, rows, terms }) {
    const held = Object.fromEntries([...Array(longest - 1).keys()].map((i) => [`held${i + 1}`, [1, 4, 12, 30, 60, 90][i] ?? 99]));
    return { ...held, ...(rows > 1 ? { poles: 50 } : {}), ...Object.fromEntries(terms.map((term) => [term, term === "cells" ? 1 : 2])) };
  }

  // The sliders from a spec, where it fits.
  static parse(form, text) {
    const [first, ...added] = text.replace(/^weights:/, "").split("+");
    const [row, second] = first.split("|").map((part) => part.split("/").map(Number));
    if (!text.startsWith("weights:") || row.length !== form.longest + 1 || row.some(Number.isNaN)) return null;
    const values = Object.fromEntries(row.slice(1, -1).map((weight, i) => [`held${i + 1}`, weight]));
    const terms = Object.fromEntries(added.map((term) => term.split("/")));
    for (const term of form.terms) values[term] = Number(terms[term] ?? 0);
    const most = row.indexOf(Math.max(...row));
    if (form.rows > 1) values.poles = second && row[most] ? Math.round((100 * second[most]) / row[most]) : 100;
    return values;
  }

  // What counts for one feature of a position.
  weight({ name, held, poles }) {
    if (name !== "pattern") return this.values[name] ?? 0;
    return this.row(poles)[held];
  }

  row(poles) {
    const share = poles ? (this.values.poles / 100) ** poles : 1;
    return [0, ...[...Array(this.longest - 1).keys()].map((i) => Math.round(this.values[`held${i + 1}`] * share)), 0];
  }

  get spec() {
    const rows = [...Array(this.rows).keys()].map((poles) => this.row(poles).join("/"));
    const terms = this.terms.filter((term) => this.values[term]).map((term) => `+${term}/${this.values[term]}`);
    return `weights:${rows.join("|")}${terms.join("")}`;
  }

  // The share of each slider, of each disc, and the whole, for the first side.
  worth(features) {
    const [parts, discs] = [{}, new Map()];
    for (const feature of features) {
      const weight = this.weight(feature);
      const part = feature.name === "pattern" ? `held${feature.held}` : feature.name;
      parts[part] = (parts[part] ?? 0) + weight * feature.total;
      for (const [cell, share] of feature.discs) discs.set(cell, (discs.get(cell) ?? 0) + weight * share);
    }
    return { parts, discs, total: Object.values(parts).reduce((sum, one) => sum + one, 0) };
  }
}
