from four_corners import four_corners, middle_first

from plyground import check_heuristic, check_rules


def test_the_game_keeps_its_promises() -> None:
    check_rules(four_corners(size=4))


def test_the_heuristic_keeps_its_promises() -> None:
    check_heuristic(middle_first, four_corners(), symmetric=True)
