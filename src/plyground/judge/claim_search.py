"""Candidates for claims about a move, the most important first; whether they are true is checked afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from plyground.core.grid import Mask
from plyground.core.position import Position
from plyground.core.rules import Move, Pattern, Side
from plyground.judge.claim_checks import advanced, blocked
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.keeping import Keeper
from plyground.judge.tempo import columns, completed, gets, turn_of, waiting, wins_at_once
from plyground.search.score import Score
from plyground.solve import pairing

SHORT_WIN_PLIES = 9
"""Plies of forced wins that are looked for where nothing is known."""

SHOWN_MOVES = 7
"""Moves of a forced play that are named at most."""

PAIRING_TRIES = 20_000


class ClaimSearch:
    """Looks for claims about one move."""

    def __init__(self, keeper: Keeper, position: Position, move: Move, score: Score | None) -> None:
        """`score` is what is proved about the move, for its mover; None or an opinion if nothing is."""
        self.keeper, self.position, self.move = keeper, position, move
        self.score = score if score is not None and score.proved else None
        self.mover, self.after = position.to_move, position.play(move)

    def claims(self) -> Iterator[Claim]:
        """The candidates, the most important first."""
        if self.after.over is not None:
            if self.after.over.winner is not None:
                yield Claim(ClaimKind.COMPLETES, self.after.over.winner, patterns=tuple(completed(self.after)[:1]))
            else:
                yield Claim(ClaimKind.CANNOT_WIN, self.mover.other)
            return
        score = self.score or self._found()
        if score is not None and score.won:
            yield from self._winning(score)
        elif score is not None and score.lost:
            yield from self._losing(score)
        else:
            yield from self._holding(drawn=score is not None)
        yield from self._plain()

    def _found(self) -> Score | None:
        """A short forced win or loss after the move, if nothing is proved about it yet."""
        for plies in range(1, SHORT_WIN_PLIES):
            for side in (self.mover, self.mover.other):
                match self.keeper.wins(self.after, side, plies):
                    case None:  # longer ones take longer
                        return None
                    case True:
                        return Score.win(plies + 1) if side is self.mover else Score.loss(plies + 1)
        return None

    def _length(self, winner: Side, score: Score) -> int | None:
        """The plies of a win counted from before the move, exactly."""
        if score.at_most or score.plies is None:
            found = self.keeper.length(self.after, winner, score.number)
            return None if found is None else found + 1
        return score.plies

    # ------------------------------------------------------------ won

    def _winning(self, score: Score) -> Iterator[Claim]:
        length = self._length(self.mover, score)
        yield from self._stops()
        yield from self._decided(self.mover, self.after, (), length)
        yield from self._played_out(self.mover, length)
        yield from self._only()

    def _decided(self, side: Side, position: Position, after: tuple[Move, ...], length: int | None) -> Iterator[Claim]:
        """Claims about why the game is decided for a side that is not to move."""
        if length == 3 + len(after):
            yield from self._two_threats(side, position, after)
            if not after:
                yield Claim(ClaimKind.ZUGZWANG, side)
                yield Claim(ClaimKind.NO_REPLY, side)
        yield from self._follows(side, position, after, wins=True)

    def _two_threats(self, side: Side, position: Position, after: tuple[Move, ...]) -> Iterator[Claim]:
        found = {move: self._completed(position, side, move) for move in wins_at_once(position, side)}
        # Two different patterns say more than two ways to complete one.
        first_with = {cells: move for move, cells in reversed(found.items())}
        moves = sorted(list(dict.fromkeys([*first_with.values(), *found]))[:2], key=list(found).index)
        if len(moves) == 2:
            patterns = tuple(found[move] for move in moves)
            yield Claim(ClaimKind.TWO_THREATS, side, tuple(moves), after, patterns=patterns)

    def _completed(self, position: Position, side: Side, move: Move) -> Mask:
        """The pattern that a side completes with a move that wins at once."""
        ready = turn_of(position, side)
        assert ready is not None
        return completed(ready.play(move))[0]

    def _follows(self, side: Side, position: Position, after: tuple[Move, ...], wins: bool) -> Iterator[Claim]:
        way = waiting(position)
        if way is None or way.follower is not side:
            return
        patterns = gets(position, side, way.settled)
        if patterns or not wins:
            named = tuple(patterns[:1] if wins else ())
            yield Claim(ClaimKind.FOLLOWS, side, (), after, cells=way.settled, patterns=named, number=way.odd)

    def _played_out(self, winner: Side, length: int | None) -> Iterator[Claim]:
        """Claims with the moves that decide the game and, in games with columns, how it ends."""
        if length is None or length < 2:
            return
        piles = columns(self.position.rules) is not None
        play = self.keeper.play(self.after, winner, length - 1, length - 1 if piles else SHOWN_MOVES)
        if not play:
            return
        if piles and len(play) == length - 1 and len(play) >= 2:
            end = self.after
            for move in play:
                end = end.play(move)
            yield Claim(ClaimKind.MUST_FILL, winner, play, patterns=tuple(completed(end)[:1]), number=length)
        yield Claim(ClaimKind.FORCES, winner, play[:SHOWN_MOVES], number=length)

    # ------------------------------------------------------------ lost

    def _losing(self, score: Score) -> Iterator[Claim]:
        other = self.mover.other
        length = self._length(other, score)
        for reply in wins_at_once(self.after, other):
            cells = self._completed(self.after, other, reply)
            for kind in (ClaimKind.GIVES_CELL, ClaimKind.LEAVES, ClaimKind.LETS):
                yield Claim(kind, other, (reply,), patterns=(cells,))
            break
        if length is not None and length > 2:
            yield from self._replied(other, length)
            yield from self._played_out(other, length)
        if length is not None:
            yield Claim(ClaimKind.LASTS, self.mover, number=length)
        yield from self._stops()

    def _replied(self, side: Side, length: int) -> Iterator[Claim]:
        """Claims about the reply that refutes the move."""
        for reply in self.keeper.play(self.after, side, length - 1, 1):
            yield from self._decided(side, self.after.play(reply), (reply,), length)

    # ------------------------------------------------------------ held

    def _holding(self, drawn: bool) -> Iterator[Claim]:
        other = self.mover.other
        yield from self._stops()
        yield from self._poles()
        yield from self._threatens()
        yield Claim(ClaimKind.CANNOT_WIN, other)
        yield from self._pairing(self.mover)
        yield from self._follows(self.mover, self.after, (), wins=False)
        yield from self._only()
        if drawn:
            yield Claim(ClaimKind.CANNOT_WIN, self.mover)
            yield from self._pairing(other)

    def _stops(self) -> Iterator[Claim]:
        other = self.mover.other
        for threat in wins_at_once(self.position, other):
            yield Claim(ClaimKind.STOPS, other, (threat,), patterns=(self._completed(self.position, other, threat),))
            break

    def _poles(self) -> Iterator[Claim]:
        laid, other = self.position.rules.placements[self.mover][self.move.place].cells, self.mover.other
        kept = set(self.after.live(other))
        for layer, pattern in sorted(self.position.live(other), key=self._lacks):
            if (layer, pattern) not in kept and pattern.neutraliser & laid and not pattern.cells & laid:
                yield Claim(ClaimKind.POLES, other, cells=pattern.neutraliser, patterns=(pattern.cells,))
                break

    def _lacks(self, live: tuple[int, Pattern]) -> int:
        layer, pattern = live
        return (pattern.cells & ~self.position.layers[layer]).bit_count()

    def _pairing(self, side: Side) -> Iterator[Claim]:
        if pairing.objection(self.position.rules) is not None:
            return
        theirs = pairing.open_to(self.after, side.other)
        if len(theirs) > pairing.MANY_PATTERNS:
            return
        try:
            pairs = pairing.find(theirs, PAIRING_TRIES)
        except pairing.EffortSpentError:
            return
        if pairs:
            yield Claim(ClaimKind.PAIRING, side, pairs=pairs)

    def _only(self) -> Iterator[Claim]:
        """The claim that all other moves lose, and within how many plies, if that can be proved."""
        worst = 0
        for move in self.position.moves():
            if move == self.move:
                continue
            after = self.position.play(move)
            if after.over is not None:
                return
            other = self.mover.other
            if not self.keeper.wins(after, other, SHORT_WIN_PLIES):
                return
            plies = self.keeper.length(after, other, SHORT_WIN_PLIES)
            if plies is None:
                return
            worst = max(worst, plies + 1)
        if worst:
            yield Claim(ClaimKind.ONLY, self.mover, number=worst)

    # ------------------------------------------------------------ what a move does

    def _plain(self) -> Iterator[Claim]:
        other = self.mover.other
        yield from self._poles()
        yield from self._threatens()
        for kind, side, count in ((ClaimKind.BLOCKS, other, blocked), (ClaimKind.BUILDS, self.mover, advanced)):
            claim = Claim(kind, side)
            yield replace(claim, number=count(self.position, self.after, claim))

    def _threatens(self) -> Iterator[Claim]:
        for threat in wins_at_once(self.after, self.mover):
            patterns = (self._completed(self.after, self.mover, threat),)
            yield Claim(ClaimKind.THREATENS, self.mover, (threat,), patterns=patterns)
            break
