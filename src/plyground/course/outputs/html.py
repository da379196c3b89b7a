"""A grade as a page for the student: marks, and the worst moves with the better one drawn."""

from __future__ import annotations

from html import escape
from importlib import resources

from plyground.core.rules import Side
from plyground.course.grade import STDERR, Blunder, CriterionMark, Grade
from plyground.games import title
from plyground.render.svg import Overlay, to_svg

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The page loads nothing and runs nothing."""


def to_html(grade: Grade) -> str:
    """One page without scripts; whatever a submission wrote is text in it, never markup."""
    heading = f"{grade.submission.name}: {grade.points:g} of {grade.total:g} points"
    under = f"{grade.rubric.title}. {title(grade.rules.name)}."
    isolation = f" The submission ran isolated by: {grade.isolation}." if grade.isolation else ""
    imports = f" It imports {', '.join(grade.imports)}." if grade.imports else ""
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(heading)}</title><style>{_style()}</style></head><body><main>",
        f'<h1>{escape(heading)}</h1><p class="soft">{escape(f"{under}{isolation}{imports} {grade.noise}".strip())}</p>',
    ]
    if grade.problem:
        parts.append(f'<section class="card none"><b>It could not be run.</b><p>{escape(grade.problem)}</p></section>')
    else:
        parts += map(_mark, grade.marks)
    if grade.blunders:
        parts.append('<h2>Worst moves</h2><p class="soft">The pale piece is the better move.</p>')
        parts.append("<div class='blunders'>" + "".join(map(_blunder, grade.blunders)) + "</div>")
    return "".join(parts) + "</main></body></html>\n"


def _style() -> str:
    return resources.files("plyground.course.outputs").joinpath("grade.css").read_text(encoding="utf-8")


def _mark(mark: CriterionMark) -> str:
    part = mark.points / mark.criterion.points if mark.criterion.points else 1.0
    kind = "full" if mark.passed else "none" if not part else "some"
    lines = "".join(f"<p{_kind(line)}>{escape(line)}</p>" for line in mark.details)
    return (
        f'<section class="card {kind}"><div class="head"><span>{escape(mark.criterion.name)}</span>'
        f"<span>{mark.points:g} of {mark.criterion.points:g}</span></div>"
        f'<div class="bar"><i style="width:{100 * part:.0f}%"></i></div>'
        f'<p class="soft">{escape(mark.criterion.text)}</p>{lines}</section>'
    )


def _kind(line: str) -> str:
    """What a bot wrote has letters of one width, so that marks stand below what they mark."""
    return ' class="written"' if line.startswith(STDERR) else ""


def _blunder(blunder: Blunder) -> str:
    position = blunder.asked.position
    overlay = Overlay(ghosts=((Side(position.to_move), blunder.better.place),))
    return f'<section class="card">{to_svg(position, overlay)}<p>{escape(blunder.sentence)}</p></section>'
