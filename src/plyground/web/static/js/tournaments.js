// Tournaments and classes: how far they are, who leads and how certain that is, live boards, faults, every game.

import { NoSuchPlace, link } from "./address.js";
import { call } from "./backend.js";
import { field, make } from "./dom.js";
import { thumb } from "./drawing.js";
import { faultName } from "./fault_words.js";
import { icon } from "./icons.js";
import { say } from "./study_texts.js";
import { poll } from "./polling.js";
import { replay } from "./replay.js";
import { crosstable, faults, standings } from "./standings.js";
import { spoken, texts } from "./texts.js";
import { boards } from "./wall.js";

const words = say.tournaments;
const POLL_MILLISECONDS = 2000;

export async function open(box, [name, what, key], query) {
  if (!name) return list(box);
  if (what === "games") return games(box, name, query);
  if (what === "game" && key) return replay(box, { path: path(name, "/games"), back: [link("tournaments", [name]), name] }, key, query);
  if (what) throw new NoSuchPlace();
  const shown = new Live(box, name);
  return poll({ fetch: () => shown.fetch(), every: POLL_MILLISECONDS, state: shown.state, goes: () => shown.report.running });
}

const path = (name, rest = "") => `/api/tournaments/${encodeURIComponent(name)}${rest}`;

// ------------------------------------------------------------------ the list

async function list(box) {
  const [found, { class: room }] = await Promise.all([call("/api/tournaments"), call("/api/class")]);
  const cards = found.map((one) =>
    make(
      "a",
      { class: "card pad tcard", href: link("tournaments", [one.name]) },
      make("div", { class: "row small muted" }, one.running ? make("span", { class: "live" }) : "", one.running ? words.running : one.total && one.played >= one.total ? words.finished : words.stopped, ` · ${spoken(one.title)}`),
      make("h2", {}, one.name),
      progressBar(one.played, one.total),
      make("p", { class: "small muted" }, words.games(one.played, one.total)),
      thumb(one.game, [], 76, 68),
    ),
  );
  const none = make("div", { class: "card pad stack none-yet" }, make("h2", {}, words.none), make("p", { class: "muted" }, words.noneMeans), make("pre", { class: "command", tabindex: 0, "aria-label": words.command }, "plyground tournament run --game connect-four \\\n  --players 'engine:level=3;engine:level=5;hazar-isik' \\\n  --rounds 5 --store night.db\nplyground serve --tournaments ."));
  box.append(make("div", { class: "page stack" }, make("h1", {}, words.title), found.length || room ? make("div", { class: "tlist" }, room ? classCard(room) : "", ...cards) : none));
}

function classCard(room) {
  return make(
    "a",
    { class: "card pad tcard", href: link("class") },
    make("div", { class: "row small muted" }, room.running ? make("span", { class: "live" }) : "", `${say.class.label} · ${spoken(room.game_title)}`),
    make("h2", {}, room.title),
    make("p", { class: "small muted" }, say.class.counts(room.students, room.games)),
    thumb(room.game, [], 76, 68),
  );
}

function progressBar(played, total) {
  const bar = make("span", {});
  const share = total ? Math.round((100 * played) / total) : 0;
  bar.style.setProperty("width", `${share}%`);
  return make("div", { class: "prog", role: "progressbar", "aria-valuenow": share, "aria-valuemin": 0, "aria-valuemax": 100, "aria-label": words.progress }, bar);
}

// ---------------------------------------------------------------- one of them

class Live {
  constructor(box, name) {
    this.name = name;
    this.board = null;
    this.state = make("div", { class: "row small muted tstate", role: "status" });
    this.left = make("span", { class: "muted small nowrap" });
    this.progress = make("div", {});
    this.table = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.standings });
    this.cross = make("div", { class: "scroll ctbox", tabindex: 0, role: "region", "aria-label": words.crosstable });
    this.wall = make("div", { class: "wall" });
    this.wallBox = make("div", {}, make("div", { class: "head" }, make("h2", { class: "grow" }, words.liveBoards)), this.wall);
    this.faults = make("div", { class: "stack" });
    this.more = make("div", { class: "stack" });
    const reports = ["html", "csv", "json", "pgn"].map((form) => make("a", { class: "btn sm", href: path(name, `/report?form=${form}`), download: true }, form.toUpperCase()));
    const title = make("div", { class: "grow" }, this.state, make("h1", {}, name));
    box.append(
      make(
        "div",
        { class: "page tournament" },
        make("header", { class: "pagehead" }, title, make("div", { class: "row" }, this.left, make("a", { class: "btn sm", href: link("tournaments", [name, "games"]) }, icon("moves"), words.allGames), ...reports), this.progress),
        make(
          "div",
          { class: "cols" },
          make("section", { class: "stack wide", "aria-label": words.standings }, make("div", { class: "card pad" }, make("div", { class: "head" }, make("h2", { class: "grow" }, words.standings), make("span", { class: "tiny faint" }, words.ratingMeans)), this.table), make("div", { class: "card pad" }, make("div", { class: "head" }, make("h2", { class: "grow" }, words.crosstable), make("span", { class: "tiny faint" }, words.crossMeans)), this.cross)),
          make("section", { class: "stack wide", "aria-label": words.liveBoards }, this.wallBox, this.faults, this.more),
        ),
      ),
    );
  }

  async fetch() {
    this.show({ ...(await call(path(this.name))), name: this.name });
    this.board ??= await call(`/api/board?${new URLSearchParams({ game: this.report.plan.game })}`);
    this.showWall();
  }

  show(report) {
    this.report = report;
    const state = report.running ? words.running : report.total && report.played >= report.total ? words.finished : words.stopped;
    const terms = [state, spoken(report.title), words.time(report.plan.time)].filter(Boolean).join(" · ");
    this.state.replaceChildren(report.running ? make("span", { class: "live" }) : "", terms);
    this.left.textContent = [words.games(report.played, report.total), report.seconds_left ? words.left(report.seconds_left) : ""].filter(Boolean).join(" · ");
    this.progress.replaceChildren(progressBar(report.played, report.total));
    this.table.replaceChildren(standings(report));
    this.cross.replaceChildren(crosstable(report));
    const [first, rest] = [report.faults.slice(0, 3), report.faults.slice(3)];
    this.faults.replaceChildren(...(report.faults.length ? [make("h2", {}, words.faultsTitle(report.faults.length)), ...faults({ ...report, faults: first })] : []), rest.length ? make("details", {}, make("summary", {}, words.moreFaults(rest.length)), make("div", { class: "stack" }, ...faults({ ...report, faults: rest }))) : "");
    this.more.replaceChildren(this.figures());
  }

  figures() {
    const times = Object.entries(this.report.times).filter(([, use]) => use.moves);
    const rows = times.map(([name, use]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "r" }, words.seconds(use.average)), make("td", { class: "r" }, words.seconds(use.longest))));
    const endings = Object.entries(this.report.endings).map(([how, n]) => make("span", { class: "tag" }, `${texts.game.endings[how] ?? faultName(how)}: ${n}`));
    if (!rows.length) return "";
    return make("div", { class: "card pad stack" }, make("h2", {}, words.endings), make("div", { class: "row" }, ...endings), make("table", { class: "small" }, make("caption", { class: "eyebrow" }, words.times), make("thead", {}, make("tr", {}, ...[words.player, words.average, words.longest].map((text, i) => make("th", { scope: "col", class: i ? "r" : "" }, text)))), make("tbody", {}, ...rows)));
  }

  // The boards of games under way, as far as their moves are known here.
  showWall() {
    const { under_way: under } = this.report;
    this.wallBox.hidden = !under.length;
    if (!this.board) return;
    this.wall.replaceChildren(...boards(this.board.board, under));
  }
}

// ------------------------------------------------------------------ its games

async function games(box, name, query) {
  const find = make("input", { type: "text", value: query.wanted ?? "", maxlength: 60 });
  const body = make("tbody", {});
  const count = make("p", { class: "small muted", role: "status" });
  const more = make("button", { type: "button", class: "btn sm", hidden: true, onclick: () => fill(true) }, words.more);
  const who = [query.player, query.against].filter(Boolean);
  let [page, asked] = [0, null];
  const row = (game) =>
    make("tr", {}, make("td", {}, make("a", { class: "gamelink", href: link("tournaments", [name, "game", game.id]) }, game.id)), make("td", {}, game.first), make("td", {}, game.second), make("td", { class: "nowrap" }, game.result.replace("1/2-1/2", "½-½")), make("td", { class: "muted small" }, texts.game.endings[game.termination] ?? faultName(game.termination)), make("td", { class: "r muted" }, String(game.plies)));
  const fill = async (further) => {
    const mine = (asked = {});
    page = further ? page + 1 : 0;
    const wanted = new URLSearchParams([["page", page], ["wanted", find.value], ...who.map((player) => ["player", player])]);
    const found = await call(path(name, `/games?${wanted}`));
    if (asked !== mine) return;
    const rows = found.games.map(row);
    if (further) body.append(...rows);
    else body.replaceChildren(...rows);
    count.textContent = words.found(found.count);
    more.hidden = body.children.length >= found.count;
  };
  find.addEventListener("input", () => fill(false));
  const head = make("tr", {}, ...[words.game, words.first, words.second, words.result, words.ending, words.moves].map((text, i) => make("th", { scope: "col", class: i === 5 ? "r" : "" }, text)));
  box.append(
    make(
      "div",
      { class: "page stack" },
      make("p", { class: "small" }, make("a", { href: link("tournaments", [name]) }, `‹ ${name}`)),
      make("h1", {}, who.length === 2 ? words.between(...who) : who.length ? words.of(who[0]) : words.allGames),
      make("div", { class: "findbox" }, field(words.find, find)),
      make("div", { class: "card scroll gamesbox", tabindex: 0, role: "region", "aria-label": words.allGames }, make("table", { class: "gamestable" }, make("caption", { class: "unseen" }, words.allGames), make("thead", {}, head), body)),
      make("div", { class: "row" }, count, more),
    ),
  );
  await fill(false);
}
