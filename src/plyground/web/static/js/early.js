// What the place needs that somebody opens first is asked for while the modules are still on their way: its files, and
// what they are going to ask the server. `call` in backend.js takes these answers. The server writes this script into the
// page, with what it imports.
import { firstQuestions } from "./questions.js";

const files = {}; // by place, filled in by the server; a star stands for the language
const [path, query] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
const [place, ...parts] = path.split("/");
const language = ["en", "de", "fr"].find((one) => navigator.language.startsWith(one)) ?? "en";
const prefetch = (file) =>
  file.endsWith(".css") ? { rel: "preload", as: "style", href: file } : file.endsWith(".json") ? { rel: "preload", as: "fetch", crossOrigin: "anonymous", href: file.replace("*", language) } : { rel: "modulepreload", href: file.replace("*", language) };
for (const file of files[place] ?? []) document.head.append(Object.assign(document.createElement("link"), prefetch(file)));
const post = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body });
const ask = (path, body) => fetch(path, body ? post(body) : {}).catch(() => null);
const plain = parts.every((part) => /^[\w-]*$/.test(part)); // others are asked for by whoever can read them
const asked = plain ? firstQuestions(place, parts, Object.fromEntries(new URLSearchParams(query))) : [];
const sent = asked.map(([path, options]) => [path, options?.body ? JSON.stringify(options.body) : ""]);
globalThis.early = new Map(sent.map(([path, body]) => [path + body, ask(path, body)]));
