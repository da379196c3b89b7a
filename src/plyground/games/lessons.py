"""A lesson for each game: a few steps, each a sentence and a position that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Pattern, Rules
from plyground.core.specs import Spec
from plyground.games.goals import LessonGoal


@dataclass(frozen=True)
class LessonStep:
    """One thing to understand."""

    text: str

    moves: str = ""
    """What has been played on the board shown."""

    pattern: str = ""
    """Cells of a pattern to be drawn, `F2 G2 G3 H3 H4`."""

    goal: LessonGoal | None = None
    """What the reader is asked to do with the next move; None where there is only something to look at."""

    theme: str = ""
    """The kind of puzzle that practises it; empty where there is none."""

    moves_left: int | None = None
    """How many moves there are until the board is full, where the words say so."""

    otherwise: LessonStep | None = None
    """What is shown instead on a board that it does not fit; None where nothing can be."""

    def position(self, rules: Rules) -> Position:
        """The board shown."""
        return parse_moves(rules, self.moves)[1]

    def fits(self, rules: Rules) -> bool:
        """Whether it can be shown with these options of the game."""
        try:
            self.drawn(rules)
            position = self.position(rules)
        except ValueError:
            return False
        return position.outcome() is None and self.moves_left in (None, rules.max_plies - position.ply)

    def fitting(self, rules: Rules) -> LessonStep:
        """The first of this step and those instead of it that fits; the last one if none does."""
        return self if self.otherwise is None or self.fits(rules) else self.otherwise.fitting(rules)

    def drawn(self, rules: Rules) -> Pattern | None:
        """The pattern to be drawn on it; ValueError when it is none of the game's."""
        if not self.pattern:
            return None
        cells = sum(1 << rules.grid.parse(name) for name in self.pattern.split())
        for pattern in rules.patterns:
            if pattern.cells == cells:
                return pattern
        raise ValueError(f"{self.pattern} is not a pattern of {rules.name}")


NEARLY_FULL = "One cell is empty, and nobody has four in a line. A full board without a line is a draw."

LESSONS: dict[str, tuple[LessonStep, ...]] = {
    "polarized-ladder": (
        LessonStep(
            "Two players take turns. A turn is one disc on any empty cell of the triangle, and discs never move."
        ),
        LessonStep(
            "Five cells that climb like a ladder win: one across, one up, one across, one up, to the right or left.",
            "F2 A1 G2 C1 G3 E1 H3 K1",
            "F2 G2 G3 H3 H4",
        ),
        LessonStep(
            "Four of this ladder are yours (x). Complete it on H4 and win.",
            "F2 A1 G2 C1 G3 E1 H3 K1",
            "",
            LessonGoal.WIN,
        ),
        LessonStep(
            "Each ladder has two poles, the corners of its square that it does not use. "
            "If your opponent holds both, the ladder is dead: completing it wins nothing.",
            "F2 F4 G2 H2 G3 A1 H3 C1",
            "F2 G2 G3 H3 H4",
        ),
        LessonStep(
            "A ladder whose pole would lie off the board, or that stands on row 1, can never be neutralised. "
            "(In the variant called open, those on row 1 can.)",
            "",
            "E1 F1 F2 G2 G3",
        ),
        LessonStep(
            "Now o has four of a ladder, and you (x) hold one of its poles, H2. There are two ways to stop it.",
            "A1 F2 C1 G2 H2 G3 K1 H3",
            "",
            LessonGoal.STOP,
            "poles",
        ),
        LessonStep(
            "If the board is full and nobody has completed a live ladder, the game is a draw. Your move!",
            "",
            "",
            LessonGoal.MOVE,
        ),
    ),
    "connect-four": (
        LessonStep("Drop a disc into a column: it falls to the lowest empty cell.", "", "", LessonGoal.MOVE),
        LessonStep("Four in a line win: in a row, in a column or in a diagonal.", "112233", "A1 B1 C1 D1"),
        LessonStep("Three in a row are yours (x). Find the fourth.", "112233", "", LessonGoal.WIN),
        LessonStep(
            "Diagonals are easy to miss: here x wins with one more disc.", "4313122434", "A1 B2 C3 D4", LessonGoal.WIN
        ),
        LessonStep(
            "Three of o stand on top of each other. Stop the fourth.", "141424", "", LessonGoal.STOP, "only-defence"
        ),
        LessonStep(
            "Two threats at once cannot both be stopped. Put a third disc beside your two on row 1.",
            "4455",
            "",
            LessonGoal.FORK,
            "double-threat",
        ),
        LessonStep(
            NEARLY_FULL,
            "13243142" * 3 + "1324" + "57687586" * 3 + "576",
            moves_left=1,
            otherwise=LessonStep(
                NEARLY_FULL,
                "13243142" * 3 + "576576" * 2 + "57657",
                moves_left=1,
                otherwise=LessonStep(
                    "If the board is full and nobody has four in a line, the game is a draw. Your move!",
                    "",
                    "",
                    LessonGoal.MOVE,
                ),
            ),
        ),
    ),
    "double-card": (
        LessonStep(
            "A card covers two cells, flat or upright, and must rest on the floor or on other cards. "
            "Turn one and lay it.",
            "",
            "",
            LessonGoal.MOVE,
        ),
        LessonStep(
            "Each half has a colour (red or white) and a dot (filled or open). One player wants four of a colour in a "
            "line, the other four equal dots.",
            "0 1 A 1; 0 2 C 1; 0 5 D 1; 0 6 F 1",
        ),
        LessonStep(
            "Every card helps both players. If your move completes only the opponent's line, you lose; if it completes "
            "both, you win. Here an upright card on C1 wins for dots, or loses, depending on how it is turned.",
            "0 7 E 1; 0 6 B 1; 0 6 D 1",
            "",
            LessonGoal.WIN,
            "card",
        ),
        LessonStep(
            "After 24 cards there are no new ones: you move a card that nothing lies on, but not the one your opponent "
            "has just laid. If nobody wins within 60 moves, the game is a draw.",
            "0 8 D 1; 0 7 E 1; 0 1 G 1; 0 5 A 1; 0 5 G 2; 0 3 E 2; 0 3 A 2; 0 5 A 3; 0 5 D 3; 0 1 F 3; 0 2 C 1; "
            "0 3 D 4; 0 8 C 3; 0 4 A 4; 0 6 H 3; 0 6 E 5; 0 6 G 4; 0 8 B 4; 0 2 H 5; 0 6 C 5; 0 7 A 6; "
            "0 3 A 7; 0 5 A 8; 0 6 G 6",
            "",
            LessonGoal.MOVE,
        ),
    ),
}


def lesson(rules: Rules) -> tuple[LessonStep, ...]:
    """The steps for a game; for one without a lesson of its own that fits, what its rules say."""
    steps = tuple(step.fitting(rules) for step in LESSONS.get(Spec.parse(rules.name).name, ()))
    if steps and all(step.fits(rules) for step in steps):
        return steps
    size = rules.longest
    shown = " ".join(rules.grid.names_of(rules.patterns[0].cells))
    kinds = ", ".join(rules.families)
    return (
        LessonStep(f"Two players take turns. A move is {rules.notation.example}.", "", "", LessonGoal.MOVE),
        LessonStep(f"{size} cells of a pattern win ({kinds}). This is one of {len(rules.patterns)}.", "", shown),
        LessonStep(
            f"After {rules.max_plies} moves without a winner the game is a draw. Your move!", "", "", LessonGoal.MOVE
        ),
    )
