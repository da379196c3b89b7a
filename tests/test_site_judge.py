"""The judge of the page without a server is the twin of the program's: the same questions, the same answers."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground import games, native
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Move, Side
from plyground.judge import review as reviewing
from plyground.judge import settling
from plyground.judge.claim_checks import holds
from plyground.judge.claims import Claim, ClaimKind
from plyground.judge.explain import Explanation, explained
from plyground.judge.judge import Judge, judge_of
from plyground.judge.judgement import Judgement
from plyground.judge.keeping import Keeper
from plyground.judge.memory import combined
from plyground.judge.safeguard import Safeguard
from plyground.judge.tempo import turn_of
from plyground.players.engine import CorePlayer
from plyground.search.base import Analysis, Limit
from plyground.search.engine import EngineSearch
from plyground.search.score import Score
from plyground.web.joined import STATIC
from plyground.web.site.write import DataFiles, usual_games
from plyground.web.thinking import worker
from plyground.web.views import move_view
from wasm_core import NEEDS_WASM, NODE

if not native.available:
    pytest.skip("no native core in this installation", allow_module_level=True)

pytestmark = NEEDS_WASM

Json = Any

SECONDS = 3000
"""The longest that node may take."""

SETTLING_NODES = 300
"""What a question may take of how soon a game is won: less than usual, so that many positions are asked about."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The page's files, with settings by which no clock has a say in what is found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settling, "USUAL_SETTLING_SECONDS", 1e6)
        patch.setattr(settling, "SETTLING_NODES", SETTLING_NODES)
        site = tmp_path_factory.mktemp("site")
        files = DataFiles(site)
        for game in usual_games():
            files.play(games.load(game))
        files.index()
        for part in ("js", "wasm"):
            shutil.copytree(STATIC / part, site / part)
        (site / "package.json").write_text('{"type": "module"}')
        yield site


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
        wanted = {"depth": limit.depth, "nodes": limit.nodes}
        limits = {name: value for name, value in wanted.items() if value is not None}
        yield {"game": game, "way": way, "limit": limits, "positions": [texts[:ply] for ply in plies]}


def asked(folder: Path, wanted: list[Json], where: Path) -> list[list[list[Json]]]:
    assert NODE is not None
    file = where / "questions.json"
    file.write_text(json.dumps(wanted))
    script = Path(__file__).parent / "site_judge.mjs"
    command = [NODE, str(script), str(folder), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stderr
    found: list[list[list[Json]]] = json.loads(done.stdout)
    return found


def said(judge: Judge, question: Json) -> Iterator[list[Json]]:
    """What the program's judge says to the same."""
    for texts in question["positions"]:
        position = Position.start(judge.rules)
        for text in texts:
            position = position.play(position.parse(text))
        limit = Limit(**question["limit"])
        if question["way"] == "guard":
            assert isinstance(judge.search, EngineSearch)
            guard = Safeguard(CorePlayer("engine", judge.search), judge)
            yield [analysis(position, found) for found in guard.think(position, limit)]
        else:
            yield [as_data(judgement) for judgement in getattr(judge, question["way"])(position, limit)]


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


def check(folder: Path, wanted: list[Json], where: Path) -> None:
    for question, found in zip(wanted, asked(folder, wanted, where), strict=True):
        judge = Judge(games.load(question["game"]))
        for texts, got, want in zip(question["positions"], found, said(judge, question), strict=True):
            assert got == json.loads(json.dumps(want)), (question["game"], texts, question["limit"])


LIMITS = (Limit(nodes=400), Limit(nodes=3000), Limit(depth=2))


def wanted_of(game: str, way: str, count: int, limits: tuple[Limit, ...] = LIMITS) -> list[Json]:
    """Questions about a game with each of the limits; where a depth has too many moves, those with nodes only."""
    few = [limit for limit in limits if game != "double-card" or limit.depth is None]
    return [one for limit in few for one in questions(game, count, way, limit)]


def test_both_judges_say_the_same_of_random_positions(folder: Path, tmp_path: Path) -> None:
    check(folder, [one for game in usual_games() for one in wanted_of(game, "rank", 10)], tmp_path)


def test_the_engine_at_full_strength_makes_the_same_moves(folder: Path, tmp_path: Path) -> None:
    check(folder, [one for game in usual_games() for one in wanted_of(game, "guard", 2)], tmp_path)


def test_both_judges_prove_the_same(folder: Path, tmp_path: Path) -> None:
    six_by_seven = questions("connect-four:rows=6,columns=7", 4, "prove", Limit(nodes=20_000))
    small = [one for game in ("tic-tac-toe", "mnk") for one in questions(game, 8, "prove", Limit())]
    check(folder, [*six_by_seven, *small], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["rank", "guard"])
@pytest.mark.parametrize("game", usual_games())
def test_both_judges_say_the_same_of_many_random_positions(folder: Path, tmp_path: Path, game: str, way: str) -> None:
    check(folder, wanted_of(game, way, 100), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("game", usual_games())
def test_what_one_judge_proves_soon_the_other_never_contradicts_later(folder: Path, tmp_path: Path, game: str) -> None:
    wanted = wanted_of(game, "rank", 60, (Limit(nodes=400),))
    for question, found in zip(wanted, asked(folder, wanted, tmp_path), strict=True):
        longer = question | {"limit": {"nodes": 20_000}}
        for got, want in zip(found, said(Judge(games.load(game)), longer), strict=True):
            for one, other in proofs(got[-1], want[-1]):
                combined(one, other)  # an error where they contradict each other


def proofs(one: Json, other: Json) -> Iterator[tuple[Score, Score]]:
    """What two judgements of a position prove about the same: the position, or one of its moves."""
    known = {each["line"][0]: each["score"] for each in other["compared"]}
    pairs = [(each["score"], known.get(each["line"][0])) for each in one["compared"]]
    for pair in [*pairs, (one["whole"]["score"], other["whole"]["score"])]:
        if all(score is not None and "result" in score for score in pair):
            yield Score.from_json(pair[0]), Score.from_json(pair[1])


# ------------------------------------------------------------------ what is made of it

SAMPLE = {"connect-four": 3, "connect-four:rows=6,columns=7": 3, "polarized-ladder": 3, "tic-tac-toe": 4}
"""Games of which hints and reviews are compared, and of how many random games."""

NODES, REASONING = 400, 20
"""Positions for a judgement, and for a question about its reasons."""

PROVING = 20_000
"""Positions for a question about what the page says."""


def without(answer: Json, *names: str) -> Json:
    return {name: value for name, value in json.loads(json.dumps(answer)).items() if name not in names}


def apart(position: Position, move: Move, score: Score | None) -> Explanation:
    """Why a move is worth what it is worth, with little effort and by another judge than the one that is compared."""
    judge = judge_of(position.rules)
    return explained(judge, position, move, score, Keeper(judge, REASONING))


def test_hints_are_the_server_s(folder: Path, tmp_path: Path) -> None:
    wanted = [one for game, count in SAMPLE.items() for one in questions(game, 4 * count, "hint", Limit(nodes=NODES))]
    judges = {game: Judge(games.load(game)) for game in SAMPLE}
    for question, found in zip(wanted, asked(folder, wanted, tmp_path), strict=True):
        judge = judges[question["game"]]
        for texts, (got,) in zip(question["positions"], found, strict=True):
            position = Position.start(judge.rules)
            for text in texts:
                position = position.play(position.parse(text))
            best = judge.judge(position, Limit(nodes=NODES), all_moves=False).best
            want = worker.as_json(position, best) | move_view(position, best.move)
            assert without(got, "reason", "reasons", "claims", "seconds") == without(want, "seconds")
            check_claims(position, best.move, got["claims"])


def check_claims(position: Position, move: Move, claims: list[Json]) -> None:
    """What the page says of a move is true by the program's own checks, each of them."""
    keeper = Keeper(judge_of(position.rules), PROVING)
    for data in claims:
        claim = as_claim(position, move, data)
        check = never_contradicted if claim.kind is ClaimKind.FORCES else holds
        assert check(claim, position, move, keeper), (position, move, data)


def never_contradicted(claim: Claim, position: Position, move: Move, keeper: Keeper) -> bool:
    """Whether the win takes as long as is said before every move of the play, as far as that is found out."""
    at, left = position.play(move), claim.number - 1
    for next_ in claim.moves:
        if keeper.wins(at, claim.side, left) is False or keeper.wins(at, claim.side, left - 1):
            return False
        at, left = at.play(next_), left - 1
    return left == 0 if at.over else keeper.wins(at, claim.side, left) is not False


def as_claim(position: Position, move: Move, data: Json) -> Claim:
    """A claim of the page as the value that it stands for; ValueError where it names what is not there."""
    rules, names = position.rules, position.rules.grid.names
    side = Side.FIRST if data["side"] == Side.FIRST.text else Side.SECOND
    after = position.play(move)
    replies = []
    for text in data.get("after", []):
        replies.append(after.parse(text))
        after = after.play(replies[-1])

    def mask(cells: list[str]) -> int:
        return sum(1 << names.index(name) for name in cells)

    def meant(text: str, at: list[str]) -> Move:
        """A move of the side, which need not be to move, nor be able to move there yet."""
        boards = [board for board in (turn_of(position, side), turn_of(after, side)) if board is not None]
        laid = [move for board in boards for move in board.moves() if rules.notation.write(rules, move) == text]
        (found, *_) = [move for move in laid if rules.placements[side][move.place].cells == mask(at)]
        return found

    kind, moves = ClaimKind(data["claim"]), data.get("moves", [])
    named = play_texts(after, moves)[0] if kind is ClaimKind.FORCES else list(map(meant, moves, data.get("at", [])))
    assert len(named) == len(moves)
    return Claim(
        kind,
        side,
        tuple(named),
        tuple(replies),
        mask(data.get("cells", [])),
        tuple(map(mask, data.get("patterns", []))),
        number=data.get("number", 0),
    )


KINDS = {"completes", "stops", "leaves", "gives-cell", "lets", "two-threats", "cannot-win", "poles", "threatens"}
KINDS |= {"blocks", "builds", "no-reply", "zugzwang", "forces"}


def check_reasons(folder: Path, wanted: list[Json], where: Path) -> set[str]:
    """Whatever is said about best moves passes the program's own checks; the kinds of claims that were said."""
    kinds = set()
    for question, found in zip(wanted, asked(folder, wanted, where), strict=True):
        rules = games.load(question["game"])
        for texts, (got,) in zip(question["positions"], found, strict=True):
            _, position = play_texts(Position.start(rules), texts)
            check_claims(position, position.parse(got["move"]), got["claims"])
            kinds |= {claim["claim"] for claim in got["claims"]}
    return kinds


def test_what_the_page_says_about_moves_is_true(folder: Path, tmp_path: Path) -> None:
    wanted = [one for game in usual_games() for one in questions(game, 8, "hint", Limit(nodes=NODES))]
    assert {"completes", "stops", "blocks"} <= check_reasons(folder, wanted, tmp_path) <= KINDS


@pytest.mark.slow
@pytest.mark.parametrize("game", usual_games())
def test_what_the_page_says_about_many_moves_is_true(folder: Path, tmp_path: Path, game: str) -> None:
    found = check_reasons(folder, list(questions(game, 100, "hint", Limit(nodes=2000))), tmp_path)
    assert found <= KINDS
    assert "completes" in found


def test_reviews_are_the_server_s(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # The page has fewer reasons, so another judge is asked for them: this one is to be asked the same as the page's.
    monkeypatch.setattr(reviewing, "explained", lambda judge, *asked: apart(*asked))
    dice = random.Random(1)
    wanted: list[Json] = [
        {
            "game": game,
            "way": "review",
            "limit": {"nodes": NODES},
            "positions": [line(game, dice) for _ in range(count)],
        }
        for game, count in SAMPLE.items()
    ]
    for question, found in zip(wanted, asked(folder, wanted, tmp_path), strict=True):
        judge = Judge(games.load(str(question["game"])))
        for texts, got in zip(question["positions"], found, strict=True):
            start = Position.start(judge.rules)
            played, _ = play_texts(start, texts)
            reviewed = [each.to_json() for each in reviewing.review(judge, start, played, Limit(nodes=NODES))]
            names = ("reasons", "claims", "drawn")
            assert [without(each, *names) for each in got] == [without(each, *names) for each in reviewed]
            for each in got:
                before = play_texts(start, texts[: each["ply"]])[1]
                check_claims(before, before.parse(texts[each["ply"]]), each["claims"]) if each["mark"] else None
