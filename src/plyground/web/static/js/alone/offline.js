// The service worker: after the first visit everything is kept. A new version is offered, and taken when the reader says so.

import { make } from "../dom.js";
import { texts } from "../texts.js";

const HOUR_MILLISECONDS = 3_600_000;

let chosen = false;

// Says that a new version is there; nothing happens before the reader chooses it.
function offer(act) {
  if (document.querySelector(".update")) return;
  const take = () => ((chosen = true), act());
  const later = () => bar.remove();
  const bar = make(
    "div",
    { class: "update card", role: "status" },
    make("span", { class: "grow" }, texts.update.ready),
    make("button", { type: "button", class: "btn sm", onclick: later }, texts.update.later),
    make("button", { type: "button", class: "btn sm primary", onclick: take }, texts.update.take),
  );
  document.body.append(bar);
}

export async function keepOffline() {
  if (!("serviceWorker" in navigator)) return; // only over https, and on this machine
  const before = navigator.serviceWorker.controller;
  const registration = await navigator.serviceWorker.register(new URL("../../service-worker.js", import.meta.url));
  const watch = (worker) => worker?.addEventListener("statechange", () => worker.state === "installed" && navigator.serviceWorker.controller && offer(() => worker.postMessage("take over")));
  if (registration.waiting && before) offer(() => registration.waiting.postMessage("take over"));
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
  // Another tab may have chosen it: this one is not torn out of its game, and is offered to begin anew.
  navigator.serviceWorker.addEventListener("controllerchange", () => before && (chosen ? location.reload() : offer(() => location.reload())));
  setInterval(() => registration.update().catch(() => null), HOUR_MILLISECONDS);
}
