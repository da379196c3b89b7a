"""Whether proofs ever contradict each other, however hurried the looks are that find them.

`python -m benchmarks.contradictions [COUNT] [SEED]` judges so many (2,000) random positions of all games. Each is
looked at several times, by two judges that remember and by one that knows nothing, with limits from a moment to a few
thousand nodes, by the clock and by nodes, by `judge`, `prove` and the engine; then one move further, for one to five
plies. Every verdict on a position or a move is held against all others on it, and where few cells are empty against
the whole tree or a solver of its own. Exit code 1 when two do not agree.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.machine import Timing, print_condition
from plyground import Limit, Position, Rules, Score, games, players, solver_for
from plyground.judge.judge import Judge
from plyground.judge.judgement import Judgement
from plyground.solve.connect_four.solver import empty_cells, verdict

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

import test_one_truth as truth

import plug_ins

SOLVED_CELLS = 22
"""Empty cells of a Connect Four board up to which a solver of its own says what is true."""


class Court:
    """All verdicts on positions of one game, by whom, and what does not fit."""

    def __init__(self, rules: Rules, chance: random.Random) -> None:
        self.rules, self.chance = rules, chance
        self.judges = {"first": Judge(rules), "second": Judge(rules)}
        self.solver = solver_for(rules)
        self.said: dict[Position, dict[str, Score]] = {}
        self.faults: list[str] = []
        self.seen = Counter[str]()

    def hear(self, who: str, position: Position, score: Score | None) -> None:
        """Take a verdict on a position, for the side to move, and hold it against all others."""
        if score is None or not score.proved or position.outcome() is not None:
            return
        self.seen["verdicts"] += 1
        others = self.said.setdefault(position, {})
        for other, before in others.items():
            if not truth.agree(before, score):
                self.fault(position, f"{other} says {before}, {who} says {score}")
        others[f"{who} {score}"] = score

    def fault(self, position: Position, text: str) -> None:
        self.faults.append(f"{position!r}: {text}")
        print(self.faults[-1], flush=True)

    def look(self, position: Position) -> None:
        """Look at a position in some way."""
        name = self.chance.choice(("first", "second", "new"))
        judge = self.judges.get(name) or Judge(self.rules)
        limit, kind = self._limit(), self.chance.choice(("judge", "judge", "prove", "engine"))
        who = f"{kind} of the {name} judge ({limit})"
        self.seen["looks"] += 1
        try:
            if kind == "engine":
                self._engine(who, position)
            else:
                ask = judge.rank(position, limit) if kind == "judge" else judge.prove(position, _timed(limit))
                *_, last = ask
                self._take(who, position, last)
        except (RuntimeError, AssertionError) as error:
            self.fault(position, f"{who}: {type(error).__name__}: {error}")

    def _limit(self) -> Limit:
        if self.chance.random() < 0.5:
            return Limit(nodes=int(10 ** self.chance.uniform(0, 3.7)))
        return Limit(seconds=10 ** self.chance.uniform(-3.7, -1.7))

    def _take(self, who: str, position: Position, judgement: Judgement) -> None:
        truth.check_judgement(judgement)
        self.hear(who, position, judgement.score)
        for analysis in judgement.moves:
            if analysis.score is not None and analysis.proved:
                self.hear(who, position.play(analysis.move), analysis.score.after_move())

    def _engine(self, who: str, position: Position) -> None:
        player = players.load("engine:nodes=800", self.rules)
        *_, analysis = player.think(position, Limit())
        if analysis.score is not None and analysis.score.proved:
            self.hear(who, position.play(analysis.move), analysis.score.after_move())
        player.close()

    def check(self, position: Position) -> None:
        """Hold what was said against what is true, where that is easily found out."""
        small = empty_cells(position) <= truth.FULL_TREE_CELLS and self.rules.recycle_from is None
        if self.solver is not None and empty_cells(position) <= SOLVED_CELLS:
            found = self.solver.solve(position).score
            self.hear("a solver of its own", position, None if found is None else verdict(position, found))
        elif small:
            self.hear("the whole tree", position, truth.whole_truth(position))


def _timed(limit: Limit) -> Limit:
    """A limit that a proof search keeps, which goes by the clock."""
    return limit if limit.seconds is not None else Limit(seconds=0.003)


def walks(court: Court, count: int) -> Iterator[None]:
    """So many positions of a game, in short walks."""
    judged = 0
    while judged < count:
        _, position = truth.random_line(court.rules, court.chance)
        for _ in range(court.chance.randint(1, 5)):
            for _ in range(3):
                court.look(position)
            court.check(position)
            judged += 1
            yield
            court.look(position)
            position = position.play(court.chance.choice(position.moves()))
            if position.outcome() is not None:
                break


def main() -> None:
    print_condition(Timing.BOTH)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    every = [games.load(name) for name in truth.GAMES]
    every += [plug_ins.misere(), plug_ins.crossed(), plug_ins.order_and_chaos(), plug_ins.neutral()]
    faults, judged = 0, 0
    for rules in every:
        games.load_given(rules)
        court, started, used = Court(rules, chance), time.perf_counter(), time.process_time()
        positions = sum(1 for _ in walks(court, -(-count // len(every))))
        wall, used = time.perf_counter() - started, time.process_time() - used
        figures = f"{court.seen['looks']} looks, {court.seen['verdicts']} verdicts, {len(court.faults)} faults"
        print(f"{rules.name}: {positions} positions, {figures} ({wall:.0f} s, {used:.0f} s of a processor)", flush=True)
        faults, judged = faults + len(court.faults), judged + positions
    print(f"{judged} positions judged, {faults} contradictions")
    if faults:
        sys.exit(1)


if __name__ == "__main__":
    main()
