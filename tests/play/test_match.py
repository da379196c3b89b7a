"""Games and matches: sides swapped from one opening, faults recorded as losses, scores with error bars."""

from __future__ import annotations

import json
import pickle
import re
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from command import bot_spec
from plyground import games, players
from plyground.cli import cli
from plyground.core.notation import parse_moves
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules, Side
from plyground.play import openings
from plyground.play.clock import TimeControl
from plyground.play.failure import InternalFailure
from plyground.play.faults import LONGEST_WHY_LETTERS, Fault, FaultKind
from plyground.play.match import GameTerms, MatchGame, play_game
from plyground.play.records import Result as GameResult
from plyground.play.records import append_record, from_json, load_records, save_records, to_json
from plyground.players import Player
from plyground.players.functions import player_of_function
from plyground.ratings import Tally
from plyground.referee import bots
from plyground.referee.sandbox.modes import mode_here
from plyground.report.tables import elo_sentence
from plyground.search.base import Analysis, Limit
from plyground.search.score import Score
from plyground.tournament import desk
from plyground.tournament.desk import ATTEMPTS
from plyground.tournament.match import MatchTerms, play_match
from plyground.tournament.pool import WorkerDied
from seeded import CORRECT, OTHER_CORRECT

TIC_TAC_TOE = games.load("tic-tac-toe")
RANDOM = players.load("random", TIC_TAC_TOE, seed=1)


@dataclass(frozen=True)
class Scripted:
    """A player that does what a test says."""

    answer: object
    name: str = "scripted"

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        if isinstance(self.answer, Exception):
            raise self.answer
        if self.answer is not None:
            line: Any = () if self.answer == () else (self.answer,)  # a player may give anything
            yield Analysis(line, Score.points(0), 1, 1, 0.0)

    def close(self) -> None:
        pass


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["match", *arguments])


def test_a_game_is_played_to_its_end_and_recorded() -> None:
    record = play_game(TIC_TAC_TOE, RANDOM, players.load("minimax:depth=2", TIC_TAC_TOE), GameTerms(seed=5))
    over = record.final.outcome()
    assert over is not None
    assert (record.result.winner, record.termination) == (over.winner, over.ending.value)
    assert (record.first, record.second, record.seed) == ("random", "minimax:depth=2", 5)
    assert all(played.seconds is not None for played in record.moves)
    assert all(played.depth is None and played.score is None for played in record.moves[::2])  # chance looks nowhere
    assert all(played.depth is not None and played.score is not None for played in record.moves[1::2])
    assert from_json(to_json(record)) == record


def test_the_opening_is_played_before_the_players_are_asked() -> None:
    opening, _ = parse_moves(TIC_TAC_TOE, "B2 A1 C3")
    record = play_game(TIC_TAC_TOE, RANDOM, players.load("minimax:depth=2", TIC_TAC_TOE), GameTerms(opening=opening))
    assert [played.move for played in record.moves[:3]] == opening
    assert [played.depth for played in record.moves[:4]] == [None, None, None, 2]
    assert [played.seconds is None for played in record.moves[:4]] == [True, True, True, False]


def test_an_illegal_opening_is_an_error_and_no_game() -> None:
    with pytest.raises(IllegalMove, match="B2 is taken"):
        play_game(TIC_TAC_TOE, RANDOM, RANDOM, GameTerms(opening=[Move(4), Move(4)]))


@pytest.mark.parametrize(
    ("answer", "verdict", "reported"),
    [
        (Move(99), FaultKind.ILLEGAL_MOVE, "there is no placement number 99"),
        (Move(0, 1), FaultKind.ILLEGAL_MOVE, "nothing can be lifted"),
        (None, FaultKind.NO_ANSWER, "it gave no move"),
        ((), FaultKind.NO_ANSWER, "it gave no move"),
        ("B2", FaultKind.GARBAGE, "'B2' is not a move"),
        (ZeroDivisionError("oh\nno"), FaultKind.CRASH, "ZeroDivisionError: oh no"),
        (Fault(FaultKind.MEMORY_EXCEEDED, "513 MB"), FaultKind.MEMORY_EXCEEDED, "513 MB"),
    ],
)
@pytest.mark.parametrize("side", Side)
def test_whoever_is_at_fault_has_lost(answer: object, verdict: FaultKind, reported: str, side: Side) -> None:
    pair = (Scripted(answer), RANDOM) if side is Side.FIRST else (RANDOM, Scripted(answer))
    record = play_game(TIC_TAC_TOE, *pair)
    assert record.result is GameResult.won_by(side.other)
    assert record.termination == verdict.value
    assert record.fault is not None
    assert (record.fault.side, record.fault.kind) == (side, verdict)
    assert reported in record.fault.why
    assert len(record.moves) == side


def test_a_move_later_than_the_clock_allows_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(float(second) for second in range(1000))
    monkeypatch.setattr("plyground.play.match.time.perf_counter", lambda: next(now))
    record = play_game(TIC_TAC_TOE, RANDOM, RANDOM, GameTerms(control=TimeControl(0.5)))
    assert (record.result, record.termination) == (GameResult.SECOND, "time exceeded")
    assert record.time_control == "0.5"


def test_a_bot_that_does_not_answer_within_the_time_per_move_loses_without_a_clock_too(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("import time\n\ndef choose(position, limit):\n    time.sleep(3600)\n")
    rules = games.load("tic-tac-toe")
    with bots.load(f"py:{tmp_path / 'silent.py'},startup=60", rules) as bot:
        record = play_game(rules, bot, players.load("random", rules), GameTerms(Limit(seconds=0.2)))
    assert record.fault is not None
    assert record.termination == FaultKind.TIME_EXCEEDED.value
    late = re.fullmatch(r"no move after (\d+\.\d+) s", record.fault.why)
    assert late is not None
    assert float(late[1]) >= 0.2


def test_an_illegal_move_of_a_function_is_called_one() -> None:
    player = player_of_function(lambda position: "A1", TIC_TAC_TOE)
    record = play_game(TIC_TAC_TOE, player, RANDOM, GameTerms(opening=parse_moves(TIC_TAC_TOE, "A1 B2")[0]))
    assert record.termination == FaultKind.ILLEGAL_MOVE.value
    assert record.fault is not None
    assert record.fault.why.startswith("'A1' in tic-tac-toe")


def test_interrupting_is_not_a_fault() -> None:
    class Interrupted:
        name = "interrupted"

        def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
            raise KeyboardInterrupt

        def close(self) -> None:
            pass

    with pytest.raises(KeyboardInterrupt):
        play_game(TIC_TAC_TOE, Interrupted(), RANDOM)


HONEST = bot_spec(Path(__file__).parents[1] / "vicious" / "honest.py")


@contextmanager
def no_files_left() -> Iterator[None]:
    """A machine on which this process can open nothing any more."""
    resource = pytest.importorskip("resource", reason="needs limits of Unix")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_bot_that_the_machine_cannot_start_has_not_lost() -> None:
    mode_here()  # found out while files can be opened
    rules = games.load("connect-four")
    first, second = (bots.load(HONEST, rules) for _ in range(2))
    with no_files_left(), pytest.raises(InternalFailure):
        play_game(rules, first, second, GameTerms(Limit(seconds=5)))
    with first, second:
        assert play_game(rules, first, second, GameTerms(Limit(seconds=5))).fault is None


def test_a_game_that_fails_by_nobodys_fault_is_played_again_and_stops_the_match_if_that_does_not_help(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[str] = []

    def load(spec: str, rules: Rules, seed: int | None, isolated: bool, access: object) -> Player:
        begun.append(spec)
        if len(begun) > int(spec):
            return players.load("random", rules, seed)
        return Scripted(InternalFailure("no process is left"))

    monkeypatch.setattr("plyground.referee.entrants.load", load)
    monkeypatch.setattr(desk, "PAUSE_SECONDS", 0.0)
    (game,) = play_match(MatchTerms(TIC_TAC_TOE, opening=0), "4", "4", 1)
    assert len(begun) == 6  # two players, three times
    assert game.record.fault is None
    begun.clear()
    with pytest.raises(InternalFailure, match="game 1 could not be played: no process is left"):
        next(play_match(MatchTerms(TIC_TAC_TOE, opening=0), "99", "99", 1))
    assert len(begun) == 2 * ATTEMPTS


def test_what_a_player_wrote_is_cut_in_the_reason_and_its_end_kept() -> None:
    fault = Fault(FaultKind.ILLEGAL_MOVE, f"{'9' * 60_000}: legal: 1 2 3")
    assert len(fault.why) <= LONGEST_WHY_LETTERS
    assert fault.why.startswith("999")
    assert fault.why.endswith(": legal: 1 2 3")
    assert pickle.loads(pickle.dumps(fault)).why == fault.why


def test_whoever_watches_sees_every_move() -> None:
    seen: list[Position] = []
    record = play_game(TIC_TAC_TOE, RANDOM, RANDOM, watch=lambda position, played: seen.append(position))
    assert seen == list(record.positions())[1:]


def test_a_pair_of_games_has_one_opening_and_swapped_sides() -> None:
    rules = games.load("connect-four")
    played = list(play_match(MatchTerms(rules, opening=3, seed=4), "random", "minimax:depth=1", 4))
    starts = [tuple(move.move for move in game.record.moves[:3]) for game in played]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    assert [game.record.first for game in played] == ["random", "minimax:depth=1"] * 2
    assert [game.swapped for game in played] == [False, True] * 2


def test_the_same_seed_plays_the_same_match() -> None:
    first, second = (
        [
            [m.move for m in game.record.moves]
            for game in play_match(MatchTerms(TIC_TAC_TOE, seed=9), "random", "random", 3)
        ]
        for _ in range(2)
    )
    assert first == second


def test_an_opening_is_decided_when_a_proof_search_says_so() -> None:
    """Where the engine sees nothing in a moment: colours wins within eight plies, as `plyground solve` proves."""
    _, position = parse_moves(games.load("double-card"), "0 3 B 1; 0 5 D 1")
    *_, glance = players.load("engine:guard=no,nodes=20000", position.rules).think(position, Limit())
    assert not glance.proved
    assert openings.plies_to_end(position) == openings.CLOSE_LOOK.proof_plies


@pytest.mark.parametrize("game", ["connect-four", "polarized-ladder", "double-card", "tic-tac-toe"])
def test_openings_are_undecided_and_differ(game: str) -> None:
    rules = games.load(game)
    found = list(islice(openings.openings(rules, 3, seed=2), 4))
    positions = []
    for moves in found:
        position = Position.start(rules)
        for move in moves:
            position = position.play(move)
        assert not position.outcome()
        assert not any(
            over.winner is position.to_move
            for move in position.moves()
            if (over := position.play(move).outcome()) is not None
        )
        positions.append(position)
    assert len(set(positions)) == 4
    assert found == list(islice(openings.openings(rules, 3, seed=2), 4))


@pytest.mark.parametrize(("moves", "decided"), [("A1 A2 B1 B2", True), ("B2 A1 C3 A3 A2", False), ("A1", False)])
def test_a_position_that_is_won_or_lost_at_once_is_decided(moves: str, decided: bool) -> None:
    assert (openings.plies_to_end(parse_moves(TIC_TAC_TOE, moves)[1]) is not None) is decided


def test_a_double_threat_is_decided() -> None:
    assert openings.plies_to_end(parse_moves(TIC_TAC_TOE, "A1 B2 C3 A3 C1")[1]) == 2


@pytest.mark.parametrize("game", ["connect-four", "gomoku", "polarized-ladder"])
def test_balanced_openings_are_more_even_than_random_ones_and_come_again(game: str) -> None:
    rules = games.load(game)

    def unevenness(balanced: bool) -> float:
        reached = [
            reduce(Position.play, opening, Position.start(rules))
            for opening in islice(openings.openings(rules, 4, 5, balanced), 4)
        ]
        return sum(abs(openings.engine_opinion(position)) for position in reached)

    assert unevenness(True) < unevenness(False) / 2
    whole = openings.Openings(rules, 4, 7, balanced=True)
    assert openings.Openings(rules, 4, 7, whole.up_to(1), balanced=True).up_to(2) == whole.up_to(2)


def test_balanced_openings_of_a_game_too_large_for_the_engine_are_refused() -> None:
    with pytest.raises(ValueError, match="is too large for the engine, which chooses balanced openings"):
        next(openings.openings(replace(TIC_TAC_TOE, name="large", max_plies=70_000), 2, 1, balanced=True))


def test_a_match_says_that_the_openings_decided() -> None:
    words = "every pair was split"
    first_wins = ("mnk:columns=2,rows=2,line=2", "random", "random", "--openings", "0", "--games")
    assert words in run(*first_wins, "6").output
    assert words not in run(*first_wins, "4").output  # too few to say so
    assert words not in run("tic-tac-toe", "alpha-beta:depth=9", "random", "--games", "6").output


def test_balanced_openings_are_asked_for_on_the_command_line(tmp_path: Path) -> None:
    asked = ("connect-four", "random", "random", "--games", "2", "--seed", "3", "--openings", "4", "--save")
    files = tmp_path / "plain.pgn", tmp_path / "even.pgn"
    for file, more in zip(files, ((), ("--balanced",)), strict=True):
        assert run(*asked, str(file), *more).exit_code == 0
    plain, even = (load_records(file)[0].moves[:4] for file in files)
    rules = games.load("connect-four")
    assert [move.move for move in even] == list(openings.Openings(rules, 4, 3, balanced=True).up_to(0)[0])
    assert even != plain


def test_an_opening_longer_than_the_game_is_refused() -> None:
    with pytest.raises(ValueError, match="an opening in tic-tac-toe has 0 to 8 moves, got 9"):
        next(openings.openings(TIC_TAC_TOE, 9))


def test_without_an_undecided_opening_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="no undecided opening of 2 moves found in mnk:line=2"):
        next(openings.openings(games.load("mnk:columns=3,rows=3,line=2"), 2, seed=1))


def test_the_command_shows_the_score_as_json_and_saves_the_records(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    result = run("tic-tac-toe", "alpha-beta:depth=9", "random", "--games", "4", "--json", "--save", str(file))
    assert result.exit_code == 0, result.output
    reported = json.loads(result.stdout)
    assert (reported["games"], reported["losses"], reported["faults"]) == (4, 0, [0, 0])
    assert reported["wins"] + reported["draws"] == 4
    assert reported["score"] == (reported["wins"] + reported["draws"] / 2) / 4
    records = load_records(file)
    assert len(records) == 4
    assert reported["score_low"] < reported["score"] <= reported["score_high"]
    assert reported["elo_low"] < reported["elo"] < reported["elo_high"]
    assert (sum(reported["pairs"]), reported["sprt"]) == (2, None)
    assert sum(record.result.winner is not None for record in records) == reported["wins"]
    assert [record.tags["Round"] for record in records] == ["1.1", "1.2", "2.1", "2.2"]
    assert {record.tags["Event"] for record in records} == {"Match"}


def test_the_command_shows_the_score_in_words() -> None:
    result = run("tic-tac-toe", "random", "random", "--games", "6", "--seed", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("random against random: +")
    assert "after 6 games" in result.stdout
    assert "(95 %: " in result.stdout
    assert "\nElo " in result.stdout


@pytest.mark.parametrize(
    ("tally", "sentence"),
    [
        (Tally(3, 0, 1, (0, 0, 1, 0, 1)), r", a cautious estimate from 4 games; 75\.0 % of many games would be \+191$"),
        (Tally(2, 0, 0, (0, 0, 0, 0, 1)), r", a cautious estimate from 2 games; 100\.0 % has no Elo number$"),
        (Tally(1, 0, 0, singles=(0, 0, 1)), r", a cautious estimate from 1 game; 100\.0 % has no Elo number$"),
        (Tally(1, 2, 1, (0, 0, 2, 0, 0)), r"^Elo 0 \(95 %: [^,]*\)$"),
        (Tally(300, 0, 100, (0, 0, 100, 0, 100)), r"^Elo \+190 \(95 %: [^,]*\)$"),
    ],
)
def test_an_elo_difference_says_how_it_goes_together_with_the_percentage(tally: Tally, sentence: str) -> None:
    assert re.search(sentence, elo_sentence(tally))


def test_a_match_of_equal_results_is_never_certain() -> None:
    result = run("tic-tac-toe", "alpha-beta:depth=9", "alpha-beta:depth=9", "--games", "4", "--json")
    found = json.loads(result.stdout)
    assert found["draws"] == 4
    assert found["score_low"] < 0.4
    assert found["elo_high"] == pytest.approx(-found["elo_low"])
    assert found["elo_high"] > 80


def test_a_sequential_test_ends_a_match_and_is_reported_as_a_sentence() -> None:
    words = "tic-tac-toe", "alpha-beta:depth=5", "random", "--sprt", "-50,150"
    result = run(*words)
    assert result.exit_code == 0, result.output
    sentence = "SPRT accepted: the difference of alpha-beta:depth=5 to random is +150 Elo rather than -50 (log-"
    assert sentence in result.stdout
    found = json.loads(run(*words, "--json").stdout)
    assert found["sprt"]["verdict"] == "accepted"
    assert found["games"] < 200
    undecided = run("tic-tac-toe", "random", "random", "--sprt", "0,5", "--games", "2")
    assert "SPRT undecided: the difference of random to random may be 0 or +5 Elo" in undecided.stdout


def test_games_at_the_same_time_are_those_of_one_after_the_other() -> None:
    words = "tic-tac-toe", "random", "alpha-beta:depth=1", "--games", "6", "--seed", "4", "--json"
    assert run(*words, "--concurrency", "2").stdout == run(*words).stdout


@pytest.mark.parametrize(
    ("player", "reason"),
    [("cmd:/no/such/bot", "could not be started"), ("py:{}/bot.py", "it wrote: nothing works today")],
)
def test_a_player_that_cannot_start_ends_the_match_with_exit_code_1(tmp_path: Path, player: str, reason: str) -> None:
    (tmp_path / "bot.py").write_text('raise SystemExit("nothing works today")\n')
    result = run("tic-tac-toe", player.format(tmp_path), "random")
    assert result.exit_code == 1
    assert f"{player.format(tmp_path)} cannot start: crash" in result.output
    assert reason in result.output


def test_a_search_of_a_file_takes_part(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from plyground import alpha_beta\n\n"
        "def mine(position, depth, heuristic, effort):\n"
        "    return alpha_beta(position, depth, heuristic, effort)\n"
    )
    spec = f"search={file}:mine,depth=2"
    found = json.loads(run("tic-tac-toe", spec, "alpha-beta:depth=2", "--games", "2", "--json").stdout)
    assert (found["first"], found["faults"]) == (spec, [0, 0])
    same = players.load(spec, TIC_TAC_TOE), players.load("alpha-beta:depth=2", TIC_TAC_TOE)
    scores = [list(player.think(Position.start(TIC_TAC_TOE), Limit()))[-1].score for player in same]
    assert scores[0] == scores[1]


@pytest.mark.parametrize("name", ["alpha-beta", "flagged", "by side", "move kept in self", "signed side"])
def test_a_search_of_any_form_takes_part(name: str, tmp_path: Path) -> None:
    """It finds the move that wins at once and parries a threat, for both sides, as a check would call it."""
    text, function = (CORRECT | OTHER_CORRECT)[name]
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    player = players.load(f"search={tmp_path}/mine.py:{function},depth=2", TIC_TAC_TOE)
    for moves, right in (("A1 B1 A2 B2", "A3"), ("A1 B1 A2", "A3"), ("B1 A1 B2 A2 C3", "A3")):
        position = Position("tic-tac-toe", moves)
        assert position.write([*player.think(position, Limit())][-1].move) == right


def test_a_players_fault_is_reported(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("def bad(position):\n    return 1 / 0\n")
    result = run("tic-tac-toe", f"minimax:depth=1,heuristic={tmp_path}/bad.py:bad", "random", "--games", "2", "--json")
    assert json.loads(result.stdout)["faults"] == [2, 0]
    result = run("tic-tac-toe", f"minimax:depth=1,heuristic={tmp_path}/bad.py:bad", "random", "--games", "2")
    assert "lost 2 games by a fault\n" in result.stdout
    assert "bad.py, line 2" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("tic-tac-toe", "random", "rondom"), "did you mean 'random'"),
        (("tic-tac-toe", "random", "random", "--games", "0"), "must be at least 1, got 0"),
        (("tic-tac-toe", "random", "random", "--openings", "9"), "an opening in tic-tac-toe has 0 to 8 moves, got 9"),
        (("tic-tac-toe", "turpin", "random"), "it plays only double-card, got tic-tac-toe"),
        (("tick-tack", "random", "random"), "did you mean 'tic-tac-toe'"),
        (("tic-tac-toe", "random", "random", "--limit", "0"), "expected seconds above 0"),
        (("tic-tac-toe", "random", "random", "--time", "soon"), "bad time control 'soon'"),
        (("tic-tac-toe", "random", "random", "--time", "3", "--limit", "3"), "the older name of --time"),
        (("tic-tac-toe", "random", "random", "--sprt", "5"), "sprt must be ELO0,ELO1"),
        (("tic-tac-toe", "random", "human"), "'human' is a person, who plays in `plyground play`"),
        (("tic-tac-toe", "random", "poles.py"), "a search, search=poles.py:NAME"),
        (("tic-tac-toe", "random", "search=poles.py"), "name the function in it too, such as poles.py:poles"),
        (("tic-tac-toe", "random", "search=poles.py:p"), "there is no file 'poles.py'"),
        (("poles.py", "random", "random"), "name the function in it too, such as poles.py:poles"),
    ],
)
def test_a_bad_match_is_a_usage_error(arguments: tuple[str, ...], reason: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.split())


def test_records_of_another_match_are_not_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text("precious")
    result = run("tic-tac-toe", "random", "random", "--save", str(file))
    assert result.exit_code == 2
    assert "exists already" in " ".join(result.output.split())
    assert file.read_text() == "precious"
    nowhere = run("tic-tac-toe", "random", "random", "--save", str(tmp_path / "a" / "b"))
    assert "there is no writable folder" in " ".join(nowhere.output.split())


def test_ctrl_c_ends_a_match_with_what_was_played(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*given: Any) -> Iterator[MatchGame]:
        yield next(play_match(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr("plyground.tournament.match.play_match", interrupted)
    file = tmp_path / "games.pgn"
    result = run("tic-tac-toe", "random", "random", "--save", str(file), "--json")
    assert result.exit_code != 0
    assert json.loads(result.stdout.splitlines()[0])["games"] == 1
    assert len(load_records(file)) == 1


def test_every_opening_is_found_before_one_comes_again() -> None:
    found = list(islice(openings.openings(TIC_TAC_TOE, 1, seed=1), 9))
    assert {opening[0].place for opening in found} == set(range(9))


def test_openings_are_looked_at_once_and_then_come_again_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """So thousands of games of a small game cost no more than their number."""
    openings.look_for(TIC_TAC_TOE, 2)
    looked, tried = list[Position](), 0

    def look(
        position: Position, _: object, real: Callable[[Position], int | None] = openings.plies_to_end
    ) -> int | None:
        looked.append(position)
        return real(position)

    def attempt(*given: Any, real: Callable[..., Any] = openings._random_moves) -> Any:
        nonlocal tried
        tried += 1
        return real(*given)

    monkeypatch.setattr(openings, "plies_to_end", look)
    monkeypatch.setattr(openings, "_random_moves", attempt)
    found = list(islice(openings.openings(TIC_TAC_TOE, 2, seed=3), 50_000))
    distinct = len(set(found[:72]))
    assert len(looked) == len(set(looked)) <= 72
    assert tried < 72 * openings.TRIES
    assert found[distinct : 2 * distinct] == found[:distinct]


def test_openings_go_on_where_those_known_end(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = games.load("connect-four")
    whole = openings.Openings(rules, 3, 7)
    made = whole.up_to(5)
    known = openings.Openings(rules, 3, 7, made[:4])
    assert (len(known), known.up_to(5), known[:]) == (4, made[4:], whole[:])
    few = openings.Openings(TIC_TAC_TOE, 1, 7)
    again = openings.Openings(TIC_TAC_TOE, 1, 7, few.up_to(21)[:15])
    assert (again.up_to(21), len(set(few))) == (few[15:22], 9)


@pytest.mark.parametrize(("game", "look"), [("connect-four", openings.GLANCE), ("double-card", openings.CLOSE_LOOK)])
def test_openings_are_looked_at_closely_where_that_finds_more(game: str, look: openings.Look) -> None:
    assert openings.look_for(games.load(game), 2) is look


class Dying(Executor):
    """Its processes die."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_exception(WorkerDied("a worker process ended with code -9"))
        return future


def test_a_game_whose_processes_always_die_ends_the_match() -> None:
    games = play_match(MatchTerms(TIC_TAC_TOE), "random", "random", 2, Dying())
    with pytest.raises(InternalFailure, match=r"game 1 could not be played: WorkerDied: .*code -9"):
        next(games)


def test_a_record_that_cannot_be_written_whole_leaves_no_trace(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    file = tmp_path / "games.jsonl"
    record = play_game(TIC_TAC_TOE, RANDOM, RANDOM)
    append_record(file, record)
    before = file.read_text()
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 20, limits[1]))
    try:
        with pytest.raises(OSError, match="too large"):
            append_record(file, record)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert file.read_text() == before
    append_record(file, record)
    assert load_records(file) == [record, record]


def test_records_are_added_to_a_file_as_they_are_saved_together(tmp_path: Path) -> None:
    record = play_game(TIC_TAC_TOE, RANDOM, RANDOM)
    save_records(tmp_path / "whole.pgn", [record] * 3)
    for _ in range(3):
        append_record(tmp_path / "grown.pgn", record)
    assert (tmp_path / "grown.pgn").read_text() == (tmp_path / "whole.pgn").read_text()


def test_the_older_name_of_the_time_is_still_read() -> None:
    result = run("tic-tac-toe", "random", "random", "--games", "2", "--limit", "2.5")
    assert result.exit_code == 0
    assert result.stderr.startswith("--limit is called --time now: --time 2.5\n")


def test_a_match_with_a_time_per_game_is_lost_by_the_clock(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text("import time\ndef choose(position, limit):\n    time.sleep(30)\n")
    result = run("tic-tac-toe", f"py:{tmp_path}/slow.py", "random", "--games", "2", "--time", "0.3+0")
    assert "lost 2 games by a fault" in result.stdout
    assert "time exceeded" in result.stdout
