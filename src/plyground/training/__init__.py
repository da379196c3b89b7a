"""How a net learns: games of the engine with itself, lessons out of them, and how good it is by exact results."""

from plyground.training.curve import csv_of, svg_of
from plyground.training.known import Exam, KnownPosition, Measured, known_positions
from plyground.training.train import Plan, Training, TrainingStep

__all__ = [
    "Exam",
    "KnownPosition",
    "Measured",
    "Plan",
    "Training",
    "TrainingStep",
    "csv_of",
    "known_positions",
    "svg_of",
]
