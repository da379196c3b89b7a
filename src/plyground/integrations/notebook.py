"""What notebooks show: boards with something pointed out, and analyses, games and tournaments as HTML.

Positions, analyses, judgements, records and summaries show themselves; `picture`, `best_line` and `move_scores` show
more, and `play_board` is a board to click:

    >>> import plyground
    >>> from plyground.integrations.notebook import best_line, move_scores
    >>> position = plyground.start("connect-four:rows=6,columns=7", "4455")
    >>> shown = move_scores(position, "alpha-beta:depth=2")
    >>> shown = best_line(position, plyground.analyse(position, "alpha-beta:depth=3"))
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from plyground import games, players
from plyground.core.display import drawn_by
from plyground.core.grid import bits
from plyground.core.installation import install_command
from plyground.core.kinds import checked
from plyground.core.position import Position, checked_position
from plyground.core.rules import Rules, Side
from plyground.judge.judgement import Judgement
from plyground.play.records import GameRecord
from plyground.players import Player, rank
from plyground.players.functions import Chooser
from plyground.referee import entrants
from plyground.render.svg import NO_OVERLAY, Overlay, to_svg
from plyground.report.charts import curves
from plyground.report.html import section
from plyground.report.notes import notes
from plyground.report.of_tournament import elo_chart
from plyground.report.summary import Summary
from plyground.report.tables import Column, Table, crosstable, seconds, standings_table
from plyground.search.base import NO_LIMIT, Analysis, Limit
from plyground.search.limit import checked_limit
from plyground.search.score import Score

if TYPE_CHECKING:
    from plyground.integrations.board_widget import BoardWidget

ONE_SECOND = Limit(seconds=1)


@dataclass(frozen=True)
class Picture:
    """A drawing that notebooks show."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg


def picture(position: Position, overlay: Overlay = NO_OVERLAY) -> Picture:
    """A board with something pointed out on it."""
    return Picture(to_svg(checked_position(position), overlay))


def best_line(position: Position, analysis: Analysis) -> Picture:
    """A board with the moves of an analysis laid faintly, each numbered."""
    checked(analysis, Analysis, "an analysis is needed, such as analyse(position) returns")
    rules, side = checked_position(position).rules, position.to_move
    ghosts, numbers = [], {}
    for number, move in enumerate(analysis.line, start=1):
        ghosts.append((side, move.place))
        for cell in bits(rules.placements[side][move.place].cells):
            numbers[cell] = str(number)
        side = side.other
    return picture(position, Overlay(scores=numbers, ghosts=tuple(ghosts)))


def move_scores(position: Position, player: str | Player = players.DEFAULT, limit: Limit = NO_LIMIT) -> Picture:
    """A board with what a player thinks of each move on the cells it would cover; green is good for the mover."""
    checked_position(position)
    thinker = entrants.load(player, position.rules) if isinstance(player, str) else player
    *_, ranking = rank(thinker, position, limit)
    placements = position.rules.placements[position.to_move]
    texts: dict[int, str] = {}
    worth: dict[int, Score] = {}
    for analysis in reversed(ranking.compared):  # the best move of a cell comes last and stays
        assert analysis.score is not None
        for cell in bits(placements[analysis.line[0].place].cells):
            texts[cell], worth[cell] = _short(analysis.score), analysis.score
    scale = max((abs(score.opinion) for score in worth.values() if score.opinion is not None), default=0) or 1
    shades = {cell: max(-1.0, min(1.0, score.value / scale)) for cell, score in worth.items()}
    return picture(position, Overlay(scores=texts, shades=shades))


def _short(score: Score) -> str:
    """A score that fits on a cell: `W5`, `L4`, `draw`, `+12`."""
    return str(score) if score.plies is None else f"{'W' if score.won else 'L'}{score.plies}"


def analysis_html(analysis: Analysis) -> str:
    """What a search found, as a table of one row."""
    columns = [
        Column("score", right=False),
        Column("depth"),
        Column("nodes", lambda nodes: f"{nodes:,}"),
        Column("seconds", seconds),
        Column("line", right=False),
    ]
    line = " ".join(str(move.place) if move.lift is None else f"{move.lift}→{move.place}" for move in analysis.line)
    shown = _line(analysis.position, analysis) if analysis.position else f"placements {line}"
    row = [analysis.text, analysis.depth, analysis.nodes, analysis.seconds, shown]
    return section(Table("Analysis", columns, [row]))


def judgement_html(judgement: Judgement) -> str:
    """What is known of a position: a row for each move, the best first."""
    position = judgement.position
    columns = [Column(name, right=False) for name in ("move", "score", "source", "line")]
    compared = len(judgement.ranking.compared)
    rows = [
        [
            position.write(each.move),
            each.text if number < compared else "not compared",
            str(each.source) if number < compared else "",
            _line(position, each),
        ]
        for number, each in enumerate(judgement.moves)
    ]
    return section(Table(f"Judgement: {judgement.text}", columns, rows))


def _line(position: Position, analysis: Analysis) -> str:
    """The best play as the game writes it."""
    return position.rules.notation.join(position.rules, position.write_line(analysis.line))


def play_board(
    game: str | Rules,
    opponent: str | Player | Chooser | None = players.DEFAULT,
    side: str | Side = "first",
    limit: Limit = ONE_SECOND,
) -> BoardWidget:
    """A board to click, against a player or, with None, against somebody at the same screen; `side` is yours.

    It needs the extra `notebook`; RuntimeError without it. `board.record` is the game as a record.
    """
    try:
        from plyground.integrations.board_widget import BoardWidget
    except ImportError:
        raise RuntimeError(f"a board to click needs anywidget: {install_command('notebook')}") from None
    rules = games.load_given(game)
    chosen = {side.text: side for side in Side}.get(side) if isinstance(side, str) else side
    if not isinstance(chosen, Side):
        raise ValueError(f"side must be 'first' or 'second', got {side!r}")
    rival = None if opponent is None else entrants.load_given(opponent, rules)
    return BoardWidget(rules, rival, chosen, checked_limit(limit))


def record_html(record: GameRecord) -> str:
    """A game: who played, how it ended, the final board, the moves, and the scores as a curve."""
    names = f"{record.first} – {record.second}"
    ended = f"{record.result.value} ({record.termination or 'not finished'})"
    moves = record.rules.notation.join(record.rules, record.move_texts())
    return (
        f"<section><h3>{escape(names)}: {escape(ended)}</h3>{to_svg(record.final)}"
        f"<p>{escape(moves)}</p>{_score_curve(record)}</section>"
    )


def _score_curve(record: GameRecord) -> str:
    """The scores of both players for the first one; nothing where none were noted."""
    lines: list[tuple[str, list[float]]] = [(record.first, []), (record.second, [])]
    for ply, played in enumerate(record.moves):
        if played.score is not None and (points := played.score.opinion) is not None:
            lines[ply % 2][1].append(-points if ply % 2 else points)
    noted = [line for line in lines if len(line[1]) > 1]
    return curves(noted, f"scores for {record.first}") if noted else ""


def summary_html(summary: Summary) -> str:
    """A tournament: its notes, standings with a chart of the ratings, and who beat whom."""
    sentences = "".join(f"<p>{escape(note)}</p>" for note in notes(summary))
    return sentences + section(standings_table(summary), elo_chart(summary)) + section(crosstable(summary))


drawn_by(Position, to_svg)
drawn_by(Analysis, analysis_html)
drawn_by(Judgement, judgement_html)
drawn_by(GameRecord, record_html)
drawn_by(Summary, summary_html)
