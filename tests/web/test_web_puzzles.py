"""Puzzles over the web API: listed, drawn, answered, solved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from plyground import puzzles
from serving import Serving, serving


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving() as running:
        yield running


def view(server: Serving, path: str, status: int = 200) -> Any:
    answer = server.client().get(f"/api/puzzles{path}")
    assert answer.status_code == status, answer.text
    return answer.json()


def answered(server: Serving, name: str, moves: list[str], status: int = 200) -> Any:
    answer = server.client().post(f"/api/puzzles/{name}/answer", json={"moves": moves})
    assert answer.status_code == status, answer.text
    return answer.json()


def test_puzzles_are_listed_without_their_solutions(server: Serving) -> None:
    listed = view(server, "?game=polarized-ladder&theme=forced-win")
    assert listed["count"] == len(puzzles("polarized-ladder", "forced-win"))
    assert {"id", "task", "theme", "difficulty", "goal", "steps"} <= listed["puzzles"][0].keys()
    assert not {"answers", "line", "tree", "explanation"} & listed["puzzles"][0].keys()
    assert "connect-four:rows=6,columns=7" in listed["games"]


def test_pages_of_the_list_do_not_overlap(server: Serving) -> None:
    pages = [view(server, f"?page={number}")["puzzles"] for number in range(2)]
    assert not {each["id"] for each in pages[0]} & {each["id"] for each in pages[1]}


def test_a_puzzle_can_be_drawn_and_solved(server: Serving) -> None:
    puzzle = max(puzzles("connect-four"), key=lambda each: each.steps)
    shown = view(server, f"/{puzzle.id}")
    assert shown["positions"][-1]["ply"] == len(shown["after"]) == len(puzzle.after)
    assert shown["board"]["game"] == "connect-four"
    texts, moves = puzzle.position.write_line(puzzle.line), list[str]()
    for number, text in enumerate(texts):
        moves.append(text)
        if number % 2 == 0:
            answer = answered(server, puzzle.id, moves)
            assert answer["right"]
            assert answer["reply"] == (texts[number + 1] if number + 1 < len(texts) else None)
            assert answer["solved"] == (number + 1 == len(texts))
    assert answer["positions"][-1]["ply"] == len(puzzle.after) + len(puzzle.line)


def test_a_wrong_answer_changes_nothing(server: Serving) -> None:
    puzzle = puzzles("double-card")[0]
    wrong = next(move for move in puzzle.position.moves() if move not in puzzle.tree)
    answer = answered(server, puzzle.id, [puzzle.position.write(wrong)])
    assert not answer["right"]
    assert not answer["solved"]
    assert len(answer["positions"]) == 1


def test_the_solution_is_shown_to_whoever_asks(server: Serving) -> None:
    puzzle = puzzles("polarized-ladder")[0]
    shown = view(server, f"/{puzzle.id}/solution")
    assert shown["answers"] == puzzle.position.write_line(puzzle.answers)
    assert len(shown["positions"]) == len(puzzle.line) + 1


def test_a_day_has_one_puzzle(server: Serving) -> None:
    days = [view(server, f"/daily?game=connect-four&day=2026-11-{day}")["id"] for day in (17, 17, 18)]
    assert days[0] == days[1] != days[2]
    assert view(server, "/daily")["task"]


@pytest.mark.parametrize(
    ("moves", "status", "message"),
    [
        ([], 422, "moves must end with an answer"),
        (["9"], 422, "there is no column 9"),
        (["1", "1", "1"], 422, "right moves and the replies"),
    ],
)
def test_what_is_no_answer_is_refused(server: Serving, moves: list[str], status: int, message: str) -> None:
    puzzle = next(each for each in puzzles("connect-four") if "1" not in each.position.write_line(each.answers))
    assert message in answered(server, puzzle.id, moves, status)["message"]


def test_a_solved_puzzle_takes_no_answer(server: Serving) -> None:
    puzzle = puzzles("polarized-ladder")[0]
    after = [*puzzle.position.write_line(puzzle.line), "A1"]
    assert "is solved" in answered(server, puzzle.id, after, 409)["message"]


def test_what_is_not_there_is_refused(server: Serving) -> None:
    assert "there is no puzzle 'x'" in view(server, "/x", 404)["message"]
    assert "chess" in view(server, "?game=chess", 422)["message"]
    assert "no puzzles of tic-tac-toe" in view(server, "/daily?game=tic-tac-toe", 422)["message"]
