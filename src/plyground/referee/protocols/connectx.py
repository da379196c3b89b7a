"""Kaggle's ConnectX: its agents as bots, unchanged, and the positions it shows as positions of this program.

def agent(observation, configuration):      the last function of a file, or called `agent`
    observation.board                       0, 1 or 2 for each cell, row by row from the top
    observation.mark                        1 or 2: whose discs are the agent's
    configuration.columns, .rows, .inarow
    return column                           counted from 0
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.games import load
from plyground.games.connect_four import is_connect_four
from plyground.search.base import Limit

ConnectXAgent = Callable[..., Any]

USUAL_SECONDS = 2.0
"""What ConnectX gives for a move, where nobody says anything else."""


class ConnectXStruct(dict[str, Any]):
    """A dict whose entries are attributes too, as Kaggle's environments pass them."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


def agent_in(names: Mapping[str, Any]) -> ConnectXAgent | None:
    """The agent of a file: `agent`, or the last function whose first argument is an observation; None without one."""
    found = None
    for name, value in names.items():
        if inspect.isfunction(value):
            first = next(iter(inspect.signature(value).parameters), "")
            if name == "agent" or (first.startswith("obs") and not name.startswith("_")):
                found = value
                if name == "agent":
                    break
    return found


def choose_by(agent: ConnectXAgent) -> Callable[[Position, Limit], str]:
    """What a bot's file calls `choose`: an agent of ConnectX, asked for a column; ValueError for another game."""
    wanted = len(inspect.signature(agent).parameters)

    def choose(position: Position, limit: Limit) -> str:
        told = (observation_of(position), configuration_of(position.rules, limit.seconds))
        column = agent(*told[:wanted])
        try:
            return str(int(column) + 1)
        except (TypeError, ValueError):
            return repr(column)

    return choose


def observation_of(position: Position) -> ConnectXStruct:
    """A position as an agent sees it."""
    grid = position.rules.grid
    board = [0] * len(grid.cells)
    for cell, (column, row) in enumerate(grid.cells):
        for mark, layer in enumerate(position.layers, start=1):
            if layer >> cell & 1:
                board[(grid.rows - row) * grid.columns + column - 1] = mark
    return ConnectXStruct(board=board, mark=int(position.to_move) + 1, step=position.ply, remainingOverageTime=0.0)


def configuration_of(rules: Rules, seconds: float | None) -> ConnectXStruct:
    """The size of the board and the time, as an agent is given them; ValueError for a game that ConnectX does not have.

    >>> configuration_of(load("connect-four:rows=6,columns=7"), 1.5).inarow
    4
    """
    if not is_connect_four(rules):
        raise ValueError(f"agents of ConnectX play connect-four, any size of it, got {rules.name}")
    timeout = USUAL_SECONDS if seconds is None else seconds
    return ConnectXStruct(
        columns=rules.grid.columns,
        rows=rules.grid.rows,
        inarow=rules.longest,
        episodeSteps=1000,
        actTimeout=timeout,
        timeout=timeout,
        agentTimeout=60,
        runTimeout=1200,
    )


def position_of(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> Position:
    """The position that an agent is shown; ValueError for a board that no game leads to."""
    rows, columns, line = (int(configuration[key]) for key in ("rows", "columns", "inarow"))
    rules = load(f"connect-four:rows={rows},columns={columns},line={line}")
    board = observation["board"]
    if len(board) != rows * columns:
        raise ValueError(f"a board of {rows} x {columns} has {rows * columns} cells, got {len(board)}")
    drawn = {0: ".", 1: "x", 2: "o"}
    lines = ["".join(drawn[mark] for mark in board[start : start + columns]) for start in range(0, len(board), columns)]
    return Position(rules, f"{'/'.join(lines)} {drawn[observation['mark']]}")
