"""Players: searches with a heuristic and a limit, the old programs, the engine, the random player."""

from plyground.players.base import DEFAULT, HUMAN, Player, Ranker, Setting, Stoppable, choose, rank
from plyground.players.depth import DepthPlayer
from plyground.players.engine import CorePlayer, EnginePlayer
from plyground.players.monte_carlo import MonteCarloPlayer, RandomPlayer
from plyground.players.registry import PLAYERS, load

__all__ = [
    "DEFAULT",
    "HUMAN",
    "PLAYERS",
    "CorePlayer",
    "DepthPlayer",
    "EnginePlayer",
    "MonteCarloPlayer",
    "Player",
    "RandomPlayer",
    "Ranker",
    "Setting",
    "Stoppable",
    "choose",
    "load",
    "rank",
]
