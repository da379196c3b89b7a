"""A game between two players to its record, and the games of a match as the one named first sees them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from plyground.core.notation import plural
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules, Side
from plyground.play.clock import UNLIMITED, TimeControl, Turn
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.play.game import Game
from plyground.play.guests import answer, is_guest
from plyground.play.isolation import weakest
from plyground.play.records import GameRecord, PlayedMove
from plyground.players import Player
from plyground.ratings import GameScore, Tally, tally
from plyground.search.base import NO_LIMIT, Limit

Watch = Callable[[Position, PlayedMove], None]
"""Called with the position after each move that a player chose, and the move."""


@dataclass(frozen=True)
class GameTerms:
    """What two players agree on before a game."""

    limit: Limit = NO_LIMIT
    """How far a player may search for each move."""

    control: TimeControl = UNLIMITED

    opening: Sequence[Move] = ()
    """The moves that are made before the players choose."""

    seed: int | None = None
    """The random seed, for the record."""

    off_the_clock: Side | None = None
    """A side that keeps a limit of its own: neither the limit nor the clock is for it."""


NO_TERMS = GameTerms()
"""Neither a limit nor a clock, from the start of the game."""


def play_game(
    rules: Rules,
    first: Player,
    second: Player,
    terms: GameTerms = NO_TERMS,
    watch: Watch | None = None,
) -> GameRecord:
    """The record of a game from the end of the opening to the end of the game.

    A player that fails, gives no move or an illegal one, or answers later than the time control allows has
    lost: the termination names the fault, the record's `fault` says more. What a bot was forgiven in a practice game
    is in its `warnings`. IllegalMove when the opening is not legal; InternalFailure when the game cannot go on
    through no player's fault: then nobody has lost.
    """
    seated, names = (first, second), (first.name, second.name)
    tags = {"Opening": plural(len(terms.opening), "move", "moves")} if terms.opening else {}
    isolation = _isolation(seated)
    game = Game(rules, names, terms.control, terms.limit, seed=terms.seed, tags=tags, isolation=isolation)
    for move in terms.opening:
        game.play(PlayedMove(move))
    while game.open:
        side, turn = game.to_move, game.turn()
        if side is terms.off_the_clock:
            turn = Turn(NO_LIMIT, moves=turn.moves)
        try:
            played = move_of(seated[side], game.position, turn)
        except Fault as fault:
            game.forfeit(side, fault)
        else:
            played = game.play(played)
            if watch:
                watch(game.position, played)
    for side, player in zip(Side, seated, strict=True):
        if is_guest(player):
            game.warn(side, player.take_warnings())
    return game.record()


def move_of(player: Player, position: Position, turn: Turn) -> PlayedMove:
    """The move a player chooses; Fault when there is none that counts, InternalFailure when that is not its doing."""
    try:
        if is_guest(player):
            player.start()  # off the clock: it has an allowance of its own
        started = time.perf_counter()
        analysis = answer(player, position, turn)
    except (Fault, InternalFailure):
        raise
    except IllegalMove as error:
        raise Fault(FaultKind.ILLEGAL_MOVE, str(error).removeprefix("illegal move ")) from error
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        if is_guest(player):  # what a guest does wrong is a Fault, so this is the machine's or our own failure
            raise InternalFailure(f"the referee of {player.name!r} failed: {why}") from error
        raise Fault(FaultKind.CRASH, why) from error  # whatever somebody's player does, the match goes on
    # A bot's own measure leaves out what a lenient referee forgave.
    seconds = analysis.seconds if analysis and is_guest(player) else time.perf_counter() - started
    if analysis is None or not analysis.line:
        raise Fault(FaultKind.NO_ANSWER, "it gave no move")
    move = analysis.line[0]
    if not isinstance(move, Move):
        raise Fault(FaultKind.GARBAGE, f"{move!r} is not a move")
    if (reason := position.objection(move)) is not None:
        raise Fault(FaultKind.ILLEGAL_MOVE, f"{tuple(move)}: {reason}")
    if turn.allowed is not None and seconds > turn.allowed:
        raise Fault(FaultKind.TIME_EXCEEDED, f"{seconds:.2f} s, allowed {turn.allowed:.2f} s")
    return PlayedMove(move, analysis.score, analysis.depth or None, seconds, nodes=analysis.nodes or None)


def _isolation(seated: Iterable[Player]) -> str:
    """How bots among the players are kept from the rest of the machine, the weaker way if there are two."""
    kept = {player.isolation for player in seated if is_guest(player)}
    return str(weakest(kept)) if kept else ""


@dataclass(frozen=True)
class MatchGame:
    """One game of a match."""

    number: int
    """Counted from 0; an even one and the next are a pair."""

    record: GameRecord

    @property
    def swapped(self) -> bool:
        """Whether the player named second moved first."""
        return self.number % 2 == 1

    @property
    def points(self) -> float:
        """Of the player who moved first: 1, 0.5 or 0."""
        winner = self.record.result.winner
        return 0.5 if winner is None else 1.0 - winner

    @property
    def at_fault(self) -> int | None:
        """The player (0 the one named first, 1 the other) who lost without being beaten, if one did."""
        fault = self.record.fault
        return None if fault is None else fault.side ^ self.swapped


def tally_of(played: Iterable[MatchGame]) -> Tally:
    """How the player named first did in the games of a match."""
    # Seats by number, not by name: a player may meet itself.
    seats = (("1", "2"), ("2", "1"))
    return tally((GameScore(*seats[game.swapped], game.points, str(game.number // 2)) for game in played), "1")
