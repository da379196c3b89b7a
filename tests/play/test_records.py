"""Games as records: both forms read back to the same game, and broken ones are refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import VARIANTS, after, played
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.games import load
from plyground.play.faults import FaultKind
from plyground.play.records import (
    GameRecord,
    NotedFault,
    PlayedMove,
    Result,
    from_json,
    from_pgn,
    load_records,
    occasion,
    read_records,
    save_record,
    to_json,
    to_pgn,
)
from plyground.search.score import MAX_HEURISTIC, Score

PLAIN = """\
[Event "the fair"]
[White "engine:level=3"]
[Black "Ada"]
[Game "connect-four"]
[Rules "rows=6,columns=7"]
[First "engine:level=3"]
[Second "Ada"]
[Result "1-0"]
[Termination "resignation"]

{played at the fair} 1. 4 {[%eval 12] [%depth 6] [%emt 0.52]} 4 2. 5 {a trap} 3 1-0
"""

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
tricky = st.text(alphabet='a \\}{][%"\n\t;-.1', max_size=16) | st.sampled_from(
    ["[%eval 3]", "\\[%clk 1]", "1-0", "\u2028"]
)
seconds = st.none() | st.floats(0, 1e6, allow_nan=False)
numbers = st.none() | st.integers(-(10**9), 10**9)
plies = st.integers(0, 10**9)
scores = (
    st.none()
    | st.just(Score.draw())
    | st.integers(-MAX_HEURISTIC, MAX_HEURISTIC).map(Score.points)
    | st.builds(Score.win, plies, st.booleans())
    | st.builds(Score.loss, plies, st.booleans())
)
lines = (words | tricky).map(lambda text: text.replace("\n", " "))
warnings = st.lists(lines, max_size=2).map(tuple)
tag_names = st.text("ABCXYZabc_019", min_size=1, max_size=8).map(lambda name: f"X{name}")


def faults(side: Side) -> st.SearchStrategy[NotedFault]:
    return st.builds(NotedFault, st.just(side), st.sampled_from(FaultKind), words | tricky, words | tricky)


@st.composite
def records(draw: st.DrawFn, game: str) -> GameRecord:
    positions = draw(played(game))
    outcome = positions[-1].outcome()
    result = draw(st.sampled_from(Result)) if outcome is None else Result.won_by(outcome.winner)
    fault = draw(st.none() | faults(result.winner.other)) if result.winner is not None else None
    return GameRecord(
        rules=positions[0].rules,
        moves=tuple(
            PlayedMove(
                position.last,
                score=draw(scores),
                depth=draw(st.none() | st.integers(0, 60)),
                seconds=draw(seconds),
                clock=draw(seconds),
                comment=draw(words | tricky),
            )
            if number < 4
            else PlayedMove(position.last)
            for number, position in enumerate(positions[1:])
            if position.last is not None
        ),
        first=draw(words | tricky),
        second=draw(words | tricky),
        result=result,
        termination=draw(words) if fault is None else fault.kind.value,
        seed=draw(numbers),
        time_control=draw(words),
        tags=MappingProxyType(draw(st.dictionaries(tag_names, words | tricky, max_size=3))),
        comment=draw(words | tricky),
        fault=fault,
        warnings=(draw(warnings), draw(warnings)),
        isolation=draw(words),
    )


@pytest.mark.parametrize("game", VARIANTS)
@given(data=st.data())
@settings(max_examples=15)
def test_every_record_reads_back_from_both_forms(game: str, data: st.DataObject) -> None:
    record = data.draw(records(game))
    assert from_pgn(to_pgn(record)) == record
    assert from_json(to_json(record)) == record
    assert read_records(to_pgn(record)) == [record]
    assert read_records(to_json(record)) == [record]


@given(comment=tricky | words, name=tricky | words)
@settings(max_examples=300)
def test_comments_and_names_survive_whatever_they_hold(comment: str, name: str) -> None:
    moves = tuple(
        PlayedMove(after("connect-four").parse(text), score=Score.points(3), comment=comment) for text in "45"
    )
    record = GameRecord(load("connect-four"), moves, first=name, comment=comment)
    assert from_pgn(to_pgn(record)) == record
    assert from_json(to_json(record)) == record


@given(data=st.data())
@settings(max_examples=10)
def test_several_records_read_back_from_one_text(data: st.DataObject) -> None:
    several = [data.draw(records(game)) for game in ("tic-tac-toe", "double-card", "connect-four")]
    assert read_records("\n".join(to_pgn(record) for record in several)) == several
    assert read_records("\n".join(to_json(record) for record in several)) == several


def test_a_record_reads_as_it_is_drawn() -> None:
    record = from_pgn(PLAIN)
    assert record.rules == load("connect-four:rows=6,columns=7")
    assert record.final == after("connect-four:rows=6,columns=7", "4453")
    assert record.move_texts() == ["4", "4", "5", "3"]
    assert (record.first, record.second, record.result) == ("engine:level=3", "Ada", Result.FIRST)
    assert (record.termination, record.comment) == ("resignation", "played at the fair")
    assert dict(record.tags) == {"Event": "the fair"}
    assert record.moves[0] == PlayedMove(record.moves[0].move, score=Score.points(12), depth=6, seconds=0.52)
    assert record.moves[2].comment == "a trap"
    assert to_pgn(record) == PLAIN


def test_the_same_game_is_one_line_of_json() -> None:
    text = to_json(from_pgn(PLAIN))
    assert "\n" not in text
    assert json.loads(text) == {
        "game": "connect-four:rows=6,columns=7",
        "first": "engine:level=3",
        "second": "Ada",
        "result": "1-0",
        "termination": "resignation",
        "comment": "played at the fair",
        "tags": {"Event": "the fair"},
        "moves": [
            {"move": "4", "score": {"points": 12}, "depth": 6, "seconds": 0.52},
            {"move": "4"},
            {"move": "5", "comment": "a trap"},
            {"move": "3"},
        ],
    }


def test_moves_may_be_plain_texts_in_json() -> None:
    assert from_json('{"game": "tic-tac-toe", "moves": ["b2", "1a"]}').final == after("tic-tac-toe", "B2 A1")


@pytest.mark.parametrize(
    "movetext",
    [
        "1. 4 4 2. 5 3 *",
        "4 4 5 3 *",
        "4453 *",
        "1. 4 1... 4 2. 5 3 *",
        "{one} {two} 1. 4 {a} {b} 4 ; to the end of the line 5\n 2. 5 3 *",
        "1.\n4\n4\n2.\n5\n3\n*",
        "d d e c *",
    ],
)
def test_moves_are_read_in_every_usual_form(movetext: str) -> None:
    assert from_pgn(f'[Game "connect-four"]\n\n{movetext}').final == after("connect-four", "4453")


def test_several_comments_become_one() -> None:
    record = from_pgn('[Game "connect-four"]\n{one} {two} 4 {a} ; b\n *')
    assert (record.comment, record.moves[0].comment) == ("one two", "a b")


def test_cards_are_read_between_move_numbers_and_comments() -> None:
    record = from_pgn('[Game "double-card"]\n1. 0 5 A 1 {first} 0 1 C 1 2. 0 2 a2 0 2 c2 {last} *')
    assert record.move_texts() == ["0 5 A 1", "0 1 C 1", "0 2 A 2", "0 2 C 2"]
    assert [played.comment for played in record.moves] == ["first", "", "", "last"]


def test_windows_line_ends_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_bytes(b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode())
    (record,) = load_records(file)
    assert record == from_pgn(PLAIN)


@pytest.mark.parametrize("name", ["game.pgn", "game.json", "game.jsonl"])
def test_a_saved_record_is_loaded_again(tmp_path: Path, name: str) -> None:
    record = replace(from_pgn(PLAIN), comment="Grüße \u2028 ♥\r\n", first="\x85")
    save_record(tmp_path / name, record)
    assert load_records(tmp_path / name) == [record]
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text(encoding="utf-8").startswith("[" if name.endswith("pgn") else "{")


def test_a_record_that_cannot_be_written_leaves_the_old_file_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "game.pgn"
    file.write_text(PLAIN, encoding="utf-8")
    with pytest.raises(UnicodeEncodeError):
        save_record(file, replace(from_pgn(PLAIN), first="\ud800"))
    assert file.read_text(encoding="utf-8") == PLAIN
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no record in it"),
        (" \n", "there is no record in it"),
        ("hello", 'broken record at line 1: a record begins with tags, and [Game "..."] is one of them'),
        (
            '[First "x"]\n\n1. 4 *',
            'broken record at line 3: a record begins with tags, and [Game "..."] is one of them',
        ),
        (
            '[Game "chess"]\n*',
            "broken record at line 2: unknown game 'chess'; known: connect-four, double-card, gomoku, "
            "mnk, polarized-ladder, tic-tac-toe",
        ),
        (
            '[Game "conect-four"]\n*',
            "broken record at line 2: unknown game 'conect-four'; did you mean 'connect-four'? "
            "known: connect-four, double-card, gomoku, mnk, polarized-ladder, tic-tac-toe",
        ),
        ('[Game "connect-four"]\n[Game "mnk"]\n*', "broken record at line 2: tag 'Game' stands twice"),
        (
            '[Game "connect-four"]\n1. 4 4',
            "broken record at line 2: the result at the end of the moves is missing; is the file cut off?",
        ),
        ('[Game "connect-four"]\n1. 4 {oh *', "broken record at line 2: '{' is not closed"),
        ('[Game "connect-four"]\n1. 4 } *', "broken record at line 2: '}' is out of place"),
        (
            '[Game "connect-four"]\n[Result "1-0"]\n*',
            "broken record at line 3: the tag says '1-0', the moves end in '*'",
        ),
        ('[Game "connect-four"]\n[Seed "one"]\n*', "broken record at line 3: seed must be a whole number, got 'one'"),
        (
            '[Game "tic-tac-toe"]\nA1 A1 *',
            "broken record at line 2: illegal move 'A1' in tic-tac-toe after A1: A1 is taken; "
            "legal: B1 C1 A2 B2 C2 A3 B3 C3",
        ),
        (
            '[Game "tic-tac-toe"]\nA1 B1 A2 B2 A3 0-1',
            "broken record at line 2: result '0-1' contradicts the moves, which end in '1-0' (pattern)",
        ),
        (
            '[Game "connect-four"]\n4 {[%eval best]} *',
            "broken record at line 2: bad note in {[%eval best]}: invalid literal for int() with base 10: 'best'",
        ),
        (
            "{",
            "line 1: broken record: not JSON: Expecting property name enclosed in double quotes: "
            "line 1 column 2 (char 1)",
        ),
        ("{}", "line 1: broken record: 'game' must be a text, got None"),
        ('{"game": 4}', "line 1: broken record: 'game' must be a text, got 4"),
        ('{"game": "mnk", "moves": 4}', "line 1: broken record: 'moves' must be a list, got 4"),
        ('{"game": "mnk", "moves": [4]}', "line 1: broken record: move 1 must be a JSON object, got 4"),
        ('{"game": "mnk", "moves": [{}]}', "line 1: broken record: 'move' must be a text, got None"),
        ('{"game": "mnk", "tags": {"A": 1}}', "line 1: broken record: 'tags' must be an object of texts, got {'A': 1}"),
        ('{"game": "mnk", "seed": 1.5}', "line 1: broken record: 'seed' must be a whole number, got 1.5"),
        ('{"game": "mnk", "seed": true}', "line 1: broken record: 'seed' must be a whole number, got True"),
        ('{"game": "mnk", "result": "2-0"}', "line 1: a result is one of 1-0, 0-1, 1/2-1/2, *, got '2-0'"),
        (
            '{"game": "mnk", "colour": 1}',
            "line 1: broken record: the record has unknown keys colour; known: game first "
            "second result termination fault warnings isolation seed time_control comment tags moves",
        ),
        (
            '{"game": "mnk", "moves": [{"move": "A1", "clock": "late"}]}',
            "line 1: broken record: 'clock' must be a number, got 'late'",
        ),
        (
            '{"game": "mnk"}\n\n{"game": "mnk"',
            "line 3: broken record: not JSON: Expecting ',' delimiter: line 1 column 15 (char 14)",
        ),
    ],
)
def test_a_broken_record_is_refused_with_what_and_where(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_records(text)
    assert str(caught.value) == message


@pytest.mark.parametrize("number", ["1" + "0" * 400, "NaN", "Infinity", "1e999"])
@pytest.mark.parametrize("key", ["clock", "seconds"])
def test_a_time_that_is_no_number_is_refused(number: str, key: str) -> None:
    with pytest.raises(ValueError, match=rf"broken record: '{key}' must be a number, got "):
        from_json(f'{{"game": "mnk", "moves": [{{"move": "A1", "{key}": {number}}}]}}')


@pytest.mark.parametrize("note", ["emt nan", "clk inf", "emt 1e999", "clk", "depth 1.5"])
def test_a_note_that_is_no_number_is_refused(note: str) -> None:
    with pytest.raises(ValueError, match="broken record at line 2: bad note in"):
        from_pgn(f'[Game "connect-four"]\n4 {{[%{note} ]}} *')


@pytest.mark.parametrize("name", ["Game", "Result", "Seed", "two words", "", 'quo"te', "é"])
def test_a_further_tag_must_have_a_name_of_its_own(name: str) -> None:
    with pytest.raises(ValueError, match="tag") as caught:
        GameRecord(load("mnk"), tags=MappingProxyType({name: "value"}))
    assert str(caught.value).startswith(f"bad tag {name!r}: ")


def test_several_records_are_not_one() -> None:
    with pytest.raises(ValueError, match="expected one record, got 2"):
        from_pgn(PLAIN + "\n" + PLAIN)


DOUBLE_CARD = (
    '[Game "double-card"]\n[Rules "first=dots"]\n[X "é\\"\\\\"]\n\n{ü} 1. 0 4 A 1 {♥ [%emt 1.5]} 0 4 B 1 2. 0 4 C 1 *\n'
)


@pytest.mark.parametrize("whole", [PLAIN, DOUBLE_CARD, to_json(from_pgn(PLAIN)), to_json(from_pgn(DOUBLE_CARD))])
def test_a_record_cut_anywhere_is_refused_or_still_whole(tmp_path: Path, whole: str) -> None:
    file, data, kept = tmp_path / "game.pgn", whole.encode(), []
    (complete,) = read_records(whole)
    for cut in range(len(data)):
        file.write_bytes(data[:cut])
        try:
            kept += load_records(file)
        except ValueError as error:
            assert str(error).startswith(f"{file}: ")  # noqa: PT017
    assert all(record == complete for record in kept)
    assert len(kept) <= 1  # only the new line at the end can be missed


@given(data=st.data())
@settings(max_examples=100)
def test_damaged_bytes_are_refused_or_read(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    file = tmp_path_factory.mktemp("damaged") / "game"
    whole = bytearray(data.draw(st.sampled_from([PLAIN, DOUBLE_CARD, to_json(from_pgn(PLAIN))])).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    file.write_bytes(bytes(whole))
    try:
        (record,) = load_records(file)
    except ValueError:
        return
    assert from_pgn(to_pgn(record)) == record


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "latin-1", "cp1252"])
def test_a_file_in_another_encoding_is_refused_by_name(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "game.pgn"
    file.write_bytes(PLAIN.replace("Ada", "Zoë").encode(encoding))
    with pytest.raises(ValueError, match=r"game\.pgn: not UTF-8 text \(byte \d+\)"):
        load_records(file)


def test_a_deeply_nested_text_is_refused() -> None:
    with pytest.raises(ValueError, match="broken record"):
        from_json("[" * 100_000)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_records(tmp_path / "none.pgn")


@pytest.mark.parametrize(
    ("result", "winner"), [("1-0", Side.FIRST), ("0-1", Side.SECOND), ("1/2-1/2", None), ("*", None)]
)
def test_results_name_their_winner(result: str, winner: Side | None) -> None:
    assert Result.parse(result).winner is winner
    if result != "*":
        assert Result.won_by(winner).value == result


def test_a_record_gives_every_position() -> None:
    record = from_pgn(PLAIN)
    positions = list(record.positions())
    assert positions[0] == Position.start(record.rules)
    assert positions[-1] == record.final
    assert len(positions) == 5
    assert len({record, from_json(to_json(record))}) == 1


LATE = NotedFault(Side.SECOND, FaultKind.TIME_EXCEEDED, "3.20 s, allowed 3.05 s", "slow\nslower")


def test_faults_warnings_and_isolation_are_fields_in_both_forms() -> None:
    record = GameRecord(
        load("tic-tac-toe"),
        result=Result.FIRST,
        termination="time exceeded",
        fault=LATE,
        warnings=(("move 1: crash: it died", "move 3: exit: it ended"), ("move 2: garbage: hello",)),
        isolation="landlock",
    )
    reported = json.loads(to_json(record))
    assert reported["fault"] == {
        "side": "second",
        "kind": "time exceeded",
        "why": "3.20 s, allowed 3.05 s",
        "stderr": "slow\nslower",
    }
    assert reported["warnings"]["second"] == ["move 2: garbage: hello"]
    assert (reported["isolation"], "tags" in reported) == ("landlock", False)
    text = to_pgn(record)
    assert '[Isolation "landlock"]\n[Fault "o: 3.20 s, allowed 3.05 s"]\n[Stderr "slow\nslower"]\n' in text
    assert '[Warnings "x: move 1: crash: it died\nx: move 3: exit: it ended\no: move 2: garbage: hello"]' in text
    assert from_pgn(text) == from_json(to_json(record)) == record


def test_older_json_records_have_faults_among_their_tags() -> None:
    tags = {"Fault": "o: 3.20 s, allowed 3.05 s", "Stderr": "slow\nslower", "Isolation": "group", "Opening": "2 moves"}
    tags["Warnings"] = "x: move 1: crash: it died\no: move 2: exit: it ended"
    reported = {"game": "tic-tac-toe", "result": "1-0", "termination": "time exceeded", "tags": tags, "moves": []}
    record = from_json(json.dumps(reported))
    assert (record.fault, record.isolation, dict(record.tags)) == (LATE, "group", {"Opening": "2 moves"})
    assert record.warnings == (("move 1: crash: it died",), ("move 2: exit: it ended",))
    with pytest.raises(ValueError, match="isolation and an older tag for it"):
        from_json(json.dumps(reported | {"isolation": "group"}))


def test_what_older_games_of_the_page_called_time_is_time_exceeded() -> None:
    text = '[Game "tic-tac-toe"]\n[Result "1-0"]\n[Termination "time"]\n\n1. B2 1-0\n'
    assert from_pgn(text).termination == "time exceeded"
    assert from_json('{"game": "tic-tac-toe", "result": "1-0", "termination": "time"}').termination == "time exceeded"


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ('[Stderr "x"]', "the tag Stderr stands without a tag Fault"),
        ('[Fault "x: late"]', "the tag Fault must begin with 'o: ', the side that lost, got 'x: late'"),
        ('[Fault "o: late"]', "a fault is one of illegal move, time exceeded"),
        ('[Termination "exit"]\n[Warnings "a: b"]', "a warning begins with x or o and a colon, got 'a: b'"),
    ],
)
def test_tags_that_contradict_the_record_are_refused(tags: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_pgn(f'[Game "tic-tac-toe"]\n{tags}\n\n1. B2 1-0\n')


@pytest.mark.parametrize(
    ("reported", "message"),
    [
        ({"fault": "late"}, "'fault' must be an object of texts"),
        ({"fault": {"side": "second", "kind": "crash"}}, "'fault' must be an object of texts"),
        ({"fault": {"side": "o", "kind": "crash", "why": ""}}, "a side is first or second, got 'o'"),
        ({"fault": {"side": "second", "kind": "late", "why": ""}}, "a fault is one of illegal move, .*, got 'late'"),
        ({"fault": {"side": "first", "kind": "crash", "why": ""}}, "result '1-0' contradicts the first player's fault"),
        ({"fault": {"side": "second", "kind": "exit", "why": ""}}, "termination 'crash' contradicts the fault, 'exit'"),
        ({"warnings": ["late"]}, "'warnings' must be an object"),
        ({"warnings": {"first": "late"}}, "'warnings' of a side must be a list of texts"),
        ({"warnings": {"first": ["a\nb"]}}, "a warning is one line"),
        ({"isolation": 1}, "'isolation' must be a text"),
    ],
)
def test_broken_faults_and_warnings_are_refused(reported: dict[str, object], message: str) -> None:
    record = {"game": "tic-tac-toe", "result": "1-0", "termination": "crash"}
    with pytest.raises(ValueError, match=message):
        from_json(json.dumps(record | reported))


def test_the_repr_of_a_record_is_short_and_gives_it_again() -> None:
    record = GameRecord.of("tic-tac-toe", "B2 A1", first="Ada", tags={"Event": "the fair"}, seed=3)
    assert repr(record) == "GameRecord.of('tic-tac-toe', 'B2 A1', first='Ada', seed=3, tags={'Event': 'the fair'})"
    assert eval(repr(record), {"GameRecord": GameRecord}) == record


def test_the_repr_of_a_finished_record_gives_it_again() -> None:
    record = GameRecord.of("tic-tac-toe", "A1 A2 B1 B2 C1", "1-0", termination="pattern")
    assert repr(record) == "GameRecord.of('tic-tac-toe', 'A1 A2 B1 B2 C1', result='1-0', termination='pattern')"
    assert eval(repr(record), {"GameRecord": GameRecord}) == record


def test_a_repr_that_leaves_notes_out_says_so() -> None:
    [record] = read_records('{"game": "tic-tac-toe", "moves": [{"move": "A1", "score": -3}]}')
    assert repr(record) == "<GameRecord.of('tic-tac-toe', 'A1') with notes>"


def test_printing_a_record_shows_it_as_pgn() -> None:
    record = GameRecord.of("tic-tac-toe", "B2 A1", first="Ada")
    assert f"{record}\n" == to_pgn(record)


def test_event_date_and_round_are_kept_in_both_forms() -> None:
    tags = {"Event": 'Open "2026"', "Date": "2026.11.17", "Round": "3.1"}
    record = GameRecord.of("tic-tac-toe", "B2 A1", tags=MappingProxyType(tags))
    assert dict(from_pgn(to_pgn(record)).tags) == dict(from_json(to_json(record)).tags) == tags


def test_a_pgn_begins_with_event_date_and_round() -> None:
    record = GameRecord.of("tic-tac-toe", "B2", tags=MappingProxyType(occasion("Fair", "3.1")))
    lines = to_pgn(record).splitlines()
    assert lines[0] == '[Event "Fair"]'
    assert re.fullmatch(r'\[Date "\d{4}\.\d\d\.\d\d"\]', lines[1])
    assert lines[2:6] == ['[Round "3.1"]', '[White "?"]', '[Black "?"]', '[Game "tic-tac-toe"]']


def test_a_pgn_of_a_program_for_chess_names_its_players_white_and_black() -> None:
    record = from_pgn('[White "Ada"]\n[Black "Bob"]\n[Game "tic-tac-toe"]\n\n1. B2 *')
    assert (record.first, record.second, dict(record.tags)) == ("Ada", "Bob", {})
