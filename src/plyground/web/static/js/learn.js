// A lesson of a few steps for each game, taught on the board. The steps come from the server with the game.

import { call } from "./api.js";
import { Board } from "./board.js";
import { listGames } from "./choices.js";
import { make } from "./dom.js";
import { texts } from "./texts.js";

const say = texts.learn;

export async function open(main, [game, step = "0"]) {
  if (!game) {
    const games = await listGames();
    main.append(
      make("h1", {}, say.title),
      make("ul", {}, ...games.map(({ name, title, summary }) => make("li", {}, make("a", { href: `#/learn/${name}` }, title), ` – ${summary}`))),
    );
    return;
  }
  const lesson = await call(`/api/lessons/${encodeURIComponent(game)}`);
  const at = Math.max(0, Math.min(lesson.steps.length - 1, Number(step)));
  const { text, position, shown } = lesson.steps[at];
  const drawn = new Board(lesson.board);
  const words = make("p", { class: "lesson", role: "status" }, text);
  async function tried(move) {
    const { positions } = await call("/api/positions", { body: { game: lesson.game, moves: [...lesson.steps[at].moves, move] } });
    drawn.onmove = null;
    drawn.update(positions.at(-1));
    const { outcome } = positions.at(-1);
    words.textContent = outcome ? say.ended(texts.game.endings[outcome.ending]) : text;
    again.hidden = false;
  }
  const reset = () => {
    drawn.onmove = shown.try ? tried : null;
    drawn.update(position, { patterns: shown.patterns });
    words.textContent = text;
    again.hidden = true;
  };
  const again = make("button", { type: "button", class: "again", hidden: true, onclick: reset }, say.again);
  reset();
  main.append(
    make("h1", {}, `${say.title}: ${lesson.title} (${at + 1}/${lesson.steps.length})`),
    words,
    shown.try ? make("p", { class: "row try quiet" }, say.tryIt, again) : "",
    drawn.element,
    make(
      "p",
      { class: "row" },
      at > 0 ? make("a", { class: "button previous", href: `#/learn/${game}/${at - 1}` }, say.previous) : "",
      at + 1 < lesson.steps.length
        ? make("a", { class: "button primary next", href: `#/learn/${game}/${at + 1}` }, say.next)
        : make("a", { class: "button primary finish", href: `#/new?game=${game}` }, say.finish),
    ),
  );
}
