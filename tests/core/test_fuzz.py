"""Whatever a parser is given, it answers or says what is wrong in a ValueError: nothing else comes out of it."""

from __future__ import annotations

import contextlib
import json
import tomllib
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import games, heuristics, players
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.position_text import parse_position
from plyground.core.specs import Spec
from plyground.play.clock import TimeControl
from plyground.play.records import from_json, from_pgn, read_records, to_json, to_pgn
from plyground.play.records.record import GameRecord
from plyground.play.ugi import UgiEngine
from plyground.play.ugi_search import Thinker
from plyground.play.ugi_text import read_limit, read_position
from plyground.ratings import Sprt
from plyground.referee import bots
from plyground.search.base import MOST_NODES, Limit
from plyground.tournament.plan import entrants_of, listed, plan_of
from plyground.tournament.plan import from_json as plan_from_json
from plyground.tuning import from_json as tuning_from_json

GAMES = ("connect-four", "polarized-ladder", "double-card", "tic-tac-toe", "connect-four:rows=12,columns=12")
MANY_INPUTS = 100
"""Inputs for each parser in the quick tests."""

EVEN_MORE_INPUTS = 20_000

numbers = st.one_of(
    st.integers(),
    st.sampled_from([0, -1, 2**31, 2**62, 2**63, 2**64, -(2**63), 10**40]),
    st.floats(allow_nan=True, allow_infinity=True),
)
nonsense = st.text(max_size=60)
PIECES = (
    "connect-four double-card engine alpha-beta depth nodes heuristic weights 0 5 A 2 G3 4453 cmd: py: ;,:=/ 1-0 * "
    'moves startpos fen position setoption name Game value [Game "x"] {[%eval #5]} 9999999999 go stop'
)
words = st.sampled_from([*PIECES.split(), "\\", '"', "'", "\0", "\ud800", "\u2028"])
jumble = st.lists(st.one_of(words, nonsense, numbers.map(str)), max_size=12).map(" ".join)
glued = st.lists(st.one_of(words, numbers.map(str)), max_size=8).map("".join)
texts = st.one_of(nonsense, jumble, glued)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), numbers, texts),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=12,
)


def mutated(text: str) -> st.SearchStrategy[str]:
    """A text with a few places changed: what a damaged file or a hand that slips makes of it."""
    edit = st.tuples(st.integers(0, max(len(text) - 1, 0)), st.integers(0, 6), st.one_of(st.characters(), words))

    def apply(edits: list[tuple[int, int, str]]) -> str:
        changed = text
        for at, cut, put in edits:
            changed = changed[:at] + put + changed[at + cut :]
        return changed

    return st.lists(edit, min_size=1, max_size=3).map(apply)


TIC_TAC_TOE = games.load("tic-tac-toe")
RECORD = GameRecord.of("tic-tac-toe", "B2 A1 C3", first="Ada", second="Bob", comment="a {game}")
PLAN = {"game": "tic-tac-toe", "players": ["random", "b=minimax:depth=1"], "rounds": 2, "sprt": "0,5", "time": 3}

PARSERS: dict[str, tuple[Callable[[str], object], st.SearchStrategy[str]]] = {
    "spec": (Spec.parse, texts),
    "game": (games.load, st.one_of(texts, mutated("connect-four:rows=6,columns=7,line=4"))),
    "player": (lambda text: players.load(text, TIC_TAC_TOE), st.one_of(texts, mutated("alpha-beta:depth=4,nodes=9"))),
    "heuristic": (lambda text: heuristics.load(text, TIC_TAC_TOE), st.one_of(texts, mutated("weights:0/1/4/16"))),
    "bot": (lambda text: bots.load(text, TIC_TAC_TOE), st.one_of(texts, mutated("cmd:./bot 'a b',memory=9,cpu=3"))),
    "files of a bot": (bots.files_of, texts.map(lambda text: f"cmd:{text}")),
    "record as PGN": (from_pgn, st.one_of(texts, mutated(to_pgn(RECORD)))),
    "record as JSON": (from_json, st.one_of(texts, mutated(to_json(RECORD)), values.map(lambda v: json.dumps(v)))),
    "records": (read_records, st.one_of(texts, mutated(to_pgn(RECORD) + "\n" + to_pgn(RECORD)))),
    "time": (TimeControl.parse, st.one_of(texts, mutated("300+2"))),
    "sprt": (Sprt.parse, st.one_of(texts, mutated("0,5"))),
    "players of a plan": (listed, texts),
    "plan in a store": (plan_from_json, st.one_of(texts, mutated(json.dumps(PLAN)))),
    "tuning in a store": (tuning_from_json, st.one_of(texts, mutated('{"spec": "alpha-beta:depth=1", "game": "x"}'))),
    "limits of a bot": (lambda text: read_limit(text, Position.start(TIC_TAC_TOE).to_move), texts),
}


def only_says_what_is_wrong(parse: Callable[[], object]) -> None:
    with contextlib.suppress(ValueError):
        parse()


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_answers_or_says_what_is_wrong(name: str) -> None:
    parse, inputs = PARSERS[name]

    @settings(max_examples=MANY_INPUTS)
    @given(inputs)
    def check(text: str) -> None:
        only_says_what_is_wrong(lambda: parse(text))

    check()


@pytest.mark.slow
@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_answers_or_says_what_is_wrong_however_long_one_tries(name: str) -> None:
    parse, inputs = PARSERS[name]

    @settings(max_examples=EVEN_MORE_INPUTS, derandomize=False)
    @given(inputs)
    def check(text: str) -> None:
        only_says_what_is_wrong(lambda: parse(text))

    check()


@settings(max_examples=MANY_INPUTS)
@given(st.sampled_from(GAMES), texts)
def test_moves_and_positions_are_read_or_refused(game: str, text: str) -> None:
    rules = games.load(game)
    for parse in (parse_moves, parse_position, read_position):
        only_says_what_is_wrong(lambda parse=parse: parse(rules, text))  # type: ignore[misc]
    only_says_what_is_wrong(lambda: Position.start(rules).parse(text))


@settings(max_examples=MANY_INPUTS)
@given(st.dictionaries(st.one_of(st.sampled_from([*PLAN, "seed", "depth", "opening", "lenient"]), texts), values))
def test_a_plan_of_any_values_is_made_or_refused(changes: dict[str, object]) -> None:
    only_says_what_is_wrong(lambda: plan_of({**PLAN, **changes}))
    only_says_what_is_wrong(lambda: entrants_of(changes))


@settings(max_examples=MANY_INPUTS)
@given(mutated('game = "tic-tac-toe"\nplayers = ["random", "minimax"]\nrounds = 2\n'))
def test_a_plan_in_toml_is_read_or_refused(text: str) -> None:
    only_says_what_is_wrong(lambda: plan_of(tomllib.loads(text)))


@settings(max_examples=60)
@given(st.lists(jumble.filter(lambda text: "go" not in text), max_size=6))
def test_an_engine_survives_whatever_it_reads(lines: list[str]) -> None:
    said: list[str] = []

    def load(game: str, player: str) -> Thinker:
        rules = games.load(game)
        return Thinker(rules, player, players.load(player, rules).think)

    UgiEngine(load, "tic-tac-toe", "random", said.append).run([*lines, "isready"])
    assert said[-1] == "readyok" or any(line.strip() == "quit" for line in lines)


@pytest.mark.parametrize("nodes", [2**63, 2**64, 2**70])
def test_more_positions_than_the_core_can_count_are_refused_for_everybody(nodes: int) -> None:
    with pytest.raises(ValueError, match=f"nodes must be at most {MOST_NODES}, got {nodes}"):
        Limit(nodes=nodes)
    for player in ("engine", "alpha-beta:depth=2", "mcts"):
        separator = "," if ":" in player else ":"
        with pytest.raises(ValueError, match="nodes must be at most"):
            players.load(f"{player}{separator}nodes={nodes}", TIC_TAC_TOE)


@pytest.mark.parametrize("weight", [2**41, 2**62, -(2**62), 10**30])
def test_weights_too_large_for_a_score_are_refused(weight: int) -> None:
    for player in ("engine:heuristic=", "alpha-beta:depth=2,heuristic="):
        with pytest.raises(ValueError, match="weights"):
            players.load(f"{player}weights:0/{weight}/1/1", TIC_TAC_TOE)
