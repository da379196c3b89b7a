"""Connect Four searched by other people's libraries, from the start to a depth; only the end of the game counts."""

from __future__ import annotations

import pyspiel
from easyAI import AI_Player, Negamax
from easyAI.games.ConnectFour import ConnectFour
from open_spiel.python.algorithms.minimax import alpha_beta_search


def easyai_search(depth: int) -> None:
    """easyAI's Negamax on easyAI's Connect Four, as its documentation sets it up."""
    negamax = Negamax(depth, lambda game: -100 if game.lose() else 0)
    negamax(ConnectFour([AI_Player(negamax), AI_Player(negamax)]))


def open_spiel_search(depth: int) -> None:
    """OpenSpiel's alpha-beta in Python over its Connect Four, whose rules are C++."""
    game = pyspiel.load_game("connect_four")
    alpha_beta_search(game, value_function=lambda state: 0, maximum_depth=depth, maximizing_player_id=0)
