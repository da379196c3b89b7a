from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator
from functools import cache

import pytest

from native_positions import random_game
from plyground.core.position import Position
from plyground.core.rules import Pattern
from plyground.games import load
from plyground.heuristics.base import HeuristicError
from plyground.heuristics.data import CellWeights, DataHeuristic, PatternWeights
from plyground.search.base import Analysis, Effort, Limit, Ranking
from plyground.search.score import Score
from plyground.solve import proof
from plyground.solve.prover import Prover

core = pytest.importorskip("plyground.native.bridge")
from plyground.search import twins as native  # noqa: E402
from plyground.search.engine import EngineSearch  # noqa: E402

SMALL = {
    # game: how many plies before the end of the rules a full search is a matter of moments
    "tic-tac-toe": 9,
    "mnk:columns=4,rows=4,line=3": 9,
    "mnk:columns=4,rows=4,line=4": 9,
    "mnk:columns=7,rows=2,line=3": 9,
    "connect-four:rows=4,columns=4": 12,
    "connect-four:rows=4,columns=5,line=3": 11,
    "connect-four:rows=5,columns=5": 13,
    "polarized-ladder:height=4": 9,
    "polarized-ladder:variant=open,height=4": 9,
    "polarized-ladder:variant=open": 9,
    "double-card:max_moves=10": 3,
    "double-card:max_moves=26": 2,
    "double-card:first=dots,max_moves=27": 2,
}

NOTHING = DataHeuristic("nothing", ())


@cache
def late_positions(game: str) -> tuple[Position, ...]:
    """Undecided positions of random games so late that a full search sees the end."""
    rules, found = load(game), []
    for seed in range(400):
        late = [p for p in random_game(game, seed) if not p.outcome() and p.ply >= rules.max_plies - SMALL[game]]
        found += late[:1]
        if len(found) == 12:
            break
    assert len(found) >= 5, f"{game} has too few late positions"
    return tuple(found)


def truth(position: Position) -> Score:
    """The value of a position by a search of everything, which agrees with the reference node for node."""
    left = position.rules.max_plies - position.ply
    score = Score.of_value(native.alpha_beta(position, left, NOTHING, Effort(Limit()))[0])
    return score if score.proved else Score.draw()


def known(analysis: Analysis) -> Score:
    """The score of an analysis that has one."""
    assert analysis.score is not None
    return analysis.score


def last(found: Iterator[Analysis]) -> Analysis:
    return list(found)[-1]


def last_ranking(found: Iterator[Ranking]) -> Ranking:
    return list(found)[-1]


def seen(found: Iterator[Analysis]) -> list[tuple[object, ...]]:
    """Everything about analyses but the time they took."""
    return [(a.line, a.score, a.depth, a.nodes, a.proved, a.points) for a in found]


def follow(position: Position, analysis: Analysis) -> None:
    """Play a line out: every move is legal, and a mate it reaches in full is the mate it claims."""
    for move in analysis.line:
        position = position.play(move)
    if analysis.score is not None and len(analysis.line) == analysis.score.plies:
        assert position.outcome() is not None


@pytest.mark.threads
@pytest.mark.parametrize("settings", [{}, {"table_mb": 0}, {"threads": 2}, {"heuristic": NOTHING}], ids=str)
@pytest.mark.parametrize("game", SMALL)
def test_what_the_engine_proves_is_what_a_full_search_finds(game: str, settings: dict[str, object]) -> None:
    search = EngineSearch(**settings)  # type: ignore[arg-type]
    for position in late_positions(game):
        analysis, exact = last(search(position, Limit())), truth(position)
        assert analysis.proved
        found = known(analysis)
        assert found.result is exact.result
        if found.plies is not None and exact.plies is not None:
            assert found.plies >= exact.plies, "a mate cannot be nearer than the nearest"
            assert found.at_most or found.plies == exact.plies
        follow(position, analysis)


MOSTLY_DRAWN = ("tic-tac-toe", "mnk:columns=4,rows=4,line=4", "connect-four:rows=4,columns=4")
"""Games in whose late positions no mate is near."""


@pytest.mark.parametrize("game", SMALL)
def test_mates_seen_before_everything_is_proved_are_mates(game: str) -> None:
    search, proved = EngineSearch(), 0
    for position in late_positions(game):
        for analysis in search(position, Limit(depth=3)):
            if analysis.proved:
                proved += 1
                assert known(analysis).result is truth(position).result
    assert proved or game in MOSTLY_DRAWN


@pytest.mark.parametrize("game", SMALL)
def test_mirrored_positions_agree(game: str) -> None:
    search = EngineSearch()
    for position in late_positions(game)[:6]:
        for symmetry in position.rules.symmetries:
            mirrored = last(search(position.image(symmetry), Limit()))
            assert known(mirrored).result is known(last(search(position, Limit()))).result
            follow(position.image(symmetry), mirrored)


def test_a_heuristic_that_is_not_symmetric_is_not_mirrored() -> None:
    rules = load("tic-tac-toe")
    lopsided = CellWeights(((1, (9, 5, 0, 0, 0, 0, 0, 0, 0)), (2, (-9, -5, 0, 0, 0, 0, 0, 0, 0))))
    assert not native.evaluator_for(rules, DataHeuristic("lopsided", (lopsided,))).symmetric
    even = CellWeights(((1, (9, 5, 9, 5, 0, 5, 9, 5, 9)),))
    assert native.evaluator_for(rules, DataHeuristic("even", (even,))).symmetric
    scores = EngineSearch(DataHeuristic("lopsided", (lopsided,)))
    ranking = last_ranking(scores.rank(Position.start(rules), Limit(depth=1)))
    assert {a.move.place: a.score for a in ranking.compared}[0] == Score.points(9)


@pytest.mark.parametrize("game", ["polarized-ladder", "connect-four", "double-card", "gomoku:size=9"])
def test_a_node_limit_gives_the_same_answers_twice(game: str) -> None:
    position = Position.start(load(game))
    search, limit = EngineSearch(table_mb=4), Limit(nodes=20_000)
    first = seen(search(position, limit))
    other = position.play(position.moves()[0])
    list(search(other, Limit(seconds=0.02)))
    assert seen(search(position, limit)) == first
    assert seen(EngineSearch(table_mb=4)(position, limit)) == first
    assert first[-1][3] <= 20_000  # type: ignore[operator]


@pytest.mark.parametrize("game", ["polarized-ladder", "connect-four", "double-card", "gomoku"])
def test_every_depth_yields_an_analysis_whose_line_can_be_played(game: str) -> None:
    position = Position.start(load(game))
    found = list(EngineSearch(table_mb=8)(position, Limit(depth=4)))
    assert [analysis.depth for analysis in found] == [1, 2, 3, 4]
    assert [a.nodes for a in found] == sorted(a.nodes for a in found)
    for analysis in found:
        follow(position, analysis)


def test_even_without_time_there_is_a_move() -> None:
    position = Position.start(load("double-card"))
    found = list(EngineSearch()(position, Limit(nodes=1)))
    assert found[-1].line[0] in position.moves()


def test_the_engine_wins_at_once_and_stops_the_one_threat() -> None:
    rules = load("connect-four:rows=6,columns=7")
    position = Position.start(rules)
    for column in "414141":
        position = position.play(position.parse(column))
    winning = last(EngineSearch()(position, Limit(depth=1)))
    assert (position.write(winning.line[0]), winning.text) == ("4", "win in 1")
    position = Position.start(rules)
    for column in "41414":
        position = position.play(position.parse(column))
    assert position.write(last(EngineSearch()(position, Limit(depth=1))).line[0]) == "4"


def test_answers_to_a_threat_by_taking_the_second_pole_are_not_overlooked() -> None:
    checked = 0
    for seed in range(300):
        for position in random_game("polarized-ladder:variant=open,height=5", seed):
            if position.outcome() or len(position.moves()) > 9:
                continue
            nearly = [p for _, p in position.live(position.to_move.other) if one_missing(position, p)]
            if any(p.neutraliser for p in nearly):
                checked += 1
                found = known(last(EngineSearch(table_mb=1)(position, Limit())))
                assert found.result is truth(position).result
            break
    assert checked >= 10


def one_missing(position: Position, pattern: Pattern) -> bool:
    return (pattern.cells & ~position.occupied).bit_count() == 1


@pytest.mark.parametrize("game", SMALL)
def test_every_move_is_scored_as_a_full_search_scores_it(game: str) -> None:
    search = EngineSearch(table_mb=16)
    for position in late_positions(game)[:3]:
        ranking = last_ranking(search.rank(position, Limit()))
        scored = ranking.compared
        assert ranking.others == ()
        assert sorted(analysis.line[0] for analysis in scored) == sorted(position.moves())
        assert [known(a) for a in scored] == sorted((known(a) for a in scored), reverse=True)
        for analysis in scored[:: max(1, len(scored) // 8)]:
            child = position.play(analysis.line[0])
            assert analysis.proved
            assert known(analysis).result is (-truth(child)).result
            follow(position, analysis)


def test_a_score_is_given_for_every_move_after_each_depth() -> None:
    position = Position.start(load("double-card"))
    rankings = list(EngineSearch().rank(position, Limit(depth=2)))
    assert [len(ranking.compared) for ranking in rankings] == [60, 60]
    assert [{a.depth for a in ranking} for ranking in rankings] == [{1}, {2}]
    assert [ranking.others for ranking in rankings] == [(), ()]


@pytest.mark.threads
def test_a_python_heuristic_works_in_the_engine() -> None:
    asked: list[Position] = []

    def corners(position: Position) -> int:
        asked.append(position)
        mine, theirs = position.layers[position.to_move], position.layers[position.to_move.other]
        return (mine & 0b101000101).bit_count() - (theirs & 0b101000101).bit_count()

    position = Position.start(load("tic-tac-toe"))
    first = next(EngineSearch(corners, threads=2)(position, Limit(depth=1)))
    assert first.line[0].place in (0, 2, 6, 8)
    assert all(p.ply == 1 and p == Position.start(p.rules).play(p.last) for p in asked if p.last)
    assert last(EngineSearch(corners)(position, Limit())).text == "draw"


@pytest.mark.threads
def test_faults_of_a_python_heuristic_come_out_as_themselves() -> None:
    def broken(position: Position) -> int:
        raise ZeroDivisionError("mine")

    def half(position: Position) -> int:
        return 0.5  # type: ignore[return-value]

    position = Position.start(load("connect-four"))
    with pytest.raises(ZeroDivisionError, match="mine"):
        list(EngineSearch(broken)(position, Limit(depth=2)))
    with pytest.raises(HeuristicError, match="heuristic 'half' must return a whole number"):
        list(EngineSearch(half)(position, Limit(depth=2)))
    huge = DataHeuristic("huge", (PatternWeights(((0, 800_000_000, 800_000_000, 0, 0),)),))
    for threads in (1, 2):
        with pytest.raises(HeuristicError, match="heuristic 'huge' must return a whole number"):
            list(EngineSearch(huge, threads=threads)(position, Limit(depth=3)))


@pytest.mark.threads
@pytest.mark.usefixtures("ctrl_c_heard")
def test_ctrl_c_ends_a_search_that_has_no_limit() -> None:
    position = Position.start(load("gomoku"))
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        list(EngineSearch(threads=2)(position, Limit()))
    timer.join()


@pytest.mark.threads
def test_another_thread_can_stop_a_search_and_gets_what_it_found() -> None:
    search, position = EngineSearch(), Position.start(load("gomoku"))
    found: list[Analysis] = []
    thread = threading.Thread(target=lambda: found.extend(search(position, Limit())))
    thread.start()
    timer = threading.Timer(0.2, search.stop)
    timer.start()
    thread.join(timeout=20)
    assert not thread.is_alive()
    assert found[-1].line


def test_the_table_takes_what_was_asked() -> None:
    rules = load("connect-four")
    evaluator = native.evaluator_for(rules, NOTHING)
    for size in (1 << 20, 3 << 20, 64 << 20):
        assert core.core_for(rules).engine(evaluator, size, 1).table_bytes == size


def test_a_table_that_has_grown_still_knows_what_was_found() -> None:
    """Of two megabytes a table never grows, of more it does as soon as a search has visited 32,768 nodes."""
    position = Position("connect-four", "44455")
    grown, small = (EngineSearch(table_mb=size) for size in (64, 2))
    [*_, much], [*_, little] = (list(search(position, Limit(depth=15))) for search in (grown, small))
    assert much.nodes > 4 * 131_072  # more than the small table has room for
    assert much.nodes < little.nodes


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="threads must be 1 to 256, got 0"):
        EngineSearch(threads=0)
    with pytest.raises(ValueError, match="table_mb must be 0 to 1048576, got -1"):
        EngineSearch(table_mb=-1)


def test_a_finished_game_is_refused() -> None:
    position = list(random_game("tic-tac-toe", 1))[-1]
    with pytest.raises(ValueError, match="the game is over in tic-tac-toe"):
        list(EngineSearch()(position, Limit(depth=1)))
    with pytest.raises(ValueError, match="the game is over in tic-tac-toe"):
        list(EngineSearch().rank(position, Limit(depth=1)))


def around_the_middle(game: str, stones: int, generator: random.Random) -> Position:
    """A position of a large board whose discs lie close together; nobody has won."""
    position = Position.start(load(game))
    middle = [name for name in position.rules.grid.names if name[0] in "DEFGH" and int(name[1:]) in range(4, 9)]
    while position.ply < stones:
        following = position.play(generator.choice([name for name in middle if position.at(name) is None]))
        position = position if following.over else following
    return position


@pytest.mark.threads
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", ["mnk:columns=11,rows=11,line=4", "mnk:columns=11,rows=11,line=5"])
def test_on_large_boards_near_moves_come_first_and_verdicts_are_true(game: str, threads: int) -> None:
    generator, verdicts = random.Random(game), 0
    for stones in (7, 8, 9, 10, 11, 12):
        position = around_the_middle(game, stones, generator)
        found = last(EngineSearch(threads=threads)(position, Limit(depth=2)))
        follow(position, found)
        if not found.proved:
            continue
        verdicts += 1
        [*_, solution] = proof.solve(position, within=known(found).plies)
        assert solution.winner is (position.to_move if known(found).won else position.to_move.other)
    assert verdicts >= 2


@pytest.mark.parametrize("k", [3, 4, 5])
def test_on_large_boards_two_threats_at_once_are_seen_before_they_are_made(k: int) -> None:
    """A look one ply ahead knows every win in three plies and every loss in four, and no others."""
    game = f"mnk:columns=11,rows=11,line={k}"
    generator, prover = random.Random(game), Prover(load(game), table_mb=16)
    seen_wins = seen_losses = 0
    for stones in 40 * list(range(k - 1, 3 * k + 2)):
        position = around_the_middle(game, stones, generator)
        score = known(last(EngineSearch(table_mb=1)(position, Limit(depth=1))))
        soon = score.plies is not None and score.plies <= 3 + score.lost
        assert (soon and score.won) is prover.can_win(position, position.to_move, plies=3)
        assert (soon and score.lost) is prover.can_win(position, position.to_move.other, plies=4)
        seen_wins += score.plies == 3
        seen_losses += score.plies == 4
    assert seen_wins >= 5
    assert seen_losses >= 3


def test_on_large_boards_every_move_is_still_ranked() -> None:
    position = around_the_middle("mnk:columns=11,rows=11,line=5", 6, random.Random(1))
    ranking = last_ranking(EngineSearch().rank(position, Limit(depth=2)))
    assert {analysis.line[0] for analysis in ranking.compared} == set(position.moves())
    start = Position.start(position.rules)
    assert last(EngineSearch()(start, Limit(depth=1))).line[0] in start.moves()


def test_on_large_boards_a_move_far_away_is_found_where_it_is_asked_for() -> None:
    position = around_the_middle("mnk:columns=11,rows=11,line=5", 6, random.Random(1))
    far = position.parse("K11")
    assert last(EngineSearch()(position, Limit(depth=3), among=[far])).line[0] == far
