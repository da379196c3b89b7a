// Limits {depth, nodes, seconds}, each of which may be missing, and what is left of them.

export const now = () => performance.now() / 1000;

// The parts of a limit that say something.
export const given = (limit) => Object.fromEntries(Object.entries(limit).filter(([, value]) => value !== null && value !== undefined));

// A share of the nodes and the seconds; the depth stays.
export function part({ nodes, seconds, ...rest }, share) {
  const found = { ...rest };
  if (nodes !== undefined) found.nodes = Math.max(1, Math.trunc(nodes * share));
  if (seconds !== undefined) found.seconds = seconds * share;
  return found;
}

// What is left of a limit after the time since then; a quarter of it at least.
export const less = (limit, started) => (limit.seconds === undefined ? limit : { ...limit, seconds: Math.max(limit.seconds - (now() - started), limit.seconds / 4) });
