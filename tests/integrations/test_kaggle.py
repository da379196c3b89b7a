"""Kaggle's ConnectX both ways: an agent's file is a bot unchanged, and a player is an agent."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from plyground import play_game
from plyground.core.position import Position
from plyground.games import load
from plyground.integrations import kaggle
from plyground.integrations.kaggle import connectx_agent
from plyground.play.faults import FaultKind
from plyground.referee.protocols.connectx import (
    agent_in,
    choose_by,
    configuration_of,
    observation_of,
    position_of,
)
from plyground.search.base import Limit

GAME = "connect-four:rows=6,columns=7"

SUBMISSION = '''
def lowest(board, columns):
    return [column for column in range(columns) if board[column] == 0]

def my_agent(observation, configuration):
    """As Kaggle's own tutorial ends: attributes, and a column from 0 on."""
    from random import choice
    assert observation["mark"] in (1, 2) and len(observation.board) == configuration.rows * configuration.columns
    assert configuration.inarow == 4
    return lowest(observation.board, configuration.columns)[0]
'''


def submission(folder: Path, text: str = SUBMISSION) -> str:
    path = folder / "submission.py"
    path.write_text(text)
    return f"py:{path}"


def test_a_submission_plays_unchanged(tmp_path: Path) -> None:
    record = play_game(GAME, submission(tmp_path), "random", seed=1)
    assert record.fault is None
    assert record.move_texts()[0] == "1"


def test_a_column_that_is_full_or_none_is_an_illegal_move(tmp_path: Path) -> None:
    for answer, shown in (("9", "10"), ("None", "None")):
        spec = submission(tmp_path, f"def agent(obs, config):\n    return {answer}\n")
        record = play_game(GAME, spec, "random", seed=1)
        assert record.fault is not None
        assert record.fault.kind is FaultKind.ILLEGAL_MOVE
        assert shown in str(record.fault)


def test_an_agent_of_another_game_is_refused_with_the_reason(tmp_path: Path) -> None:
    record = play_game("tic-tac-toe", submission(tmp_path), "random", seed=1)
    assert record.fault is not None
    assert "agents of ConnectX play connect-four, any size of it, got tic-tac-toe" in record.fault.stderr


def test_what_an_agent_sees_leads_back_to_the_position() -> None:
    position = Position(load(GAME), "4433521")
    seen, told = observation_of(position), configuration_of(position.rules, 2.0)
    assert position_of(seen, told) == position
    assert (seen.mark, seen.step, sum(1 for mark in seen.board if mark == 1)) == (2, 7, 4)
    assert seen.board[5 * 7 + 3] == 1
    with pytest.raises(ValueError, match="a board of 6 x 7 has 42 cells, got 3"):
        position_of({"board": [0, 0, 0], "mark": 1}, told)
    with pytest.raises(AttributeError):
        _ = seen.nothing


def test_the_agent_of_a_file_is_the_one_so_called_or_the_last_of_an_observation() -> None:
    def agent(anything: object) -> int:
        return 2

    def other(observation: object, configuration: object) -> int:
        return 1

    assert agent_in({"other": other}) is other
    assert agent_in({"agent": agent, "other": other}) is agent
    assert agent_in({"x": 3}) is None
    assert choose_by(agent)(Position.start(load(GAME)), Limit()) == "3"


def test_a_player_is_an_agent_that_takes_a_win() -> None:
    assert doctest.testmod(kaggle).failed == 0
    agent = connectx_agent("engine:level=5")
    position = Position(load(GAME), "414141")
    told = configuration_of(position.rules, 1.0)
    assert agent(observation_of(position), told) == 3
    assert agent(observation_of(Position.start(load("connect-four"))), configuration_of(load("connect-four"), None)) < 8
