"""A small cluster on this machine."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest


def local_cluster(workers: int, folder: Path) -> Any:
    """So many workers, each a process with one thread; what they write to disk goes to the folder."""
    distributed = pytest.importorskip("distributed", reason="needs the extra: pip install 'plyground[cluster]'")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
            local_directory=str(folder),
        )
