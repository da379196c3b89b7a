"""OpenSpiel's tabular Q-learning on a game of this program: python open_spiel_q_learning.py [GAMES]

pip install 'plyground[rl]' open_spiel         # tried with open_spiel 2.0.2
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pyspiel
from curve import regret
from open_spiel.python import rl_environment
from open_spiel.python.algorithms.tabular_qlearner import QLearner

import plyground.integrations.spiel_games
from plyground import Move, Position, play_match
from plyground.integrations.observation import move_of

GAME = "tic-tac-toe"


def main(count: int) -> None:
    """Learn, and print the curve."""
    np.random.seed(1)
    game = pyspiel.load_game(plyground.integrations.spiel_games.spiel_name(GAME))
    environment = rl_environment.Environment(game)
    agents = [QLearner(player_id=side, num_actions=game.num_distinct_actions(), step_size=0.3) for side in (0, 1)]

    def learned(position: Position) -> Move:
        action = agents[int(position.to_move)].step(observed(game, position), is_evaluation=True).action
        return move_of(position, action)

    for rounds in range(5):
        match = play_match(GAME, learned, "engine:level=3", games=20, seed=1)
        share = match.tally.points / match.tally.games
        print(f"after {rounds * count // 4:6} games: exact regret {regret(learned, GAME):.3f}, {share:.0%}", flush=True)
        for _ in range(count // 4 if rounds < 4 else 0):
            seen = environment.reset()
            while not seen.last():
                seen = environment.step([agents[seen.observations["current_player"]].step(seen).action])
            for agent in agents:
                agent.step(seen)


def observed(game: Any, position: Position) -> Any:
    """A position as OpenSpiel's learning environments show it."""
    state = game.state_of(position)
    tensors = [state.observation_tensor(side) for side in (0, 1)]
    shown = {
        "info_state": tensors,
        "legal_actions": [state.legal_actions(side) for side in (0, 1)],
        "current_player": state.current_player(),
        "serialized_state": [],
    }
    return rl_environment.TimeStep(shown, [0, 0], [1, 1], rl_environment.StepType.MID)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
