// A student's own page: hand in a version, see what its check found, its rating, games, faults and feedback.

import { link } from "./address.js";
import { Outage, Refusal } from "./api.js";
import { call } from "./backend.js";
import { announce, make } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./study_texts.js";
import { poll } from "./polling.js";
import { minus } from "./standings.js";
import { language, texts } from "./texts.js";

const words = say.class;
const POLL_MILLISECONDS = 2000;
const GAMES_SHOWN = 12;

export async function own(box, token) {
  const page = new OwnPage(box, token);
  return poll({ fetch: () => page.fetch(), every: POLL_MILLISECONDS, state: page.answer });
}

class OwnPage {
  constructor(box, token) {
    this.token = token;
    this.heading = make("header", { class: "pagehead" });
    this.input = make("input", { type: "file", class: "unseen", id: "handin", onchange: () => this.handIn(this.input.files) });
    this.limits = make("p", { class: "small muted" });
    this.answer = make("p", { class: "small", role: "status" });
    const drop = make("label", { class: "drop", for: "handin" }, icon("share"), make("b", {}, words.choose), this.limits);
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.handIn(event.dataTransfer.files);
    });
    this.versions = make("div", { class: "stack" });
    this.right = make("div", { class: "stack" });
    const left = make("section", { class: "stack wide", "aria-label": words.handIn }, make("div", { class: "card pad stack" }, make("h2", {}, words.handIn), this.input, drop, this.answer), this.versions);
    box.append(make("div", { class: "page tournament classown" }, this.heading, make("div", { class: "cols" }, left, make("section", { class: "wide", "aria-label": words.results }, this.right))));
  }

  async fetch() {
    this.show(await call("/api/class/own", { token: this.token }));
  }

  async handIn(files) {
    if (files.length !== 1) return this.say(words.oneFile, "bad");
    const [file] = files;
    this.say(words.sending(file.name));
    try {
      const version = await call(`/api/class/own/versions?${new URLSearchParams({ file: file.name })}`, { file, token: this.token });
      this.say(version.state === "refused" ? version.problem : words.received(version.number), version.state === "refused" ? "bad" : "good");
      if (version.state === "waiting") this.awaited = version.number;
      await this.fetch();
    } catch (error) {
      if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
      this.say(error instanceof Outage ? texts.outage.title : error.message, "bad");
    } finally {
      this.input.value = "";
    }
  }

  say(text, tone = "") {
    this.answer.className = `small ${tone && `said-${tone}`}`;
    this.answer.textContent = text;
    announce(text);
  }

  show(student) {
    const stamp = JSON.stringify(student);
    if (stamp === this.stamp) return; // what one is reading stays as it is
    this.stamp = stamp;
    const [newest] = student.versions;
    if (newest && newest.number === this.awaited && newest.state !== "waiting") {
      this.awaited = 0;
      this.say(words.checked(newest.number, newest.state), newest.state === "refused" ? "bad" : "good");
    }
    const toggle = make("button", { type: "button", class: "btn sm", onclick: () => this.rename(!student.pseudonym) }, student.pseudonym ? words.useName : words.usePseudonym);
    this.heading.replaceChildren(make("div", { class: "grow" }, make("div", { class: "row small muted" }, make("a", { href: link("class") }, `‹ ${student.title}`)), make("h1", {}, student.name)), make("span", { class: "small muted" }, words.shownAs(student.shown)), toggle);
    this.limits.textContent = [words.kinds(student.kinds.join(" ")), words.largest(student.largest_kb), student.closes ? words.closes(when(student.closes)) : "", student.late_until && student.late_until !== student.closes ? words.lateUntil(when(student.late_until)) : ""].filter(Boolean).join(" · ");
    this.input.setAttribute("accept", student.kinds.join(","));
    this.versions.replaceChildren(...student.versions.map((version, i) => versionCard(version, student.plays === version.number, i === 0)));
    this.right.replaceChildren(ratingCard(student), ...student.feedback ? [feedbackCard(student.feedback)] : [], ...faultCards(student, this.token), gamesCard(student, this.token));
    for (const part of [this.versions, this.right]) toTheEnd(part);
  }

  async rename(pseudonym) {
    await call("/api/class/own/name", { method: "PUT", body: { pseudonym }, token: this.token });
    await this.fetch();
  }
}

// What a program wrote last says what went wrong.
const toTheEnd = (box) => box.querySelectorAll("pre").forEach((pre) => (pre.scrollTop = pre.scrollHeight));

// A moment in the reader's own time.
export const when = (seconds) => new Date(1000 * seconds).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });

function versionCard(version, plays, open) {
  const tone = { accepted: "good", refused: "bad", waiting: "warn" }[version.state];
  const failed = version.findings.filter((found) => !found.passed);
  const repeated = (found, i) => i > 0 && found.stderr === version.findings[i - 1].stderr;
  const finding = (found, i) => make("li", { class: found.passed ? "passed" : "failed" }, icon(found.passed ? "check" : "close"), make("div", {}, found.task, found.passed ? "" : make("p", { class: "small" }, found.problem), found.advice ? make("p", { class: "small muted" }, found.advice) : "", found.stderr && !repeated(found, i) ? make("pre", { tabindex: 0, "aria-label": say.tournaments.stderr }, found.stderr) : ""));
  return make(
    "article",
    { class: "card pad stack versioncard", "data-state": version.state },
    make("div", { class: "row" }, make("h3", { class: "grow" }, words.versionOf(version.number, version.file)), plays ? make("span", { class: "tag accent" }, words.playsNow) : "", version.graded && !plays ? make("span", { class: "tag" }, words.isGraded) : "", version.days_late ? make("span", { class: "tag warn" }, words.daysLate(version.days_late)) : "", make("span", { class: `tag ${tone}` }, words.states[version.state])),
    make("p", { class: "tiny faint" }, `${when(version.handed_in)} · SHA-256 ${version.fingerprint.slice(0, 12)}`),
    version.problem && !failed.length ? make("p", { class: "small" }, version.problem) : "",
    version.findings.length ? make("details", { open: open && failed.length > 0, ontoggle: (event) => toTheEnd(event.currentTarget) }, make("summary", {}, words.findings(version.findings.length - failed.length, version.findings.length)), make("ul", { class: "findings" }, ...version.findings.map(finding))) : "",
  );
}

function ratingCard(student) {
  const { line } = student;
  if (!line || line.rating === null) return make("div", { class: "card pad stack" }, make("h2", {}, words.rating), make("p", { class: "muted small" }, words.noRating));
  const past = [...new Map(student.history.map((point) => [point.version, point])).values()];
  const row = (point) => make("tr", {}, make("th", { scope: "row" }, words.version(point.version)), make("td", { class: "r" }, `${minus(point.rating)} ± ${Math.round((point.high - point.low) / 2)}`), make("td", { class: "r" }, String(point.games)));
  return make(
    "div",
    { class: "card pad stack" },
    make("h2", {}, words.rating),
    make("p", {}, make("b", { class: "total" }, minus(line.rating)), make("span", { class: "muted" }, ` ${words.between(minus(line.low), minus(line.high))}`)),
    make("p", { class: "small muted" }, [line.place === null ? "" : words.place(line.place), say.tournaments.found(line.games)].filter(Boolean).join(" · ")),
    past.length > 1 ? make("table", { class: "small" }, make("caption", { class: "eyebrow" }, words.byVersion), make("tbody", {}, ...past.map(row))) : "",
  );
}

function feedbackCard(grade) {
  const mark = (one) => make("li", {}, make("div", { class: "row nowrap" }, make("b", { class: "grow" }, one.criterion), make("span", { class: "nowrap" }, `${one.points} / ${one.of}`)), ...one.details.map((text) => make("p", { class: "small muted" }, text)));
  return make("div", { class: "card pad stack" }, make("div", { class: "row" }, make("h2", { class: "grow" }, words.feedback), make("b", {}, `${grade.points} / ${grade.of}`)), grade.problem ? make("p", { class: "small" }, grade.problem) : "", make("ul", { class: "feedback" }, ...grade.marks.map(mark), ...grade.blunders.map((one) => make("li", { class: "small" }, one.text))));
}

function faultCards(student, token) {
  return student.faults.slice(0, 3).map((fault) =>
    make(
      "article",
      { class: "card pad fault-card" },
      make("div", { class: "row nowrap" }, make("h3", { class: "grow" }, words.lostByFault(fault.version)), make("span", { class: "tag bad" }, fault.verdict)),
      make("p", { class: "small muted" }, fault.why),
      fault.advice ? make("p", { class: "small" }, fault.advice) : "",
      fault.stderr ? make("pre", { tabindex: 0, "aria-label": say.tournaments.stderr }, fault.stderr) : "",
      make("div", { class: "row" }, make("a", { class: "btn sm", href: link("class", ["own", token, "game", fault.id]) }, say.tournaments.replay)),
    ),
  );
}

function gamesCard(student, token) {
  if (!student.games.length) return make("div", { class: "card pad stack" }, make("h2", {}, words.games), make("p", { class: "muted small" }, words.noGames));
  const tone = { won: "good", lost: "bad", drawn: "warn", open: "" };
  const row = (game) => make("tr", {}, make("td", {}, make("a", { class: "gamelink", href: link("class", ["own", token, "game", game.id]) }, game.id)), make("td", { class: "r" }, String(game.version)), make("td", {}, game.opponent), make("td", {}, make("span", { class: `tag ${tone[game.result]}` }, words.outcomes[game.result])), make("td", { class: "r" }, String(game.plies)));
  const heads = [say.tournaments.game, words.versionHead, words.opponent, say.tournaments.result, say.tournaments.moves];
  const table = (games) => make("table", { class: "gamestable" }, make("caption", { class: "unseen" }, words.games), make("thead", {}, make("tr", {}, ...heads.map((text, i) => make("th", { scope: "col", class: [1, 4].includes(i) ? "r" : "" }, text)))), make("tbody", {}, ...games.map(row)));
  const rest = student.games.slice(GAMES_SHOWN);
  return make("div", { class: "card pad stack scroll", tabindex: 0, role: "region", "aria-label": words.games }, make("h2", {}, words.games), table(student.games.slice(0, GAMES_SHOWN)), rest.length ? make("details", {}, make("summary", {}, say.tournaments.moreFaults(rest.length)), table(rest)) : "");
}
