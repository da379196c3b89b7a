"""The conformance checks pass everything that ships and catch whoever breaks a promise."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from boards import VARIANTS
from plyground import heuristics, players
from plyground.conformance.checks import ConformanceError, check_heuristic, check_player, check_rules, check_search
from plyground.core.notation import CellNotation, ColumnNotation
from plyground.core.position import Position
from plyground.core.rules import Move, Pattern, Placement, Rules, Symmetry
from plyground.games import load
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import Analysis, Effort, Limit, Search
from plyground.search.deepening import FixedDepth, deepening
from plyground.search.minimax import minimax
from plyground.search.score import Score

QUICK = ("tic-tac-toe", "connect-four:rows=4,columns=5", "polarized-ladder:variant=open,height=4")


def fitting() -> Iterator[tuple[str, str]]:
    """Every heuristic with every game that it is for."""
    for name, build in heuristics.HEURISTICS.items():
        for game in (*QUICK, "double-card"):
            with contextlib.suppress(ValueError):
                build(load(game))
                yield name, game


def test_every_heuristic_is_for_some_game() -> None:
    assert {name for name, _ in fitting()} == set(heuristics.HEURISTICS)


@pytest.mark.parametrize(("name", "game"), list(fitting()))
def test_every_heuristic_conforms_on_every_game_it_fits(name: str, game: str) -> None:
    rules = load(game)
    even = name != "naive"  # the demo favours some cells and one side
    check_heuristic(heuristics.load(name, rules), rules, positions=10, symmetric=even, fair=even)


@pytest.mark.parametrize("game", QUICK)
@pytest.mark.parametrize("search", [minimax, alpha_beta])
def test_the_plain_searches_conform(game: str, search: FixedDepth) -> None:
    rules = load(game)
    check_search(deepening(search, heuristics.load("lines", rules)), rules)
    check_search(search, rules)


@pytest.mark.parametrize(
    ("name", "game", "limit", "full_width"),
    [
        ("engine", "tic-tac-toe", Limit(depth=5, nodes=5000), True),
        ("engine", "connect-four", Limit(depth=3, nodes=5000), True),
        ("engine", "polarized-ladder:variant=open", Limit(depth=3, nodes=5000), True),
        ("engine", "double-card", Limit(depth=2, nodes=20000), True),
        ("beam", "connect-four", Limit(depth=2, nodes=5000), True),
        ("beam", "tic-tac-toe", Limit(depth=4, nodes=5000), False),
    ],
)
def test_the_searches_of_the_players_conform(name: str, game: str, limit: Limit, full_width: bool) -> None:
    rules = load(game)
    check_search(players.load(name, rules).think, rules, limit=limit, full_width=full_width)


def test_a_search_that_draws_lots_can_conform() -> None:
    rules = load("connect-four")
    check_search(players.load("mcts:seed=1", rules).think, rules, Limit(nodes=100), full_width=False, chance=True)


@pytest.mark.parametrize(
    ("name", "game"),
    [
        ("engine:level=1", "connect-four"),
        ("random:seed=3", "double-card"),
        ("minimax:depth=1", "gomoku:size=7"),
        ("alpha-beta:depth=2", "connect-four:rows=4,columns=5"),
        ("alpha-beta:depth=1", "double-card:max_moves=12"),
        ("beam:depth=2", "connect-four:rows=4,columns=5"),
        ("mcts:nodes=50,seed=1", "tic-tac-toe"),
        ("hazar-isik:plies=2", "connect-four"),
        ("ayoub-qabbani:level=1", "polarized-ladder:variant=open"),
    ],
)
def test_players_conform(name: str, game: str) -> None:
    rules = load(game)
    check_player(players.load(name, rules), rules, limit=Limit(depth=60))


# Games that break a promise each.


def broken(**changed: object) -> Rules:
    """Tic-tac-toe under a name of its own, with something wrong."""
    return replace(load("tic-tac-toe"), **({"name": "mine"} | changed))  # type: ignore[arg-type]


def with_first_placement(**changed: object) -> Rules:
    first, second = load("tic-tac-toe").placements
    return broken(placements=((replace(first[0], **changed), *first[1:]), second))  # type: ignore[arg-type]


class Mumbling(CellNotation):
    """Writes every move alike."""

    def write(self, rules: Rules, move: Move) -> str:
        """The same for all."""
        return "A1"


class Shifted(CellNotation):
    """Writes the cell next to the one that is meant."""

    def write(self, rules: Rules, move: Move) -> str:
        """The name of the following cell."""
        return rules.grid.names[(move.place + 1) % len(rules.grid.names)]


class Glued(CellNotation):
    """Writes moves together so that they cannot be told apart."""

    def join(self, rules: Rules, moves: list[str]) -> str:
        """Without blanks."""
        return "".join(moves)


IDENTITY = tuple(range(9))
ROTATED = (*range(1, 9), 0)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (broken(name="connect-four"), "connect-four: the name must be a spec that loads the same rules again"),
        (broken(sides=("x",)), "mine: sides must be two different names, got ('x',)"),
        (broken(sides=("x", "x")), "mine: sides must be two different names, got ('x', 'x')"),
        (broken(name="tic-tac-toe", sides=("x",)), "tic-tac-toe: sides must be two different names, got ('x',)"),
        (broken(sides="xo"), "mine: sides must be of the type tuple, got 'xo'"),
        (broken(sides=(1, 2)), "mine: sides must be of the type str, got 1"),
        (broken(name=""), "the name of a game must be a spec: bad spec ''"),
        (broken(max_plies="9"), "mine: max_plies must be of the type int, got '9'"),
        (broken(guide=None), "mine: guide must be of the type Guide, got None"),
        (broken(notation=None), "mine: the notation needs the methods write, read, split, join, got None"),
        (broken(patterns=(7,)), "mine: patterns must be of the type Pattern, got 7"),
        (broken(patterns=(Pattern(3), Pattern(3))), "mine: pattern 1 (A1 B1) is the same as pattern 0"),
        (broken(layers=("first", "first")), "mine: layers must have different names, got ('first', 'first')"),
        (broken(placements=((), ())), "mine: the first side has no placements, so it could never move"),
        (broken(notation=ColumnNotation()), "but it is not read back: illegal move"),
        (broken(watches=((0,),)), "mine: watches must have an entry for each of the two sides, got 1"),
        (broken(max_plies=0), "mine: max_plies must be above 0, got 0"),
        (broken(watches=((0,), (2,))), "mine: the second side watches (2,), not layers"),
        (broken(watches=((0,), ())), "mine: the second side watches (), not layers"),
        (broken(patterns=(Pattern(1 << 9),)), "mine: pattern 0 () must have cells, all on the board"),
        (broken(patterns=(Pattern(0),)), "mine: pattern 0 () must have cells, all on the board"),
        (broken(patterns=(Pattern(3, 2),)), "mine: pattern 0 (A1 B1) has a neutraliser off the board or inside"),
        (broken(patterns=(Pattern(3, family=7),)), "mine: pattern 0 (A1 B1) is of family 7, which has no name"),
        (with_first_placement(name="Z9"), "mine: both sides' placements must have the same names in the same order"),
        (
            with_first_placement(adds=(1,)),
            "mine: placement 'A1' of the first side must say what it adds to each of the",
        ),
        (with_first_placement(adds=(0, 0)), "mine: placement 'A1' of the first side must cover a cell"),
        (with_first_placement(adds=(1 << 9, 0)), "mine: placement 'A1' of the first side reaches off the board"),
        (with_first_placement(rests_on=1), "mine: placement 'A1' of the first side rests off the board or on itself"),
        (with_first_placement(adds=(2, 0)), "mine: two placements of the first side are the same"),
        (
            broken(symmetries=(Symmetry("s", (0,) * 9, (0, 1)),)),
            "mine: symmetry 's' must be a permutation of the cells",
        ),
        (
            broken(symmetries=(Symmetry("s", IDENTITY, (0, 0)),)),
            "mine: symmetry 's' must be a permutation of the layers",
        ),
        (
            broken(symmetries=(Symmetry("s", IDENTITY, (1, 0)),)),
            "mine: symmetry 's' changes the goals of the first side",
        ),
        (
            broken(symmetries=(Symmetry("s", ROTATED, (0, 1)),)),
            "mine: symmetry 's' takes pattern A1 B1 C1 to something that is none",
        ),
        (
            replace(load("connect-four"), name="mine", symmetries=load("connect-four:rows=4,columns=4").symmetries),
            "mine: symmetry 'mirror' must be a permutation of the cells",
        ),
        (broken(notation=Mumbling()), "mine: 'A1' is the text of two legal moves; position: .../.../... x"),
        (broken(notation=Shifted()), "and read as"),
        (broken(notation=Glued()), "written together are cut apart differently"),
    ],
)
def test_a_game_that_breaks_a_promise_is_shown_which(rules: Rules, message: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_rules(rules)
    assert message in str(caught.value)


def test_a_symmetry_must_take_placements_to_placements() -> None:
    four = load("connect-four:rows=4,columns=4")
    upside_down = Symmetry("flip", tuple(reversed(range(16))), (0, 1))
    with pytest.raises(ConformanceError, match="symmetry 'flip' takes placement '1' to something that is none"):
        check_rules(replace(four, name="mine", symmetries=(upside_down,)))


def test_an_unregistered_game_can_conform() -> None:
    check_rules(broken())


def test_a_game_with_differing_sides_can_conform() -> None:
    first, second = load("tic-tac-toe").placements
    heavy = tuple(Placement(p.name, p.adds, rests_on=0 if i < 3 else 1 << (i - 3)) for i, p in enumerate(second))
    check_rules(broken(placements=(first, heavy), symmetries=load("tic-tac-toe").symmetries[:1]))


@pytest.mark.parametrize("game", VARIANTS)
def test_the_outcome_check_can_fail(game: str) -> None:
    # A pattern that nobody knows about: the winner it makes is missed by `play`, which asks only what it touches.
    rules = load(game)
    blind = replace(rules, name="mine")
    object.__setattr__(blind, "patterns_touched", tuple(((),) * len(side) for side in rules.placements))
    with pytest.raises(ConformanceError, match=r"the (first|second) side has .*, got .*; position: "):
        check_rules(blind, games=6)


# Heuristics that break a promise each.


def fickle() -> heuristics.Heuristic:
    numbers = itertools.count()
    return lambda position: next(numbers)


@pytest.mark.parametrize(
    ("heuristic", "message"),
    [
        (lambda position: 0.5, "the heuristic must return a whole number, got 0.5"),
        (lambda position: None, "the heuristic must return a whole number, got None"),
        (lambda position: True, "the heuristic must return a whole number, got True"),
        (lambda position: 10**9, "the heuristic must stay within ±900000000, got 1000000000"),
        (fickle(), "for asked again"),
        (lambda position: position.last.place if position.last else -1, "for an equal position"),
        (lambda position: position.layers[0], "for its image (left-right)"),
        (lambda position: position.ply % 2, "with the sides exchanged"),
    ],
)
def test_a_heuristic_that_breaks_a_promise_is_shown_which(heuristic: heuristics.Heuristic, message: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_heuristic(heuristic, load("tic-tac-toe"), symmetric=True, fair=True)
    assert message in str(caught.value)
    assert "; position: " in str(caught.value)


def test_claims_a_heuristic_does_not_make_are_not_checked() -> None:
    check_heuristic(lambda position: position.layers[0] - position.ply, load("tic-tac-toe"))


# Searches that break a promise each.


def says(*analyses: Analysis) -> Search:
    def run(position: Position, limit: Limit) -> Iterator[Analysis]:
        for analysis in analyses:
            yield replace(analysis, line=analysis.line or (position.moves()[0],))

    return run


def silent(position: Position, limit: Limit) -> Iterator[Analysis]:
    yield from ()


def lineless(position: Position, limit: Limit) -> Iterator[Analysis]:
    yield Analysis((), Score.points(0), 1, 1, 0.0)


def wins(position: Position, move: Move) -> bool:
    over = position.play(move).outcome()
    return over is not None and over.winner is position.to_move


def shy(position: Position, limit: Limit) -> Iterator[Analysis]:
    """Prevents every win, its own as well."""

    def harm(move: Move) -> tuple[bool, bool]:
        following = position.play(move)
        return wins(position, move), any(wins(following, reply) for reply in following.moves())

    yield Analysis((min(position.moves(), key=harm),), Score.points(0), 2, 1, 0.0)


def greedy(position: Position, limit: Limit) -> Iterator[Analysis]:
    """Takes a win at hand, else the first move."""
    yield Analysis((max(position.moves(), key=lambda move: wins(position, move)),), Score.points(0), 2, 1, 0.0)


def changing() -> Search:
    scores = itertools.count()

    def run(position: Position, limit: Limit) -> Iterator[Analysis]:
        yield Analysis((position.moves()[0],), Score.points(next(scores)), 1, 1, 0.0)

    return run


PLAIN = Analysis((), Score.points(0), 1, 10, 0.0)


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (silent, "a search must yield at least one analysis"),
        (lineless, "an analysis must name a move while the game goes on"),
        (says(replace(PLAIN, line=(Move(99),))), "has an illegal move (99, None): there is no placement number 99"),
        (says(replace(PLAIN, line=(Move(0), Move(0)))), "has an illegal move"),
        (
            says(replace(PLAIN, line=("A1",))),  # type: ignore[arg-type]
            "must consist of moves, such as position.moves() gives, got 'A1'",
        ),
        (says(replace(PLAIN, score=12)), "the score must be a Score or None, got 12"),  # type: ignore[arg-type]
        (says(replace(PLAIN, depth=3)), "the limit is depth 2, the search says it spent 3"),
        (says(replace(PLAIN, nodes=1001)), "the limit is nodes 1000, the search says it spent 1001"),
        (says(replace(PLAIN, depth=2), PLAIN), "the depth must grow, got [2, 1]"),
        (
            says(replace(PLAIN, depth=0)),
            "the search completes no depth within Limit(depth=2, nodes=1000, seconds=None)",
        ),
        (says(PLAIN, replace(PLAIN, nodes=9)), "nodes and seconds must grow"),
        (says(replace(PLAIN, score=Score.win(3))), "the search says 'win in 3', which cannot be forced"),
        (says(replace(PLAIN, score=Score.loss(2))), "the search says 'loss in 2', which cannot be forced"),
        (changing(), "the search finds something else when asked again with Limit(depth=2, nodes=1000, seconds=None)"),
        (shy, "a win at hand was passed over for"),
    ],
)
def test_a_search_that_breaks_a_promise_is_shown_which(search: Search, message: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_search(search, load("tic-tac-toe"), limit=Limit(depth=2, nodes=1000), positions=60)
    assert message in str(caught.value)


def returning(answer: object) -> Any:
    def search(position: Position, limit: object) -> object:
        return answer

    return search


def fixed_depth_returning(answer: object) -> Any:
    def search(position: Position, depth: int, heuristic: object, effort: object) -> object:
        return answer

    return search


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (returning(0), "a search takes position, limit and yields one Analysis after the other, got 0; position: "),
        (returning(None), "a search takes position, limit and yields one Analysis after the other, got None"),
        (returning([PLAIN, 7]), "yields one Analysis after the other, got 7 among them"),
        (
            fixed_depth_returning(5),
            "takes position, depth, heuristic, effort and returns a value and a line, got 5; position: ",
        ),
        (fixed_depth_returning((1, (), 2)), "returns a value and a line, got (1, (), 2)"),
        (fixed_depth_returning((0.5, (Move(0),))), "returns a value and a line, got (0.5, (Move(0),))"),
    ],
)
def test_a_search_that_answers_with_something_else_is_told_what_a_search_is(search: Any, message: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_search(search, load("tic-tac-toe"))
    assert message in str(caught.value)


def test_a_search_that_never_finishes_a_depth_is_reported() -> None:
    def endless(
        position: Position, depth: int, heuristic: heuristics.Heuristic, effort: Effort
    ) -> tuple[int, tuple[Move, ...]]:
        while True:
            effort.visit(position)

    rules = load("tic-tac-toe")
    with pytest.raises(ConformanceError, match="completes no depth"):
        check_search(deepening(endless, heuristics.load("lines", rules)), rules, limit=Limit(depth=2, nodes=500))
    with pytest.raises(ConformanceError, match="completes no depth in any position within"):
        check_search(endless, rules, limit=Limit(seconds=0.01), positions=2)


def test_without_a_limit_of_nodes_a_search_may_remember() -> None:
    check_search(changing(), load("tic-tac-toe"), limit=Limit(depth=1))


def test_a_search_that_overlooks_the_opponents_win_is_reported() -> None:
    with pytest.raises(ConformanceError, match="leaves the opponent a win that can be prevented"):
        check_search(greedy, load("tic-tac-toe"), positions=60)
    check_search(greedy, load("tic-tac-toe"), positions=60, full_width=False)


def test_a_player_must_have_a_name() -> None:
    with pytest.raises(ConformanceError, match="a player must have a name, got ''"):
        check_player(players.RandomPlayer("", random.Random(1)), load("tic-tac-toe"))


def test_a_player_that_names_no_legal_move_is_reported() -> None:
    class Lost(players.RandomPlayer):
        """Always wants the middle."""

        def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
            """The middle, taken or not."""
            yield replace(PLAIN, line=(Move(4),))

    lost = Lost("lost", random.Random(1))
    with pytest.raises(ConformanceError, match=r"has an illegal move \(4, None\): B2 is taken; position: "):
        check_player(lost, load("tic-tac-toe"))


def test_a_conformance_error_is_an_assertion_error() -> None:
    assert issubclass(ConformanceError, AssertionError)
