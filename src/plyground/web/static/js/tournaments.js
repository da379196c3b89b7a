// Tournaments: those the server shows, one with its standings, a game of it replayed.

import { call, prospects } from "./api.js";
import { Board } from "./board.js";
import { curve } from "./curve.js";
import { draw, field, make } from "./dom.js";
import { texts } from "./texts.js";

const say = texts.tournaments;
const AGAIN_MS = 2000;

export async function open(main, [name, key]) {
  if (name && key) return replay(main, name, key);
  if (name) return one(main, name);
  return all(main);
}

async function all(main) {
  const list = await call("/api/tournaments");
  main.append(
    make("h1", {}, say.title),
    list.length
      ? make("ul", {}, ...list.map((tournament) => make("li", {}, make("a", { href: `#/tournaments/${encodeURIComponent(tournament.name)}` }, tournament.name), ` – ${tournament.title}, ${progressOf(tournament)} (${stateOf(tournament)})`)))
      : make("p", { class: "quiet" }, say.none),
  );
}

const progressOf = ({ played, total }) => say.progress(played, total);
const stateOf = ({ running, played, total }) => (running ? say.live : total && played < total ? say.stopped : say.done);

async function one(main, name) {
  const path = `/api/tournaments/${encodeURIComponent(name)}`;
  const progress = make("p", { class: "quiet", role: "status" });
  const underWay = make("section", { class: "underway" });
  const chart = make("div", { class: "chart scroll" });
  const standings = make("div", { class: "scroll" });
  const cross = make("div", { class: "scroll" });
  const games = make("div", { class: "scroll games" });
  const wanted = make("input", { type: "search", maxlength: 60, oninput: () => listGames() });
  let played = -1;
  let timer = null;
  let gone = false;

  async function listGames() {
    const found = await call(`${path}/games?${new URLSearchParams({ wanted: wanted.value })}`);
    const rows = found.games.map((game) => [
      link(`#/tournaments/${encodeURIComponent(name)}/${encodeURIComponent(game.id)}`, game.id),
      game.first,
      game.second,
      game.result,
      game.termination,
    ]);
    games.replaceChildren(table([say.replay, say.first, say.second, say.score, say.ending], rows));
  }

  async function update() {
    const state = await call(path);
    progress.textContent = `${state.title} · ${progressOf(state)} · ${stateOf(state)}`;
    underWay.replaceChildren(...(state.running ? underWayParts(state.under_way) : []));
    if (state.played !== played) {
      played = state.played;
      chart.replaceChildren(eloChart(state.standings));
      standings.replaceChildren(
        table(
          ["#", say.player, say.elo, "±", say.score, say.played, say.faults],
          state.standings.map((line, i) => [i + 1, line.name, Math.round(line.elo), line.error === null ? "∞" : Math.round(line.error), line.points, line.games, line.faults]),
        ),
      );
      cross.replaceChildren(crosstable(state));
      await listGames();
    }
    if (!gone && state.played !== state.total) timer = setTimeout(update, AGAIN_MS);
  }

  const forms = ["html", "text", "markdown", "csv", "json", "pgn"];
  main.append(
    make("h1", {}, name),
    progress,
    underWay,
    make("h2", {}, say.standings),
    chart,
    standings,
    make("h2", {}, say.crosstable),
    cross,
    make("h2", {}, say.games),
    make("div", { class: "find" }, field(say.find, wanted)),
    games,
    make("h2", {}, say.download),
    make("p", { class: "row" }, ...forms.map((form) => link(`${path}/report?form=${form}`, form, true))),
  );
  await update();
  return () => {
    gone = true;
    clearTimeout(timer);
  };
}

async function replay(main, name, key) {
  const game = await call(`/api/tournaments/${encodeURIComponent(name)}/games/${encodeURIComponent(key)}`);
  const { board, positions } = await call("/api/positions", { body: { game: game.game, moves: game.moves } });
  const drawn = new Board(board);
  const where = make("p", { role: "status" });
  const chart = make("div", { class: "chart" });
  const values = [0, ...game.scores.map((score, ply) => (score === null ? 0 : prospects(score) * (ply % 2 ? -1 : 1)))];
  const go = (at) => {
    const ply = Math.max(0, Math.min(game.moves.length, at));
    now = ply;
    drawn.update(positions[ply]);
    where.textContent = `${ply} / ${game.moves.length}${ply ? ` · ${game.moves[ply - 1]}` : ""}`;
    chart.replaceChildren(curve(values, { at: ply, label: texts.analyse.curve, onpick: go }));
  };
  let now = 0;
  const step = (label, text, to) => make("button", { type: "button", "aria-label": label, onclick: () => go(to()) }, text);
  main.append(
    make("h1", {}, `${game.first} – ${game.second} ${game.result}`),
    make("p", { class: "quiet" }, `${game.title} · ${texts.game.endings[game.termination] ?? game.termination}`),
    drawn.element,
    make(
      "div",
      { class: "row" },
      step(texts.analyse.start, "|◀", () => 0),
      step(texts.analyse.back, "◀", () => now - 1),
      step(texts.analyse.forward, "▶", () => now + 1),
      step(texts.analyse.end, "▶|", () => game.moves.length),
    ),
    where,
    chart,
    make("p", { class: "row" }, link(`#/tournaments/${encodeURIComponent(name)}`, name), link(`#/analyse?${new URLSearchParams({ game: game.game, moves: game.moves.join(";") })}`, texts.game.analyse)),
  );
  go(game.moves.length);
}

const link = (href, text, download = false) => make("a", { href, download }, text);

const sort = (cell) => (typeof cell === "number" ? "figure" : null);

function table(head, rows) {
  return make(
    "table",
    {},
    make("thead", {}, make("tr", {}, ...head.map((text, i) => make("th", { scope: "col", class: sort(rows[0]?.[i]) }, text)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", { class: sort(cell) }, cell instanceof Node ? cell : String(cell)))))),
  );
}

function underWayParts(games) {
  const rows = games.map(({ round, opening, first, second, seconds }) => [round, opening, first, second, say.seconds(seconds)]);
  return [
    make("h2", {}, say.underWay),
    make("div", { class: "scroll" }, table([say.round, say.opening, say.first, say.second, say.since], rows)),
    make("p", { class: "quiet summary" }, say.underWayMeans),
  ];
}

function crosstable({ standings, head_to_head }) {
  const score = new Map(head_to_head.map(({ name, against, wins, draws, losses }) => [`${name}\u0000${against}`, `${wins + draws / 2} / ${wins + draws + losses}`]));
  const names = standings.map((line) => line.name);
  return table(["", ...names.map((_, i) => String(i + 1))], names.map((name, i) => [`${i + 1} ${name}`, ...names.map((other) => (name === other ? "·" : score.get(`${name}\u0000${other}`) ?? ""))]));
}

function eloChart(standings) {
  const [width, left, row] = [480, 176, 26];
  const low = Math.min(...standings.map((line) => line.elo - (line.error ?? 0)), -50);
  const high = Math.max(...standings.map((line) => line.elo + (line.error ?? 0)), 50);
  const x = (elo) => left + 10 + ((elo - low) / (high - low)) * (width - left - 26);
  const bottom = standings.length * row + 8;
  const svg = draw("svg", { class: "elo", viewBox: `0 0 ${width} ${bottom + 20}`, role: "img", "aria-label": say.standings });
  const step = [25, 50, 100, 200, 500, 1000, 2000, 5000].find((wide) => (high - low) / wide <= 5) ?? 10000;
  for (let elo = Math.ceil(low / step) * step; elo <= high; elo += step) {
    svg.append(draw("line", { class: "tick", x1: x(elo), x2: x(elo), y1: 6, y2: bottom }), draw("text", { class: "axis", x: x(elo), y: bottom + 14 }, String(elo)));
  }
  standings.forEach(({ name, elo, error }, i) => {
    const y = 18 + i * row;
    svg.append(draw("text", { x: left, y: y + 4, "text-anchor": "end" }, name.length > 23 ? `${name.slice(0, 22)}…` : name));
    if (error !== null) svg.append(draw("line", { class: "whisker", x1: x(elo - error), x2: x(elo + error), y1: y, y2: y }));
    svg.append(draw("circle", { class: "dot", cx: x(elo), cy: y, r: 5 }));
  });
  return svg;
}
