"""Players of this program as agents of Kaggle's ConnectX, and how its agents play here.

A submission is a file of two lines, where this program is installed:

    from plyground.integrations.kaggle import connectx_agent
    agent = connectx_agent("engine:level=8")

The other way round no line is needed: an agent's file is a bot, `py:submission.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from plyground.players import Player, choose
from plyground.players.functions import Chooser
from plyground.referee import entrants
from plyground.referee.protocols.connectx import position_of
from plyground.search.base import Limit

TIME_SHARE = 0.7
"""Of an agent's time a player plans to use so much."""


def connectx_agent(player: str | Player | Chooser = "engine") -> Callable[..., int]:
    """The agent that a player is: a function of an observation and a configuration that returns a column from 0 on.

    >>> agent = connectx_agent("engine:level=5")
    >>> board = [0] * 42
    >>> board[35:38], board[28:31] = [1, 1, 1], [2, 2, 2]
    >>> agent({"board": board, "mark": 1}, {"rows": 6, "columns": 7, "inarow": 4})
    3
    """
    loaded: dict[str, Player] = {}

    def agent(observation: Mapping[str, Any], configuration: Mapping[str, Any]) -> int:
        position = position_of(observation, configuration)
        rules = position.rules
        if rules.name not in loaded:
            loaded[rules.name] = entrants.load_given(player, rules)
        seconds = configuration.get("actTimeout") or configuration.get("timeout")
        limit = Limit(seconds=float(seconds) * TIME_SHARE) if seconds else Limit()
        move = choose(loaded[rules.name], position, limit)
        return rules.grid.cells[move.place][0] - 1

    return agent
