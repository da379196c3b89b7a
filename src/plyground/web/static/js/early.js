// What the place needs that somebody opens first is asked for while the modules are still on their way: its files, and
// what they are going to ask the server. `call` in backend.js takes these answers.
{
  const files = {}; // by place, filled in by the server; a star stands for the language
  const [path, query] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [place, part] = path.split("/");
  const language = ["en", "de", "fr"].find((one) => navigator.language.startsWith(one)) ?? "en";
  const prefetch = (file) => (file.endsWith(".css") ? { rel: "preload", as: "style", href: file } : { rel: "modulepreload", href: file.replace("*", language) });
  for (const file of files[place] ?? []) document.head.append(Object.assign(document.createElement("link"), prefetch(file)));
  const { game = "connect-four", moves = "" } = Object.fromEntries(new URLSearchParams(query));
  const example = { game: "tic-tac-toe", moves: ["A3", "B2"] }; // the search that the lab begins with
  const questions = {
    "": [["/api/home"]],
    analyse: [["/api/positions", { game, moves: moves ? moves.split(";") : [] }]],
    search: query ? [] : [["/api/games"], ["/api/heuristics?game=tic-tac-toe"], ["/api/positions", example], ["/api/tree", { ...example, search: "alpha-beta", heuristic: "lines", depth: 3 }]],
    learn: part ? [[`/api/lessons/${part}`]] : [["/api/home"], ["/api/puzzles?page=0"]],
    puzzles: part && !query ? [[`/api/puzzles/${part}`]] : [],
  };
  const post = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body });
  const ask = (path, body) => fetch(path, body ? post(body) : {}).catch(() => null);
  const asked = (questions[place] ?? []).map(([path, body]) => [path, body ? JSON.stringify(body) : ""]);
  globalThis.early = new Map(asked.map(([path, body]) => [path + body, ask(path, body)]));
}
