"""What the first place of the page shows, and each game in a sentence: with a server and without one."""

from __future__ import annotations

from collections.abc import Iterable

from plyground import games
from plyground.core import specs
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Rules, Side
from plyground.games import title
from plyground.games.guide import example_move, guide
from plyground.games.lessons import lesson
from plyground.players.opponents import offers
from plyground.puzzle import shelf
from plyground.web.views import View, board_view, position_view

READY = "connect-four"
"""The game that is set up on the first place."""

READY_LEVEL = 3
"""The level that one plays against there."""

SAMPLES = {
    "connect-four": "1 4 4 5 3 3 3 5 6 3 5 4 4 6 5",
    "double-card": "0 1 A 1; 0 5 E 1; 0 4 F 2; 0 8 D 1; 0 4 C 1; 0 4 F 4; 0 6 E 2",
    "gomoku": "H8 I8 H9 H7 I9 J9 J10 K10 L11",
    "polarized-ladder": "G3 F4 F2 G2 E2 F1 G4 F3 H3 I4",
    "tic-tac-toe": "B2 A1 C3 C1 B1",
}
"""Lines of play that make good pictures; for other games one is made from their lesson."""

PICTURED_MOVES = 7
"""The least number of moves that the picture of a game shows."""


def home_view(ready: str, names: Iterable[str]) -> View:
    """A board that is ready to be played on, its opponent, and every named game with its rule in a sentence."""
    rules = games.load(ready)
    return {
        "game": ready,
        "board": board_view(rules),
        "position": position_view(Position.start(rules)),
        "level": READY_LEVEL,
        "levels": [offer.to_json() for offer in offers(rules)],
        "games": [introduced(name, games.load(name)) for name in names],
    }


def described(name: str, factory: object, **choices: list[str]) -> View:
    """A game or a player with its options, of which some may have choices that its signature does not say."""
    assert callable(factory)
    _, summary, _ = specs.described(name, factory)
    options = [
        {
            "name": option.name,
            "default": option.default,
            "choices": _choices(name, option) or choices.get(option.name, []),
            "number": int in option.kinds or float in option.kinds,
        }
        for option in specs.options_of(factory).values()
    ]
    return {
        "name": name,
        "title": title(name) if name in games.GAMES else name,
        "summary": summary,
        "options": options,
        "sides": [side.text for side in Side],
    }


def _choices(name: str, option: specs.Option) -> list[str]:
    """The words that an option takes; of two spellings that make the same game only the first."""
    words = [kind for kind in option.kinds if isinstance(kind, str)]
    if name not in games.GAMES:
        return words
    made = {games.load(f"{name}:{option.name}={word}").name: word for word in reversed(words)}
    return [word for word in words if word in made.values()]


def introduced(name: str, rules: Rules) -> View:
    """A game in a sentence, and a line of play that makes a good picture."""
    sample = rules.notation.split(rules, SAMPLES.get(name, ""))
    steps = [] if sample else [rules.notation.split(rules, step.moves) for step in lesson(rules)]
    return {
        "name": name,
        "title": title(name),
        "rule": " ".join(guide(rules).goal),
        "moves": sample or continued(rules, max(steps, key=len, default=[])),
        "puzzles": bool(shelf.names(name)),
        "newcomer": guide(rules).newcomer.text,
    }


def continued(rules: Rules, moves: list[str]) -> list[str]:
    """A line of play with so many moves that its picture shows something, as long as nobody wins by it."""
    _, position = play_texts(Position.start(rules), moves)
    while len(moves) < PICTURED_MOVES and (text := example_move(position)):
        position = position.play(position.parse(text))
        if position.outcome():
            break
        moves = [*moves, text]
    return moves
