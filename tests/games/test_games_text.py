"""Games as text: what the compiler makes of them, what it refuses, and leaf counts from code that shares nothing."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from counting import MODELS
from plyground import native
from plyground.conformance.checks import check_rules
from plyground.core.notation import parse_moves, write_moves
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.games import load, load_given, title
from plyground.games.text import carried_text, gallery, rules_of_text

OWN = {
    "connect-four": "connect-four:rows=6,columns=7",
    "tic-tac-toe": "tic-tac-toe",
    "gomoku": "gomoku",
    "polarized-ladder": "polarized-ladder",
    "double-card": "double-card",
}
"""The games of this program that the gallery writes down too, with the rules that they must be equal to."""

DEPTHS = {
    "connect6": 2,
    "gomoku-exact": 2,
    "order-and-chaos": 2,
    "score-four": 3,
    "connect-four-ring": 5,
    "connect-five": 4,
}
"""How many pieces are laid, where that is not 4 on small boards and 3 on others."""


def text_rules(name: str) -> Rules:
    return rules_of_text(gallery()[name])


@pytest.mark.parametrize("name", sorted(gallery().keys() - OWN.keys()))
def test_the_gallery_counts_as_many_games_as_a_model_that_shares_nothing(name: str) -> None:
    rules, model = text_rules(name), MODELS[name]
    assert len(rules.grid.cells) == len(model.cells)
    stones, plies = 0, 0
    most = DEPTHS.get(name, 4 if len(model.cells) < 20 else 3)
    while stones < min(most, len(model.cells)):
        plies += 1
        stones += plies - 1 not in rules.passing
    assert native.perft(Position.start(rules), plies) == model.count(stones)


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        ("misere-tic-tac-toe", 6),
        ("notakto", 6),
        ("treblecross", 6),
        ("toot-and-otto", 4),
        ("rows-against-columns", 4),
        pytest.param("toot-and-otto", 6, marks=pytest.mark.slow),
        pytest.param("rows-against-columns", 6, marks=pytest.mark.slow),
    ],
)
def test_late_positions_count_as_the_model_says(name: str, plies: int) -> None:
    rules, model = text_rules(name), MODELS[name]
    assert native.perft(Position.start(rules), plies) == model.count(plies)


@pytest.mark.parametrize("name", OWN)
def test_a_game_written_as_text_is_the_game_written_in_python(name: str) -> None:
    own, text = load(OWN[name]), text_rules(name)
    mine, theirs = ({(p.cells, p.neutraliser) for p in rules.patterns} for rules in (own, text))
    assert mine == theirs
    for side in range(2):
        assert {(p.name, p.adds, p.rests_on) for p in own.placements[side]} == {
            (p.name, p.adds, p.rests_on) for p in text.placements[side]
        }
    assert (own.grid, own.watches, own.max_plies, own.recycle_from) == (
        text.grid,
        text.watches,
        text.max_plies,
        text.recycle_from,
    )
    chance = random.Random(name)
    position, same = Position.start(own), Position.start(text)
    while position.over is None:
        move = chance.choice(position.moves())
        same = same.play(position.write(move))
        position = position.play(move)
        assert position.over == same.over


@pytest.mark.parametrize("name", sorted(gallery()))
def test_games_of_the_gallery_keep_the_promises_of_games(name: str) -> None:
    check_rules(text_rules(name), games=3)


@pytest.mark.parametrize("name", sorted(gallery()))
def test_random_games_are_written_and_read_back(name: str) -> None:
    rules = text_rules(name)
    chance, position, moves = random.Random(name), Position.start(rules), []
    while position.over is None:
        moves.append(chance.choice(position.moves()))
        position = position.play(moves[-1])
    again, end = parse_moves(rules, write_moves(rules, moves))
    assert [*again] == moves
    assert end == position


def test_the_name_of_a_text_is_enough_to_load_it_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "mine.game"
    file.write_text("game   My Own\nboard  square 4\nwin    line 3\n")
    rules = load_given(str(file))
    assert title(rules.name) == "My Own"
    assert carried_text(rules.name) == file.read_text()
    file.unlink()
    assert load(rules.name) == rules


def test_games_of_the_gallery_are_known_by_name() -> None:
    rules = load("yavalath")
    assert rules.name == "yavalath"
    assert title("yavalath") == "Yavalath"
    assert len(rules.grid.cells) == 61


REFUSED = {
    "": "line 1, column 1: the text is empty",
    "board square 3": "line 1, column 1: a text begins with 'game NAME', got 'board'",
    "game X": "the game has no board",
    "game X\nboard square 3": "nobody could win or lose",
    "game X\nboard squar 3\nwin line 3": r"line 2, column 7: expected a kind of board .*; did you mean 'square'\?",
    "game X\nboard square 3\nwim line 3": r"line 3, column 1: unknown statement 'wim'; did you mean 'win'\?",
    "game X\nboard square 3\nwin line 4": "line 3, column 5: this does not fit on the board",
    "game X\nboard square 99\nwin line 3": "line 2, column 14: cells of a side is 1 to 16, got '99'",
    "game X\nboard rectangle 20 x 20\nwin line 3": "a board has 1 to 256 cells, got 400",
    "game X\nboard square 3\ncapture two": "line 3, column 1: captures are not data here",
    "game X\nboard square 3\nconnect edges": "connected chains are not data here",
    "game X\nboard square 3\nwin plus": "line 3, column 5: expected what decides .*got 'plus'",
    "game X\nboard square 3\nwin third: line 3": "line 3, column 5: unknown side 'third'",
    "game X\nboard square 3\nwin line 3 extra": "line 3, column 12: expected the end of the line, got 'extra'",
    "game X\nboard square 3\nwin line 3\nwin line 3\nboard square 4": "line 5, column 1: 'board' is given twice",
    "game X\nboard square 3\nwin word xox": "a word needs 'pieces either'",
    "game X\nboard hexagon 3\nshape a\n  * *\nwin a": "shapes are drawn for boards of squares",
    "game X\n  * *": "line 2, column 3: a line that is set in belongs to a shape or a drawn board",
}


@pytest.mark.parametrize("source", REFUSED)
def test_what_is_wrong_with_a_text_is_said_with_its_place(source: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[source]):
        rules_of_text(source)


WORDS = """
game board rectangle square rows triangle hexagon cube box drawing place anywhere falling down pieces own shared either
cards card turned turns win lose line exactly in rows columns diagonals of unless the opponent holds every p or it
stands on row shape mirrored both mover wins full draw first second limit moves recycle from sides goal note credit
move cell column x o xox red+filled white+open 0 1 2 3 4 5 6 7 9 16 26 999 : , // # . * ring torus é \t 1000000 -1
""".replace("\n", " ").split(" ")


def scramble(chance: random.Random) -> str:
    """A text of words that may or may not make sense: a gallery game with changes, or words at random."""
    if chance.random() < 0.6:
        lines = chance.choice(list(gallery().values())).split("\n")
        for _ in range(chance.randrange(1, 5)):
            line = chance.randrange(len(lines))
            parts = lines[line].split(" ")
            parts[chance.randrange(len(parts))] = chance.choice(WORDS)
            lines[line] = " ".join(parts)
            if chance.random() < 0.2:
                lines.insert(line, lines[chance.randrange(len(lines))])
        return "\n".join(lines)
    said = (" ".join(chance.choice(WORDS) for _ in range(chance.randrange(6))) for _ in range(chance.randrange(8)))
    return "game X\n" + "\n".join(said)


def check_scrambled(seeds: range) -> None:
    accepted = 0
    for seed in seeds:
        source = scramble(random.Random(seed))
        try:
            found = native.compile_game(source)
        except ValueError as error:
            refusal = str(error)
            assert refusal.startswith("line "), (source, refusal)
        else:
            accepted += 1
            if seed % 50 == 0:
                rules = rules_of_text(source)
                assert native.supports(rules), source
            assert len(found["places"]) <= 256
    assert accepted > len(seeds) // 100


def test_scrambled_texts_are_errors_or_games() -> None:
    check_scrambled(range(2_000))


@pytest.mark.slow
def test_a_hundred_thousand_scrambled_texts_are_errors_or_games() -> None:
    check_scrambled(range(2_000, 102_000))
