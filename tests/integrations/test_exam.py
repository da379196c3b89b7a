"""The exam of agents, and the server for agents that speak the Model Context Protocol."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from command import run
from plyground.core.position import Position
from plyground.integrations.exam import ExamQuestion, ask_address, ask_player, exam_games, examine, questions
from plyground.judge.judge import Judge
from plyground.search.base import NO_LIMIT, Limit


@pytest.mark.parametrize("game", exam_games())
def test_every_question_can_be_got_wrong_and_values_every_legal_move(game: str) -> None:
    asked = questions(game)
    assert len(asked) >= 20
    for question in asked:
        assert set(question.worth) == set(question.position.move_texts())
        assert set(question.worth.values()) <= {1, 0, -1}
        assert len(set(question.worth.values())) > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", exam_games())
def test_the_judge_proves_what_every_stored_move_is_worth(game: str) -> None:
    judge = Judge(questions(game)[0].position.rules)
    for question in questions(game):
        for move, worth in question.worth.items():
            after = question.position.play(move)
            if (outcome := after.outcome()) is not None:
                found = 0 if outcome.winner is None else 1 if outcome.winner is question.position.to_move else -1
            else:
                judgement = judge.judge(after, Limit(nodes=2_000_000), all_moves=False)
                assert judgement.proved
                assert judgement.score is not None
                found = -1 if judgement.score.won else 1 if judgement.score.lost else 0
            assert found == worth, (question.position, move)


def regret(spec: str, game: str) -> float:
    ask, close = ask_player(spec, game, NO_LIMIT)
    try:
        return examine(ask, game).regret
    finally:
        close()


@pytest.mark.parametrize("game", exam_games())
def test_regret_falls_from_random_through_the_levels_to_nothing(game: str) -> None:
    falling = [regret(spec, game) for spec in ("random", "engine:level=1", "engine:level=4", "engine:level=9")]
    assert falling == sorted(falling, reverse=True)
    assert falling[0] > 2 * falling[2]
    assert falling[-1] == 0


def test_the_same_exam_has_the_same_result() -> None:
    assert regret("random", "polarized-ladder") == regret("random", "polarized-ladder")


def test_an_answer_that_is_no_legal_move_counts_as_a_loss() -> None:
    question = ExamQuestion(Position("connect-four:rows=4,columns=4", "1"), {"1": 0, "2": -1, "3": 1, "4": 1})
    result = examine(lambda _: "nine", "connect-four", [question])
    assert (result.regret, result.perfect, result.illegal) == (2, 0, 1)
    assert "illegal move 'nine'" in str(result.to_json()["answers"])
    assert examine(lambda _: "1", "connect-four", [question]).regret == 1


def test_the_command_reports_by_game_and_as_json() -> None:
    done = run("exam", "engine:level=5", "polarized-ladder")
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].startswith("polarized-ladder: regret 0.0")
    [result] = json.loads(run("exam", "engine:level=5", "polarized-ladder", "--json").stdout)
    assert result["positions"] == len(result["answers"]) == 30


def test_a_bot_takes_the_exam(tmp_path: Any) -> None:
    path = tmp_path / "last.py"
    path.write_text("def choose(position, limit):\n    return position.moves()[-1]\n")
    assert "double-card: regret" in run("exam", f"py:{path}", "double-card").stdout
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(position, limit):\n    raise ValueError('no idea')\n")
    assert "30 no legal move" in run("exam", f"py:{broken}", "connect-four").stdout


class FirstMove(BaseHTTPRequestHandler):
    """An agent behind an address that plays the first legal move."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        assert {"game", "rules", "side", "board", "legal"} <= set(asked)
        said = {"/agent": {"move": asked["legal"][0]}, "/list": [1]}.get(self.path, "nonsense")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), FirstMove)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_agent_behind_an_address_takes_the_exam(address: str) -> None:
    result = examine(ask_address(f"{address}/agent"), "connect-four")
    assert result.illegal == 0
    asked = questions("connect-four")
    assert result.answers[0].move == asked[0].position.move_texts()[0]
    assert "connect-four: regret" in run("exam", f"{address}/agent", "connect-four").stdout


def test_what_an_address_answers_instead_is_said(address: str) -> None:
    asked = questions("connect-four")[:1]
    for path, why in (("/list", 'expected {"move": "..."}'), ("/else", "got nonsense")):
        [answer] = examine(ask_address(address + path), "connect-four", asked).answers
        assert answer.move is None
        assert why in answer.said
    [answer] = examine(ask_address("http://127.0.0.1:9/none"), "connect-four", asked).answers
    assert "no answer from http://127.0.0.1:9/none" in answer.said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("engin", "connect-four"), "unknown player 'engin'; did you mean 'engine'"),
        (("random", "gomoku"), "unknown game of the exam 'gomoku'"),
        (("random", "connect-four", "--http", "8000"), "--http is for the agent mcp"),
    ],
)
def test_an_exam_that_cannot_be_is_a_usage_error(words: tuple[str, ...], why: str) -> None:
    done = run("exam", *words)
    assert done.returncode == 2
    assert why in " ".join(done.stderr.split())


mcp = pytest.importorskip("mcp")


def converse(coroutine: Any) -> Any:
    return asyncio.run(coroutine)


def told(result: Any) -> Any:
    """What a tool returned."""
    assert not result.is_error, result.content
    structured = result.structured_content
    return structured["result"] if set(structured) == {"result"} else structured


@pytest.mark.filterwarnings("ignore")
def test_an_agent_plays_a_game_by_tools_and_may_ask_the_judge_only_if_allowed() -> None:
    from plyground.integrations.mcp import AgentsDesk, server

    async def play(judge: bool) -> set[str]:
        desk = AgentsDesk(judge)
        async with mcp.Client(server(desk)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            game = told(await client.call_tool("start_game", {"game": "tic-tac-toe", "opponent": "engine:level=5"}))
            while game["result"] is None:
                number = {"number": game["number"]}
                legal = told(await client.call_tool("legal_moves", number))
                if judge:
                    known = told(await client.call_tool("judge_position", number))
                    assert set(known["moves"]) == set(legal)
                game = told(await client.call_tool("play_move", number | {"move": legal[0]}))
            assert "wins" in game["result"]
            wrong = await client.call_tool("play_move", {"number": 7, "move": "A1"})
            assert wrong.is_error
            assert "there is no game number 7; known: 1" in str(wrong.content)
            over = await client.call_tool("play_move", {"number": 1, "move": "A1"})
            assert "the game is over" in str(over.content)
            assert len(told(await client.call_tool("list_games", {}))) >= 6
        desk.close()
        return names

    assert "judge_position" in converse(play(True))
    assert "judge_position" not in converse(play(False))


@pytest.mark.filterwarnings("ignore")
def test_an_agent_names_no_file_and_no_command(tmp_path: Path) -> None:
    from plyground.integrations.mcp import AgentsDesk, server

    marker = tmp_path / "marker"
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(marker)!r}, 'w').close()\ndef worth(position): return 0\n")
    (tmp_path / "secret").write_text("hush")
    opponents = (
        f"cmd:cat {tmp_path / 'secret'}",
        f"py:{trap}",
        f"{trap}:worth",
        f"alpha-beta:depth=1,heuristic={trap}:worth",
        f"alpha-beta:depth=1,heuristic={trap}:worth,isolated=yes",
        f"search={trap}:worth,depth=1",
        "engine:level=3,threads=64",
        "engine:book=x",
    )

    async def play() -> None:
        desk = AgentsDesk(judge=False)
        async with mcp.Client(server(desk)) as client:
            for opponent in opponents:
                answer = await client.call_tool(
                    "start_game", {"game": "tic-tac-toe", "opponent": opponent, "side": "second"}
                )
                assert answer.is_error, opponent
                assert "hush" not in str(answer.content)
            answer = await client.call_tool("start_game", {"game": f"{trap}:worth"})
            assert answer.is_error
        desk.close()

    converse(play())
    assert not marker.exists()


@pytest.mark.filterwarnings("ignore")
def test_an_mcp_client_takes_the_exam_over_stdin_and_stdout() -> None:
    from mcp.client.stdio import StdioServerParameters

    async def sit() -> dict[str, Any]:
        words = ["-m", "plyground", "exam", "mcp"]
        async with mcp.Client(StdioServerParameters(command=sys.executable, args=words)) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == {"start_exam", "answer_exam"}
            early = await client.call_tool("answer_exam", {"move": "1"})
            assert "there is no exam under way" in str(early.content)
            shown = told(await client.call_tool("start_exam", {"game": "polarized-ladder"}))
            while "question" in shown:
                shown = told(await client.call_tool("answer_exam", {"move": shown["legal"][0]}))
            return dict(shown)

    result = converse(sit())
    assert result["positions"] == 30
    assert 0 < result["regret"] <= 2


def test_without_the_sdk_users_are_shown_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from click.testing import CliRunner

    from plyground.cli import cli

    monkeypatch.setitem(sys.modules, "mcp.server", None)
    monkeypatch.delitem(sys.modules, "plyground.integrations.mcp", raising=False)
    done = CliRunner().invoke(cli, ["mcp"])
    assert done.exit_code == 1
    assert "official SDK of MCP" in done.output
