"""Games between players: one game to its record, and a match of many with the sides swapped."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from plyground import players
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.play.clock import UNLIMITED, TimeControl, Turn
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.play.game import Game
from plyground.play.guests import Guest, answer
from plyground.play.isolation import weakest
from plyground.play.openings import openings
from plyground.play.records import GameRecord, PlayedMove
from plyground.players import Player
from plyground.search.base import Limit

Watch = Callable[[Position, PlayedMove], None]
"""Called with the position after each move that a player chose, and the move."""


Load = Callable[[str, Rules, int | None], Player]
"""What makes a player of a spec for a game, with a seed."""

ATTEMPTS = 3
"""How often a game of a match is begun that fails by nobody's fault."""


def play_game(
    rules: Rules,
    first: Player,
    second: Player,
    limit: Limit = Limit(),  # noqa: B008  (a frozen value)
    opening: Sequence[Move] = (),
    seed: int | None = None,
    control: TimeControl = UNLIMITED,
    watch: Watch | None = None,
) -> GameRecord:
    """The record of a game from the end of the opening to the end of the game.

    A player that fails, gives no move or an illegal one, or answers later than the time control allows has
    lost: the termination names the fault, the record's `fault` tells more. What a bot was forgiven in a practice game
    is in its `warnings`. IllegalMove when the opening is not legal; InternalFailure when the game cannot go on by
    nobody's fault: then nobody has lost.
    """
    seated = first, second
    tags = {"Opening": f"{len(opening)} moves"} if opening else {}
    game = Game(rules, (first.name, second.name), control, limit, seed=seed, tags=tags, isolation=_isolation(seated))
    for move in opening:
        game.play(PlayedMove(move))
    while game.open:
        side = game.to_move
        try:
            played = _turn(seated[side], game.position, game.turn())
        except Fault as fault:
            game.forfeit(side, fault)
        else:
            played = game.play(played)
            if watch:
                watch(game.position, played)
    for side, player in zip(Side, seated, strict=True):
        if isinstance(player, Guest):
            game.warn(side, player.take_warnings())
    return game.record()


def _turn(player: Player, position: Position, turn: Turn) -> PlayedMove:
    """The move a player chooses; Fault when there is none that counts, InternalFailure when that is not its doing."""
    try:
        if isinstance(player, Guest):
            player.start()  # off the clock: it has an allowance of its own
        started = time.perf_counter()
        analysis = answer(player, position, turn)
    except (Fault, InternalFailure):
        raise
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        if isinstance(player, Guest):  # what a guest does wrong is a Fault, so this is the machine's or our own failure
            raise InternalFailure(f"the referee of {player.name!r} failed: {why}") from error
        raise Fault(FaultKind.CRASH, why) from error  # whatever somebody's player does, the match goes on
    # A bot's own measure leaves out what a lenient referee forgave.
    seconds = analysis.seconds if analysis and isinstance(player, Guest) else time.perf_counter() - started
    if analysis is None or not analysis.line:
        raise Fault(FaultKind.NO_ANSWER, "it gave no move")
    move = analysis.line[0]
    if not isinstance(move, Move):
        raise Fault(FaultKind.GARBAGE, f"{move!r} is not a move")
    if (reason := position.objection(move)) is not None:
        raise Fault(FaultKind.ILLEGAL_MOVE, f"{tuple(move)}: {reason}")
    if turn.allowed is not None and seconds > turn.allowed:
        raise Fault(FaultKind.TIME_EXCEEDED, f"{seconds:.2f} s, allowed {turn.allowed:.2f} s")
    return PlayedMove(move, analysis.score, analysis.depth or None, seconds)


def _isolation(seated: Iterable[Player]) -> str:
    """How bots among the players are kept from the rest of the machine, the weaker way if there are two."""
    kept = {player.isolation for player in seated if isinstance(player, Guest)}
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


def play_match(
    rules: Rules,
    first: str,
    second: str,
    games: int,
    limit: Limit,
    opening_plies: int = 2,
    seed: int = 0,
    load: Load = players.load,
) -> Iterator[MatchGame]:
    """The games of a match between two specs as they end; `load` makes players of them.

    They come in pairs from one random opening, the second game with the sides swapped. Every game has a seed
    of its own, so that with limits of nodes or depth the same match is played again for the same seed. A game that
    fails by nobody's fault is played again; InternalFailure when that does not help.
    """
    starts = openings(rules, opening_plies, seed)
    for number in range(games):
        specs = (first, second)
        if number % 2:
            specs = (second, first)
        else:
            opening = next(starts)
        own = seed + number
        yield MatchGame(number, _insisted(partial(_game_of, rules, specs, limit, opening, own, load), number))


def _game_of(
    rules: Rules, specs: tuple[str, str], limit: Limit, opening: Sequence[Move], seed: int, load: Load
) -> GameRecord:
    first, second = (load(spec, rules, seed) for spec in specs)
    return play_game(rules, first, second, limit, opening, seed)


def _insisted(play: Callable[[], GameRecord], number: int) -> GameRecord:
    """A game, begun again when it fails by nobody's fault; InternalFailure when it always does."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return play()
        except InternalFailure as failure:
            if attempt == ATTEMPTS:
                raise InternalFailure(f"game {number + 1} could not be played: {failure}") from failure
    raise AssertionError("the last failure is raised")
