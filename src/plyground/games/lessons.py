"""A lesson for each game: a few steps, each a sentence and a position that shows it."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

from plyground.core.grid import Mask
from plyground.core.notation import parse_moves, plural
from plyground.core.position import Position
from plyground.core.rules import Effect, Move, Pattern, Rules, Side
from plyground.core.specs import Spec
from plyground.games.goals import LessonGoal, answer
from plyground.games.guide import guide, sample_patterns


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
    return steps if steps and all(step.fits(rules) for step in steps) else _made(rules)


TASKS = {
    LessonGoal.WIN: "{side} wins with the next move. Find it.",
    LessonGoal.STOP: "{side} has to stop the other side, which threatens to win with its next move.",
    LessonGoal.FORK: "{side} has a move that threatens to win in two ways at once. Find it.",
}
"""What is asked in positions that are found by playing."""

GAMES_TRIED = 24
"""Games in which such positions are looked for."""

CARELESS_SHARE = 0.3
"""How often the first side does not build, so that positions are not all alike."""

MOST_PLIES = 24
"""How far each of them is played."""

FORKS_CELLS = 16
"""On larger boards it would take too long to look for a fork."""


@lru_cache(maxsize=64)
def _made(rules: Rules) -> tuple[LessonStep, ...]:
    """A lesson out of the rules: how one moves, the goal, a win, a defence and a fork where some are found, the end."""
    words, effect = guide(rules), min(pattern.effect for pattern in rules.patterns)
    aims = tuple(pattern for pattern in rules.patterns if pattern.effect is effect)
    shown, alike = " ".join(rules.grid.names_of(sample_patterns(rules, aims)[0].cells)), len(aims)
    does = "win" if effect is Effect.WIN and any(rules.lays_own) else "lose"
    found = _tasks(rules)
    tasks = (
        LessonStep(TASKS[goal].format(side=found[goal][0]), found[goal][1], "", goal) for goal in TASKS if goal in found
    )
    return (
        LessonStep(f"Two players take turns. A move is {rules.notation.example}.", "", "", LessonGoal.MOVE),
        LessonStep(
            f"{' '.join(words.goal)} This is one of {plural(alike, 'pattern', 'patterns')} that {does}.", "", shown
        ),
        *tasks,
        LessonStep(f"{' '.join(words.special)} Your move!", "", "", LessonGoal.MOVE),
    )


def _tasks(rules: Rules) -> dict[LessonGoal, tuple[str, str]]:
    """For each kind of task the side to move, and the moves to a position that is one."""
    found: dict[LessonGoal, tuple[str, str]] = {}
    wanted = [goal for goal in TASKS if goal is not LessonGoal.FORK or len(rules.grid.cells) <= FORKS_CELLS]
    for seed in range(GAMES_TRIED):
        chance, position, texts = random.Random(seed), Position.start(rules), list[str]()
        while position.outcome() is None and position.ply < MOST_PLIES and len(found) < len(wanted):
            for goal in wanted:
                if goal not in found and _is_task(goal, position):
                    found[goal] = rules.sides[position.to_move], rules.notation.join(rules, texts)
            move = _building(position, chance)
            texts.append(position.write(move))
            position = position.play(move)
    return found


def _is_task(goal: LessonGoal, position: Position) -> bool:
    """Whether some moves of a position do what a goal asks for, and others do not."""
    mine, theirs = (_lacking(position, side) for side in (position.to_move, position.to_move.other))
    if goal is LessonGoal.WIN:
        return bool(mine) and _differ(goal, position, mine)
    if mine:
        return False
    if goal is LessonGoal.STOP:
        return theirs.bit_count() == 1 and _differ(goal, position, theirs)
    return not theirs and _differ(goal, position, position.rules.grid.all)


def _differ(goal: LessonGoal, position: Position, cells: Mask) -> bool:
    """Whether one of the moves on some cells is right, and one of all moves is wrong."""
    placements, moves = position.rules.placements[position.to_move], position.moves()
    near = [move for move in moves if placements[move.place].cells & cells]
    right = next((move for move in near if answer(goal, position, move).correct), None)
    return right is not None and any(not answer(goal, position, move).correct for move in moves if move != right)


def _lacking(position: Position, side: Side) -> Mask:
    """The cells each of which alone is missing to a pattern that wins for a side."""
    cells = 0
    for layer, pattern in position.live(side):
        missing = pattern.cells & ~position.layers[layer]
        if missing.bit_count() == 1:
            cells |= missing
    return cells


def _building(position: Position, chance: random.Random) -> Move:
    """Mostly a move of the first side that makes the most of a pattern, any of the second; no end, if that can be."""
    placements, moves = position.rules.placements[position.to_move], position.moves()

    def is_quiet(move: Move) -> bool:
        return position.play(move).outcome() is None

    chance.shuffle(moves)
    if position.to_move is Side.SECOND or chance.random() < CARELESS_SHARE:
        return next(filter(is_quiet, moves), moves[0])
    live = [
        ((pattern.cells & position.layers[layer]).bit_count(), pattern.cells & ~position.layers[layer])
        for layer, pattern in position.live(position.to_move)
    ]
    chance.shuffle(live)
    for _, missing in sorted(live, key=lambda entry: -entry[0]):
        for move in moves:
            if placements[move.place].cells & missing and is_quiet(move):
                return move
    return next(filter(is_quiet, moves), moves[0])
