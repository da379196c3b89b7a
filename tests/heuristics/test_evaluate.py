"""What a heuristic says of a position, in its own numbers and with its parts."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from boards import after
from plyground import games, heuristics
from plyground.cli import cli
from plyground.core.grid import bits
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.evaluation import Threat, evaluation, threats


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["evaluate", *arguments])


def reported(*arguments: str) -> dict[str, object]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize(
    ("game", "heuristic", "moves", "value"),
    [
        ("connect-four", "completable-centrality", "1 5 2 5", -47),
        ("connect-four", "completable", "1 4", -2),
        ("connect-four", "completable", "1", 3),
        ("connect-four", "centrality", "1", 3),
        ("polarized-ladder", "position-score", "G3", 10),
        ("double-card", "naive", "0 5 A 1", 4.5),
        ("double-card", "naive", "", 0),
    ],
)
def test_the_value_is_the_definitions_own_for_the_first_player(
    game: str, heuristic: str, moves: str, value: float
) -> None:
    answer = reported(game, "--heuristic", heuristic, "--after", moves)
    assert (answer["value"], answer["heuristic"], answer["outcome"]) == (value, heuristic, None)


POSITIONS = (
    after("connect-four", "152544"),
    after("polarized-ladder", "G3 H4 F2 C2 D2"),
    after("double-card", "0 5 A 1; 0 1 C 1; 0 2 E 1"),
)


def fitting(position: Position) -> Iterator[str]:
    """The names of the heuristics that know the game."""
    for name in heuristics.HEURISTICS:
        with contextlib.suppress(ValueError):
            heuristics.load(name, position.rules)
            yield name


@pytest.mark.parametrize(
    ("position", "name"),
    [
        pytest.param(position, name, id=f"{position.rules.name}-{name}")
        for position in POSITIONS
        for name in fitting(position)
    ],
)
def test_the_contributions_add_up_to_the_value(position: Position, name: str) -> None:
    heuristic = heuristics.load(name, position.rules)
    found = evaluation(heuristic, position, heuristic(position))
    assert found.contributions is not None
    assert sum(part.value for part in found.contributions) == found.value
    sizes = [abs(part.value) for part in found.contributions]
    assert sizes == sorted(sizes, reverse=True)


@pytest.mark.parametrize(
    ("position", "name"),
    [
        pytest.param(position, name, id=f"{position.rules.name}-{name}")
        for position in POSITIONS
        for name in ("cameron-tiago", "h1", "lavoie", "centrality", "completable-centrality", "turpin", "naive")
        if name in fitting(position)
    ],
)
def test_the_discs_add_up_to_the_value_where_every_thing_counted_has_discs(position: Position, name: str) -> None:
    heuristic = heuristics.load(name, position.rules)
    found = evaluation(heuristic, position, heuristic(position))
    assert found.discs is not None
    assert sum(disc.value for disc in found.discs) == pytest.approx(found.value)
    assert sorted(disc.cell for disc in found.discs) == list(bits(position.occupied))


def set_up(first: str, second: str) -> Position:
    """Polarized Ladder with discs wherever they are wanted."""
    rules = games.load("polarized-ladder")
    layers = tuple(sum(1 << rules.grid.parse(name) for name in names.split()) for names in (first, second))
    plies = len(first.split()) + len(second.split())
    return Position.arrived(rules, layers, plies, frozenset(), None, rules.patterns)


def test_the_discs_of_a_pattern_share_it_equally() -> None:
    # lavoie: 2 for the ladder E2 F2 F3 G3 G4 with four discs, 1 for D1 E1 E2 F2 F3 with three
    position = set_up("E2 F2 F3 G3", "")
    heuristic = heuristics.load("lavoie", position.rules)
    assert isinstance(heuristic, DataHeuristic)
    both, one = Fraction(2, 4) + Fraction(1, 3), Fraction(2, 4)
    names = position.rules.grid.names
    shares = {names[cell]: share for cell, share in heuristic.by_disc(position).items()}
    assert shares == {"E2": both, "F2": both, "F3": both, "G3": one}


@pytest.mark.parametrize(
    ("position", "half", "figures"),
    [
        (set_up("G3", ""), "h1", {"G3": 10}),
        (set_up("D2", "K3"), "h1", {"D2": 6, "K3": -4}),
        (set_up("G3 H3 H4 I4", ""), "h2", {"G3": 1031, "I4": 1009, "H4": 1031, "H3": 1032}),
    ],
)
def test_the_figures_of_cameron_and_tiagos_report(position: Position, half: str, figures: dict[str, int]) -> None:
    heuristic = heuristics.load("cameron-tiago", position.rules)
    assert isinstance(heuristic, DataHeuristic)
    number = [part.name for part in heuristic.summands].index(half)
    found = evaluation(heuristic, position, heuristic(position))
    assert found.discs is not None
    names = position.rules.grid.names
    assert {names[disc.cell]: disc.summands[number] for disc in found.discs} == figures


def test_the_total_of_four_discs_in_the_report_is_4103() -> None:
    position = set_up("G3 H3 H4 I4", "")
    h2 = heuristics.load("h2", position.rules)
    assert h2(position) == 4103


def test_the_halves_of_cameron_and_tiagos_heuristic_are_shown_for_each_disc() -> None:
    answer = reported("polarized-ladder", "--heuristic", "cameron-tiago", "--after", "G3 H4 F2")
    assert answer["discs"] == [
        {"cell": "F2", "value": 16, "summands": {"h1": 7, "h2": 9}},
        {"cell": "G3", "value": 16, "summands": {"h1": 7, "h2": 9}},
        {"cell": "H4", "value": -10, "summands": {"h1": -5, "h2": -5}},
    ]


def test_the_halves_of_cameron_and_tiagos_heuristic_are_drawn_and_listed() -> None:
    shown = run("polarized-ladder", "--heuristic", "cameron-tiago", "--after", "G3 H4 F2").stdout
    assert "h1 by disc: +9 for x (first)" in shown
    assert "3        .  .  .  . +7  .  .  .  .\n2     .  .  .  . +7  .  .  .  .  .  .\n" in shown
    assert "h2 by disc: +13 for x (first)" in shown
    assert "3        .  .  .  . +9  .  .  .  .\n" in shown
    assert shown.endswith(
        "disc       h1       h2      sum\n"
        "  F2       +7       +9      +16\n"
        "  G3       +7       +9      +16\n"
        "  H4       -5       -5      -10\n"
    )


def test_what_counts_most_is_named_with_its_cells() -> None:
    answer = reported("connect-four", "--heuristic", "completable-centrality", "--after", "1525")
    parts = answer["contributions"]
    assert isinstance(parts, list)
    assert parts[0] == {"value": -40, "cells": ["E2"]}


def test_the_board_marks_what_counts_most() -> None:
    result = run("connect-four", "--heuristic", "completable-centrality", "--after", "1525")
    assert "2  .  .  .  . <o> .  .  ." in result.stdout
    assert "completable-centrality: -47 for x (first)" in result.stdout
    assert "-40  E2" in result.stdout


def test_a_decided_position_is_reported_as_such() -> None:
    answer = reported("connect-four", "--after", "1212121")
    assert answer["value"] is None
    assert answer["outcome"] == {"winner": "first", "ending": "pattern", "cells": ["A1", "A2", "A3", "A4"]}
    assert "x wins with rows 1-2-3-4 of column 1" in run("connect-four", "--after", "1212121").stdout


@pytest.mark.parametrize(("moves", "value"), [("", 7), ("1", -7)])
def test_a_function_of_a_file_is_for_the_side_to_move_and_shown_for_the_first(
    tmp_path: Path, moves: str, value: int
) -> None:
    (tmp_path / "mine.py").write_text("def seven(position):\n    return 7\n")
    answer = reported("connect-four", "--heuristic", f"{tmp_path}/mine.py:seven", "--after", moves)
    assert (answer["value"], answer["contributions"], answer["discs"]) == (value, None, None)
    assert "reports only its value" in run("connect-four", "--heuristic", f"{tmp_path}/mine.py:seven").stdout


@pytest.mark.parametrize(
    ("body", "reason"), [("return 1.5", "must return a whole number"), ("return 1 / 0", "ZeroDivisionError")]
)
def test_a_function_that_fails_is_named(tmp_path: Path, body: str, reason: str) -> None:
    (tmp_path / "mine.py").write_text(f"def bad(position):\n    {body}\n")
    result = run("connect-four", "--heuristic", f"{tmp_path}/mine.py:bad")
    assert result.exit_code == 1
    assert reason in result.output


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("connect-four", "--heuristic", "centralty"), "did you mean 'centrality'"),
        (("connect-four", "--heuristic", "naive"), "for double-card only"),
        (("connect-four", "--after", "9"), "there is no column 9"),
    ],
)
def test_a_bad_question_is_a_usage_error(arguments: tuple[str, ...], reason: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())


def test_a_threat_names_its_cells_and_whether_it_can_be_carried_out() -> None:
    # 2  o o o .            o lacks D2, which hangs in the air; x lacks D1
    # 1  x x x .
    position = after("connect-four", "112233")
    rules = position.rules
    found = {(threat.side, tuple(rules.grid.names_of(threat.missing)), threat.at_once) for threat in threats(position)}
    assert found == {(Side.FIRST, ("D1",), True), (Side.SECOND, ("D2",), False)}
    assert threats(position)[0].text(rules) == "x: columns 1-2-3 of row 1 + row 1 of column 4, at once"


def test_a_dead_pattern_is_no_threat() -> None:
    # x x x o o o: o on 4 stopped x, and can go on only to the right
    assert {(threat.side, threat.missing) for threat in threats(after("connect-four", "152634"))} == {
        (Side.SECOND, 1 << 6)
    }


def test_a_neutralised_ladder_is_no_threat() -> None:
    game = "polarized-ladder:variant=open"
    moves = "E2 E4 F2 A1 F3 M1 G3"  # x holds four cells of E2 F2 F3 G3 G4, its poles are E4 and G2
    assert [threat.missing.bit_count() for threat in threats(after(game, moves))] == [1]
    assert threats(after(game, f"{moves} G2")) == []


def test_double_card_threats_show_the_kind() -> None:
    position = after("double-card", "0 4 A 1; 0 4 B 1; 0 4 C 1")
    found = [threat.text(position.rules) for threat in threats(position)]
    assert "colours: red row A1-B1-C1 + D1, at once" in found
    assert "dots: filled row A1-B1-C1 + D1, at once" in found
    assert all(isinstance(threat, Threat) for threat in threats(position))


def test_a_value_of_zero_has_no_sign() -> None:
    assert "lines: 0 for x (first)\n" in run("tic-tac-toe").stdout
    assert "+0" not in run("connect-four", "--heuristic", "cameron-tiago", "--after", "45").stdout


def test_what_a_net_says_is_said_of_the_whole_board() -> None:
    shown = run("connect-four", "--heuristic", "engine", "--after", "12345678").output
    assert "  the whole board\n" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    board = sorted(games.load("connect-four").grid.names)
    found = reported("connect-four", "--heuristic", "engine", "--after", "12345678")
    parts = found["contributions"]
    assert isinstance(parts, list)
    assert [sorted(part["cells"]) == board for part in parts].count(True) == 1
    assert sum(part["value"] for part in parts) == found["value"]
