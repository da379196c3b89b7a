// Warum ein Zug gewinnt, verliert oder hält: ein Satz für jede Art von Behauptung. Jede Sprache hat dieselben Schlüssel.

const plies = (n) => (n === 1 ? "1 Halbzug" : `${n} Halbzügen`);
const lines = (n) => (n === 1 ? "1 offene Linie" : `${n} offene Linien`);

export const say = {
  cell: (column, row) => `Reihe ${row} von Spalte ${column}`,
  across: (columns, row) => `Spalten ${columns} in Reihe ${row}`,
  upward: (rows, column) => `Reihen ${rows} in Spalte ${column}`,
  slanting: (columns, rows) => `Spalten ${columns}, Reihen ${rows}`,
  at: (cell) => `bei ${cell}`,
  with: (move) => `mit ${move}`,
  and: (one, other) => `${one} und ${other}`,
  nothing: "Mehr ist darüber nicht bekannt.",
  completes: ({ who, pattern }) => `Vollendet ${pattern} für ${who} und beendet die Partie.`,
  stops: ({ who, pattern, where }) => `Hindert ${who} daran, ${pattern} ${where} zu vollenden.`,
  leaves: ({ who, pattern, where }) => `Hält ${who} nicht auf: ${who} vollendet ${pattern} ${where}.`,
  "gives-cell": ({ who, pattern, where }) => `Gibt ${who} das Feld darüber: ${who} vollendet ${pattern} ${where}.`,
  lets: ({ who, pattern, where }) => `Lässt ${who} ${pattern} ${where} vollenden.`,
  "two-threats": ({ pattern, where, pattern2, where2 }) => `Droht mit ${pattern} ${where} und ${pattern2} ${where2}: Kein Zug verhindert beides.`,
  "two-threats-after": ({ who, reply, pattern, where, pattern2, where2 }) => `Nach der Antwort ${reply} droht ${who} mit ${pattern} ${where} und ${pattern2} ${where2}: Kein Zug verhindert beides.`,
  zugzwang: ({ who, other }) => `Bringt ${other} in Zugzwang: Was ${other} auch zieht, ${who} vollendet danach eine Linie.`,
  "no-reply": ({ who, other }) => `Was ${other} auch antwortet, ${who} vollendet mit dem nächsten Zug eine Linie.`,
  forces: ({ who, number, moves }) => `${who} gewinnt zwingend in ${plies(number)}; gegen die längste Verteidigung: ${moves}`,
  "must-fill": ({ who, other, filled, pattern }) => `In der längsten Verteidigung muss ${other} am Ende ${filled} füllen, und ${who} vollendet darüber ${pattern}.`,
  follows: ({ who, other }) => `Von nun an antwortet ${who} auf jeden Stein darüber: ${other} schafft keine Linie aus den Feldern, die das übrig lässt.`,
  "follows-to": ({ who, other, pattern }) => `Von nun an antwortet ${who} auf jeden Stein darüber und bekommt so ${pattern}; ${other} schafft keine Linie aus den anderen Feldern.`,
  "cannot-win": ({ who }) => `Lässt ${who} keine Linie, die noch vollendet werden kann.`,
  pairing: ({ who, other, pairs }) => `${other} kann nichts vollenden: ${who} antwortet auf jedes Feld eines Paares mit dem anderen: ${pairs}.`,
  poles: ({ poles, pattern }) => `Besetzt beide Pole, ${poles}, von ${pattern}; das kann nun nicht mehr gewinnen.`,
  only: ({ number }) => `Jeder andere Zug verliert, spätestens in ${plies(number)}.`,
  lasts: ({ number }) => number === 2 ? `Jeder Zug verliert in ${plies(2)}.` : `Jeder Zug verliert; dieser hält am längsten und verliert erst in ${plies(number)}.`,
  threatens: ({ pattern, where }) => `Droht, ${pattern} ${where} zu vollenden.`,
  blocks: ({ who, number }) => `Blockiert ${lines(number)} von ${who}.`,
  builds: ({ who, number }) => `Baut an ${number === 1 ? "1 offenen Linie" : `${number} offenen Linien`} von ${who}.`,
};
