"""Everything that Python knows of one game, as data for a page without a server."""

from __future__ import annotations

from plyground import games, heuristics
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.games import title
from plyground.games.goals import answer
from plyground.games.lessons import LessonStep, lesson
from plyground.heuristics import HEURISTICS
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.evaluation import rows_of, terms_of
from plyground.judge.claims import ClaimKind
from plyground.judge.explain import EFFORT_IN_ALL_NODES, EFFORT_NODES, PATIENCE_SECONDS
from plyground.judge.judge import ENGINE_MB, PROVER_MB, SOLVER_MB
from plyground.judge.review import GRADES, LOSSES, Grade
from plyground.judge.safeguard import RANKING_SHARE, THINKING_SHARE
from plyground.players.levels import LEVELS, Level
from plyground.players.opponents import Offer, offers
from plyground.render.svg import THEMES, empty_board, mark, piece, to_svg
from plyground.search.core_values import CANNOT_LOSE, LONGEST_DEFENCE, REMARKS, SOURCES
from plyground.web.site.move_texts import places, spellings
from plyground.web.thinking.worker import LINE_PLIES, LINES, SUMMARY_SHARE
from plyground.web.views import View, board_view, laid_view, lesson_view, position_view

FORMAT = 2
"""The number of this form of the data, which the page checks."""


def levels_view(rules: Rules) -> list[View]:
    """The levels with what they play by; the last one keeps what the judge knows."""
    return [_level(offer, level) for offer, level in zip(offers(rules), LEVELS, strict=True)]


def _level(offer: Offer, level: Level) -> View:
    limit = level.limit
    limits = {"depth": limit.depth, "nodes": limit.nodes, "seconds": limit.seconds}
    return offer.to_json() | {"limit": limits, "slips": level.slips, "guarded": level is LEVELS[-1]}


def game_view(rules: Rules) -> View:
    """What it takes to play a game: board, what moves lay and how they are typed, levels."""
    return {
        "format": FORMAT,
        "game": rules.name,
        "title": title(rules.name),
        "board": board_view(rules),
        "start": position_view(Position.start(rules)),
        "moves": {"spellings": spellings(rules), "where": places(rules), "laid_as": _laid(rules)},
        "levels": levels_view(rules),
        "scales": {name: guess.scale for name, guess in data_heuristics(rules).items() if guess.scale != 1},
        "workbench": {
            "longest": rules.longest,
            "rows": rows_of(rules),
            "terms": terms_of(rules),
            "through": [len(patterns) for patterns in rules.patterns_through],
        },
    }


def data_heuristics(rules: Rules) -> dict[str, DataHeuristic]:
    """The named heuristics that know a game and are weights, which the core can work out."""
    found = {}
    for name in HEURISTICS:
        try:
            guess = heuristics.load(name, rules)
        except ValueError:
            continue
        if isinstance(guess, DataHeuristic):
            found[name] = guess
    return found


def _laid(rules: Rules) -> list[list[View]]:
    """What each placement lays, for each side; once where both sides lay the same."""
    sides = [rules.placements[side] for side in Side]
    return [[laid_view(rules, placement) for placement in placements] for placements in dict.fromkeys(sides)]


def judge_data() -> View:
    """What the numbers of the core's judge stand for, how large its tables are, and how long answers about it are."""
    names: View = {
        "sources": SOURCES,
        "remarks": REMARKS,
        "claims": list(ClaimKind),
        "grades": GRADES,
        "losses": LOSSES,
    }
    return {
        "format": FORMAT,
        "names": names,
        "megabytes": {"solver": SOLVER_MB, "proofs": PROVER_MB, "engine": ENGINE_MB},
        "explaining": {"nodes": EFFORT_NODES, "nodes_in_all": EFFORT_IN_ALL_NODES},
        "patience": PATIENCE_SECONDS,
        "notes": {"cannot_lose": CANNOT_LOSE, "longest_defence": LONGEST_DEFENCE},
        "shares": {"thinking": THINKING_SHARE, "ranking": RANKING_SHARE, "summary": SUMMARY_SHARE},
        "faulty": [grade for grade in Grade if grade.faulty],
        "lines": LINES,
        "line_plies": LINE_PLIES,
        "aside": [kind for kind in ClaimKind if not kind.explains],
    }


def lesson_data(rules: Rules) -> View:
    """The lesson of a game, and what each of its tasks says to every legal move."""
    view = lesson_view(rules)
    del view["board"]
    return {"format": FORMAT, "lesson": view, "answers": [_answers(rules, step) for step in lesson(rules)]}


def _answers(rules: Rules, step: LessonStep) -> View | None:
    """For every legal move of a task: whether it is right, why (a number into `why`), and the reply to it."""
    if step.goal is None:
        return None
    before = step.position(rules)
    why: dict[str, int] = {}
    moves: dict[str, list[object]] = {}
    for move in before.moves():
        found = answer(step.goal, before, move)
        reply = None if found.reply is None else before.play(move).write(found.reply)
        moves[before.write(move)] = [found.correct, why.setdefault(found.why, len(why)), reply]
    return {"why": list(why), "moves": moves}


def home_pictures(home: View) -> dict[str, str]:
    """The pictures of the first place, by the game and the moves: it shows them before any game is loaded."""
    found, listed = {}, home["games"]
    assert isinstance(listed, list)
    for game in listed:
        _, position = play_texts(Position.start(games.load(game["name"])), game["moves"])
        drawn = to_svg(position).replace(THEMES["system"], "/* theme */", 1)
        found[f"{game['name']} {';'.join(game['moves'])}"] = drawn
    return found


def picture_data(rules: Rules) -> View:
    """A picture of the empty board, and what is drawn into it for each placement, last move and pattern that won."""
    count = range(len(rules.placements[Side.FIRST]))
    return {
        "format": FORMAT,
        "board": empty_board(rules).replace(THEMES["system"], "/* theme */", 1),
        "themes": THEMES,
        "pieces": [[piece(rules, side, place) for place in count] for side in Side],
        "last": [[mark(rules, laid.cells, "last") for laid in rules.placements[side]] for side in Side],
        "win": [mark(rules, pattern.cells, "win") for pattern in rules.patterns],
    }
