"""Bots as players: how they are named, asked, and forgiven in practice games."""

from __future__ import annotations

import contextlib
import json
import pickle
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from command import bot_spec
from plyground import games
from plyground.cli import cli
from plyground.core.notation import parse_moves
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.play.clock import Clock, TimeControl, Turn
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.play.match import GameTerms, play_game
from plyground.play.records import Result, from_pgn, to_pgn
from plyground.referee import bots, entrants
from plyground.referee.sandbox.limits import MODES, Limits
from plyground.referee.sandbox.modes import mode_here
from plyground.referee.sandbox.pipes import SupervisedPipes
from plyground.referee.sandbox.process import BotProcess
from plyground.referee.sandbox.supervisor_host import SupervisorHost
from plyground.search.base import Limit
from plyground.search.score import Score

RULES = games.load("connect-four")
START = Position.start(RULES)
HONEST = bot_spec(Path(__file__).parents[1] / "vicious" / "honest.py")


def script(path: Path, text: str) -> str:
    """The spec of a bot that is this Python program."""
    path.write_text(text)
    return bot_spec(path)


def json_bot(path: Path, answer: str, start: str = '{"name": "tester"}') -> str:
    """The spec of a JSON bot that answers every question by this expression of `message`, a dict."""
    text = f"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print({start!r}, flush=True)
    elif message["type"] == "move":
        print({answer}, flush=True)
"""
    return script(path, text) + ",protocol=json"


def turn(seconds: float = 5) -> Turn:
    return Clock(TimeControl(seconds)).turn(Side.FIRST, moves=[])


def fault_of(spec: str) -> Fault:
    with bots.load(spec, RULES) as bot, pytest.raises(Fault) as caught:
        bot.take_turn(START, turn())
    return caught.value


# Specs


def test_everything_after_cmd_is_the_command_and_trailing_pairs_are_options() -> None:
    bot = bots.load("cmd:java -jar 'My Bot.jar' -x=1,protocol=json,memory=256", RULES)
    assert bot.command == ["java", "-jar", "My Bot.jar", "-x=1"]
    assert bot.dialogue is bots.DIALOGUES["json"]
    assert bot.limits == Limits(memory=256)


def test_a_quoted_argument_is_no_option() -> None:
    assert bots.load('cmd:./mybot "a,b=c"', RULES).command == ["./mybot", "a,b=c"]


def test_a_bot_is_named_by_its_spec_and_loaded_like_any_player() -> None:
    assert entrants.load("cmd:./mybot,protocol=json", RULES).name == "cmd:./mybot,protocol=json"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("cmd:./mybot,protcol=json", "did you mean 'protocol'"),
        ("cmd:./mybot,protocol=xml", "protocol must be 'ugi' or 'json' or 'gomocup', got 'xml'"),
        ("cmd:./mybot,memory=0", "memory must be above 0"),
        ("cmd:", "a command is missing"),
        ("cmd:./mybot 'x", "No closing quotation"),
        ("py:there-is-no-such.py", "there is no file 'there-is-no-such.py'"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong(spec: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        bots.load(spec, RULES)


# UGI


def test_a_ugi_bot_is_sent_game_moves_and_time(tmp_path: Path) -> None:
    spec = script(
        tmp_path / "bot.py",
        """
import sys
for line in sys.stdin:
    sys.stderr.write(line)
    if line == "ugi\\n":
        print("a banner nobody asked for\\nid name Tester\\nugiok", flush=True)
    if line == "isready\\n":
        print("readyok", flush=True)
    if line.startswith("go"):
        print("info depth 7 score cp -12 nodes 345 pv 4 4", flush=True)
        print("info string score cp nonsense", flush=True)
        print("bestmove 4 ponder 5", flush=True)
""",
    )
    moves, position = parse_moves(RULES, "45")
    with bots.load(spec, RULES) as bot:
        analysis = bot.take_turn(position, Clock(TimeControl.parse("60+1")).turn(Side.FIRST, moves=moves))
        assert bot.process is not None
        heard = bot.process.complaints()
        assert bot.title == "Tester"
    assert position.write(analysis.line[0]) == "4"
    assert (analysis.score, analysis.depth, analysis.nodes) == (Score.points(-12), 7, 345)
    assert heard.splitlines() == [
        "ugi",
        "setoption name Game value connect-four",
        "isready",
        "ugigamestart",
        "isready",
        "position startpos moves 4 5",
        "go p1time 60000 p2time 60000 p1inc 1000 p2inc 1000",
    ]


@pytest.mark.parametrize(
    ("reported", "score"), [("mate 3", Score.win(3)), ("mate -4", Score.loss(4)), (f"cp {'9' * 30}", None)]
)
def test_what_a_bot_reports_of_its_thinking_is_a_courtesy(reported: str, score: Score | None, tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "vicious" / "honest.py").read_text()
    text = text.replace('say("bestmove', f'say("info score {reported}")\n    say("bestmove')
    spec = script(tmp_path / "bot.py", text)
    with bots.load(spec, RULES) as bot:
        assert bot.take_turn(START, turn()).score == score


def test_a_position_without_its_moves_is_sent_as_text(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("def choose(position, limit):\n    return str(position.ply + 1)\n")
    _, position = parse_moves(RULES, "1234")
    with bots.load(f"py:{file}", RULES) as bot:
        (analysis,) = bot.think(position, Limit(seconds=5))
    assert position.write(analysis.line[0]) == "5"


# Python files


def test_a_python_file_may_print_and_return_a_move_or_its_text(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(
        "import helper\n"
        "def choose(position, limit):\n"
        "    print('thinking', limit.seconds)\n"
        "    return helper.column if position.ply % 4 < 2 else position.moves()[0]\n"
    )
    (tmp_path / "helper.py").write_text("column = '3'\n")
    with bots.load(f"py:{file}", RULES) as bot, bots.load(HONEST, RULES) as other:
        record = play_game(RULES, bot, other, GameTerms(control=TimeControl(5)))
    assert record.fault is None
    assert record.move_texts()[::2][:2] == ["3", "2"]


@pytest.mark.parametrize(
    ("text", "verdict", "message"),
    [
        ("def choose(position, limit):\n    return 99", FaultKind.ILLEGAL_MOVE, "'99'.*there is no column 99"),
        ("def choose(position, limit):\n    return None", FaultKind.ILLEGAL_MOVE, "'None'"),
        ("def choose(position, limit):\n    return (1, 2, 3, 4)", FaultKind.ILLEGAL_MOVE, "'.1, 2, 3, 4.'"),
        ("def choose(position, limit):\n    return 1 / 0", FaultKind.CRASH, "status 1"),
        ("def chose(position, limit):\n    return '1'", FaultKind.CRASH, "status 1"),
        ("def choose(", FaultKind.CRASH, "status 1"),
    ],
)
def test_a_wrong_python_file_is_a_fault(text: str, verdict: FaultKind, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text(text)
    fault = fault_of(f"py:{file}")
    assert fault.kind is verdict
    with pytest.raises(Fault, match=message):
        raise fault


def test_the_name_of_the_missing_function_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("def chose(position, limit):\n    return '1'")
    assert "unknown function" in fault_of(f"py:{file}").stderr
    assert "did you mean 'chose'" in fault_of(f"py:{file}").stderr


# JSON


def test_a_json_bot_is_sent_everything_and_may_report_its_score(tmp_path: Path) -> None:
    spec = json_bot(
        tmp_path / "bot.py", """(sys.stderr.write(line), '{"move": 4, "score": 5, "depth": 2, "nodes": 9}')[1]"""
    )
    moves, position = parse_moves(RULES, "45")
    with bots.load(spec, RULES) as bot:
        analysis = bot.take_turn(position, Clock(TimeControl(5)).turn(Side.FIRST, moves=moves))
        assert bot.process is not None
        reported = json.loads(bot.process.complaints())
        assert bot.title == "tester"
    assert (analysis.score, analysis.depth, analysis.nodes) == (Score.points(5), 2, 9)
    assert sorted(reported.pop("legal")) == list("12345678")
    assert reported == {
        "type": "move",
        "side": "first",
        "ply": 2,
        "moves": ["4", "5"],
        "position": "......../......../......../......../......../......../...xo... x",
        "seconds": 5,
    }


@pytest.mark.parametrize(
    ("answer", "verdict", "message"),
    [
        ("'4'", FaultKind.GARBAGE, "expected a line such as"),
        ("'move 4'", FaultKind.GARBAGE, "expected a line such as"),
        ("'[' * 50000", FaultKind.GARBAGE, "expected a line such as"),
        ("""'{"mvoe": "4"}'""", FaultKind.GARBAGE, "expected a line such as"),
        ("""'{"move": true}'""", FaultKind.GARBAGE, "expected a line such as"),
        ("""'{"move": "4"}\\\\n{"move": "4"}'""", FaultKind.GARBAGE, "without being asked"),
        ("""'{"move": "0"}'""", FaultKind.ILLEGAL_MOVE, "there is no column 0"),
        ("message['nothing']", FaultKind.CRASH, "status 1"),
    ],
)
def test_a_wrong_answer_in_json_is_a_fault(answer: str, verdict: FaultKind, message: str, tmp_path: Path) -> None:
    fault = fault_of(json_bot(tmp_path / "bot.py", answer.replace("\\\\n", "\\n")))
    assert fault.kind is verdict
    assert message in fault.why


def test_a_bot_that_speaks_the_other_protocol_is_reported(tmp_path: Path) -> None:
    fault = fault_of(f"{HONEST},protocol=json,startup=1")
    assert fault.kind is FaultKind.NO_ANSWER
    assert "protocol=json" in fault.kind.advice


def test_double_card_moves_go_through_both_protocols(tmp_path: Path) -> None:
    rules = games.load("double-card")
    file = tmp_path / "file.py"
    file.write_text("def choose(position, limit):\n    return position.moves()[-1]\n")
    with (
        bots.load(f"py:{file}", rules) as first,
        bots.load(json_bot(tmp_path / "bot.py", """json.dumps({"move": message["legal"][0]})"""), rules) as second,
    ):
        record = play_game(rules, first, second, GameTerms(control=TimeControl(10)))
    assert record.fault is None
    assert record.result is not Result.OPEN


# Faults at the start, practice games, leftovers of a farewell


def test_a_command_that_does_not_exist_is_a_crash() -> None:
    fault = fault_of("cmd:./there-is-no-such-bot")
    assert fault.kind is FaultKind.CRASH
    assert fault.why == "'./there-is-no-such-bot' could not be started: No such file or directory"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "def helper(x):\n    return 1 / x\n\n\ndef choose(position, limit):\n    return helper(0)\n",
            ['File "bot.py", line 6, in choose', 'File "bot.py", line 2, in helper', "ZeroDivisionError"],
        ),
        ("def choose(position limit):\n    pass\n", ['File "bot.py", line 1', "SyntaxError"]),
        ("import numpi\n", ['File "bot.py", line 1, in <module>', "No module named 'numpi'"]),
        (
            "def choose(position, limit):\n    return position.play('99')\n",
            ['File "bot.py", line 2, in choose', "in play", "IllegalMove"],
        ),
    ],
)
def test_a_traceback_begins_in_the_code_of_the_bot(tmp_path: Path, text: str, shown: list[str]) -> None:
    (tmp_path / "bot.py").write_text(text)
    fault = fault_of(f"py:{tmp_path}/bot.py")
    assert fault.kind is FaultKind.CRASH
    assert [part for part in shown if part not in fault.stderr] == []
    assert "runpy" not in fault.stderr
    assert "protocols/python.py" not in fault.stderr
    assert str(tmp_path) not in fault.stderr


def test_computing_time_is_limited_in_all(tmp_path: Path) -> None:
    file = tmp_path / "busy.py"
    file.write_text("def choose(position, limit):\n    while True:\n        pass\n")
    with bots.load(f"py:{file},cpu=1", RULES) as bot, pytest.raises(Fault) as caught:
        bot.take_turn(START, turn(60))
    assert (caught.value.kind, caught.value.why) == (FaultKind.TIME_EXCEEDED, "it computed for 1 s in all")


def test_who_dies_of_a_refused_allocation_is_reminded_of_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "greedy.py"
    file.write_text("def choose(position, limit):\n    return bytearray(10**12)\n")
    fault = fault_of(f"py:{file}")
    assert fault.stderr.endswith("MemoryError")
    assert (fault.kind, fault.why) == (
        FaultKind.CRASH,
        "it ended with status 1; its last words name memory, of which it may have 512 MB",
    )


def test_a_verdict_cannot_be_faked_by_words_or_by_a_signal_to_oneself(tmp_path: Path) -> None:
    words = "import sys\nfor line in sys.stdin:\n    sys.exit('MemoryError')\n"
    assert fault_of(script(tmp_path / "words.py", words)).kind is FaultKind.CRASH
    signal = "import os, signal\ninput()\nos.kill(os.getpid(), signal.SIGXCPU)\n"
    fault = fault_of(script(tmp_path / "sends.py", signal))
    assert (fault.kind, fault.why) == (FaultKind.CRASH, "it died of SIGXCPU")


def test_a_giant_move_is_cut_in_record_and_reason(tmp_path: Path) -> None:
    spec = json_bot(tmp_path / "giant.py", "json.dumps({'move': '9' * 60_000})")
    with bots.load(spec, RULES) as giant, bots.load(HONEST, RULES) as other:
        record = play_game(RULES, giant, other, GameTerms(control=TimeControl(5)))
    assert record.termination == "illegal move"
    assert len(to_pgn(record)) < 2000


def test_what_a_bot_leaves_nested_in_its_folder_changes_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (Path(__file__).parents[1] / "vicious" / "honest.py").read_text()
    nests = "import os\nos.chdir(os.environ['TMPDIR'])\nfor _ in range(1500):\n    os.mkdir('x')\n    os.chdir('x')\n"
    closes = "try:\n    os.chmod('..', 0)\nexcept PermissionError:\n    pass  # Landlock refuses that already\n"
    spec = script(tmp_path / "nests.py", f"{nests}{closes}{text}")
    left = tmp_path / "scratch"
    left.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(left))
    for isolation in {"group", "process", mode_here()}:
        with bots.load(f"{spec},isolation={isolation},startup=60", RULES) as bot, bots.load(HONEST, RULES) as other:
            record = play_game(RULES, bot, other, GameTerms(control=TimeControl(5)))
        assert record.fault is None, isolation
        assert list(left.iterdir()) == [], isolation


def test_starting_is_not_on_the_clock(tmp_path: Path) -> None:
    text = (Path(__file__).parents[1] / "vicious" / "honest.py").read_text()
    spec = script(tmp_path / "slow.py", f"import time\ntime.sleep(1)\n{text}")
    with bots.load(spec, RULES) as slow, bots.load(HONEST, RULES) as other:
        record = play_game(RULES, slow, other, GameTerms(control=TimeControl(0.9)))
    assert record.fault is None


LEARNS = """
import json, sys
wrong = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "start":
        print("{}", flush=True)
    elif message["type"] == "warning":
        wrong += 1
    elif message["type"] == "move":
        print(json.dumps({"move": "9" if wrong < 2 else str(message["ply"] % 7 + 1)}), flush=True)
"""
"""A bot that plays wrongly until it has been warned twice."""


def learner(path: Path) -> str:
    return f"{script(path, LEARNS)},protocol=json"


def test_a_lenient_referee_warns_and_asks_again(tmp_path: Path) -> None:
    with bots.load(f"{learner(tmp_path / 'learns.py')},lenient=yes", RULES) as bot:
        analysis = bot.take_turn(START, turn())
        assert START.write(analysis.line[0]) == "1"
        warnings = bot.take_warnings()
        assert [warning[: len("move 1: illegal move: '9'")] for warning in warnings] == [
            "move 1: illegal move: '9'"
        ] * 2
        assert bot.take_warnings() == []


def test_even_a_lenient_referee_loses_patience(tmp_path: Path) -> None:
    spec = json_bot(tmp_path / "bot.py", """'{"move": "9"}'""")
    with bots.load(f"{spec},lenient=yes", RULES) as bot, pytest.raises(Fault) as caught:
        bot.take_turn(START, turn())
    assert caught.value.kind is FaultKind.ILLEGAL_MOVE
    assert len(bot.take_warnings()) == bots.FAULTS_FORGIVEN


def test_a_record_keeps_what_was_forgiven(tmp_path: Path) -> None:
    lenient = bots.lenient(learner(tmp_path / "learns.py"))
    with bots.load(HONEST, RULES) as honest, bots.load(lenient, RULES) as bot:
        record = play_game(RULES, honest, bot, GameTerms(control=TimeControl(5)))
        assert record.warnings[0] == ()
        first, second = record.warnings[1]
        assert first == second
        assert first.startswith("move 2: illegal move: '9' in connect-four: there is no column 9")
        assert from_pgn(to_pgn(record)).warnings == record.warnings
        assert play_game(RULES, honest, bot, GameTerms(control=TimeControl(5))).warnings == ((), ())


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (["match", "connect-four", "BOT", "random", "--games", "1", "--lenient"], "game 1: warned, x: move 3: illegal"),
        (["play", "connect-four", "--first", "BOT,lenient=yes", "--second", "random"], "asked again: move 1: illegal"),
    ],
)
def test_warnings_are_shown_where_one_watches(tmp_path: Path, words: list[str], reported: str) -> None:
    spec = learner(tmp_path / "learns.py")
    result = CliRunner().invoke(cli, [word.replace("BOT", spec) for word in words])
    assert result.exit_code == 0, result.output
    assert result.output.count(reported) == 2


def test_a_warning_is_one_line_whatever_a_bot_writes(tmp_path: Path) -> None:
    text = "import sys\nprint('{}', flush=True)\ninput(), input()\nsys.exit('oh\\u2028x: no')"
    with bots.load(f"{script(tmp_path / 'bot.py', text)},protocol=json,lenient=yes", RULES) as bot:
        with pytest.raises(Fault):
            bot.take_turn(START, turn())
        for warning in bot.take_warnings():
            assert len(warning.splitlines()) == 1
            assert warning == "move 1: crash: it ended with status 1 (it wrote: oh x: no)"


def test_what_is_lenient_already_or_no_bot_stays_as_it_is() -> None:
    assert bots.lenient("engine") == "engine"
    assert bots.lenient("cmd:./a,memory=9") == "cmd:./a,memory=9,lenient=yes"
    assert bots.lenient("cmd:./a, lenient=no,memory=9") == "cmd:./a, lenient=no,memory=9"
    assert bots.lenient('cmd:./a ",lenient=yes"') == 'cmd:./a ",lenient=yes",lenient=yes'


def test_a_bot_that_does_not_quit_is_ended() -> None:
    process = BotProcess([sys.executable, "-c", "import time; time.sleep(3600)"], Limits())
    assert process.farewell() == "it still ran 2 s after it was asked to quit"
    process.close()


def test_a_bot_that_ends_just_as_it_is_frozen_is_not_taken_for_a_failure_of_the_machine() -> None:
    for step in range(20):
        busy = f"import time\nend = time.monotonic() + {0.003 + 0.0004 * step}\nwhile time.monotonic() < end: pass"
        process = BotProcess([sys.executable, "-c", f"input()\nprint('done', flush=True)\n{busy}"], Limits())
        process.begin_move()
        process.send("go")
        assert process.read(None) == "done"
        process.end_move()
        with contextlib.suppress(Fault):  # where it ended before it was frozen
            process.read(time.monotonic() + 0.05)
        assert process.farewell() == ""
        process.close()


def test_a_bot_knows_nothing_of_the_referees_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREES_SECRET", "hush")
    process = BotProcess([sys.executable, "-c", "import os; print('REFEREES_SECRET' in os.environ)"], Limits())
    assert process.read(None) == "False"
    process.close()


def test_a_bot_can_write_to_its_temporary_directory_and_nothing_stays() -> None:
    program = "import pathlib, tempfile; p = pathlib.Path(tempfile.gettempdir(), 'kept'); p.write_text('x'); print(p)"
    process = BotProcess([sys.executable, "-c", program], Limits())
    written = process.read(None)
    process.close()
    assert written is not None
    assert not Path(written).exists()


def test_isolation_that_is_not_possible_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="isolation must be auto, bubblewrap, landlock, group, process, got 'none'"):
        Limits(isolation="none")
    assert mode_here() in MODES
    monkeypatch.setattr("plyground.referee.sandbox.pipes.find_program", lambda _: "")
    with pytest.raises(InternalFailure, match="does not allow isolation=bubblewrap: bubblewrap is not installed"):
        SupervisedPipes([sys.executable], Limits(), "bubblewrap")


def test_a_supervisor_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.referee.sandbox.pipes.SUPERVISORS", SupervisorHost())
    failing = [sys.executable, "-c", "raise SystemExit('no way')"]
    monkeypatch.setattr("plyground.referee.sandbox.supervisor_host.interpreter_command", lambda *_, **__: failing)
    with pytest.raises(OSError, match="the program that watches bots has failed: no way"):
        SupervisedPipes([sys.executable], Limits(), "group")


def test_a_fault_survives_being_sent_to_another_process() -> None:
    fault = pickle.loads(pickle.dumps(Fault(FaultKind.CRASH, "it died", "Traceback")))
    assert (str(fault), fault.stderr) == ("crash: it died", "Traceback")
