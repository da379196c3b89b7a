"""Which programs are offered as opponents: the engine at its levels, each with its usual thinking time."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.rules import Rules
from plyground.players import DEFAULT, PLAYERS, Setting
from plyground.players.levels import LEVELS, Level, rating
from plyground.players.registry import OLD_PROGRAMS

USUAL_LEVEL = 5
"""The default level of a person's opponent."""

AT_ONCE_SECONDS = 0.05
"""A shorter wait is not noticed."""

QUICK_SECONDS = 0.25
"""The most time per move of the default players when nobody sits at the terminal."""


@dataclass(frozen=True)
class Offer:
    """A level of the engine as somebody is offered it."""

    level: Level

    rating: int | None
    """What it is rated in the game; None where that is not known."""

    seconds: float
    """What it usually takes for a move."""

    @property
    def answers(self) -> str:
        """How soon it moves, in words."""
        return "answers at once" if self.seconds < AT_ONCE_SECONDS else f"takes about {self.seconds:.1g} s"

    @property
    def text(self) -> str:
        """`Casual, about 1100, answers at once`."""
        rated = [] if self.rating is None else [f"about {self.rating}"]
        return ", ".join([self.level.name, *rated, self.answers])

    def to_json(self) -> dict[str, object]:
        """All of it as JSON values."""
        return {
            "number": self.level.number,
            "name": self.level.name,
            "about": self.level.about,
            "rating": self.rating,
            "seconds": self.seconds,
            "text": self.text,
        }


def offers(rules: Rules | None = None) -> tuple[Offer, ...]:
    """The levels from the weakest on, with their ratings in a game if one is given."""
    return tuple(
        Offer(level, None if rules is None else rating(level.number, rules), level.seconds) for level in LEVELS
    )


def at_level(number: int | str) -> str:
    """The spec of the engine at a level."""
    return f"{DEFAULT}:level={number}"


def level_name(spec: str) -> str | None:
    """What people call the level that a spec names; None where it names something else."""
    return next((level.name for level in LEVELS if spec == at_level(level.number)), None)


def quick() -> str:
    """The strongest that answers quickly."""
    return at_level(max(level.number for level in LEVELS if level.seconds <= QUICK_SECONDS))


OPTION_NOTES: dict[tuple[str, str], dict[str, str]] = {
    ("ayoub-qabbani", "level"): {
        "1": "0.03 s per move, weighs single moves",
        "2": "0.08 s per move",
        "3": "2 s per move",
        "4": "more than 15 s per move",
    },
    ("ayoub-qabbani", "as"): {
        "report": "as its report describes it",
        "program": "as its source has it",
    },
    ("hazar-isik", "plies"): {
        "1": "looks two moves ahead",
        "5": "the usual, looks six moves ahead",
        "8": "takes its time",
    },
    ("hazar-isik", "heuristic"): {
        "completable": "directions in which a disc can still complete a line",
        "centrality": "lines through a disc's cell",
        "completable-centrality": "both together, the best of the three",
    },
}
"""What the options of the old programs mean; the seconds are those of the report of 2016, on its machine."""


def option_notes(player: str, option: str) -> dict[str, str]:
    """What some values of a player's option mean, as far as that is known."""
    return OPTION_NOTES.get((player, option), {})


def old_programs(rules: Rules) -> list[str]:
    """The names of the old programs that play a game."""
    return [name for name in OLD_PROGRAMS if _plays(name, rules)]


def _plays(name: str, rules: Rules) -> bool:
    try:
        PLAYERS[name](Setting(rules))
    except ValueError:
        return False
    return True
