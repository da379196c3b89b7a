// Addresses: every state of the page has one, #/name/part/part?key=value.

export class NoSuchPlace extends Error {}

// What an address means; NoSuchPlace for one that cannot be read.
export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  try {
    const [name, ...parts] = path.split("/").map(decodeURIComponent);
    return { name, parts, query: Object.fromEntries(new URLSearchParams(query)) };
  } catch {
    throw new NoSuchPlace();
  }
}

export function link(name, parts = [], query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const said = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return `#/${[name, ...parts].map(encodeURIComponent).join("/")}${given.length ? `?${said}` : ""}`;
}

export function go(name, parts, query) {
  location.hash = link(name, parts, query);
}

// Whether one is still at a place: while it was loading one may have gone on.
export const isAt = (place) => parse(location.hash).name === place;

// Note a changed state in the address of a place, without going anywhere; nothing where one has left it.
export function note(place, changes) {
  if (!isAt(place)) return;
  const { name, parts, query } = parse(location.hash);
  const next = link(name, parts, { ...query, ...changes });
  if (next !== location.hash) history.replaceState(null, "", next);
}
