"""A heuristic as weights: what they count, the same as a spec and as a Python file, and a match to try it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import run
from plyground import games, heuristics
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.heuristics.evaluation import features, rows_of, terms_of
from plyground.heuristics.export import to_python
from plyground.heuristics.weights import WeightedSum
from plyground.web.security.quotas import Quotas
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import safe_heuristic, safe_player
from serving import Serving, serving

WEIGHTS = {
    "connect-four": "weights:0/1/6/24/0+directions/3+cells/2",
    "tic-tac-toe": "weights:0/1/7/0+cells/5",
    "polarized-ladder": "weights:0/1/3/9/27/0|0/1/2/5/13/0+directions/2+cells/1",
    "double-card": "weights:0/1/10/100/0+directions/4",
}


def positions(rules: Rules, count: int = 40) -> Iterator[Position]:
    """Positions of random games that go on."""
    dice = random.Random(5)
    for _ in range(count):
        position = Position.start(rules)
        for _ in range(dice.randrange(20)):
            after = position.play(dice.choice(position.moves()))
            if after.outcome() is not None:
                break
            position = after
        yield position


@pytest.mark.parametrize("game", WEIGHTS)
def test_a_heuristic_is_what_it_counts_times_its_weights(game: str) -> None:
    rules = games.load(game)
    numbers = WeightedSum.parse(WEIGHTS[game], rules)
    heuristic = heuristics.load(WEIGHTS[game], rules)
    for position in positions(rules):
        total = 0
        for feature in features(position):
            row = numbers.patterns[min(feature.poles, len(numbers.patterns) - 1)]
            weight = row[feature.held] if feature.name == "pattern" else getattr(numbers, feature.name)
            total += weight * feature.total
            assert sum(feature.discs.values()) == feature.total
        sign = 1 if position.to_move is Side.FIRST else -1
        assert total == sign * heuristic(position)


@pytest.mark.parametrize("game", WEIGHTS)
def test_the_file_says_the_same_as_the_spec(game: str, tmp_path: Path) -> None:
    rules = games.load(game)
    file = tmp_path / "mine.py"
    file.write_text(to_python(WeightedSum.parse(WEIGHTS[game], rules), rules), encoding="utf-8")
    written, spec = heuristics.load(f"{file}:mine", rules), heuristics.load(WEIGHTS[game], rules)
    for position in positions(rules):
        assert written(position) == spec(position)


def test_the_command_line_takes_file_and_spec_alike(tmp_path: Path) -> None:
    rules, spec = games.load("connect-four"), WEIGHTS["connect-four"]
    text = to_python(WeightedSum.parse(spec, rules), rules, "4453")
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    assert 'plyground evaluate connect-four --after "4453" --heuristic mine.py:mine' in text
    values = []
    for heuristic in ("mine.py:mine", spec):
        done = run("evaluate", "connect-four", "--after", "4453", "--heuristic", heuristic, "--json", where=tmp_path)
        assert done.returncode == 0, done.stderr
        values.append(json.loads(done.stdout)["value"])
    assert values[0] == values[1] != 0
    players = ("alpha-beta:depth=1,heuristic=mine.py:mine", f"alpha-beta:depth=1,heuristic={spec}")
    played = run("match", "connect-four:rows=4,columns=5", *players, "--games", "2", "--json", where=tmp_path)
    assert played.returncode == 0, played.stderr
    assert json.loads(played.stdout)["score"] == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights:0/1/4/16/64+threats/2", "unknown term in heuristic .*known: cells, directions"),
        ("weights:0/1/4/16/64+cells/2+cells/3", "'cells' is given twice"),
        ("weights:0/1/4/16/64+cells/a", "weights are whole numbers"),
    ],
)
def test_a_term_that_does_not_exist_is_an_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        heuristics.load(text, games.load("connect-four"))


def test_cells_count_only_where_each_side_has_discs_of_its_own() -> None:
    cards = games.load("double-card")
    assert terms_of(cards) == ["directions"]
    with pytest.raises(ValueError, match="each side has discs of its own, not double-card"):
        heuristics.load("weights:0/1/10/100/0+cells/1", cards)


def test_poles_have_a_row_of_weights_of_their_own() -> None:
    assert [rows_of(games.load(game)) for game in ("connect-four", "polarized-ladder", "double-card")] == [1, 2, 1]


def test_a_spec_is_written_as_it_is_read() -> None:
    for game, text in WEIGHTS.items():
        assert str(WeightedSum.parse(text, games.load(game))) == text


# ------------------------------------------------------------ the server


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving(quotas=Quotas(workers=1)) as running:
        yield running


def test_the_server_sends_what_weights_count(server: Serving) -> None:
    moves = ["G3", "F3", "G4"]
    reported = server.client().post("/api/workbench", json={"game": "polarized-ladder", "moves": moves}).json()
    assert (reported["longest"], reported["rows"], reported["terms"]) == (5, 2, ["directions", "cells"])
    rules = games.load("polarized-ladder")
    _, position = parse_moves(rules, " ".join(moves))
    counted = {(f.name, f.held, f.poles): f.total for f in features(position)}
    assert {(f["name"], f["held"], f["poles"]): f["total"] for f in reported["features"]} == counted
    assert reported["through"] == [len(patterns) for patterns in rules.patterns_through]


def test_the_file_is_a_download_of_legal_moves_and_weights_only(server: Serving) -> None:
    client, asked = server.client(), {"game": "connect-four", "heuristic": WEIGHTS["connect-four"], "after": "4453"}
    answer = client.get("/api/workbench/file", params=asked)
    assert answer.headers["content-disposition"] == 'attachment; filename="mine.py"'
    assert "def mine(position: Position) -> int:" in answer.text
    for bad in ({"heuristic": "lines"}, {"after": '4"""'}, {"heuristic": "weights:0/1+os/2"}, {"game": "chess"}):
        assert client.get("/api/workbench/file", params=asked | bad).status_code == 422


def test_a_match_reports_each_game_and_how_certain_the_score_is(server: Serving) -> None:
    wanted = {"game": "tic-tac-toe", "heuristic": WEIGHTS["tic-tac-toe"], "against": "lines", "depth": 2, "games": 6}
    answer = server.client().post("/api/workbench/match", json=wanted)
    games_reported = [json.loads(line) for line in answer.text.splitlines()]
    assert [reported["played"] for reported in games_reported] == [1, 2, 3, 4, 5, 6]
    assert [reported["swapped"] for reported in games_reported] == [False, True] * 3
    for reported in games_reported:
        assert reported["wins"] + reported["draws"] + reported["losses"] == reported["played"]
        assert 0 <= reported["low"] < reported["share"] <= 1
        assert reported["low"] < reported["high"] <= 1
        assert reported["moves"]
    assert games_reported[0]["moves"][:4] == games_reported[1]["moves"][:4]


@pytest.mark.parametrize("change", [{"against": "nothing"}, {"games": 3}, {"depth": 9}, {"heuristic": "a.py:b"}])
def test_a_match_that_cannot_be_played_is_refused(server: Serving, change: dict[str, object]) -> None:
    wanted: dict[str, object] = {"game": "tic-tac-toe", "heuristic": "lines"}
    assert server.client().post("/api/workbench/match", json=wanted | change).status_code == 422


def test_weights_may_come_from_the_web_and_files_may_not() -> None:
    rules = games.load("connect-four")
    spec = f"alpha-beta:depth=2,heuristic={WEIGHTS['connect-four']}"
    assert safe_player(spec) == spec
    assert safe_heuristic(WEIGHTS["connect-four"], rules) == WEIGHTS["connect-four"]
    for text in ("mine.py:mine", "weights:../x.py:f", "weights:0/1;ls", "/etc/passwd"):
        with pytest.raises(Refused):
            safe_heuristic(text, rules)
        with pytest.raises(Refused):
            safe_player(f"alpha-beta:heuristic={text}")


def test_one_can_play_against_weights(server: Serving) -> None:
    room = server.open(second=f"alpha-beta:depth=2,heuristic={WEIGHTS['connect-four']}")
    with room.socket() as socket:
        room.play_all("4")
        assert socket.until("state", lambda reported: len(reported["moves"]) == 2)["moves"][0] == "4"
