// The class of this server: the ladder's table and the games under way for everybody; a student's own page by a link.

import { NoSuchPlace, link } from "./address.js";
import { call } from "./backend.js";
import { own, when } from "./class_own.js";
import { make } from "./dom.js";
import { say } from "./study_texts.js";
import { poll } from "./polling.js";
import { replay } from "./replay.js";
import { half, minus, whisker } from "./standings.js";
import { spoken } from "./texts.js";
import { boards } from "./wall.js";

const words = say.class;
const POLL_MILLISECONDS = 3000;

export async function open(box, [what, token, where, key], query) {
  if (!what) {
    const ladder = new Ladder(box);
    return poll({ fetch: () => ladder.fetch(), every: POLL_MILLISECONDS, state: ladder.state });
  }
  if (what !== "own" || !token || (where && (where !== "game" || !key))) throw new NoSuchPlace();
  if (!where) return own(box, token);
  return replay(box, { path: "/api/class/own/games", token, back: [link("class", ["own", token]), words.ownPage] }, key, query);
}

class Ladder {
  constructor(box) {
    this.board = null;
    this.state = make("div", { class: "row small muted tstate", role: "status" });
    this.title = make("h1", {});
    this.table = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": words.ladder });
    this.wall = make("div", { class: "wall" });
    this.nothing = make("p", { class: "muted small" }, words.noBoards);
    this.next = make("section", { class: "card pad stack nextcard", "aria-label": words.next, hidden: true });
    box.append(
      make(
        "div",
        { class: "page tournament" },
        make("header", { class: "pagehead" }, make("div", { class: "grow" }, this.state, this.title)),
        this.next,
        make(
          "div",
          { class: "cols" },
          make("section", { class: "card pad wide", "aria-label": words.ladder }, make("div", { class: "head" }, make("h2", { class: "grow" }, words.ladder), make("span", { class: "tiny faint" }, say.tournaments.ratingMeans)), this.table),
          make("section", { class: "stack wide", "aria-label": say.tournaments.liveBoards }, make("h2", {}, say.tournaments.liveBoards), this.wall, this.nothing, make("p", { class: "card pad small muted" }, words.handInHow)),
        ),
      ),
    );
  }

  async fetch() {
    const { class: room } = await call("/api/class");
    if (!room) throw new NoSuchPlace(words.none);
    this.board ??= await call(`/api/board?${new URLSearchParams({ game: room.game })}`);
    this.title.textContent = room.title;
    const begun = room.running || room.games > 0;
    const going = room.running ? (room.paused ? words.paused : room.quiet ? words.quiet : say.tournaments.running) : begun ? say.tournaments.stopped : words.notStarted;
    this.state.replaceChildren(room.running ? make("span", { class: "live" }) : "", [words.label, going, spoken(room.game_title), words.counts(room.students, room.games), room.waiting ? words.waitingChecks(room.waiting) : ""].filter(Boolean).join(" · "));
    this.next.hidden = begun;
    if (!begun) this.showNext(room);
    this.table.replaceChildren(room.standings.length ? ladderTable(room.standings) : make("p", { class: "muted" }, words.empty));
    this.wall.replaceChildren(...boards(this.board.board, room.under_way));
    this.nothing.hidden = room.under_way.length > 0;
  }

  // What comes before the first game: how a bot is handed in, and who starts the games.
  showNext({ standings, closes }) {
    const ready = standings.filter((line) => !line.fixed).length;
    const steps = [words.nextHandIn(closes ? when(closes) : ""), words.nextCheck(ready), words.nextGames];
    const command = make("pre", { class: "command", tabindex: 0, "aria-label": words.command }, "plyground class run DIR");
    this.next.replaceChildren(make("h2", {}, words.next), make("ol", {}, ...steps.map((text) => make("li", {}, text))), command);
  }
}

function ladderTable(lines) {
  const rated = lines.filter((line) => line.rating !== null);
  const from = Math.floor(Math.min(...rated.map((line) => line.low)) / 100) * 100;
  const to = Math.max(Math.ceil(Math.max(...rated.map((line) => line.high)) / 100) * 100, from + 100);
  const said = say.tournaments;
  const heads = [[said.rank, "rank", true], [said.player, ""], [said.errorBar, "eb", true], [said.rating, "r"], [said.points, "r wdl"]];
  const head = make("tr", {}, ...heads.map(([text, name, hidden]) => make("th", { scope: "col", class: name }, hidden ? make("span", { class: "unseen" }, text) : text)));
  const row = (line) =>
    make(
      "tr",
      { class: line.fixed ? "muted" : "" },
      make("td", { class: "rank" }, line.place === null ? "" : String(line.place)),
      make("th", { scope: "row", class: "name" }, line.name, line.version > 1 ? make("span", { class: "faint small" }, ` ${words.version(line.version)}`) : "", ...marks(line)),
      make("td", { class: "eb" }, line.rating === null || line.fixed ? "" : whisker(bounded(line), from, to)),
      make("td", { class: "r nowrap" }, ...ratingOf(line)),
      make("td", { class: "r wdl muted nowrap" }, half(line.points), make("span", { class: "faint small" }, ` / ${line.games}`)),
    );
  return make("table", { class: "st" }, make("caption", { class: "unseen" }, words.ladder), make("thead", {}, head), make("tbody", {}, ...lines.map(row)));
}

const bounded = (line) => ({ ...line, elo: line.rating, error: (line.high - line.low) / 2 });

function marks(line) {
  const state = { paused: words.isPaused, withdrawn: words.withdrawn }[line.state];
  return [line.fixed ? make("span", { class: "tag" }, words.anchor) : "", state ? make("span", { class: "tag warn" }, state) : "", line.faults ? make("span", { class: "tag bad" }, say.tournaments.faults(line.faults)) : ""];
}

export function ratingOf(line) {
  if (line.rating === null) return [make("span", { class: "muted small" }, words.notRated)];
  return [make("b", {}, minus(line.rating)), line.fixed ? "" : make("span", { class: "faint small pm" }, ` ± ${Math.round(bounded(line).error)}`)];
}
