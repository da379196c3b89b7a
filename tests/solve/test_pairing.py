import random

import pytest

from boards import after
from command import run
from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.solve import pairing
from plyground.solve.verify import check_pairing

LADDERS = ["polarized-ladder", "polarized-ladder:variant=open"]

PUBLISHED = (
    "C2-C3 D2-D3 E2-E3 F2-F3 G2-G3 H2-H3 I2-I3 J2-J3 K2-K3 E4-E5 F4-F5 G4-G5 H4-H5 I4-I5 G6-G7"  # the rules' own
)


def pairs_of(position: Position, text: str) -> list[tuple[int, int]]:
    parse = position.rules.grid.parse
    return [(parse(pair.split("-")[0]), parse(pair.split("-")[1])) for pair in text.split()]


@pytest.mark.parametrize("game", LADDERS)
@pytest.mark.parametrize("side", Side)
def test_both_sides_hold_polarized_ladder_from_the_start(game: str, side: Side) -> None:
    position = after(game)
    proof = pairing.prove(position, side)
    assert proof is not None
    assert proof.start is None
    check_pairing(position, side, proof.pairs)


@pytest.mark.parametrize("game", LADDERS)
def test_the_pairing_that_the_rules_give_is_accepted(game: str) -> None:
    position = after(game)
    for side in Side:
        check_pairing(position, side, pairs_of(position, PUBLISHED))


def test_a_pairing_without_its_last_pair_is_refused() -> None:
    position = after("polarized-ladder")
    with pytest.raises(ValueError, match=r"no pair lies in .*, which the first side can still complete"):
        check_pairing(position, Side.SECOND, pairs_of(position, PUBLISHED.removesuffix(" G6-G7")))


@pytest.mark.parametrize(
    ("moves", "pairs"), [("", "C2-C3 C3-D3"), ("C2", "C2-C3"), ("", "C2-C2")], ids=["shared", "taken", "one cell"]
)
def test_pairs_of_cells_that_are_not_free_are_refused(moves: str, pairs: str) -> None:
    position = after("polarized-ladder", moves)
    with pytest.raises(ValueError, match="is not a pair of empty cells"):
        check_pairing(position, Side.SECOND, pairs_of(position, pairs))


@pytest.mark.parametrize(
    ("game", "second_holds"),
    [
        ("tic-tac-toe", False),
        ("mnk:columns=4,rows=4,line=4", False),
        ("mnk:columns=5,rows=5,line=5", True),
        ("mnk:columns=6,rows=6,line=6", True),
        ("mnk:columns=8,rows=8,line=7", True),
        ("mnk:columns=15,rows=15,line=9", True),
    ],
)
def test_pairings_exist_where_lines_are_long_enough(game: str, second_holds: bool) -> None:
    position = after(game)
    proof = pairing.prove(position, Side.SECOND)
    assert (proof is not None) is second_holds
    if proof is not None:
        check_pairing(position, Side.SECOND, proof.pairs)


def test_the_side_to_move_may_need_one_move_first() -> None:
    position = after("tic-tac-toe")
    proof = pairing.prove(position, Side.FIRST)
    assert proof is not None
    assert proof.start is not None
    assert position.write(proof.start) == "B2"
    check_pairing(position.play(proof.start), Side.FIRST, proof.pairs)


def test_a_found_pairing_is_a_pairing_and_none_is_found_only_where_there_is_none() -> None:
    """Against every set of disjoint pairs, on small random sets of patterns."""
    chance = random.Random(7)
    found = 0
    for _ in range(200):
        patterns = [sum(1 << cell for cell in chance.sample(range(7), chance.choice([2, 3]))) for _ in range(5)]
        pairs = pairing.find(patterns, pairing.EFFORT_TRIES)
        assert (pairs is not None) == _exists(patterns, 0)
        if pairs is not None:
            found += 1
            cells = [cell for pair in pairs for cell in pair]
            assert len(set(cells)) == len(cells)
            assert all(any(p >> a & p >> b & 1 for a, b in pairs) for p in patterns)
    assert 20 < found < 180


def _exists(patterns: list[int], used: int) -> bool:
    if not patterns:
        return True
    first, *rest = patterns
    for a in range(7):
        for b in range(a):
            both = 1 << a | 1 << b
            if first & both == both and not used & both and _exists([p for p in rest if p & both != both], used | both):
                return True
    return False


@pytest.mark.parametrize("game", LADDERS)
@pytest.mark.parametrize("side", Side)
def test_whoever_keeps_a_pairing_never_loses_to_chance(game: str, side: Side) -> None:
    chance = random.Random(f"{game} {side}")
    for _ in range(4):
        position = after(game)
        while position.outcome() is None:
            kept = pairing.keeping(position) if position.to_move is side else position.moves()
            assert kept
            position = position.play(chance.choice(kept))
        assert position.outcome().winner is not side.other  # type: ignore[union-attr]


@pytest.mark.parametrize("game", ["connect-four", "double-card"])
def test_games_with_gravity_or_shared_cards_are_refused(game: str) -> None:
    with pytest.raises(ValueError, match=f"no pairing can prove anything in {game}: .*try `plyground solve`"):
        pairing.prove(after(game), Side.FIRST)


def test_a_finished_game_leaves_nothing_to_prove() -> None:
    with pytest.raises(ValueError, match="is over, so there is nothing to prove"):
        pairing.prove(after("tic-tac-toe", "A1 A2 B1 B2 C1"), Side.FIRST)


def test_running_out_of_effort_is_not_taken_for_a_refutation() -> None:
    with pytest.raises(pairing.EffortSpentError, match="no pairing found in 100 tries; one may still exist"):
        pairing.prove(after("mnk:columns=7,rows=7,line=6"), Side.SECOND, effort=100)


def test_prove_prints_the_pairs_on_the_board() -> None:
    done = run("prove", "mnk:columns=5,rows=5,line=5", "--after", "C3 A1", "--side", "first")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "5  8  8  .  .  .\n4  7  6  7  .  .\n3  4  6  x  .  .\n2  4  5  5  2  3\n1  o  1  1  2  3\n   A  B  C  D  E\n"
    )
    assert "the first side cannot lose" in done.stdout


def test_prove_says_what_it_could_not_prove() -> None:
    done = run("prove", "tic-tac-toe", "--json")
    assert done.returncode == 0, done.stderr
    assert done.stdout == '{"proved": false, "side": "second", "reason": "there is no pairing for the second side"}\n'


def test_prove_refuses_connect_four() -> None:
    done = run("prove", "connect-four")
    assert done.returncode == 1
    assert "not every empty cell can be taken at any time" in done.stderr
