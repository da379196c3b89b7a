"""A grade as a page for the student: where the points come from, what cost most, and everything that was seen.

One file that loads nothing: every game and question of the grading is in it, to be replayed.
"""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Iterator
from html import escape
from importlib import resources
from typing import Any

from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.course.advice import next_steps, summary
from plyground.course.exam import ExamAnswer
from plyground.course.grade import STDERR, CriterionMark, Grade
from plyground.course.known_grades import known_grades
from plyground.course.worst_moves import Blunder, shown_losses
from plyground.games import title
from plyground.play.match import MatchGame
from plyground.render.svg import Overlay, empty_board, mark, piece, to_svg
from plyground.report.html import DrawnMoves, safe_json


def to_html(grade: Grade) -> str:
    """One page; whatever a submission wrote is text in it, never markup, and only its own script runs."""
    script = _static("feedback.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    heading = f"{grade.submission.name}: {grade.points:g} of {grade.total:g} points"
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(heading)}</title><style>{_static('feedback.css')}</style></head><body><main>",
        _hero(grade),
    ]
    if grade.problem:
        parts.append(f'<div class="card"><h2>It could not be run</h2><p>{escape(grade.problem)}</p></div>')
        return "".join(parts) + "</main></body></html>\n"
    parts += [f'<div class="two">{_criteria(grade)}{_next(grade)}</div>', _worst(grade), _lost(grade)]
    parts += [_everything(grade), f"<script>{script}</script></main></body></html>\n"]
    return "".join(parts)


def _static(name: str) -> str:
    return resources.files("plyground.course.outputs").joinpath(name).read_text(encoding="utf-8")


# At the top: the points, a sentence, and who else has how many


def _hero(grade: Grade) -> str:
    games, asked = len(list(grade.evidence.all_games())), len(list(grade.evidence.all_answers()))
    counted = [plural(games, "game", "games")] * bool(games) + [plural(asked, "question", "questions")] * bool(asked)
    seen = f"Graded from {' and '.join(counted)}. " if counted else ""
    isolation = f" The submission ran isolated by: {grade.isolation}." if grade.isolation else ""
    imports = f" It imports {', '.join(grade.imports)}." if grade.imports else ""
    under = f"{seen}{grade.noise}{isolation}{imports}".strip()
    about = f"{escape(grade.rubric.title)} · {escape(title(grade.rules.name))} · <b>{escape(grade.submission.name)}</b>"
    heading = f"{grade.points:g} of {grade.total:g} points{summary(grade)}"
    return (
        f'<header class="hero">{_ring(grade)}<div><p class="small muted">{about}</p><h1>{escape(heading)}</h1>'
        f'<p class="small muted">{escape(under)}</p></div>{_scale(grade)}</header>'
    )


def _ring(grade: Grade) -> str:
    radius = 62
    around = 2 * math.pi * radius
    part = around * grade.points / grade.total if grade.total else 0.0
    circle = f'<circle cx="74" cy="74" r="{radius}" fill="none" stroke-width="13"'
    dashes = f'stroke-linecap="round" stroke-dasharray="{part:.1f} {around:.1f}" transform="rotate(-90 74 74)"'
    arc = f'{circle} style="stroke:var(--accent)" {dashes}/>' if part else ""
    label = f"{grade.points:g} of {grade.total:g} points"
    return (
        f'<svg class="ring" viewBox="0 0 148 148" role="img" aria-label="{label}">'
        f'{circle} style="stroke:var(--sunken)"/>'
        f"{arc}{_text(74, 84, f'{grade.points:.3g}', '650 38px', 'ink')}"
        f"{_text(74, 106, f'of {grade.total:g}', '13px', 'ink-2')}</svg>"
    )


def _text(x: float, y: float, text: str, font: str, colour: str) -> str:
    style = f"font:{font} system-ui;fill:var(--{colour})"
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="middle" style="{style}">{escape(text)}</text>'


ROOM_FOR_A_NAME = 18.0
"""Points between two players whose names are written on the same side of the line."""


def _scale(grade: Grade) -> str:
    """Where known players stand by the same rubric; nothing where that was not measured."""
    known = known_grades(grade.rules, grade.rubric)
    if not known:
        return ""

    def x(points: float) -> float:
        return 6 + 3.48 * points

    line = 'stroke="currentColor" stroke-width="2" stroke-linecap="round"'
    drawn, before, above = [f'<path d="M6 44H354" {line}/>'], -100.0, True
    for name, points in sorted(known.items(), key=lambda entry: entry[1]):
        above = not above if points - before < ROOM_FOR_A_NAME else True
        before = points
        drawn.append(f'<path d="M{x(points):.0f} {36 if above else 44}v8" {line}/>')
        drawn.append(_text(x(points), 30 if above else 66, name, "12px", "ink-2"))
    you = x(100 * grade.points / grade.total)
    drawn.append(f'<circle cx="{you:.0f}" cy="44" r="8" style="fill:var(--accent);stroke:var(--bg)" stroke-width="3"/>')
    drawn.append(f'<path d="M{you:.0f} 16V34" style="stroke:var(--accent)" stroke-width="1.5"/>')
    drawn.append(_text(you, 12, "you", "700 13px", "accent"))
    listed = escape(f"you {grade.points:g}; " + ", ".join(f"{name} {points:g}" for name, points in known.items()))
    return f'<svg class="scale" viewBox="-20 0 400 74" role="img" aria-label="{listed}">{"".join(drawn)}</svg>'


# Where the points come from, and what to do


def _criteria(grade: Grade) -> str:
    rows = "".join(_criterion(mark, not place) for place, mark in enumerate(grade.marks))
    return (
        f'<div class="card"><div class="head"><h2>Where the {grade.points:g} points come from</h2>'
        f'<span class="tiny faint">from 0 points to full points</span></div>{rows}</div>'
    )


def _criterion(mark: CriterionMark, first: bool) -> str:
    criterion = mark.criterion
    measured, *others = mark.details or ("",)
    lines = "".join(f"<p{_kind(line)}>{escape(line)}</p>" for line in others)
    more = f"<details><summary>{escape(criterion.name)}: more</summary>{lines}</details>" if others else ""
    full = " full" if mark.passed else ""
    points = f'<span class="points">{mark.points:g}<small>of {criterion.points:g}</small></span>'
    name, kind = escape(criterion.text or criterion.name), " first" if first else ""
    return (
        f'<div class="criterion{kind}">{points}<div><b>{name}</b><p>{escape(measured)}</p>'
        f'<p class="more{full}">{escape(mark.more)}</p>{more}</div>{_measure(mark)}</div>'
    )


def _kind(line: str) -> str:
    """What a bot wrote has letters of one width, so that marks stand below what they mark."""
    return ' class="written"' if line.startswith(STDERR) else ""


def _measure(mark: CriterionMark) -> str:
    """The share that was measured, between the one from which there are points and the one for all of them."""
    start, full = mark.criterion.start, mark.criterion.full
    at = 100 * min(1.0, max(0.0, (mark.share - start) / (full - start)))
    label = f"{_percent(mark.share)}; no points up to {_percent(start)}, all from {_percent(full)} on"
    you = "" if at < 12 or at > 88 else f'<em class="you" style="left:{at:.1f}%">{_percent(mark.share)}</em>'
    low = f"{_percent(mark.share)} of {_percent(start)}" if mark.share < start else f"{_percent(start)}"
    return (
        f'<div class="measure{" full" if mark.passed else ""}" role="img" aria-label="{label}"><span class="track">'
        f'<i style="width:{at:.1f}%"></i></span><span class="dot" style="left:{at:.1f}%"></span><em>{low}</em>{you}'
        f'<em class="end">{_percent(full)}</em></div>'
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _next(grade: Grade) -> str:
    steps = "".join(
        f'<li><span class="number">{number}</span><div><b>{escape(step.what)}</b>'
        f'<p class="muted">{escape(step.how)}</p></div><span class="tag good">up to +{step.points:.2g}</span></li>'
        for number, step in enumerate(next_steps(grade), start=1)
    )
    body = f'<ol class="next">{steps}</ol>' if steps else "<p>You have all points.</p>"
    return f'<div class="card"><div class="head"><h2>What to do next</h2></div>{body}</div>'


# What cost most


def _worst(grade: Grade) -> str:
    if not grade.blunders:
        return ""
    cards = "".join(map(_blunder, grade.blunders))
    return (
        '<section><div class="head"><h2>Your most expensive moves</h2>'
        '<span class="tiny faint">what you played, and the best move</span></div>'
        f'<div class="worst">{cards}</div></section>'
    )


def _blunder(blunder: Blunder) -> str:
    position = blunder.asked.position
    side = Side(position.to_move)
    ghosts = ((side, blunder.better.place), (side, blunder.played.place))
    scores = {_cell(position, blunder.played): "you", _cell(position, blunder.better): "best"}
    tone = "bad" if blunder.lost == 1 else "warn"
    return (
        f'<article class="card"><div><span class="tag {tone}">{escape(blunder.change)}</span> '
        f'<span class="small muted">{escape(_player(blunder.where))}</span></div>'
        f"{to_svg(position, Overlay(ghosts=ghosts, scores=scores))}<p>{escape(blunder.sentence)}</p></article>"
    )


def _cell(position: Position, move: Move) -> int:
    """The first cell of what a move lays."""
    cells = position.rules.placements[position.to_move][move.place].cells
    return (cells & -cells).bit_length() - 1


def _lost(grade: Grade) -> str:
    cards = []
    for number, mark_ in enumerate(grade.marks):
        for game in shown_losses(mark_.criterion, grade.evidence.games.get(mark_.criterion, [])):
            *_, last = game.record.positions()
            opponent = mark_.criterion.opponent_in(game.number)
            moment = next((each for each in grade.evidence.blunders if _is_of(each, mark_, game)), None)
            gave = "" if moment is None else f"move {len(moment.asked.moves) // 2 + 1} gave it away<br>"
            cards.append(
                f'<a href="#{_key(number, game.number)}" data-entry="{_key(number, game.number)}">{to_svg(last)}'
                f"<b>{escape(_player(opponent))}</b><span>{gave}{plural(last.ply, 'move', 'moves')} · replay</span></a>"
            )
    if not cards:
        return ""
    return f'<section><div class="head"><h2>Games you lost</h2></div><div class="lost">{"".join(cards)}</div></section>'


def _is_of(blunder: Blunder, mark_: CriterionMark, game: MatchGame) -> bool:
    return blunder.criterion == mark_.criterion.name and blunder.game == game.number


def _player(spec: str) -> str:
    return spec.replace("engine:level=", "level ")


# Everything that was seen


def _key(criterion: int, number: int) -> str:
    return f"c{criterion + 1}-{number + 1}"


def _everything(grade: Grade) -> str:
    rules = grade.rules
    drawn = DrawnMoves(rules)
    entries = list(_entries(grade, drawn))
    if not entries:
        return ""
    options = "".join(
        f"<option>{escape(name)}</option>" for name in dict.fromkeys(each["criterion"] for each in entries)
    )
    data = {"entries": entries, "moves": drawn.moves, "pieces": drawn.pieces}
    return (
        '<section class="needs-script" hidden><div class="head"><h2>Everything that was asked and played</h2></div>'
        f'<div class="all"><div><div class="filter"><select id="criterion" aria-label="Criterion"><option value="">'
        f'everything</option>{options}</select><select id="kind" aria-label="Which"><option value="">all</option>'
        '<option value="missed">without full points</option></select><span id="found" role="status"></span></div>'
        f'<div class="list" id="list"></div></div><div class="viewer card" id="viewer" hidden><h3 id="title"></h3>'
        f'<div id="board">{empty_board(rules)}</div><div class="buttons">'
        '<button type="button" data-go="first" aria-label="to the start">|◀</button>'
        '<button type="button" data-go="back" aria-label="one move back">◀</button>'
        '<button type="button" data-go="next" aria-label="one move forward">▶</button>'
        '<button type="button" data-go="last" aria-label="to the end">▶|</button><span id="at"></span></div>'
        '<p id="note" class="small" role="status"></p><p class="tiny faint"><code id="command"></code></p></div></div>'
        f'<script type="application/json" id="data">{safe_json(data)}</script></section>'
    )


def _entries(grade: Grade, drawn: DrawnMoves) -> Iterator[dict[str, Any]]:
    for place, mark_ in enumerate(grade.marks):
        criterion, evidence = mark_.criterion, grade.evidence
        seen: set[int] = set()
        for game in evidence.games.get(criterion, []):
            if id(game.record) not in seen:  # what counts as lost after faults in a row was not played
                seen.add(id(game.record))
                moment = next((each for each in evidence.blunders if _is_of(each, mark_, game)), None)
                yield _game(grade.rules, drawn, mark_, game, moment) | {"key": _key(place, game.number)}
        answers = evidence.answers.get(criterion, [])
        answers = [*answers, *(each for puzzle in evidence.puzzles.get(criterion, []) for each in puzzle.answers)]
        for number, answer in enumerate(answers):
            if not answer.skipped:
                yield _question(drawn, mark_, answer, number) | {"key": _key(place, number)}


def _game(
    rules: Rules, drawn: DrawnMoves, mark_: CriterionMark, game: MatchGame, moment: Blunder | None
) -> dict[str, Any]:
    record, own = game.record, Side(game.swapped)
    points = 1 - game.points if game.swapped else game.points
    moves = [played.move for played in record.moves]
    opponent = _player(mark_.criterion.opponent_in(game.number))
    over = list(record.positions())[-1].outcome()
    fault = "" if record.fault is None else f": {record.fault.text(rules)}"
    notes = {len(moves): f"{record.result.value}, {record.termination}{fault}"}
    if moment is not None:
        notes[len(moment.asked.moves)] = moment.sentence
    return {
        "criterion": mark_.criterion.name,
        "title": f"Game {game.number + 1} against {opponent}, you move {'first' if own is Side.FIRST else 'second'}",
        "result": {1.0: "won", 0.5: "drawn", 0.0: "lost"}[points],
        "tone": {1.0: "good", 0.5: "warn", 0.0: "bad"}[points],
        "missed": points < 1,
        "moves": [drawn.number(ply & 1, move) for ply, move in enumerate(moves)],
        "ghosts": "",
        "marks": mark(rules, over.cells, "win") if over is not None and over.winner is not None else "",
        "notes": notes,
        "command": _command(rules, moves[:-1] if moment is None else list(moment.asked.moves)),
    } | ({} if moment is None else {"at": len(moment.asked.moves)})


def _question(drawn: DrawnMoves, mark_: CriterionMark, answer: ExamAnswer, number: int) -> dict[str, Any]:
    asked, rules = answer.asked, answer.asked.position.rules
    side = Side(asked.position.to_move)
    wrong = answer.move is None or (bool(asked.worth) and asked.lost_by(answer.move) > 0)
    right = [asked.position.write(move) for move, _ in asked.worth if asked.lost_by(move) == 0]
    said = f"{answer.fault}" if answer.move is None else f"you played {asked.position.write(answer.move)}"
    note = f"{said}; right: {', '.join(right)}" if right else said
    ghosts = "" if answer.move is None else f'<g class="pg-ghost">{piece(rules, side, answer.move.place)}</g>'
    return {
        "criterion": mark_.criterion.name,
        "title": f"Question {number + 1}: {mark_.criterion.name}",
        "result": "wrong" if wrong else "right",
        "tone": "bad" if wrong else "good",
        "missed": wrong,
        "moves": [drawn.number(ply & 1, move) for ply, move in enumerate(asked.moves)],
        "ghosts": ghosts,
        "marks": "",
        "notes": {len(asked.moves): note},
        "command": _command(rules, list(asked.moves)),
    }


def _command(rules: Rules, moves: list[Move]) -> str:
    """What shows more about a position in a terminal."""
    texts = [rules.notation.write(rules, move) for move in moves]
    between = "; " if any(" " in text for text in texts) else " "
    return f"plyground explain {rules.name} --after '{between.join(texts)}'"
