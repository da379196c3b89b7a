"""What the native core is given by mistake is answered by an exception, never by a crash."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from native_positions import after
from plyground.core.position import Position
from plyground.games import load

core = pytest.importorskip("plyground.native.bridge")
from plyground.native import _core, core_for, state_of  # noqa: E402

CORE = core_for(load("tic-tac-toe"))
OTHER = core_for(load("connect-four"))
STATE = state_of(Position.start(load("tic-tac-toe")))
OTHER_STATE = state_of(Position.start(load("connect-four")))
PLAIN = ((1000, -1, 0), (1, 0), True, (), None, None)


def nothing(on: _core.Core) -> _core.Evaluator:
    return on.evaluator([], [], [], [], [], [])


def engine() -> _core.Engine:
    return CORE.engine(nothing(CORE), 1 << 16, 1)


def begun() -> _core.Engine:
    made = engine()
    made.begin(STATE, None, None, False, [])
    return made


@pytest.mark.parametrize(
    "use",
    [
        lambda: CORE.perft(OTHER_STATE, 1),
        lambda: CORE.moves(OTHER_STATE),
        lambda: CORE.key(OTHER_STATE),
        lambda: CORE.outcome(OTHER_STATE),
        lambda: CORE.evaluate(nothing(CORE), OTHER_STATE),
        lambda: CORE.plain(nothing(CORE), OTHER_STATE, 2, *PLAIN),
        lambda: engine().begin(OTHER_STATE, None, None, False, []),
        lambda: _core.keeping(CORE, OTHER_STATE, 10),
        lambda: _core.Prover(CORE, 1 << 16).ask(OTHER_STATE, 0, 9, None, None),
        lambda: _core.Prover(CORE, 1 << 16).line(OTHER_STATE, 0, 9, None),
        lambda: _core.Prover(CORE, 1 << 16).strategy(OTHER_STATE, 0, 9, None),
    ],
)
def test_a_state_of_other_rules_is_refused(use: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="the state is a position of other rules"):
        use()


@pytest.mark.parametrize(
    "use",
    [
        lambda: CORE.evaluate(nothing(OTHER), STATE),
        lambda: CORE.plain(nothing(OTHER), STATE, 2, *PLAIN),
        lambda: CORE.engine(nothing(OTHER), 1 << 16, 1),
    ],
)
def test_an_evaluator_of_other_rules_is_refused(use: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="the evaluator is for other rules"):
        use()


def test_cores_of_equal_rules_share_states_and_evaluators() -> None:
    twin = core_for.__wrapped__(load("tic-tac-toe"))
    assert twin is not CORE
    assert twin.evaluate(nothing(CORE), STATE) == 0
    assert twin.perft(STATE, 2) == 72


def test_an_engine_searches_only_what_was_begun() -> None:
    with pytest.raises(RuntimeError, match="begin first"):
        engine().deepen(1)
    with pytest.raises(RuntimeError, match="begin first"):
        engine().score_all(1)
    assert engine().scores() == []


def test_an_engine_that_could_not_begin_does_not_search() -> None:
    made = begun()
    with pytest.raises(ValueError, match="none of the moves is legal"):
        made.begin(STATE, None, None, False, [(700, None)])
    with pytest.raises(RuntimeError, match="begin first"):
        made.deepen(1)
    won = state_of(after("tic-tac-toe", "a1 b1 a2 b2 a3"))
    with pytest.raises(ValueError, match="the game is over"):
        made.begin(won, None, None, False, [])


@pytest.mark.parametrize("depth", [-1, 0, 1 << 20])
def test_a_depth_no_search_can_have_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match=f"depth must be 1 to 65536, got {depth}"):
        begun().deepen(depth)
    with pytest.raises(ValueError, match=f"depth must be 1 to 65536, got {depth}"):
        begun().score_all(depth)
    if depth != 0:
        with pytest.raises(ValueError, match=f"depth must be 0 to 4096, got {depth}"):
            CORE.plain(nothing(CORE), STATE, depth, *PLAIN)
        with pytest.raises(ValueError, match=f"depth must be 0 to 4096, got {depth}"):
            CORE.perft(STATE, depth)


def test_a_plain_search_deeper_than_the_game_sees_its_end() -> None:
    late = state_of(after("tic-tac-toe", "a1 b2 c3 a3 c1"))
    finished, score, line, _, _ = CORE.plain(nothing(CORE), late, 4096, *PLAIN)
    assert finished
    assert (score, len(line)) == (-998, 2)


@pytest.mark.parametrize("move", [(-1, None), (768, None), (1 << 16, None), (0, -1), (0, 1 << 20)])
def test_a_move_that_cannot_be_is_refused(move: tuple[int, int | None]) -> None:
    with pytest.raises(ValueError, match="no such placement"):
        engine().begin(STATE, None, None, False, [move])
    with pytest.raises(ValueError, match="no such placement"):
        CORE.state(bytes(64), 0, [], move)


def test_a_state_that_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes for each layer"):
        CORE.state(bytes(3), 0, [], None)
    with pytest.raises(ValueError, match="ply must be 0 to 9, got 10"):
        CORE.state(bytes(64), 10, [], None)
    with pytest.raises(ValueError, match="the last move is none of these rules"):
        CORE.state(bytes(64), 1, [], (9, None))
    with pytest.raises(ValueError, match="a cell holds what no placement puts there"):
        CORE.state(bytes([1] + [0] * 31) * 2, 2, [], None)
    cards = core_for(load("double-card"))
    with pytest.raises(ValueError, match="card 3 is not on the board"):
        cards.state(bytes(32 * 4), 1, [3], None)
    with pytest.raises(ValueError, match="card must be 0 to"):
        cards.state(bytes(32 * 4), 1, [100_000], None)


def test_numbers_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="threads must be 1 to 256, got 0"):
        CORE.engine(nothing(CORE), 1 << 16, 0)
    with pytest.raises(ValueError, match="attacker must be 0 to 1, got 2"):
        _core.Prover(CORE, 1 << 16).ask(STATE, 2, 9, None, None)
    with pytest.raises(ValueError, match="room for one bucket"):
        _core.Prover(CORE, 0)
    with pytest.raises(ValueError, match="seconds must be a number"):
        begun().begin(STATE, None, float("nan"), False, [])
    with pytest.raises(ValueError, match="threads must be 1 to 256, got 0"):
        _core.ConnectFour(4, 4, 4, 1 << 20).solve(0, 0, -8, 8, 0, None, None)
    with pytest.raises(ValueError, match="a disc hangs over an empty cell"):
        _core.ConnectFour(4, 4, 4, 1 << 20).solve(1 << 8, 1, -8, 8, 1, None, None)
    with pytest.raises(ValueError, match="the board does not fit 128 bits"):
        _core.ConnectFour(16, 16, 4, 1 << 20)


@pytest.mark.parametrize(
    "make", [lambda: CORE.engine(nothing(CORE), (1 << 64) - 1, 1), lambda: _core.Prover(CORE, (1 << 64) - 1)]
)
def test_a_table_larger_than_any_memory_is_a_memory_error(make: Callable[[], object]) -> None:
    with pytest.raises(MemoryError):
        make()


def test_what_a_heuristic_raises_ends_the_search_and_is_raised() -> None:
    def fails(layers: bytes, ply: int, cards: list[int], last: _core.Move | None) -> int:
        raise LookupError("no opinion")

    asking = CORE.asking(fails)
    with pytest.raises(LookupError, match="no opinion"):
        CORE.evaluate(asking, STATE)
    with pytest.raises(LookupError, match="no opinion"):
        CORE.plain(asking, STATE, 2, *PLAIN)
    made = CORE.engine(asking, 1 << 16, 1)
    for _ in range(2):
        made.begin(STATE, None, None, False, [])
        with pytest.raises(LookupError, match="no opinion"):
            made.deepen(2)


def test_a_value_no_heuristic_may_have_ends_the_search() -> None:
    asking = CORE.asking(lambda *_: 1 << 40)
    with pytest.raises(_core.HeuristicRangeError, match=str(1 << 40)):
        CORE.evaluate(asking, STATE)
    with pytest.raises(_core.HeuristicRangeError, match=str(1 << 40)):
        CORE.plain(asking, STATE, 1, *PLAIN)
    made = CORE.engine(asking, 1 << 16, 1)
    made.begin(STATE, None, None, False, [])
    with pytest.raises(_core.HeuristicRangeError, match=str(1 << 40)):
        made.deepen(2)


def test_a_heuristic_cannot_begin_the_search_that_asks_it() -> None:
    made: list[_core.Engine] = []

    def meddles(*_: object) -> int:
        made[0].begin(STATE, None, None, False, [])
        return 0

    made.append(CORE.engine(CORE.asking(meddles), 1 << 16, 1))
    made[0].begin(STATE, None, None, False, [])
    with pytest.raises(RuntimeError, match="a search is running already"):
        made[0].deepen(2)
    made.clear()  # the engine and its heuristic hold each other, which the core does not let Python see


@pytest.mark.threads
def test_a_prover_answers_one_question_at_a_time() -> None:
    rules = load("gomoku:size=9")
    prover, start = _core.Prover(core_for(rules), 1 << 20), state_of(Position.start(rules))
    asked = threading.Thread(target=prover.ask, args=(start, 0, 81, None, 30.0))
    asked.start()
    refused = False
    while asked.is_alive() and not refused:
        try:
            prover.ask(start, 0, 1, 0, None)
        except RuntimeError as error:
            refused = "a search is running already" in str(error)
    prover.stop()
    asked.join()
    assert refused


def test_a_symmetry_that_is_no_permutation_is_refused() -> None:
    lays: list[tuple[list[list[int]], list[int]]] = [([[0]], [])]
    with pytest.raises(ValueError, match="a symmetry needs an entry for each cell and layer"):
        _core.Core(1, 1, ([0], [0]), [([0], [], 0, [], [], [])], (lays, lays), 1, None, [([7], [0])], True, None, [])
