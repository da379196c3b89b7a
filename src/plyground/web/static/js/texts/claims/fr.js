// Pourquoi un coup gagne, perd ou tient : une phrase pour chaque affirmation. Chaque langue a les mêmes clés.

const plies = (n) => (n === 1 ? "1 demi-coup" : `${n} demi-coups`);
const lines = (n) => (n === 1 ? "1 ligne ouverte" : `${n} lignes ouvertes`);

export const say = {
  cell: (column, row) => `la ligne ${row} de la colonne ${column}`,
  across: (columns, row) => `les colonnes ${columns} de la ligne ${row}`,
  upward: (rows, column) => `les lignes ${rows} de la colonne ${column}`,
  slanting: (columns, rows) => `les colonnes ${columns}, lignes ${rows}`,
  at: (cell) => `sur ${cell}`,
  with: (move) => `avec ${move}`,
  and: (one, other) => `${one} et ${other}`,
  nothing: "On n’en sait pas plus.",
  completes: ({ who, pattern }) => `Complète ${pattern} pour ${who} et finit la partie.`,
  stops: ({ who, pattern, where }) => `Empêche ${who} de compléter ${pattern} ${where}.`,
  leaves: ({ who, pattern, where }) => `N’arrête pas ${who}, qui complète ${pattern} ${where}.`,
  "gives-cell": ({ who, pattern, where }) => `Donne à ${who} la case au-dessus, pour compléter ${pattern} ${where}.`,
  lets: ({ who, pattern, where }) => `Laisse ${who} compléter ${pattern} ${where}.`,
  "two-threats": ({ pattern, where, pattern2, where2 }) => `Menace ${pattern} ${where} et ${pattern2} ${where2} : aucun coup n’arrête les deux.`,
  "two-threats-after": ({ who, reply, pattern, where, pattern2, where2 }) => `Après la réponse ${reply}, ${who} menace ${pattern} ${where} et ${pattern2} ${where2} : aucun coup n’arrête les deux.`,
  zugzwang: ({ who, other }) => `Met ${other} en zugzwang : quoi que joue ${other}, ${who} complète ensuite une ligne.`,
  "no-reply": ({ who, other }) => `Quoi que réponde ${other}, ${who} complète une ligne au coup suivant.`,
  forces: ({ who, number, moves }) => `${who} gagne de force en ${plies(number)} ; contre la plus longue défense : ${moves}`,
  "must-fill": ({ who, other, filled, pattern }) => `Dans la plus longue défense, ${other} doit finir par remplir ${filled}, et ${who} complète ${pattern} au-dessus.`,
  follows: ({ who, other }) => `Désormais ${who} répond à chaque pion juste au-dessus : ${other} ne fait aucune ligne avec les cases qui restent.`,
  "follows-to": ({ who, other, pattern }) => `Désormais ${who} répond à chaque pion juste au-dessus et obtient ainsi ${pattern} ; ${other} ne fait aucune ligne avec les autres cases.`,
  "cannot-win": ({ who }) => `Ne laisse à ${who} aucune ligne qui puisse encore être complétée.`,
  pairing: ({ who, other, pairs }) => `${other} ne peut rien compléter : ${who} répond à chaque case d’une paire par l’autre : ${pairs}.`,
  poles: ({ poles, pattern }) => `Prend les deux pôles, ${poles}, de ${pattern}, qui ne compte plus.`,
  only: ({ number }) => `Tout autre coup perd, au plus tard en ${plies(number)}.`,
  lasts: ({ number }) => number === 2 ? `Tous les coups perdent en ${plies(2)}.` : `Tous les coups perdent ; celui-ci tient le plus longtemps, ${plies(number)}.`,
  threatens: ({ pattern, where }) => `Menace de compléter ${pattern} ${where}.`,
  blocks: ({ who, number }) => `Bloque ${lines(number)} de ${who}.`,
  builds: ({ who, number }) => `Renforce ${lines(number)} de ${who}.`,
};
