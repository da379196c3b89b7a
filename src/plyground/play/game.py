"""A game in progress: whose turn it is, what was played, what the clock shows, and how it ended.

It asks no players, and reads and writes nothing: a match, the terminal and the rooms of the page are hosts, which ask
their players and report the moves to the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from plyground.core.kinds import checked
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Rules, Side, checked_rules
from plyground.play.clock import UNLIMITED, Clock, TimeControl, Turn
from plyground.play.faults import Fault
from plyground.play.records import GameRecord, NotedFault, PlayedMove, Result
from plyground.play.records.record import NO_WARNINGS, Warnings
from plyground.play.termination import Termination
from plyground.search.base import Limit


class GameOver(ValueError):  # noqa: N818  (it reads as what it is)
    """The game has ended, so this cannot happen in it any more."""


@dataclass
class Game:
    """A game in progress, or at its end. Moments are seconds on a clock of the host that never stops."""

    rules: Rules

    names: tuple[str, str] = ("?", "?")
    """What the players are called."""

    control: TimeControl = UNLIMITED

    limit: Limit = field(default_factory=Limit)
    """How far and how long a program thinks about a move at most, within the time control."""

    moves: list[PlayedMove] = field(default_factory=list)
    """What was played from the empty board on. Given at the start, it is taken as played before; else use `play`."""

    seed: int | None = None
    """What the random numbers of the players were started from."""

    comment: str = ""
    """What was said before the first move."""

    tags: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Further tags of the record."""

    warnings: Warnings = NO_WARNINGS
    """The warnings that each player got, one line each."""

    isolation: str = ""
    """How bots are kept from the rest of the machine."""

    lost: tuple[Side, Termination] | None = None
    """Who lost without being beaten, and by what."""

    turn_started: float | None = None
    """When the running turn began; None where the host measures moves itself."""

    clock: Clock = field(init=False)
    fault: NotedFault | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """IllegalMove when one of the given moves is not legal."""
        checked_rules(self.rules)
        self.clock = Clock(checked(self.control, TimeControl, "a time control is needed, such as TimeControl(3)"))
        self._positions = [Position.start(self.rules)]
        for played in self.moves:
            self._positions.append(self.position.play(played.move))
        self._pass()

    @staticmethod
    def continued(
        record: GameRecord, names: tuple[str, str], control: TimeControl = UNLIMITED, seed: int | None = None
    ) -> Game:
        """The unfinished game of a record, to be continued, perhaps by others and with another time control.

        With the same time control each clock shows what it showed.
        """
        game = Game(
            record.rules,
            names,
            control,
            moves=list(record.moves),
            seed=seed,
            comment=record.comment,
            tags=record.tags,
            warnings=record.warnings,
            isolation=record.isolation,
        )
        if control.game is not None and str(control) == record.time_control:
            for ply, played in enumerate(record.moves):
                game.clock.left[ply % 2] = game.clock.left[ply % 2] if played.clock is None else played.clock
        return game

    # --------------------------------------------------- how it stands

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def to_move(self) -> Side:
        """Whose turn it is."""
        return self.position.to_move

    @property
    def open(self) -> bool:
        """Whether the game goes on."""
        return self.result is Result.OPEN

    @property
    def result(self) -> Result:
        """Who won, or that it goes on."""
        if self.lost is not None:
            return Result.won_by(self.lost[0].other)
        outcome = self.position.outcome()
        return Result.OPEN if outcome is None else Result.won_by(outcome.winner)

    @property
    def termination(self) -> Termination | None:
        """Why the game ended; None while it goes on."""
        if self.lost is not None:
            return self.lost[1]
        outcome = self.position.outcome()
        return None if outcome is None else Termination(outcome.ending.value)

    def move_texts(self) -> list[str]:
        """The moves as the game writes them."""
        return [self.rules.notation.write(self.rules, played.move) for played in self.moves]

    # ------------------------------------------------------- the clock

    def turn(self) -> Turn:
        """What the side to move may use now, and what was played so far."""
        return self.clock.turn(self.to_move, self.limit, (played.move for played in self.moves))

    def left(self, side: Side, now: float | None = None) -> float | None:
        """Seconds a side has left for the game, at a moment of its turn if one is given; None without such a clock.

        Clocks that run by the moment start with the first move.
        """
        if self.control.game is None:
            return None
        running = now is not None and self.open and self.moves and side is self.to_move
        return self.clock.left[side] - (self._since(now) if running else 0.0)

    def _since(self, now: float | None) -> float:
        """Seconds the running turn has taken."""
        return 0.0 if now is None or self.turn_started is None else now - self.turn_started

    def expire(self, now: float) -> bool:
        """End the game if the side to move is out of time; whether that happened."""
        left = self.left(self.to_move, now)
        if not self.open or left is None or left > 0:
            return False
        self.clock.left[self.to_move] = 0.0
        self.lost = self.to_move, Termination.TIME_EXCEEDED
        return True

    # -------------------------------------------------- what may happen

    def play(self, played: PlayedMove, now: float | None = None) -> PlayedMove:
        """Play a move, and return it as it is recorded: with the time left on the clock. Forced passes follow by
        themselves.

        The mover's clock is charged with the seconds noted about the move, or where a moment is given with the time
        since its turn began; a move without either, such as one of an opening, costs nothing. IllegalMove when it is
        not legal; GameOver when somebody has lost already, or loses now because the time is over.
        """
        checked(played, PlayedMove, "a played move is needed, such as PlayedMove(game.position.parse('4'))")
        position = self.position.play(played.move)
        self._must_be_open()
        if now is not None and self.expire(now):
            raise GameOver("the clock had run out before the move came")
        seconds = played.seconds if now is None else self._since(now)
        left = self._charged(seconds, by_the_moment=now is not None)
        kept = replace(played, seconds=_rounded(seconds), clock=_rounded(left))
        self.moves.append(kept)
        self._positions.append(position)
        self._pass()
        self.turn_started = now
        return kept

    def _pass(self) -> None:
        """Where the side to move can only pass, as the other one lays several times running, it passes at once."""
        while self.open and self._is_pass(self.position.ply):
            (forced,) = self.position.moves()
            self.moves.append(PlayedMove(forced))
            self._positions.append(self.position.play(forced))

    def _is_pass(self, ply: int) -> bool:
        return ply in self.rules.passing

    def _charged(self, seconds: float | None, by_the_moment: bool) -> float | None:
        """What the mover has left after its move."""
        if seconds is None:
            return None
        if by_the_moment and not self.moves:
            return self.left(self.to_move)
        return self.clock.charge(self.to_move, seconds)

    def since_turn_of(self, side: Side) -> int:
        """How many moves ago a side made its last move, that one included; 0 when it has not moved."""
        before = (self._positions[-1 - back] for back in range(1, len(self.moves) + 1))
        moved = (each.to_move is side and not self._is_pass(each.ply) for each in before)
        return next((back for back, is_own in enumerate(moved, start=1) if is_own), 0)

    def take_back(self, count: int, now: float | None = None) -> None:
        """Take back the last moves, also of a game that is over: then it goes on. The clocks keep what they show.

        A pass that would be left at the end is taken back too.
        """
        if not 0 <= count <= len(self.moves):
            played = plural(len(self.moves), "move was", "moves were")
            raise ValueError(f"{played} played, so {count} cannot be taken back")
        while count and self._is_pass(len(self.moves) - count):
            count += 1
        if count:
            del self.moves[-count:], self._positions[-count:]
        self.lost = self.fault = None
        self.turn_started = now

    def resign(self, side: Side) -> None:
        """A side gives up; GameOver when there is nothing left to give up."""
        self._must_be_open()
        self.lost = side, Termination.RESIGNATION

    def forfeit(self, side: Side, fault: Fault) -> None:
        """A side has lost by a fault; GameOver when it was over before."""
        self._must_be_open()
        self.lost = side, Termination(fault.kind.value)
        self.fault = NotedFault(side, fault.kind, _one_line(fault.why), fault.stderr)

    def warn(self, side: Side, warnings: Iterable[str]) -> None:
        """Note warnings that a side got instead of losing."""
        noted = [*self.warnings[side], *map(_one_line, warnings)]
        both = list(self.warnings)
        both[side] = tuple(noted)
        self.warnings = both[Side.FIRST], both[Side.SECOND]

    def _must_be_open(self) -> None:
        if not self.open:
            raise GameOver(f"the game is over: {self.result.value} by {self.termination}")

    # ------------------------------------------------------ the record

    def record(self) -> GameRecord:
        """The game so far."""
        return GameRecord(
            rules=self.rules,
            moves=tuple(self.moves),
            first=self.names[Side.FIRST],
            second=self.names[Side.SECOND],
            result=self.result,
            termination=str(self.termination or ""),
            seed=self.seed,
            time_control=self._written_control(),
            fault=self.fault,
            warnings=self.warnings,
            isolation=self.isolation,
            tags=MappingProxyType(dict(self.tags)),
            comment=self.comment,
        )

    def _written_control(self) -> str:
        if self.control != UNLIMITED:
            return str(self.control)
        return "" if self.limit.seconds is None else f"{self.limit.seconds:g}"


def _rounded(seconds: float | None) -> float | None:
    """Milliseconds are enough."""
    return None if seconds is None else round(seconds, 3)


def _one_line(text: str) -> str:
    return " ".join(text.split())
