"""The report of a check as one page that needs nothing else: boards, values, the line of code, experiments, trees."""

from __future__ import annotations

from html import escape
from typing import Any

from plyground.core.catalogue import title_of
from plyground.core.notation import plural
from plyground.core.position import Position
from plyground.debug.causes import CAUSES
from plyground.debug.findings import Finding, Report
from plyground.games import load_given
from plyground.render.svg import to_svg

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""The page loads nothing and runs nothing."""

SHOWN_LINES = 4
"""Lines of code before and after the wrong one."""

SHOWN_BOARDS = 6
WIDTH, LEVEL, MARGIN = 620, 74, 26
"""Pixels: a drawn tree, the distance of its levels, and its margin."""

MOST_DRAWN = 160
"""Nodes of a drawn tree; a larger one is cut at its sides, away from what matters."""

STYLE = """
:root{color-scheme:light dark;--ink:#1d2430;--soft:#5c6675;--card:#fff;--ground:#f3f4f7;--line:#d8dce3;
--bad:#c0322f;
--good:#1d7a46;--bad-soft:#fbe9e8;--good-soft:#e5f4eb}
@media (prefers-color-scheme:dark){:root{--ink:#e9ecf1;--soft:#a3adbb;--card:#1c222c;--ground:#12161d;--line:#343c49;
--bad:#ff8c86;--good:#6fd49b;--bad-soft:#42201f;--good-soft:#173325}}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:20px}h1{font-size:25px;margin:4px 0 16px}
h1 em{font-style:normal;color:var(--bad);
display:block}h2{font-size:16px;margin:0 0 10px}small,.soft{color:var(--soft)}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:16px;margin-bottom:16px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:16px;min-width:0;overflow-x:auto}
.path{display:flex;flex-wrap:wrap;gap:12px;align-items:end}.path figure{margin:0;width:150px}
.path figure.last{width:230px;
outline:3px solid var(--bad);outline-offset:5px;border-radius:6px}figcaption{font-size:13px;color:var(--soft)}
table{border-collapse:collapse;width:100%}td,th{text-align:right;padding:3px 8px;border-top:1px solid var(--line)}
td:first-child,th:first-child{text-align:left}.bad{color:var(--bad);font-weight:600}.good{color:var(--good)}
pre{margin:0;font:13px/1.7 ui-monospace,monospace;overflow-x:auto}pre span{display:block;white-space:pre}
pre .del{background:var(--bad-soft);box-shadow:inset 3px 0 var(--bad)}pre i{font-style:normal;color:var(--soft)}
.bar{background:var(--line);height:9px;border-radius:4px}
.bar b{display:block;height:9px;border-radius:4px;background:var(--soft)}
.bar b.hit{background:var(--good)}
.tag{display:inline-block;background:var(--good-soft);color:var(--good);border-radius:9px;
padding:1px 10px;margin:2px}.tag.no{background:var(--bad-soft);color:var(--bad)}
.pg-tree text{font:11px system-ui,sans-serif;fill:var(--ink);text-anchor:middle}
"""


def to_html(report: Report, source: str) -> str:
    """The page of a report; `source` is the student's file."""
    finding = report.findings[0] if report.findings else None
    heading = "Nothing wrong was found" if finding is None else f"Your {report.kind} is wrong at one place: "
    wrong = "" if finding is None else f"<em>{escape(finding.title)}</em>"
    game = title_of(load_given(report.game))
    parts = [
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        f'content="{POLICY}"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Find my bug: {escape(report.name)}</title><style>{STYLE}</style></head><body><main>"
        f'<p class="soft">{escape(report.name)} · {escape(game)} · depth {report.depth} · '
        f"{plural(report.positions, 'position', 'positions')}, checked in {report.seconds:.1f} s</p>"
        f"<h1>{heading}{wrong}</h1>"
    ]
    for each in report.findings:
        parts.append(_finding(each, report, source))
    if report.trees:
        parts.append(_trees(report.trees))
    parts.append('<div class="grid">')
    if report.pruning:
        parts.append(_pruning(report.pruning))
    parts.append(_rights(report))
    parts.append("</div></main></body></html>\n")
    return "".join(parts)


def _finding(finding: Finding, report: Report, source: str) -> str:
    boards = _boards(finding, report) if finding.start else ""
    rows = ""
    if finding.moves:
        cells = "".join(
            f"<tr><td>{escape(row['move'])}</td><td{_mark(row)}>{row['bound']} {_cell(row['got'])}</td>"
            f"<td class=good>{_cell(row['right'])}</td></tr>"
            for row in finding.moves
        )
        rows = f"<table><tr><th>Move</th><th>yours</th><th>right</th></tr>{cells}</table>"
    returned = ""
    if finding.got is not None:
        right = "" if finding.right is None else f', right is <b class="good">{escape(str(finding.right))}</b>'
        returned = f'<p>You returned <b class="bad">{escape(str(finding.got))}</b>{right}.</p>'
    line = f"line {finding.line}" if finding.line else "the code"
    experiments = _experiments(finding)
    return (
        f'<div class="grid"><section class="card"><h2>The first wrong node</h2>{boards}{returned}'
        f"<p>{escape(finding.text)}</p>{rows}</section><section class=card><h2>The line in your code: {line}</h2>"
        f"{_code(source, finding.line)}"
        f"<p class=soft>{escape(CAUSES[finding.cause].advice)}</p>"
        f"{f'<pre>{escape(finding.traceback)}</pre>' if finding.traceback else ''}{experiments}</section></div>"
    )


def _boards(finding: Finding, report: Report) -> str:
    """The boards on the way to the wrong node."""
    position = Position(load_given(report.game), finding.start)
    positions = [position]
    for move in finding.path:
        positions.append(positions[-1].play(move))
    figures = []
    shown = positions if len(positions) <= SHOWN_BOARDS else [positions[0], *positions[-SHOWN_BOARDS + 1 :]]
    for each in shown:
        number = positions.index(each)
        last = ' class="last"' if each is positions[-1] else ""
        caption = "the position searched" if number == 0 else f"after {finding.path[number - 1]}"
        figures.append(f"<figure{last}>{to_svg(each)}<figcaption>{escape(caption)}</figcaption></figure>")
    return f'<div class="path">{"".join(figures)}</div>'


def _code(source: str, line: int | None) -> str:
    if not line:
        return ""
    lines = source.splitlines()
    shown = []
    for number in range(max(1, line - SHOWN_LINES), min(len(lines), line + SHOWN_LINES) + 1):
        mark = ' class="del"' if number == line else ""
        shown.append(f"<span{mark}><i>{number:4} </i>{escape(lines[number - 1])}</span>")
    return f"<pre>{''.join(shown)}</pre>"


def _experiments(finding: Finding) -> str:
    if not finding.experiments:
        return ""
    rows = []
    for each in finding.experiments:
        share = round(100 * each["agree"] / each["of"])
        hit = ' class="hit"' if each["agree"] == each["of"] else ""
        rows.append(
            f"<tr><td>{escape(each['title'])}</td><td>{each['agree']} of {each['of']}</td>"
            f'<td style="width:110px"><div class="bar"><b{hit} style="width:{share}%"></b></div></td></tr>'
        )
    return f"<h2>How we know</h2><small>nodes that agree</small><table>{''.join(rows)}</table>"


def _pruning(counts: dict[str, int]) -> str:
    most = max(counts.values())
    titles = {"minimax": "Minimax, no pruning", "yours": "Yours", "reference": "Alpha-beta in your order"}
    rows = "".join(
        f'<tr><td>{titles[key]}</td><td>{value}</td><td style="width:45%"><div class="bar">'
        f'<b style="width:{max(1, round(100 * value / most))}%"></b></div></td></tr>'
        for key, value in counts.items()
    )
    return f'<section class="card"><h2>Pruning: positions looked at</h2><table>{rows}</table></section>'


def _rights(report: Report) -> str:
    tags = "".join(f'<span class="tag">{escape(each)}</span>' for each in report.right)
    tags += "".join(f'<span class="tag no">{escape(each.title)}</span>' for each in report.findings)
    notes = "".join(f"<p>{escape(note)}</p>" for note in report.notes)
    assumed = f'<p class="soft">Assumed: {escape("; ".join(report.assumed))}</p>' if report.assumed else ""
    return f'<section class="card"><h2>What is already right</h2>{tags}{notes}{assumed}</section>'


def _trees(trees: dict[str, Any]) -> str:
    wrong = _wrong_path(trees["yours"])
    return (
        '<div class="grid">'
        f'<section class="card"><h2>Your tree</h2>{tree_svg(trees["yours"], wrong)}</section>'
        f'<section class="card"><h2>The reference</h2>{tree_svg(trees["reference"], wrong)}</section></div>'
    )


def _wrong_path(tree: dict[str, Any]) -> list[str]:
    """The moves to the node that is wrong first."""
    stack: list[tuple[dict[str, Any], list[str]]] = [(tree, [])]
    while stack:
        node, path = stack.pop()
        if node.get("wrong"):
            return path
        for child in node.get("children", ()):
            stack.append((child, [*path, child["move"]] if "move" in child else path))
    return []


def tree_svg(tree: dict[str, Any], lit: list[str]) -> str:
    """A drawn tree; the path that is lit is always there, what is too wide beside it is left out."""
    levels: list[list[tuple[dict[str, Any], int | None, bool, str]]] = [[(tree, None, True, "")]]
    drawn = 1
    while True:
        below: list[tuple[dict[str, Any], int | None, bool, str]] = []
        depth = len(levels) - 1
        for index, (node, _, on_path, _) in enumerate(levels[-1]):
            children = node.get("children", [])
            if not on_path and drawn + len(children) > MOST_DRAWN:
                continue
            for child in children:
                move = child.get("move", "")
                follows = on_path and (not move or (depth < len(lit) and lit[depth] == move))
                below.append((child, index, follows, move))
                drawn += 1
        if not below:
            break
        levels.append(below)
    widest = max(len(level) for level in levels)
    width, height = max(WIDTH, widest * 17), (len(levels) - 1) * LEVEL + 2 * MARGIN
    places = [[(number + 0.5) * width / len(level) for number in range(len(level))] for level in levels]
    lines, nodes = [], []
    for depth, level in enumerate(levels):
        for number, (node, parent, on_path, move) in enumerate(level):
            x, y = places[depth][number], MARGIN + depth * LEVEL
            if parent is not None:
                above = places[depth - 1][parent]
                thick = 2.4 if on_path else 0.8
                lines.append(
                    f'<line x1="{above:.0f}" y1="{y - LEVEL + 9}" x2="{x:.0f}" y2="{y - 9}" stroke="currentColor" '
                    f'stroke-width="{thick}" opacity="{1 if on_path else 0.4}"/>'
                )
            wrong = node.get("wrong")
            colour = "#c0322f" if wrong else "#1d7a46" if on_path else "#8a94a3"
            value = _cell(node.get("value"))
            title = f"<title>{escape(' '.join(filter(None, (move, value))))}</title>"
            dashed = ' stroke-dasharray="3 2"' if node.get("cut") else ""
            nodes.append(
                f'<g>{title}<circle cx="{x:.0f}" cy="{y}" r="7" fill="{colour}" stroke="currentColor"{dashed}/>'
            )
            if len(level) <= 26 or on_path:
                nodes.append(f'<text x="{x:.0f}" y="{y + 19}">{escape(value)}</text>')
                nodes.append(f'<text x="{x:.0f}" y="{y - 11}">{escape(move)}</text>' if move else "")
            nodes.append("</g>")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pg-tree" viewBox="0 0 {width} {height}" width="{width}" '
        f'height="{height}" role="img" aria-label="a tree of {drawn} nodes">{"".join(lines)}{"".join(nodes)}</svg>'
    )


def _cell(value: Any) -> str:
    return "" if value is None else str(value)


def _mark(row: dict[str, Any]) -> str:
    return "" if row["bound"] or row["got"] == row["right"] else ' class="bad"'
