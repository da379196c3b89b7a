// What there is to see in a position, for the coach: patterns that lack a single cell, and those whose poles matter.
// Which patterns are alive and what can be laid is asked of the core.

const bit = (layer) => 1 << layer;

export function lookAt(table, position) {
  const mover = position.ply & 1;
  const found = [mover, 1 - mover].flatMap((side) => threatsOf(table, position, side).sort((a, b) => b.at_once - a.at_once));
  return { threats: found, poles: [0, 1].flatMap((side) => polesOf(table, position, side)) };
}

// The patterns of a side that lack a single cell, and the placements that would fill it now.
function nearlyDone(table, position, side) {
  const places = table.game.fitting(position, side);
  return table.game.live(position, side).flatMap(([number, layer, held]) => {
    const { cells } = table.board.patterns[number];
    if (held !== cells.length - 1) return [];
    const missing = cells.find((cell) => !position.kinds[cell]);
    const fills = (laid) => laid.cells.some((cell, i) => cell === missing && laid.kinds[i].includes(layer));
    return [{ cells, missing, places: places.filter((place) => fills(table.laid(side, place))) }];
  });
}

const threatsOf = (table, position, side) =>
  nearlyDone(table, position, side).map(({ cells, missing, places }) => ({ side, cells, missing: [missing], where: table.data.moves.where.cells[missing], at_once: places.length > 0 }));

// The placements with which a side would complete a pattern now, and the cells of that pattern.
export const winsOf = (table, position, side) => nearlyDone(table, position, side).flatMap(({ cells, places }) => places.map((place) => ({ place, cells })));

// Patterns a side has two cells of or more, and the opponent a pole: in danger with one, dead with both.
function polesOf(table, position, side) {
  const { patterns, watches } = table.board;
  const [mine, theirs] = [side, 1 - side].map((one) => watches[one].reduce((mask, layer) => mask | bit(layer), 0));
  const held = (cells, mask) => cells.filter((cell) => position.kinds[cell] & mask).length;
  return patterns.flatMap(({ cells, poles }, number) => {
    const taken = held(poles, theirs);
    if (!taken || held(cells, mine) < 2 || held(cells, theirs)) return [];
    return [{ side, cells, poles, where: table.data.moves.where.patterns[number], dead: taken === poles.length }];
  });
}
