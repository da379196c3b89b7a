// The tables of a tournament: standings with error bars in the row, and who beat whom, each cell leading to its games.

import { link } from "./address.js";
import { draw, make } from "./dom.js";
import { faultMeaning, faultName, faultReason } from "./fault_words.js";
import { say } from "./study_texts.js";

const words = say.tournaments;
export const half = (points) => (points % 1 ? `${points > 1 ? Math.floor(points) : ""}½` : String(points));

export const minus = (value) => String(Math.round(value)).replace("-", "−");

export function standings(report) {
  const lines = report.standings;
  const rated = lines.filter((line) => line.games && line.error !== null);
  const low = Math.min(0, ...rated.map((line) => line.low));
  const high = Math.max(0, ...rated.map((line) => line.high));
  const [from, to] = [Math.floor(low / 50) * 50, Math.max(Math.ceil(high / 50) * 50, Math.floor(low / 50) * 50 + 100)];
  const head = make("tr", {}, ...[["", "rank"], [words.player, ""], ["", "eb"], [words.rating, "r"], [words.points, "r wdl"]].map(([text, name], i) => make("th", { scope: "col", class: name }, i === 2 ? make("span", { class: "axis" }, make("span", {}, minus(from)), make("span", {}, minus(to))) : text || make("span", { class: "unseen" }, i ? words.errorBar : words.rank))));
  const rows = lines.map((line) =>
    make(
      "tr",
      {},
      make("td", { class: "rank" }, String(line.place)),
      make("th", { scope: "row", class: "name" }, make("a", { href: link("tournaments", [report.name, "games"], { player: line.name }) }, line.name), line.faults ? make("span", { class: "tag bad" }, words.faults(line.faults)) : ""),
      make("td", { class: "eb" }, line.games ? whisker(line, from, to) : ""),
      make("td", { class: "r nowrap" }, ...(line.games ? rating(line) : [make("span", { class: "muted small" }, words.noGames)])),
      make("td", { class: "r wdl muted nowrap" }, half(line.points), make("span", { class: "faint small" }, ` / ${line.games}`)),
    ),
  );
  return make("table", { class: "st" }, make("caption", { class: "unseen" }, words.standings), make("thead", {}, head), make("tbody", {}, ...rows));
}

function rating(line) {
  // The interval that the bar draws: it is seldom symmetric.
  return [make("b", {}, minus(line.elo)), make("span", { class: "faint small pm" }, line.error === null ? ` ${words.unbounded}` : ` (${minus(line.low)} … ${minus(line.high)})`)];
}

export function whisker(line, from, to) {
  const x = (value) => Math.max(0, Math.min(200, ((value - from) / (to - from)) * 200));
  const label = line.error === null ? words.wide(Math.round(line.elo)) : words.bar(minus(line.elo), minus(line.low ?? line.elo - line.error), minus(line.high ?? line.elo + line.error));
  const [left, right] = [x(line.low ?? from), x(line.high ?? to)];
  return draw("svg", { class: "whiskers", viewBox: "0 0 200 20", preserveAspectRatio: "none", role: "img", "aria-label": label }, draw("path", { class: "ground", d: "M0 10H200" }), draw("path", { class: "bar", d: `M${left} 10H${right}M${left} 5v10M${right} 5v10` }), draw("path", { class: "dot", d: `M${x(line.elo)} 10h.01` }));
}

export function crosstable(report) {
  const names = report.standings.map((line) => line.name);
  const met = new Map(report.head_to_head.map((one) => [`${one.name}\n${one.against}`, one]));
  const head = make("tr", {}, make("th", { scope: "col" }, make("span", { class: "unseen" }, words.player)), ...names.map((name, i) => make("th", { scope: "col", title: name }, String(i + 1), make("span", { class: "unseen" }, ` ${name}`))));
  const rows = names.map((name, i) => make("tr", {}, make("th", { scope: "row" }, `${i + 1} ${name}`), ...names.map((other) => make("td", { class: name === other ? "self" : "" }, name === other ? "" : cell(report, name, other, met.get(`${name}\n${other}`))))));
  const table = make("table", { class: "ct" }, make("caption", { class: "unseen" }, words.crosstable), make("thead", {}, head), make("tbody", {}, ...rows));
  table.style.setProperty("--players", String(names.length));
  return table;
}

function cell(report, name, other, tally) {
  const games = tally ? tally.wins + tally.draws + tally.losses : 0;
  if (!games) return make("span", { class: "none", "aria-label": words.notMet(name, other) }, "·");
  const points = tally.wins + tally.draws / 2;
  const share = points / games;
  const tone = Math.min(4, Math.round(Math.abs(share - 0.5) * 8));
  return make("a", { class: `${share >= 0.5 ? "up" : "down"}${tone}`, href: link("tournaments", [report.name, "games"], { player: name, against: other }), "aria-label": words.meeting(name, other, half(points), games) }, half(points));
}

export function faults(report) {
  return report.faults.map((fault) =>
    make(
      "article",
      { class: "card pad fault-card" },
      make("div", { class: "row nowrap" }, make("h3", { class: "grow" }, fault.player ? words.faultOf(fault.player) : words.notPlayed), make("span", { class: "tag bad" }, faultName(fault.verdict))),
      make("p", { class: "small muted" }, faultReason(fault.why)),
      fault.player && faultMeaning(fault.verdict) ? make("details", { class: "small" }, make("summary", {}, words.whatItMeans), make("p", {}, faultMeaning(fault.verdict))) : "",
      fault.stderr ? make("pre", { tabindex: 0, "aria-label": words.stderr }, fault.stderr) : "",
      make("div", { class: "row" }, make("a", { class: "btn sm", href: link("tournaments", [report.name, "game", fault.id]) }, words.replay)),
    ),
  );
}
