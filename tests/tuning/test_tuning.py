from __future__ import annotations

import json
import re
from concurrent.futures import Executor, Future
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from plyground import games, heuristics
from plyground.cli import cli
from plyground.core.position import Position
from plyground.heuristics.weights import weights_of, write_weights
from plyground.ratings import Sprt
from plyground.tournament.plan import Terms
from plyground.tournament.run import run
from plyground.tournament.store import Store
from plyground.tuning import Parameter, Tuning, from_json, parameters_of, parse_parameter

FLAT = {
    "connect-four": "weights:0/1/1/1/1",
    "double-card": "weights:0/1/1/1/1",
    "polarized-ladder": "weights:0/1/1/1/1/1",
}
"""A bad start: a live pattern counts the same however much of it is there."""


class Here(Executor):
    """Calls at once, in this thread."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def tuning(game: str = "connect-four", **changes: object) -> Tuning:
    terms = Terms(game, time="none", opening=4)
    chosen = parameters_of(weights_of(heuristics.load(FLAT[game], terms.rules)))
    options: dict[str, object] = {"iterations": 40, "every": 10, **changes}
    return Tuning(f"alpha-beta:depth=1,heuristic={FLAT[game]}", terms, chosen, **options)  # type: ignore[arg-type]


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, words)


def finds_better(game: str, path: Path) -> None:
    what = tuning(game)
    with Store.create(path, "tuning", what.to_json(), "test") as store:
        list(run(what, store, Here(), at_once=1))
        last = what.course({key: score.points for key, score in store.scores().items()}, store.ids())[-1]
    assert last.test is not None
    assert last.test.verdict == "accepted"
    assert last.values[-1] > last.values[0] or game == "double-card"  # more of a pattern is worth more


def test_it_finds_clearly_better_weights_from_a_bad_start_in_connect_four(tmp_path: Path) -> None:
    finds_better("connect-four", tmp_path / "t.db")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["double-card", "polarized-ladder"])
def test_it_finds_clearly_better_weights_from_a_bad_start_in_the_other_games(tmp_path: Path, game: str) -> None:
    finds_better(game, tmp_path / "t.db")


def test_broken_off_and_resumed_it_goes_the_same_way(tmp_path: Path) -> None:
    what = tuning(iterations=3, every=2, pairs=2, longest_test=8, sprt=Sprt(0, 300))
    with (
        Store.create(tmp_path / "whole.db", "tuning", what.to_json(), "test") as whole,
        Store.create(tmp_path / "bits.db", "tuning", what.to_json(), "test") as bits,
    ):
        total = len(list(run(what, whole, Here(), at_once=1)))
        for _ in range(total // 5 + 1):
            going = run(from_json(bits.plan), bits, Here(), at_once=1)
            for _ in range(5):
                next(going, None)
            going.close()
        ways = [
            what.course({key: score.points for key, score in store.scores().items()}, store.ids())
            for store in (whole, bits)
        ]
    assert ways[0] == ways[1]
    assert not ways[0][-1].fixtures


def test_the_way_stops_at_the_first_games_to_be_played() -> None:
    (step,) = tuning().course({}, set())
    assert len(step.fixtures) == 8
    assert step.test is None
    up, down = step.fixtures[0].first, step.fixtures[0].second
    assert up.spec != down.spec
    assert "heuristic=weights:0/" in up.spec


def test_weights_in_a_spec_are_read_and_written() -> None:
    rules = games.load("polarized-ladder")
    doubling = heuristics.load("doubling", rules)
    text = write_weights(weights_of(doubling))
    assert text == "weights:2/4/8/16/32/64|1/2/4/8/16/32"
    position = Position.start(rules).play(Position.start(rules).parse("G3"))
    assert heuristics.load(text, rules)(position) == doubling(position)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weights:1/2", "needs 5 weights in a row, for 0 to 4 cells, got 2"),
        ("weights:a/b", "weights are whole numbers"),
        ("weights:", "weights are whole numbers"),
    ],
)
def test_bad_weights_are_refused(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        heuristics.load(text, games.load("connect-four"))


def test_what_has_no_weights_cannot_be_tuned() -> None:
    with pytest.raises(ValueError, match="'centrality' does not consist of pattern weights"):
        _ = Tuning("minimax:heuristic=centrality", Terms("connect-four"), (Parameter(1),))
    with pytest.raises(ValueError, match="unknown parameter '7'"):
        Tuning("minimax", Terms("connect-four"), (Parameter(7),))
    with pytest.raises(ValueError, match="nothing to tune"):
        Tuning("minimax", Terms("connect-four"), ())
    with pytest.raises(ValueError, match="pairs must be at least 1"):
        tuning(pairs=0)


def test_parameters_are_named_by_cells_and_poles() -> None:
    assert parse_parameter("3") == Parameter(3)
    assert parse_parameter("1.3") == Parameter(3, 1)
    assert [str(one) for one in parameters_of(((0, 1, 2, 3), (0, 1, 2, 3)))] == ["1", "2", "1.1", "1.2"]
    with pytest.raises(ValueError, match="a parameter is a number of cells"):
        parse_parameter("x")


def test_the_command_tunes_resumes_and_draws(tmp_path: Path) -> None:
    store, plot = tmp_path / "t.db", tmp_path / "way.svg"
    words = "--game connect-four:rows=4,columns=4,line=3 --time none --opening 2 --iterations 2 --every 2 --pairs 1"
    more = ("--parameters", "1,2", "--sprt", "0,300", "--store", str(store), "--concurrency", "1", "--plot", str(plot))
    ran = call("tune", "minimax:depth=1", *words.split(), *more, "--json")
    assert ran.exit_code == 0, ran.output
    tuned = json.loads(ran.stdout)
    assert tuned["spec"].startswith("minimax:depth=1,heuristic=weights:0/")
    assert set(tuned["weights"]) == {"1", "2"}
    again = call("tune", "--resume", str(store), "--json", "--concurrency", "1")
    assert json.loads(again.stdout) == tuned
    lines = [element for element in ElementTree.parse(plot).iter() if element.tag.endswith("polyline")]
    assert len(lines) == 2
    text = call("report", str(store)).stdout
    assert re.search(rf"not shown to be better than the initial weights \(SPRT 0,300.*\): {tuned['spec']}\n", text)
    assert "not finished" not in text
    assert re.search(r"step +weight 1 +weight 2 +LLR against the initial weights +test\n", text)
    reported = json.loads(call("report", str(store), "--format", "json").stdout)
    assert {key: reported[key] for key in tuned} == tuned
    assert [stage["number"] for stage in reported["way"]] == [1, 2, 2]
    assert reported["way"][-1]["weights"] == tuned["weights"]
    assert call("report", str(store), "--format", "csv").stdout.startswith("step,weight_1,weight_2,")
    page = call("report", str(store), "--format", "html").stdout
    assert "<polyline" in page
    assert page.count('"2.2.1-a"') == 1  # its games are there to be replayed


def test_a_tuning_under_way_is_reported_and_not_mistaken_for_a_tournament(tmp_path: Path) -> None:
    path, what = tmp_path / "t.db", tuning()
    with Store.create(path, "tuning", what.to_json(), "test") as store:
        going = run(what, store, Here(), at_once=1)
        next(going)
        going.close()
    report = call("report", str(path)).stdout
    assert f"Not finished; resume with: plyground tune --resume {path}" in report
    for command, hint in (
        ("status", "`plyground report` reports on both"),
        ("resume", "resume it with plyground tune --resume"),
    ):
        refused = call("tournament", command, str(path))
        assert refused.exit_code == 1
        assert f"holds a tuning, not a tournament; {hint}" in str(refused.exception) + refused.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "needs a player SPEC and --game"),
        (("minimax", "--game", "chess"), "unknown game 'chess'"),
        (("minimax:heuristic=centrality", "--game", "connect-four"), "does not consist of pattern weights"),
        (("minimax", "--resume", "x.db"), "give no others"),
        (("random", "--game", "tic-tac-toe"), "'random' cannot be tuned: unknown option of random 'heuristic'"),
    ],
)
def test_mistakes_of_usage_are_reported(words: tuple[str, ...], message: str) -> None:
    refused = call("tune", *words)
    assert refused.exit_code == 2
    assert message in refused.output
