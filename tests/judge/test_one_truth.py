"""The laboratory does not contradict itself: what was found wrong, and properties over random positions."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import plug_ins
from command import run
from plyground import Limit, Position, Rules, Score, games, players, solve_position, start, web
from plyground.core.notation import parse_moves
from plyground.core.rules import Move, Side
from plyground.heuristics import Heuristic, load
from plyground.heuristics.data import NO_OPINION
from plyground.judge.judge import Judge, judge_of
from plyground.judge.judgement import Judgement
from plyground.judge.review import Grade, ReviewedMove, review
from plyground.play.match import play_game
from plyground.play.records import to_pgn
from plyground.players import DepthPlayer, rank
from plyground.search.alpha_beta import alpha_beta
from plyground.search.base import NEAREST, Analysis, Effort, Ranking
from plyground.search.deepening import deepening
from plyground.search.score import ProvedResult
from plyground.solve import proof
from plyground.web.thinking import worker

FAST = Limit(nodes=20_000)

GAMES = [
    "connect-four",
    "connect-four:rows=6,columns=7",
    "connect-four:rows=4,columns=5",
    "polarized-ladder",
    "polarized-ladder:variant=open,height=5",
    "double-card",
    "double-card:first=dots",
    "tic-tac-toe",
    "mnk:columns=5,rows=4,line=4",
    "gomoku:size=9",
]

PLUG_INS = [plug_ins.misere(), plug_ins.crossed(), plug_ins.order_and_chaos(), plug_ins.neutral()]

FULL_TREE_CELLS = 7
"""Empty cells up to which the truth is found by looking at everything."""


def random_line(rules: Rules, chance: random.Random) -> tuple[list[Move], Position]:
    """Random moves and the position they lead to, in which the game goes on."""
    moves, position = list[Move](), Position.start(rules)
    for _ in range(chance.randrange(min(rules.max_plies, 40))):
        after = position.play(move := chance.choice(position.moves()))
        if after.outcome() is not None:
            break
        moves.append(move)
        position = after
    return moves, position


def agree(one: Score | None, other: Score | None) -> bool:
    """Whether two scores of the same thing can both be true."""
    if one is None or other is None or not one.proved or not other.proved:
        return True
    if one.result is not other.result:
        return False
    if one.at_most and other.at_most:
        return True
    exact, bound = (other, one) if one.at_most else (one, other)
    return exact.number <= bound.number if bound.at_most else exact.number == bound.number


def verdict_of(entry: dict[str, object]) -> Score | None:
    """The verdict of a move in JSON."""
    return None if entry["verdict"] is None else Score.from_json(entry["verdict"])


def whole_truth(position: Position) -> Score:
    """What a position is worth, found by looking at everything."""
    left = position.rules.max_plies - position.ply
    value, _ = alpha_beta(position, left, NO_OPINION, Effort(Limit()))
    return Score.of_value(value) if value else Score.draw()


def check_judgement(judgement: Judgement) -> None:
    """The promises that every judgement keeps."""
    position, ranking = judgement.position, judgement.ranking
    assert sorted(analysis.move for analysis in judgement.moves) == sorted(position.moves())
    assert len({analysis.depth for analysis in ranking.compared if not analysis.proved}) <= 1
    scores = [analysis.score for analysis in ranking.compared if analysis.score is not None]
    assert len(scores) == len(ranking.compared)
    assert [score.rank for score in scores] == sorted((score.rank for score in scores), reverse=True)
    assert agree(judgement.score, judgement.best.score)
    if judgement.best.proved and not ranking.others:
        assert judgement.score is not None
        assert judgement.score.rank == max(scores).rank
    for analysis in judgement.moves:
        assert analysis.proved == (analysis.score is not None and analysis.score.proved)
        after = position
        for move in analysis.line:
            after = after.play(move)  # IllegalMove for a line that is none


def check_played(judge: Judge, judgement: Judgement) -> None:
    """A verdict does not change when its move is made."""
    best = judgement.best
    if best.score is None or not best.proved:
        return
    after = judgement.position.play(best.move)
    if (outcome := after.outcome()) is not None:
        won = outcome.winner is judgement.position.to_move
        assert best.score == (Score.draw() if outcome.winner is None else Score.win(1) if won else Score.loss(1))
        return
    assert agree(judge.judge(after, FAST).score, best.score.after_move())


def check_truth(judgement: Judgement) -> None:
    """Near the end of a game everything that is called proved is true."""
    position = judgement.position
    if (position.rules.grid.all & ~position.occupied).bit_count() > FULL_TREE_CELLS or position.rules.recycle_from:
        return
    assert agree(judgement.score, whole_truth(position))
    for analysis in judgement.moves:
        after = position.play(analysis.move)
        if analysis.proved and after.outcome() is None:
            assert agree(analysis.score, whole_truth(after).before_move())


def check_others(judgement: Judgement, moves: list[Move]) -> None:
    """`analyse`, `solve`, the hint and the web API say nothing that contradicts the judge."""
    position = judgement.position
    *_, ranking = rank(players.load("engine:nodes=20000", position.rules), position, Limit())
    for analysis in ranking:
        assert agree(analysis.score, judgement.ranking.find(analysis.move).score)
    solved = solve_position(position, seconds=0.05)
    if solved.decided and judgement.score is not None and judgement.proved:
        winner = {ProvedResult.WIN: position.to_move, ProvedResult.LOSS: position.to_move.other}
        assert solved.winner is winner.get(judgement.score.result or ProvedResult.DRAW)
    texts = position.rules.notation
    job: dict[str, object] = {"game": position.rules.name, "seconds": 0.05, "player": "engine"}
    job["moves"] = [texts.write(position.rules, move) for move in moves]
    for kind in ("judge", "analyse"):
        *_, reported = worker.JOBS[kind](job)
        listed = reported["moves"]
        assert isinstance(listed, list)
        assert len({entry["depth"] for entry in listed if not entry["proved"]}) <= 1
        for entry in listed:
            move = position.parse(entry["move"])
            assert agree(verdict_of(entry), judgement.ranking.find(move).score)
    *_, hint = worker.JOBS["hint"](job)
    if judgement.best.score is not None and judgement.best.score.won:
        assert hint["proved"] is True
        assert judgement.ranking.find(position.parse(str(hint["move"]))).score is not None
    *_, answer = worker.JOBS["solve"](job)
    if answer["decided"] and judgement.proved:
        assert judgement.score is not None
        assert str(answer["text"]).startswith(str(judgement.score.result))


def check_random_positions(rules: Rules, count: int, seed: int) -> None:
    judge, chance = judge_of(rules), random.Random(seed)
    for _ in range(count):
        moves, position = random_line(rules, chance)
        judgement = judge.judge(position, FAST)
        check_judgement(judgement)
        check_played(judge, judgement)
        check_truth(judgement)
        check_others(judgement, moves)


@pytest.mark.parametrize("game", GAMES)
def test_nothing_contradicts_the_judge_in_twenty_random_positions_of_a_game(game: str) -> None:
    check_random_positions(games.load(game), 20, seed=13)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_nothing_contradicts_the_judge_in_two_hundred_random_positions_of_a_game(game: str) -> None:
    check_random_positions(games.load(game), 200, seed=31)


@pytest.mark.parametrize("rules", PLUG_INS, ids=lambda rules: rules.name)
def test_nothing_contradicts_the_judge_in_games_that_are_not_the_programs_own(rules: Rules) -> None:
    games.load_given(rules)  # known by its name from now on, to the web API too
    check_random_positions(rules, 12, seed=5)


@pytest.mark.parametrize("name", ["misere", "crossed", "order_and_chaos", "neutral"])
def test_analyse_says_of_a_game_in_a_file_what_the_judge_says(name: str) -> None:
    game = f"{Path(__file__).parents[1].joinpath('plug_ins.py')}:{name}"
    chance = random.Random(name)
    moves, position = random_line(games.load_given(game), chance)
    texts = [position.rules.notation.write(position.rules, move) for move in moves]
    after = position.rules.notation.join(position.rules, texts)
    done = run("analyse", game, "--after", after, "--limit", "0.5", "--json")
    assert done.returncode == 0, done.stderr
    judgement = judge_of(position.rules).judge(position, FAST)
    for entry in json.loads(done.stdout.splitlines()[-1])["moves"]:
        assert agree(verdict_of(entry), judgement.ranking.find(position.parse(entry["move"])).score)


def test_what_is_proved_stays_proved_however_short_the_next_look_is() -> None:
    position = start("connect-four:rows=6,columns=7", "4444433562")
    judge = Judge(position.rules)
    thorough = judge.judge(position, Limit(seconds=5))
    assert thorough.proved
    glance = judge.judge(position, Limit(nodes=1))
    assert (glance.score, glance.best.move) == (thorough.score, thorough.best.move)


@pytest.mark.parametrize(
    ("moves", "seems_best", "truth"),
    [("7221166765757835587617755", "4", Score.loss(6)), ("74478738866316647174572", "2", Score.win(25))],
)
def test_a_move_that_only_seems_best_is_not_remembered_as_the_one_that_keeps_a_verdict(
    moves: str, seems_best: str, truth: Score
) -> None:
    position = start("connect-four", moves)
    thorough = Judge(position.rules).judge(position, Limit(nodes=2_000_000))
    assert thorough.ranking.find(position.parse(seems_best)).score == truth
    judge = Judge(position.rules)  # another one, which knows what the position is worth and not by which move
    judge.remember(position, Analysis((), thorough.score, 0, 0, 0.0))
    hurried = judge.judge(position, Limit(nodes=1))
    assert (hurried.score, hurried.best.move) == (thorough.score, position.parse(seems_best))
    assert not hurried.best.proved
    for move, fact in judge.at_a_glance(position).items():
        assert agree(fact.score, thorough.ranking.find(move).score)
    again = judge.judge(position, Limit(nodes=2_000_000))
    assert [(each.move, each.score) for each in again.moves] == [(each.move, each.score) for each in thorough.moves]


def test_the_best_move_of_a_won_position_is_none_that_is_proved_to_draw() -> None:
    position = start("connect-four:rows=4,columns=5", "...../...../xx.../oo..x o")
    truth = Judge(position.rules).judge(position, Limit(nodes=2_000_000))
    assert truth.score == Score.win(15)
    judge = Judge(position.rules)
    judge.remember(position, Analysis((), truth.score, 0, 0, 0.0))
    drawing = [each for each in truth.moves if each.score == Score.draw()][:2]
    for each in drawing:
        judge.remember(position.play(each.move), Analysis((), Score.draw(), 0, 0, 0.0))
    glance = judge.judge(position, Limit(nodes=1))
    check_judgement(glance)
    assert glance.best.move not in {each.move for each in drawing}


def test_the_one_move_that_is_left_is_worth_what_the_position_is_worth() -> None:
    position = start("connect-four", "7221166765757835587617755")
    truth = Judge(position.rules).judge(position, Limit(nodes=2_000_000))
    judge = Judge(position.rules)
    judge.remember(position, Analysis((), truth.score, 0, 0, 0.0))
    for each in truth.moves[1:]:
        assert each.score is not None
        judge.remember(position.play(each.move), Analysis((), each.score.after_move(), 0, 0, 0.0))
    glance = judge.judge(position, Limit(nodes=1))
    assert glance.best.proved
    assert (glance.best.move, glance.best.score) == (truth.best.move, truth.best.score)


def test_the_play_of_a_longer_win_is_not_remembered_as_that_of_a_shorter_one() -> None:
    position = start("connect-four", "4444")
    judge = Judge(position.rules, books=())
    slow, quick = position.parse("1"), position.parse("4")
    judge.remember(position, Analysis((), Score.win(9), 0, 0, 0.0))
    judge.remember(position, Analysis((slow,), Score.win(15, at_most=True), 0, 0, 0.0))
    known = judge.known(position)
    assert known is not None
    assert (known.score, known.line) == (Score.win(9), ())
    judge.remember(position, Analysis((quick,), Score.win(9), 0, 0, 0.0))
    known = judge.known(position)
    assert known is not None
    assert known.line == (quick,)


def test_what_is_proved_of_a_position_is_known_of_its_mirror_image_too() -> None:
    position, image = (start("connect-four:rows=6,columns=7", moves) for moves in ("1123", "7765"))
    judge = Judge(position.rules, books=())
    judge.remember(position, Analysis((position.parse("2"),), Score.win(9), 0, 0, 0.0))
    known = judge.known(image)
    assert known is not None
    assert (known.score, known.line) == (Score.win(9), (image.parse("6"),))


def test_a_judge_learns_what_another_one_has_proved_or_advised() -> None:
    position = start("connect-four:rows=4,columns=5", "33")
    one, other = Judge(position.rules, books=()), Judge(position.rules, books=())
    proved = one.judge(position, Limit(nodes=2_000_000))
    one.advise(position, proved.best.move)
    assert other.known(position) is None
    other.learn(one.take_news())
    known = other.known(position)
    assert known is not None
    assert known.score == proved.score
    assert {move: fact.score for move, fact in other.at_a_glance(position).items()} == {
        each.move: each.score for each in proved.moves
    }
    assert other.advised(position, proved.best.move)
    assert one.take_news() == []


def test_a_move_cannot_be_worth_more_than_a_position_that_is_proved_lost() -> None:
    position = start("tic-tac-toe", "B2 A1")
    judge = Judge(position.rules)
    judge.remember(position, Analysis((), Score.loss(4), 0, 0, 0.0))  # which is wrong: nobody loses by force
    with pytest.raises(RuntimeError, match="two proofs contradict each other: draw and loss in at most 4"):
        judge.judge(position, FAST)


# What was found wrong, by its number in the report.


@pytest.mark.parametrize("seconds", ["0.3", "1"])
def test_fault_1_moves_of_unequal_depth_are_not_ranked_together(seconds: str) -> None:
    done = run("analyse", "gomoku", "--after", "H8 H9", "--limit", seconds, "--json")
    reported = json.loads(done.stdout.splitlines()[-1])
    assert len({entry["depth"] for entry in reported["moves"] if not entry["proved"]}) == 1
    assert len(reported["moves"]) + len(reported["not_compared"]) == 223
    # Whatever the time, the best move lies beside the discs, as the engine's own does.
    column, row = reported["best"][0], int(reported["best"][1:])
    assert column in "EFGHIJK"
    assert 5 <= row <= 12
    # One move alone is searched deeper, so the engine's own choice may be another one: that is said.
    best, depth = reported["best"], reported["moves"][0]["depth"]
    said = f"{best} is best at depth {depth}; in a game the player searches deeper and may choose another move"
    assert reported["note"] == said


def test_fault_1_nothing_is_noted_where_a_comparison_was_not_cut_off() -> None:
    for arguments in (("gomoku", "--after", "H8 H9", "--depth", "2"), ("tic-tac-toe", "--after", "A1 B2 C3")):
        done = run("analyse", *arguments, "--limit", "60", "--json")
        assert json.loads(done.stdout.splitlines()[-1])["note"] is None


def reviewed(game: str, moves: str, limit: Limit = FAST) -> list[ReviewedMove]:
    rules = games.load(game)
    played, _ = parse_moves(rules, moves)
    return list(review(Judge(rules), Position.start(rules), played, limit))[::-1]


@pytest.mark.parametrize("moves", ["4", "4444"])
def test_fault_2_book_moves_are_no_blunders(moves: str) -> None:
    found = reviewed("connect-four", moves)
    assert Grade.BLUNDER not in [each.grade for each in found]
    assert found[0].score is not None
    assert found[0].score.won
    assert found[1].score is not None
    assert found[1].score.lost  # the verdict is carried along the line


def test_a_blunder_is_a_proved_result_given_away_and_names_the_better_move() -> None:
    # x has 2 3 4 in the bottom row with both ends free and plays elsewhere: a slower win, and no blunder.
    found = reviewed("connect-four:rows=6,columns=7", "2233447")
    assert (found[6].grade, str(found[6].score), str(found[6].worth)) == (Grade.GOOD, "win in 1", "win in 3")
    lost = reviewed("tic-tac-toe", "B2 B1 A1 A2 C3")
    assert lost[1].grade is Grade.BLUNDER
    reported = lost[1].to_json()
    assert reported["grade"] == "blunder"
    assert reported["better"] in {"A1", "C1", "A3", "C3"}


def test_fault_3_a_hint_sees_the_win_at_once_and_speaks_of_the_columns_on_the_board() -> None:
    job = {"game": "connect-four", "moves": ["4", "4", "4", "4", "3", "3", "2", "7"], "seconds": 0.2}
    *_, hint = worker.hint(dict(job))
    assert hint["verdict"] == {"result": "win", "plies": 1}
    assert hint["text"] == "win in 1"
    assert re.fullmatch(r"Completes columns \d-\d-\d-\d of row 1 for x and ends the game\.", str(hint["reason"]))


def test_fault_4_a_position_with_a_proved_win_is_solved() -> None:
    job = {"game": "connect-four", "moves": list("44444355567"), "seconds": 0.5}
    *_, answer = worker.solve(dict(job))
    assert (answer["decided"], answer["text"]) == (True, "win in 3")
    judgement = judge_of(games.load("connect-four")).judge(start("connect-four", "44444355567"), FAST)
    assert judgement.score == Score.win(3)


def test_fault_4_a_proved_draw_stands_beside_no_opinion() -> None:
    position = start("polarized-ladder")
    judgement = judge_of(position.rules).judge(position, FAST)
    assert (judgement.score, judgement.source) == (Score.draw(), "pairing")
    assert {str(analysis.score) for analysis in judgement.ranking.compared} <= {"draw", "0"} | {
        str(-n) for n in range(1, 10_000)
    }


@pytest.mark.parametrize(
    ("player", "game", "moves", "best"),
    [
        ("lavoie", "polarized-ladder", "A1 M1 B1 L1 B2 K1 C2 G3", "C3"),
        ("ayoub-qabbani:level=2", "polarized-ladder:variant=open", "A1 M1 B1 L1 B2 K1 C2 G3", "C3"),
        ("hazar-isik:plies=2", "connect-four", "1 1 2 2 3 3", "4"),
        ("turpin", "double-card", "0 1 A 1; 0 1 C 1; 0 1 A 2; 0 1 C 2; 0 1 A 3; 0 1 C 3", None),
    ],
)
def test_fault_6_a_move_that_wins_at_once_is_a_win_for_every_old_program(
    player: str, game: str, moves: str, best: str | None
) -> None:
    done = run("analyse", game, "--player", player, "--after", moves, "--json")
    reported = json.loads(done.stdout.splitlines()[-1])
    top = reported["moves"][0]
    assert best in (None, top["move"])
    assert top["verdict"] == {"result": "win", "plies": 1}
    assert top["proved"] is True
    assert top["score"] > 0  # its own number for a win, beside the verdict
    position = start(game, moves)
    for entry in reported["moves"]:
        won = (over := position.play(position.parse(entry["move"])).outcome()) and over.winner is position.to_move
        assert (entry["verdict"] == {"result": "win", "plies": 1}) == bool(won)


def test_fault_7_a_bot_is_asked_for_its_move_and_says_nothing_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(position, limit):\n    return position.moves()[4]\n")
    done = run("analyse", "tic-tac-toe", "--player", "py:bot.py", "--json", where=tmp_path)
    reported = json.loads(done.stdout.splitlines()[-1])
    assert [entry["move"] for entry in reported["moves"]] == ["B2"]
    assert reported["moves"][0]["score"] is None
    not_compared = sorted(entry["move"] for entry in reported["not_compared"])
    assert not_compared == ["A1", "A2", "A3", "B1", "B3", "C1", "C2", "C3"]


def careless(position: Position, depth: int, heuristic: Heuristic, effort: Effort) -> tuple[int, tuple[Move, ...]]:
    """A search that asks the heuristic itself, so that nobody counts its evaluations."""
    effort.visit(position)
    if over := position.outcome():
        worth = 0 if over.winner is None else NEAREST.base - (position.rules.max_plies - depth)
        return worth if over.winner is position.to_move else -worth, ()
    if depth == 0:
        return heuristic(position), ()
    found = [(move, careless(position.play(move), depth - 1, heuristic, effort)) for move in position.moves()]
    move, (value, line) = max(found, key=lambda entry: -entry[1][0])
    return -value, (move, *line)


def test_fault_8_a_search_that_counts_no_evaluations_has_proved_nothing_before_the_end() -> None:
    rules = games.load("tic-tac-toe")
    analyses = list(deepening(careless, load("lines", rules))(Position.start(rules), Limit(depth=3)))
    assert [analysis.depth for analysis in analyses] == [1, 2, 3]
    assert not any(analysis.proved for analysis in analyses)
    player = DepthPlayer("careless", careless, load("lines", rules), lambda _: Limit(depth=3))
    for seed in range(5):
        record = play_game(rules, player, players.load("random", rules, seed))
        assert record.result.winner is not Side.SECOND


def test_fault_9_records_show_verdicts_as_such_and_nothing_of_what_nobody_said() -> None:
    rules = games.load("connect-four")
    record = play_game(rules, players.load("engine:nodes=2000", rules), players.load("random:seed=1", rules))
    text = to_pgn(record)
    assert not re.search(r"%eval -?\d{8}", text)
    assert "[%eval 0]" not in text
    assert "[%depth 0]" not in text
    assert re.search(r"\[%eval #1\]", text)


def test_fault_9_no_number_stands_for_a_win_in_the_scripts_of_the_page() -> None:
    scripts = sorted((Path(web.__file__).parent / "static").rglob("*.js"))
    assert len(scripts) > 20
    found = [
        (path.name, each) for path in scripts for each in re.findall(r"\b9e\d+\b|\b9{5,}\b", path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize("player", ["lavoie", "cameron-tiago"])
def test_fault_10_what_analyse_says_of_the_best_move_is_what_the_players_search_says(player: str) -> None:
    rules, chance = games.load("polarized-ladder"), random.Random(10)
    program = players.load(player, rules)
    assert isinstance(program, DepthPlayer)
    for _ in range(12):
        position = Position.start(rules)
        for _ in range(chance.randrange(30, 44)):
            after = position.play(chance.choice(position.moves()))
            position = position if after.outcome() else after
        *_, own = program.think(position, Limit())
        *_, ranking = rank(program, position, Limit())
        best = ranking.best
        assert (best.move, best.points, best.score, best.depth) == (own.move, own.points, own.score, own.depth)


# Players and searches that are given the moves to choose among.


@pytest.mark.parametrize(
    "spec", ["engine:nodes=500", "engine:level=1", "alpha-beta:depth=2", "mcts:nodes=200", "random"]
)
def test_a_player_chooses_among_the_moves_it_is_given(spec: str) -> None:
    position = start("connect-four:rows=6,columns=7", "443344")
    allowed = [position.parse("1"), position.parse("7")]
    player = players.load(spec, position.rules, seed=3)
    for _ in range(3):
        *_, analysis = player.think(position, Limit(), allowed)
        assert analysis.move in allowed
    player.close()


def test_moves_without_a_score_are_not_compared() -> None:
    move, other = Move(0), Move(1)
    ranking = Ranking.of([Analysis((move,), None, 0, 0, 0.0), Analysis((other,), Score.loss(2), 3, 9, 0.1)])
    assert [analysis.move for analysis in ranking.compared] == [other]
    assert ranking.best.move == move  # whatever it is worth, it is no worse than a loss


def test_what_is_not_supported_by_the_core_is_judged_by_the_reference() -> None:
    rules = plug_ins.misere()
    position = Position.start(rules)
    for text in ("A1", "B2", "A2", "C3", "B3"):
        position = position.play(position.parse(text))
    judgement = Judge(rules).judge(position, Limit(seconds=2))
    assert agree(judgement.score, whole_truth(position))
    assert judgement.proved


def test_a_board_with_two_open_ends_is_won_in_three() -> None:
    judgement = judge_of(games.load("connect-four")).judge(start("connect-four", "4455"), FAST)
    assert judgement.score == Score.win(3)
    assert len([analysis for analysis in judgement.moves if analysis.score == Score.win(3)]) == 2


def test_the_public_function_works_whatever_was_imported_before() -> None:
    for before in ("import plyground", "import plyground.judge.review", "from plyground.judge.judge import Judge"):
        asked = "print(pg.judge(pg.start('tic-tac-toe', 'A1 B1 A2 B2')).text)"
        code = f"{before}\nimport plyground as pg\nfor _ in 'ab': {asked}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.split("\n")[:2] == ["win in 1", "win in 1"]


HALF_PAIRED = "B1 I2 E3 L2 I3 B2"
"""Here pairings prove that the side to move cannot lose; that it cannot win is for proof search to find out."""


def test_a_draw_that_takes_a_pairing_and_a_proof_search_is_called_a_draw() -> None:
    position = start("polarized-ladder:variant=open", HALF_PAIRED)
    judgement = Judge(position.rules).judge(position, Limit(nodes=20_000))
    assert (str(judgement.score), judgement.proved) == ("draw", True)
    assert str(judgement.best.score) == "draw"


def test_a_proof_ends_with_its_limit_and_keeps_the_draw_it_has_found() -> None:
    position = start("polarized-ladder", "E4 L2 F5 I4 I2 I1 G4 G6 D1")
    *_, judgement = Judge(position.rules).prove(position, Limit(nodes=200_000))
    assert (str(judgement.score), judgement.proved) == ("draw", True)


# A question ends when what was asked is settled: counted in searches of the engine, which are what takes the time.

SETTLED = [
    ("connect-four:rows=6,columns=7", "2"),
    ("connect-four:rows=6,columns=7", ""),
    ("polarized-ladder", ""),
    ("double-card", ""),
    ("connect-four:rows=7,columns=8", ""),
]
"""Positions all of whose moves are known by books, pairings and the solver."""


@pytest.mark.parametrize(("game", "moves"), SETTLED)
def test_a_settled_question_starts_no_search(game: str, moves: str) -> None:
    position = start(game, moves)
    judge = Judge(position.rules)
    judgement = judge.judge(position, Limit(seconds=600))
    assert judgement.proved
    assert judge.searches == 0
    for again in (
        judge.judge(position, Limit(seconds=600)),
        judge.judge(position, Limit(seconds=600), all_moves=False),
    ):
        assert again.score == judgement.score
    assert judge.searches == 0


def test_a_hint_among_proved_draws_shows_the_draw_before_it_looks_for_the_best_of_them() -> None:
    position = start("polarized-ladder", "G3")
    judge = Judge(position.rules)
    answers = judge.hint(position, Limit(seconds=600))
    first = next(each for each in answers if each.proved)
    assert judge.searches == 0 or first.score == Score.draw()
    *_, last = answers
    assert last.score == Score.draw()
    assert last.best.score == Score.draw()
    assert judge.searches <= 1


def test_opinions_of_drawn_moves_are_asked_for_and_bounded() -> None:
    position = start("polarized-ladder")
    judge = Judge(position.rules)
    plain = judge.judge(position, Limit(seconds=600))
    assert all(each.points is None for each in plain.moves)
    ranked = judge.judge(position, Limit(seconds=600), opinions=True)
    assert judge.searches == 1
    assert ranked.nodes <= 60_000
    drawn = [each for each in ranked.moves if each.score == Score.draw()]
    assert len(drawn) > 1
    assert all(each.points is not None for each in drawn)
    assert [(each.move, each.score) for each in ranked.moves if each.score != Score.draw()] == [
        (each.move, each.score) for each in plain.moves if each.score != Score.draw()
    ]


def test_solving_asks_nothing_about_what_no_side_can_reach() -> None:
    *_, solution = proof.solve(start("gomoku"), within=1)
    assert (solution.decided, solution.winner, solution.nodes) == (True, None, 0)


@pytest.mark.parametrize("game", ["gomoku", "connect-four", "polarized-ladder", "double-card", "tic-tac-toe"])
def test_no_review_calls_a_move_a_mistake_that_a_hint_has_advised(game: str) -> None:
    rules, chance = games.load(game), random.Random(game)
    for _ in range(2):
        judge = Judge(rules)
        position, moves, advised = Position.start(rules), list[Move](), set[int]()
        while position.outcome() is None and position.ply < 12:
            if position.ply % 2:
                move = chance.choice(position.moves())
            else:
                *_, judgement = judge.hint(position, Limit(nodes=2_000))
                move = judgement.best.move
                advised.add(position.ply)
            moves.append(move)
            position = position.play(move)
        for each in review(judge, Position.start(rules), moves, Limit(nodes=10_000)):
            assert each.grade is Grade.BEST or each.position.ply not in advised
