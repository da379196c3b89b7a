"""Stable-Baselines3's MaskablePPO learns against a level: python maskable_ppo.py [STEPS]

pip install 'plyground[rl]' sb3-contrib        # tried with sb3-contrib 2.9.2
"""

from __future__ import annotations

import sys
from typing import Any

import torch
from curve import GAME, report
from sb3_contrib import MaskablePPO

from plyground import Move, Position
from plyground.integrations.gymnasium import env
from plyground.integrations.observation import Observation, move_of


def player(model: Any) -> Any:
    """The model as a player."""

    def learned(position: Position) -> Move:
        planes, mask = Observation.of(position)
        action, _ = model.predict({"observation": planes, "action_mask": mask}, action_masks=mask, deterministic=True)
        return move_of(position, int(action))

    return learned


def main(steps: int) -> None:
    """Learn, and print the curve."""
    torch.set_num_threads(1)
    model = MaskablePPO("MultiInputPolicy", env(GAME, opponent="engine:level=2"), n_steps=1024, seed=1)
    for rounds in range(5):
        report(rounds * steps // 4, player(model))
        if rounds < 4:
            model.learn(steps // 4, reset_num_timesteps=False)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40_000)
