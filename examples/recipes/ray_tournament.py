"""A tournament on the workers of Ray, here or on a cluster: python ray_tournament.py [ADDRESS]

pip install plyground ray                      # tried with ray 2.60.0
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any

import ray

import plyground


def call(function: Callable[..., Any], given: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What a worker does: a game."""
    return function(*given, **options)


class OnRay(Executor):
    """Ray's workers as an executor of `concurrent.futures`."""

    def __init__(self) -> None:
        self._call = ray.remote(call)

    def submit(self, function: Callable[..., Any], /, *given: Any, **options: Any) -> Future[Any]:
        """Let a worker call the function."""
        return self._call.remote(function, given, options).future()


def main(address: str | None) -> None:
    """Play, and print who won."""
    if not ray.is_initialized():
        ray.init(address, log_to_driver=False, include_dashboard=False)
    processes = int(ray.cluster_resources()["CPU"])
    players = ["alpha-beta:depth=4", "alpha-beta:depth=2", "random"]
    summary = plyground.run_tournament("connect-four", players, rounds=2, executor=OnRay(), processes=processes)
    print(f"{summary.played} games on {processes} workers; first is {summary.names[0]}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
