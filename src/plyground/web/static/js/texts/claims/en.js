// Why a move wins, loses or holds: one sentence for each kind of claim. Every language has the same keys.

const plies = (n) => (n === 1 ? "1 ply" : `${n} plies`);
const lines = (n) => (n === 1 ? "1 live pattern" : `${n} live patterns`);

export const say = {
  cell: (column, row) => `row ${row} of column ${column}`,
  across: (columns, row) => `columns ${columns} of row ${row}`,
  upward: (rows, column) => `rows ${rows} of column ${column}`,
  slanting: (columns, rows) => `columns ${columns}, rows ${rows}`,
  at: (cell) => `at ${cell}`,
  with: (move) => `with ${move}`,
  and: (one, other) => `${one} and ${other}`,
  nothing: "Nothing more is known about it.",
  completes: ({ who, pattern }) => `Completes ${pattern} for ${who} and ends the game.`,
  stops: ({ who, pattern, where }) => `Stops ${who} from completing ${pattern} ${where}.`,
  leaves: ({ who, pattern, where }) => `Does not stop ${who}, who completes ${pattern} ${where}.`,
  "gives-cell": ({ who, pattern, where }) => `Gives ${who} the cell above: ${who} completes ${pattern} ${where}.`,
  lets: ({ who, pattern, where }) => `Lets ${who} complete ${pattern} ${where}.`,
  "two-threats": ({ pattern, where, pattern2, where2 }) => `Threatens ${pattern} ${where} and ${pattern2} ${where2}: no move stops both.`,
  "two-threats-after": ({ who, reply, pattern, where, pattern2, where2 }) => `After the reply ${reply}, ${who} threatens ${pattern} ${where} and ${pattern2} ${where2}: no move stops both.`,
  zugzwang: ({ who, other }) => `Puts ${other} in zugzwang: whatever ${other} plays, ${who} completes a pattern next.`,
  "no-reply": ({ who, other }) => `Whatever ${other} replies, ${who} completes a pattern with the next move.`,
  forces: ({ who, number, moves }) => `${who} wins by force in ${plies(number)}; against the longest defence: ${moves}`,
  "must-fill": ({ who, other, filled, pattern }) => `In the longest defence ${other} must fill ${filled} in the end, and ${who} completes ${pattern} above it.`,
  follows: ({ who, other }) => `From now on ${who} answers each disc on top of it: ${other} makes no line of the cells that this leaves.`,
  "follows-to": ({ who, other, pattern }) => `From now on ${who} answers each disc on top of it and so gets ${pattern}; ${other} makes no line of the other cells.`,
  "cannot-win": ({ who }) => `Leaves ${who} no pattern that can still be completed.`,
  pairing: ({ who, other, pairs }) => `${other} can complete nothing: ${who} answers each cell of a pair with the other: ${pairs}.`,
  poles: ({ poles, pattern }) => `Takes both poles, ${poles}, of ${pattern}, which can no longer win.`,
  only: ({ number }) => `Every other move loses, at the latest in ${plies(number)}.`,
  lasts: ({ number }) => number === 2 ? "Every move loses in 2 plies." : `Every move loses; this one lasts longest, ${plies(number)}.`,
  threatens: ({ pattern, where }) => `Threatens to complete ${pattern} ${where}.`,
  blocks: ({ who, number }) => `Blocks ${lines(number)} that ${who} has begun.`,
  builds: ({ who, number }) => `Adds to ${lines(number)} of ${who}.`,
};
