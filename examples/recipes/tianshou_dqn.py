"""tianshou's DQN learns both sides through PettingZoo's interface: python tianshou_dqn.py [STEPS]

pip install 'plyground[rl]' tianshou           # tried with tianshou 2.0.1
"""

from __future__ import annotations

import logging
import sys
from typing import Any

import numpy as np
import torch
from curve import GAME, report
from tianshou.algorithm import DQN
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

from plyground import Move, Position
from plyground.integrations.observation import Observation, move_of
from plyground.integrations.pettingzoo import env

ENVIRONMENTS = 8


def learner(game: PettingZooEnv) -> DQN:
    """A network of one side."""
    box = game.observation_space["observation"]
    net = Net(state_shape=box.shape, action_shape=game.action_space.n, hidden_sizes=[256, 128])
    policy = DiscreteQLearningPolicy(model=net, action_space=game.action_space, eps_training=0.5)
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.0)


def player(algorithm: Any) -> Any:
    """The two networks as a player."""
    policies = list(algorithm.policy.policies.values())

    def learned(position: Position) -> Move:
        planes, mask = Observation.of(position)
        seen = Batch(obs=Batch(obs=planes[None], mask=mask[None].astype(bool)), info=Batch())
        with torch.no_grad():
            action = policies[int(position.to_move)](seen).act[0]
        return move_of(position, int(action))

    return learned


def main(steps: int) -> None:
    """Learn, and print the curve."""
    logging.disable()  # it reports on every step
    torch.set_num_threads(1)
    torch.manual_seed(1)
    np.random.seed(1)
    games = DummyVectorEnv([lambda: PettingZooEnv(env(GAME, reward="exact")) for _ in range(ENVIRONMENTS)])
    algorithm = MultiAgentOffPolicyAlgorithm(
        algorithms=[learner(PettingZooEnv(env(GAME, reward="exact"))) for _ in range(2)],
        env=PettingZooEnv(env(GAME, reward="exact")),
    )
    collector = Collector(algorithm, games, VectorReplayBuffer(40_000, ENVIRONMENTS), exploration_noise=True)
    report(0, player(algorithm))
    for rounds in range(1, 5):
        algorithm.run_training(
            OffPolicyTrainerParams(
                training_collector=collector,
                max_epochs=1,
                epoch_num_steps=steps // 4,
                collection_step_num_env_steps=64,
                update_step_num_gradient_steps_per_sample=1.0,
                batch_size=128,
                verbose=False,
                show_progress=False,
            )
        )
        report(rounds * steps // 4, player(algorithm))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
