"""One truth: the judge of the page without a server, asked in node, says what Python's says, whole answers compared."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground import games
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.judge import explain, review
from plyground.judge.judge import Judge
from plyground.judge.judgement import Judgement
from plyground.judge.safeguard import Safeguard
from plyground.players.engine import CorePlayer
from plyground.search.base import Analysis, Limit
from plyground.search.engine import EngineSearch
from plyground.web.joined import STATIC
from plyground.web.site import game_data
from plyground.web.site.write import DataFiles, usual_games
from plyground.web.thinking import worker
from wasm_core import NEEDS_WASM, NODE

pytestmark = NEEDS_WASM

Json = Any

SECONDS = 3000
"""The longest that node may take."""

REASONING, REASONING_IN_ALL = 200, 2_000
"""Positions for a question about reasons and for all of them: less than usual, so that many moves are explained."""

ENOUGH_SECONDS = 1e6
"""So that no clock has a say in what is found."""

MANY_POSITIONS = 2_000
"""Positions of all games together in the slow test."""


@pytest.fixture(scope="module", autouse=True)
def little_effort() -> Iterator[None]:
    """Settings for both, by which reasons are found soon and no clock has a say."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (explain, review, game_data, worker):
            patch.setattr(module, "EFFORT_NODES", REASONING)
            patch.setattr(module, "EFFORT_IN_ALL_NODES", REASONING_IN_ALL)
            patch.setattr(module, "PATIENCE_SECONDS", ENOUGH_SECONDS)
        patch.setattr(worker, "LINE_SECONDS", ENOUGH_SECONDS)
        yield


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, little_effort: None) -> Path:
    """The page's files."""
    site = tmp_path_factory.mktemp("site")
    files = DataFiles(site)
    for game in usual_games():
        files.play(games.load(game))
    files.index()
    for part in ("js", "wasm"):
        shutil.copytree(STATIC / part, site / part)
    (site / "package.json").write_text('{"type": "module"}')
    return site


# ------------------------------------------------------------------ the questions


def line(game: str, dice: random.Random) -> list[str]:
    """The texts of a random game, up to its end."""
    position, texts = Position.start(games.load(game)), []
    while moves := position.moves():
        move = dice.choice(moves)
        texts.append(position.write(move))
        position = position.play(move)
    return texts


def questions(game: str, count: int, way: str, limit: Limit) -> Iterator[Json]:
    """Positions of random games, a few of each game one after the other as it is played."""
    dice = random.Random(f"{game} {way} {limit}")
    while count > 0:
        texts = line(game, dice)
        plies = sorted(dice.sample(range(len(texts)), min(4, count, len(texts))))
        count -= len(plies)
        yield {"game": game, "way": way, "limit": {"nodes": limit.nodes}, "positions": [texts[:ply] for ply in plies]}


def whole_games(game: str, count: int, limit: Limit) -> Json:
    """Random games to be reviewed."""
    dice = random.Random(game)
    lines = [line(game, dice) for _ in range(count)]
    return {"game": game, "way": "review", "limit": {"nodes": limit.nodes}, "positions": lines}


def asked(folder: Path, wanted: list[Json], where: Path) -> list[list[list[Json]]]:
    """What the page says."""
    assert NODE is not None
    file = where / "questions.json"
    file.write_text(json.dumps(wanted))
    script = Path(__file__).parents[1] / "wasm_judge.mjs"
    command = [NODE, str(script), str(folder), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[list[Json]]] = json.loads(done.stdout)
    return found


# ------------------------------------------------------------------ what Python says


def said(question: Json) -> Iterator[list[Json]]:
    """What Python says to the same, by a fresh judge."""
    judge = Judge(games.load(question["game"]))
    limit = Limit(**question["limit"])
    for texts in question["positions"]:
        if question["way"] in ("hint", "judge", "review"):
            yield list(jobs(judge, question["way"], texts, limit))
            continue
        _, position = play_texts(Position.start(judge.rules), texts)
        yield list(ANSWERS[question["way"]](judge, position, limit))


def jobs(judge: Judge, way: str, texts: list[str], limit: Limit) -> Iterator[Json]:
    """What a thinking process of the server answers, if this is its judge and the limit one of nodes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "judge_of", lambda rules: judge)
        patch.setattr(worker, "_limit", lambda job: limit)
        job = {"game": judge.rules.name, "moves": texts, "seconds": ENOUGH_SECONDS}
        yield from getattr(worker, way)(job)


def guarded(judge: Judge, position: Position, limit: Limit) -> Iterator[Json]:
    guard = Safeguard(CorePlayer("engine", EngineSearch()), judge)
    return (analysis(position, found) for found in guard.think(position, limit))


def as_data(judgement: Judgement) -> Json:
    position, ranking = judgement.position, judgement.ranking
    return {
        "compared": [analysis(position, each) for each in ranking.compared],
        "others": [analysis(position, each) for each in ranking.others],
        "best": position.write(judgement.best.move),
        "whole": analysis(position, judgement.whole),
        "nodes": judgement.nodes,
    }


def analysis(position: Position, found: Analysis) -> Json:
    return {
        "line": list(position.write_line(found.line)),
        "score": None if found.score is None else found.score.to_json(),
        "depth": found.depth,
        "points": found.points,
        "source": str(found.source),
        "note": found.note,
    }


def told(judge: Judge, position: Position, limit: Limit) -> Iterator[Json]:
    """What a judge says at a glance that was told what another one has proved."""
    one, other = Judge(judge.rules), Judge(judge.rules)
    for _ in one.prove(position, limit):
        pass
    other.learn(one.take_news())
    return map(as_data, other.rank(position, Limit(nodes=1)))


ANSWERS: dict[str, Any] = {
    "told": told,
    "rank": lambda judge, position, limit: map(as_data, judge.rank(position, limit)),
    "opinions": lambda judge, position, limit: map(
        as_data, judge.rank(position, limit, all_moves=False, opinions=True)
    ),
    "prove": lambda judge, position, limit: map(as_data, judge.prove(position, limit)),
    "guard": guarded,
}

IN_WORDS = ("seconds", "reason", "reasons")
"""What the page says in the reader's language, out of the claims; and how long it took."""


def comparable(answer: Any) -> Any:
    """An answer without what need not be the same."""
    if isinstance(answer, dict):
        return {name: comparable(value) for name, value in answer.items() if name not in IN_WORDS}
    return [comparable(each) for each in answer] if isinstance(answer, list) else answer


def check(folder: Path, wanted: list[Json], where: Path) -> None:
    for question, found in zip(wanted, asked(folder, wanted, where), strict=True):
        for texts, got, want in zip(question["positions"], found, said(question), strict=True):
            expected = comparable(json.loads(json.dumps(want)))
            assert comparable(got) == expected, (question["game"], question["way"], texts, question["limit"])


# ------------------------------------------------------------------ one truth

WAYS = {"rank": 4, "opinions": 4, "guard": 2, "judge": 3, "hint": 3}
"""The ways to ask and at how many positions of a game a quick test does."""

NODES = {"rank": 3_000, "guard": 3_000, "opinions": 1_000, "judge": 400, "hint": 400}


def wanted_of(game: str, way: str, count: int) -> list[Json]:
    return list(questions(game, count, way, Limit(nodes=NODES[way])))


def test_the_page_says_what_python_says_of_random_positions(folder: Path, tmp_path: Path) -> None:
    check(
        folder,
        [one for game in usual_games() for way, count in WAYS.items() for one in wanted_of(game, way, count)],
        tmp_path,
    )


def test_both_prove_the_same(folder: Path, tmp_path: Path) -> None:
    six_by_seven = questions("connect-four:rows=6,columns=7", 4, "prove", Limit(nodes=20_000))
    small = [one for game in ("tic-tac-toe", "mnk") for one in questions(game, 8, "prove", Limit(nodes=20_000))]
    check(folder, [*six_by_seven, *small], tmp_path)


def test_what_one_judge_has_proved_another_one_knows_too(folder: Path, tmp_path: Path) -> None:
    wanted = [one for game in ("tic-tac-toe", "mnk") for one in questions(game, 8, "told", Limit(nodes=20_000))]
    check(folder, wanted, tmp_path)
    steps = [step for said_of_game in asked(folder, wanted, tmp_path) for steps in said_of_game for step in steps]
    assert sum(each["whole"]["score"].get("result") is not None for each in steps) > len(steps) // 2


REVIEWED = {"connect-four": 2, "connect-four:rows=6,columns=7": 2, "polarized-ladder": 2, "tic-tac-toe": 4}
"""Games that are reviewed, and of how many random games."""


def test_both_review_games_alike(folder: Path, tmp_path: Path) -> None:
    check(folder, [whole_games(game, count, Limit(nodes=400)) for game, count in REVIEWED.items()], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", usual_games())
def test_the_page_says_what_python_says_of_many_positions(folder: Path, tmp_path: Path, game: str, way: str) -> None:
    share = MANY_POSITIONS // (len(WAYS) * len(usual_games()))
    check(folder, wanted_of(game, way, share), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", usual_games())
def test_both_review_many_games_alike(folder: Path, tmp_path: Path, game: str) -> None:
    check(folder, [whole_games(game, 4, Limit(nodes=400))], tmp_path)
