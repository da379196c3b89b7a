// Asking the server again and again for what changes while somebody looks at it.

import { Outage, Refusal } from "./api.js";
import { icon } from "./icons.js";
import { say } from "./study_texts.js";
import { texts } from "./texts.js";

const LONGEST_MILLISECONDS = 30_000; // between two tries, while the server does not answer

// Fetches at once and then every so many milliseconds while `goes` is true. The function that it returns ends it. A failure is shown in
// `state` and tried again, ever later; it never ends the polling.
export async function poll({ fetch, every, state, goes = () => true }) {
  await fetch();
  let [wait, timer, closed] = [every, null, false];
  const next = () => {
    if (closed || !goes()) return;
    timer = setTimeout(async () => {
      try {
        await fetch();
        wait = every;
      } catch (error) {
        if (!(error instanceof Outage) && !(error instanceof Refusal)) throw error;
        wait = Math.min(wait * 2, LONGEST_MILLISECONDS);
        state.replaceChildren(icon("warn"), error instanceof Outage ? texts.outage.title : error.message, ` ${say.tournaments.tryingAgain}`);
      }
      next();
    }, wait);
  };
  next();
  return () => {
    closed = true;
    clearTimeout(timer);
  };
}
