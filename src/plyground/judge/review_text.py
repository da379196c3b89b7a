"""A reviewed game in lines of text: the moment that decided it, every faulty move, and both sides in figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plyground.core.rules import Side
from plyground.judge.review import Grade, ReviewedMove, Summary, grade_points, summarise
from plyground.words import fill, words_in

NOTHING_FAULTY = "no inaccurate move was found"


def review_lines(found: Sequence[ReviewedMove], names: tuple[str, str]) -> Iterator[str]:
    """What a person reads about the game, out of the review of all its positions in any order."""
    ordered = sorted(found, key=lambda each: each.position.ply)
    summary = summarise(ordered)
    faulty = [each for each in ordered if each.grade is not None and each.grade.faulty]
    for each in faulty:
        if each.position.ply == summary.decisive:
            yield f"{moment(each, names)}:"
            yield from _about(each, names)
    for each in faulty:
        if each.position.ply != summary.decisive:
            yield from _about(each, names)
    if not faulty:
        yield NOTHING_FAULTY
    yield from _figures(summary, names)


def moment(each: ReviewedMove, names: tuple[str, str]) -> str:
    """What stood before the move that decided the game: `Ada: winning until here`."""
    words = words_in()
    key = each.cost.what if each.grade is Grade.BLUNDER and each.cost is not None else "none"
    return fill(words["moments"][key], {"who": names[each.position.to_move]}, words)


def _about(each: ReviewedMove, names: tuple[str, str]) -> Iterator[str]:
    yield each.sentence(names)
    yield from (f"   {reason}" for reason in each.reasons)


def _figures(summary: Summary, names: tuple[str, str]) -> Iterator[str]:
    """A table of accuracy and grades, and how accuracy is computed."""
    words = words_in()["grades"]
    width = max(map(len, names))
    yield f"{'':{width}}  accuracy  {'  '.join(words[grade] for grade in Grade)}"
    for side in Side:
        accuracy = summary.accuracy[side]
        share = "-" if accuracy is None else f"{accuracy} %"
        counts = "  ".join(f"{summary.counts[side][grade]:>{len(words[grade])}}" for grade in Grade)
        yield f"{names[side]:{width}}  {share:>8}  {counts}"
    points = ", ".join(f"{words[grade]} {number}" for grade, number in grade_points().items())
    yield f"accuracy is the mean of these points: {points}; whoever lost has 99 % at most"
