"""The native core of plyground."""

from collections.abc import Callable, Sequence
from typing import TypedDict

Move = tuple[int, int | None]
"""(place, lift), which `plyground.core.rules.Move` is too."""

Placed = tuple[bytes, int, list[int], Move | None]
"""A position as data: 32 bytes for each layer, lowest cell first; plies, cards, last move."""

class HeuristicRangeError(OverflowError): ...

class State:
    """A position as the core reads it."""

    @property
    def ply(self) -> int: ...

class Evaluator:
    """A heuristic as the core reads it."""

    @property
    def symmetric(self) -> bool: ...

class Core:
    """Rules, compiled."""

    def __init__(
        self,
        cells: int,
        layers: int,
        watches: tuple[list[int], list[int]],
        patterns: list[tuple[list[int], list[int], int, list[int], list[int], list[int]]],
        placements: tuple[list[tuple[list[list[int]], list[int]]], list[tuple[list[list[int]], list[int]]]],
        max_plies: int,
        recycle_from: int | None,
        symmetries: list[tuple[list[int], list[int]]],
        mover_wins_ties: bool,
        full_winner: int | None,
        passes: list[int],
    ) -> None: ...
    def state(self, layers: bytes, ply: int, cards: list[int], last: Move | None) -> State: ...
    def evaluator(
        self,
        patterns: list[list[list[int]]],
        lines: list[tuple[list[list[int]], list[list[int]]]],
        cells: list[list[tuple[int, list[int]]]],
        directions: list[list[int]],
        threats: list[tuple[tuple[list[int], list[int]], list[list[int]]]],
        nets: list[tuple[bytes, list[int], int]],
        /,
    ) -> Evaluator: ...
    def asking(self, function: Callable[[bytes, int, list[int], Move | None], int], /) -> Evaluator: ...
    def perft(self, state: State, depth: int, /) -> int: ...
    def moves(self, state: State, /) -> list[Move]: ...
    def key(self, state: State, /) -> int: ...
    def outcome(self, state: State, /) -> tuple[int, int]: ...
    def evaluate(self, evaluator: Evaluator, state: State) -> int: ...
    def plain(
        self,
        evaluator: Evaluator,
        state: State,
        depth: int,
        win: tuple[int, int, int],
        leaf: tuple[int, int],
        prune: bool,
        order: tuple[int, ...],
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[bool, int, list[Move], int, int]: ...
    def engine(self, evaluator: Evaluator, table_bytes: int, threads: int) -> Engine: ...
    def book(
        self,
        kind: int,
        plies: int,
        side: int,
        size: tuple[int, int],
        like: ImageTuple | None,
        group: list[ImageTuple],
        sizes: list[int],
        entries: bytes,
    ) -> Book: ...

class Engine:
    """A search with its table."""

    def begin(
        self, state: State, nodes: int | None, seconds: float | None, interruptible: bool, among: Sequence[Move]
    ) -> None: ...
    def deepen(self, depth: int) -> tuple[bool, bool, int, bool, list[Move]]: ...
    def score_all(self, depth: int) -> bool: ...
    def scores(self) -> list[tuple[int, int, bool, list[Move]]]: ...
    def stop(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def table_bytes(self) -> int: ...

def pairing(patterns: list[list[int]], effort: int) -> tuple[int, list[tuple[int, int]]]: ...
def keeping(core: Core, state: State, effort: int) -> list[Move]: ...

ClaimData = tuple[int, int, list[Move], list[Move], list[int], list[list[int]], list[tuple[int, int]], int]
"""Kind, side, moves, moves after the move, cells, patterns, pairs, number."""

ExplanationTuple = tuple[list[ClaimData], ScoreTuple | None, bool]
"""Claims, the score that they make exact, and whether they contradict the one that was given."""

GapTuple = tuple[int | None, int | None, int | None]
"""What a move gave away: results, plies, points."""

ReviewTuple = tuple[
    Judgement | None, ScoreTuple | None, bool, GapTuple | None, int, tuple[int, int], ExplanationTuple | None
]
"""What is known of the position, None once the game is over; the worth of the move played, whether it was advised,
what it gave away, its grade, what it cost and how much, and why."""

SummaryTuple = tuple[list[list[int]], list[int | None], int | None]
"""For both sides how many moves have which grade, and the accuracy; the number of the move that decided the game."""

def grade_points() -> list[int]: ...
def summary_of(grades: list[int], mover: int, loser: int) -> SummaryTuple: ...
def grade_of(
    position: ScoreTuple | None, best: ScoreTuple | None, move: ScoreTuple | None, depth: int
) -> tuple[int, tuple[int, int]]: ...

class Review:
    """The review of a game, from the last position to the first."""

    def __init__(
        self,
        judge: JudgeHandle,
        start: State,
        moves: Sequence[Move],
        depth: int | None,
        nodes: int | None,
        seconds: float | None,
        effort: int,
        effort_in_all: int,
        patience: float,
    ) -> None: ...
    def next(self) -> ReviewTuple | None: ...

def claim_kinds() -> list[str]:
    """The kinds of claims, in the order in which they are numbered."""

def winning_moves(core: Core, state: State, side: int) -> list[Move]: ...

class ProofOracle:
    """Answers out of a solver and a table of proofs, and claims that rest on them."""

    def __init__(self, judge: JudgeHandle, nodes: int, nodes_in_all: int | None) -> None: ...
    @property
    def nodes(self) -> int: ...
    def keeps(self, state: State, aim: tuple[int, int, int], seconds: float | None) -> bool | None: ...
    def right(self, state: State, aim: tuple[int, int, int], seconds: float | None) -> list[Move] | None: ...
    def score(self, state: State, most: int, seconds: float | None) -> ScoreTuple | None: ...
    def wins(self, state: State, side: int, plies: int, seconds: float | None) -> bool | None: ...
    def length(self, state: State, winner: int, most: int, seconds: float | None) -> int | None: ...
    def play(self, state: State, winner: int, length: int, most: int, seconds: float | None) -> list[Move]: ...
    def takes(self, state: State, winner: int, length: int, seconds: float | None) -> bool: ...
    def holds(self, state: State, move: Move, claim: ClaimData, seconds: float | None) -> bool: ...
    def explain(
        self, state: State, move: Move, known: ScoreTuple | None, seconds: float | None
    ) -> ExplanationTuple: ...

SolutionTuple = tuple[int, int | None, int, int, int, Move | None, list[Move], int, float]
"""Plies asked about, winner, plies, plies excluded for each side, first move, line, nodes, seconds."""

class Solving:
    """The solutions of a position."""

    def next(self) -> SolutionTuple | None: ...

class Prover:
    """A proof search with its table."""

    def __init__(self, core: Core, table_bytes: int) -> None: ...
    @property
    def nodes(self) -> int: ...
    def stop(self) -> None: ...
    def solve(self, state: State, within: int | None, seconds: float | None) -> Solving: ...
    def ask(self, state: State, attacker: int, horizon: int, nodes: int | None, seconds: float | None) -> int: ...
    def line(self, state: State, attacker: int, horizon: int, seconds: float | None) -> list[Move]: ...
    def strategy(
        self, state: State, attacker: int, horizon: int, seconds: float | None
    ) -> tuple[bool, list[tuple[Placed, Move]]]: ...

class ConnectFour:
    """An exact solver for one size of board, with its table."""

    def __init__(self, rows: int, columns: int, line: int, table_bytes: int) -> None: ...
    def solve(
        self,
        own: int,
        other: int,
        lower: int,
        upper: int,
        threads: int,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[int | None, int]: ...
    def solve_many(
        self,
        layers: list[tuple[int, ...]],
        plies: list[int],
        lower: int,
        upper: int,
        threads: int,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[list[int | None], list[int]]: ...
    def solve_played(
        self,
        layers: tuple[int, ...],
        ply: int,
        columns: list[str],
        lower: int,
        upper: int,
        threads: int,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[list[int | None], list[int], list[int]]: ...
    def clear(self) -> None: ...
    def share(self) -> None: ...
    def stop(self) -> None: ...

class Batch:
    """Games stepped together, written into arrays that it was given."""

    def __init__(
        self,
        core: Core,
        square_of: list[int],
        planes: tuple[list[int], list[int]],
        action_of: tuple[list[int], list[int]],
        auto_reset: bool,
        opponent: bool,
        seed: int,
        observations: object,
        masks: object,
        rewards: object,
        dones: object,
        to_move: object,
        actions: object,
    ) -> None: ...
    def reset(self, seed: int) -> None: ...
    def restart(self, marked: object) -> None: ...
    def step(self) -> None: ...
    def sample(self) -> None: ...
    def game(self, index: int) -> Placed: ...

Laid = tuple[list[list[int]], list[int], list[int]]
"""The cells that each layer gets, those that are covered, and those below."""

class PlainWalk:
    """Who can force a win within some plies, by looking at everything."""

    def __init__(
        self,
        laid: tuple[list[Laid], list[Laid]],
        lines: list[tuple[list[int], list[int]]],
        watches: tuple[list[int], list[int]],
        size: tuple[int, int],
        plies: int,
        shared: bool,
        pairs: bool,
    ) -> None: ...
    @property
    def nodes(self) -> int: ...
    def wins(self, layers: list[list[int]], ply: int, side: int, plies: int, budget: int) -> bool | None: ...
    def paired(self, layers: list[list[int]], ply: int, side: int, steps: int) -> bool: ...

class GameText(TypedDict):
    """A game as text, compiled: the fields of `Rules` as plain values."""

    title: str
    credit: str
    places: list[tuple[int, int]]
    board: str
    layers: list[str]
    sides: tuple[str, str]
    watches: tuple[list[int], list[int]]
    patterns: list[tuple[list[int], list[int], int, list[int], list[int], bool, int, int]]
    families: list[str]
    placements: tuple[list[tuple[str, list[list[int]], list[int]]], list[tuple[str, list[list[int]], list[int]]]]
    max_plies: int
    recycle_from: int | None
    writing: int
    mover_wins_ties: bool
    full_winner: int | None
    passes: list[int]
    symmetries: list[tuple[str, list[int], list[int]]]
    symmetries_found: int
    first_moves: int
    goal: list[str]
    special: list[str]

def compile_game(source: str) -> GameText:
    """What a text says; ValueError with line, column and what was expected."""

ScoreTuple = tuple[int, int, bool]
"""Result (loss, draw, win, opinion), plies or points, at most."""

AnalysisTuple = tuple[list[Move], ScoreTuple | None, int, int, int, int, int, float, int | None]
"""Line, score, source, remark, its ply, depth, nodes, seconds, points."""

ProofTuple = tuple[list[Move], ScoreTuple | None, int, tuple[int, int]]
"""Line, score, source, remark and its ply; a move that was advised has no score."""

EntryTuple = tuple[int, int, ProofTuple]
"""A proof as it is remembered: key, ply, proof."""

ImageTuple = tuple[list[int], list[int], list[list[int]]]
"""Where cells, layers and the placements of both sides go."""

class Book:
    """A book as it is asked about positions of some rules."""

    def number(self, state: State, /) -> int | None: ...
    def reply(self, core: Core, state: State, /) -> Move | None: ...

class Books:
    """All books of a game."""

    def __init__(self, core: Core, books: list[Book], group: list[ImageTuple]) -> None: ...
    def entries(self, state: State, /) -> list[tuple[Move, ScoreTuple | None, int, int]]: ...
    def score_of(self, state: State, /) -> ScoreTuple | None: ...
    def exact_number(self, state: State, /) -> int | None: ...
    def possible_numbers(self, state: State, columns: int, /) -> tuple[int, int]: ...

class Judgement:
    """What is known about a position and its moves."""

    @property
    def compared(self) -> list[AnalysisTuple]: ...
    @property
    def others(self) -> list[AnalysisTuple]: ...
    @property
    def worth(self) -> ScoreTuple | None: ...
    @property
    def cut_off(self) -> bool: ...
    @property
    def whole(self) -> AnalysisTuple: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...

class Inquiry:
    """One question to a judge, answered step by step."""

    def next(self) -> Judgement | None: ...

class JudgeHandle:
    """A judge, whatever it is asked."""

class Judge(JudgeHandle):
    """Judges positions of one game."""

    def __init__(
        self,
        core: Core,
        evaluator: Evaluator,
        books: list[Book],
        group: list[ImageTuple],
        solver: tuple[int, int, int] | None,
        solver_bytes: int,
        proof_bytes: int,
        engine_bytes: int,
        threads: int,
    ) -> None: ...
    def judge(
        self,
        state: State,
        depth: int | None,
        nodes: int | None,
        seconds: float | None,
        all_moves: bool,
        opinions: bool,
    ) -> Judgement: ...
    def inquire(
        self,
        state: State,
        depth: int | None,
        nodes: int | None,
        seconds: float | None,
        all_moves: bool,
        opinions: bool,
        proofs_only: bool,
    ) -> Inquiry: ...
    def at_a_glance(self, state: State, /) -> list[AnalysisTuple]: ...
    def known(self, state: State, /) -> AnalysisTuple | None: ...
    def advice(self, state: State, /) -> AnalysisTuple | None: ...
    def remember(self, state: State, proof: ProofTuple, /) -> None: ...
    def safe_moves(self, state: State, nodes: int | None, seconds: float | None) -> list[Move]: ...
    def cannot_win(self, state: State, /) -> bool: ...
    def exact(
        self, state: State, depth: int | None, nodes: int | None, seconds: float | None
    ) -> tuple[list[Move], ScoreTuple, int, float] | None: ...
    def counsel(
        self, state: State, depth: int | None, nodes: int | None, seconds: float | None
    ) -> tuple[int, AnalysisTuple | None, list[Move]]: ...
    def defend(
        self,
        state: State,
        chosen: Move,
        lost: bool,
        depth: int | None,
        nodes: int | None,
        seconds: float | None,
    ) -> tuple[list[Move], int | None] | None: ...
    def take_news(self) -> list[EntryTuple]: ...
    def learn(self, entries: list[EntryTuple], /) -> None: ...
    def advise(self, state: State, move: Move, /) -> None: ...
    def advised(self, state: State, move: Move, /) -> bool: ...
    @property
    def remembered(self) -> int: ...
    @property
    def searches(self) -> int: ...
    def stop(self) -> None: ...

class Learner:
    """A net that learns from games of the engine with itself; what it does depends on its seed alone."""

    def __init__(self, core: Core, units: int, seed: int) -> None: ...
    def play(
        self,
        evaluator: Evaluator,
        games: int,
        threads: int,
        nodes: int,
        opening: int,
        explore: float,
        trust: float,
    ) -> tuple[int, int, int]:
        """Plays and remembers games; positions, games won by the first side, games drawn."""

    def learn(self, steps: int, rate: float) -> float:
        """The mean log loss of the lessons of so many steps."""

    def net(self) -> tuple[bytes, list[int], int, list[int]]:
        """In whole numbers: rows, out, shift, and what each row is worth by itself."""

    def rows(self, state: State) -> list[int]:
        """The rows of a net that count in a position."""

    def state(self) -> bytes: ...
    def restore(self, state: bytes, goes_on: bool) -> None:
        """Take up the state of a learner: go on with its games, or count them anew."""
    @property
    def games(self) -> int: ...
    @property
    def lessons(self) -> int: ...
    @property
    def steps(self) -> int: ...
