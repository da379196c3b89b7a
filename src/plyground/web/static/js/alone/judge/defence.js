// The longest defence: the moves of a side in danger against which the opponent needs most, and can err most.

// The plies within which a move is proved to lose; null when it is not, up to `most` plies or the allowance.
export async function lostWithin(game, position, move, allowance, most) {
  const after = game.play(position, move);
  for (let plies = 1; plies < most; plies += 2) {
    const answer = await allowance.canWin(after, after.ply & 1, plies);
    if (answer === null) return null;
    if (answer) return plies + 1;
  }
  return null;
}

// {moves, within}: the moves that are not proved to lose within as many plies as the allowance lets see; if all of them
// are, those that last longest, and of these the ones that leave the opponent the fewest replies that win in that time.
export async function longest(book, position, allowance, most) {
  const { game } = book;
  const attacker = 1 - (position.ply & 1);
  let kept = book.distinct(position);
  for (let plies = 1; plies < most; plies += 2) {
    const lasting = [];
    let settled = false;
    for (const [asked, move] of kept.entries()) {
      // What was not asked any more may last; nothing is known of it.
      if (allowance.over) return { moves: [...lasting, ...kept.slice(asked)], within: null };
      const answer = await allowance.canWin(game.play(position, move), attacker, plies, kept.length - asked);
      settled ||= answer !== null;
      if (!answer) lasting.push(move);
    }
    if (!lasting.length) return { moves: await fewestReplies(game, position, kept, { attacker, plies, allowance }), within: plies + 1 };
    kept = lasting;
    if (!settled) break;
  }
  return { moves: kept, within: null };
}

// Of moves that lose within so many plies the ones with the fewest winning replies; all when out of allowance.
async function fewestReplies(game, position, moves, { attacker, plies, allowance }) {
  const counted = [];
  for (const move of moves) {
    const after = game.play(position, move);
    if (game.outcome(after)) continue; // it completes the opponent's pattern itself
    let replies = 0;
    for (const reply of game.moves(after)) {
      if (allowance.over) return moves;
      if (await allowance.canWin(game.play(after, reply), attacker, plies - 1)) replies++;
    }
    counted.push({ move, replies });
  }
  const fewest = Math.min(...counted.map(({ replies }) => replies));
  const found = counted.filter(({ replies }) => replies === fewest).map(({ move }) => move);
  return found.length ? found : moves;
}
