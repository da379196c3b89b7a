"""The native core of plyground."""

from collections.abc import Callable, Sequence

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
        patterns: list[tuple[list[int], list[int], int]],
        placements: tuple[list[tuple[list[list[int]], list[int]]], list[tuple[list[list[int]], list[int]]]],
        max_plies: int,
        recycle_from: int | None,
        symmetries: list[tuple[list[int], list[int]]],
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

class Prover:
    """A proof search with its table."""

    def __init__(self, core: Core, table_bytes: int) -> None: ...
    @property
    def nodes(self) -> int: ...
    def stop(self) -> None: ...
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
