"""Small matrices as lists of rows, as many as there are players in a tournament."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = list[list[float]]


def times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    """A matrix times a vector."""
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def product(left: Matrix, right: Matrix) -> Matrix:
    """A matrix times a matrix."""
    columns = [list(column) for column in zip(*right, strict=True)]
    return [times(columns, row) for row in left]


def inverse(matrix: Matrix) -> Matrix:
    """The inverse by elimination, the largest pivot first; ArithmeticError when there is none."""
    size = len(matrix)
    scale = max(abs(value) for row in matrix for value in row)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        if abs(rows[pivot][column]) <= 1e-12 * scale:
            raise ArithmeticError("a matrix without an inverse")
        rows[column], rows[pivot] = rows[pivot], rows[column]
        divisor = rows[column][column]
        top = rows[column] = [value / divisor for value in rows[column]]
        for i in range(size):
            if i != column and (factor := rows[i][column]):
                rows[i] = [a - factor * b for a, b in zip(rows[i], top, strict=True)]
    return [row[size:] for row in rows]
