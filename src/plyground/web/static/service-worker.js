// Keeps every file of the page, so that it works without a network. `plyground site` fills in version and files: another
// version has another cache, and takes over only when the reader says so.

const VERSION = "VERSION";
const FILES = ["FILES"];
const NAME = `plyground ${self.registration.scope} `;

self.addEventListener("install", (event) => {
  // `reload` goes past the browser's own cache, which may hold files of the version before.
  const wanted = ["./", ...FILES].map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(NAME + VERSION).then((cache) => cache.addAll(wanted)));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith(NAME) && name !== NAME + VERSION;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("message", ({ data }) => data === "take over" && self.skipWaiting());

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  event.respondWith(
    caches.open(NAME + VERSION).then(async (cache) => {
      const found = await cache.match(request.mode === "navigate" ? "./" : request, { ignoreSearch: request.mode === "navigate" });
      if (found) return found;
      const answer = await fetch(request);
      // Python is large, so it is kept once somebody has used it.
      if (answer.ok && request.url.startsWith(`${self.registration.scope}python/`)) await cache.put(request, answer.clone());
      return answer;
    }),
  );
});
