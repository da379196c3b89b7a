"""A laboratory for two-player pattern games.

Load a game and play:

    >>> import plyground
    >>> position = plyground.start("connect-four:rows=6,columns=7")
    >>> position = position.play("4")
    >>> position.at("D1")
    'x'

Analyse, and solve:

    >>> str(plyground.analyse(plyground.start("tic-tac-toe", "A1 B1 A2 B2"), "alpha-beta:depth=3").score)
    'win in 1'
    >>> plyground.solve_position(plyground.start("tic-tac-toe")).verdict
    'draw'

Ask what is known about a position and each of its moves:

    >>> judgement = plyground.judge(plyground.start("tic-tac-toe", "A1 B1 A2 B2"))
    >>> str(judgement.score), judgement.source.value, len(judgement.moves)
    ('win in 1', 'search', 5)

Play a game, a match, a tournament:

    >>> record = plyground.play_game("tic-tac-toe", "alpha-beta:depth=3", "random", seed=1)
    >>> record.result.value
    '1-0'
    >>> match = plyground.play_match("tic-tac-toe", "alpha-beta:depth=4", "random", games=4)
    >>> match.tally.games
    4
    >>> summary = plyground.run_tournament("tic-tac-toe", ["alpha-beta:depth=4", "random"])
    >>> summary.names
    ['alpha-beta:depth=4', 'random']

The names in `__all__` are public; everything else may change with any release.
"""

TYPE_CHECKING = False  # of typing, which would take longer to load than all the rest here

if TYPE_CHECKING:
    from plyground.api import *  # noqa: F403

__version__ = "0.1.0"

__all__ = [  # noqa: F405
    "MAX_HEURISTIC",
    "WIN",
    "Analysis",
    "Answer",
    "Attempt",
    "Book",
    "CardNotation",
    "CellNotation",
    "Claim",
    "ColumnNotation",
    "ConformanceError",
    "Deepening",
    "DepthPlayer",
    "Effect",
    "Effort",
    "Ending",
    "Estimate",
    "Explanation",
    "Game",
    "GameRecord",
    "Grid",
    "Guide",
    "Heuristic",
    "IllegalMove",
    "Judgement",
    "Limit",
    "Mask",
    "Match",
    "Move",
    "NeedsNoClosing",
    "Notation",
    "OutOfTime",
    "Outcome",
    "Pairing",
    "Pattern",
    "PieceNotation",
    "Placement",
    "PlayedMove",
    "Player",
    "Position",
    "Puzzle",
    "Ranking",
    "Reading",
    "Result",
    "ReviewedMove",
    "Rules",
    "Score",
    "Search",
    "Setting",
    "Side",
    "Source",
    "Summary",
    "Symmetry",
    "Tally",
    "Theme",
    "TimeControl",
    "Value",
    "WinValue",
    "__version__",
    "alpha_beta",
    "analyse",
    "bits",
    "canonical",
    "check_heuristic",
    "check_pairing",
    "check_player",
    "check_rules",
    "check_search",
    "check_strategy",
    "daily_puzzle",
    "deepening",
    "expected_score",
    "explain",
    "judge",
    "load_book",
    "load_game",
    "load_heuristic",
    "load_player",
    "load_puzzles",
    "load_records",
    "make_puzzles",
    "minimax",
    "play_game",
    "play_match",
    "prove_pairing",
    "puzzles",
    "read_records",
    "record_to_json",
    "record_to_pgn",
    "review",
    "run_tournament",
    "save_puzzles",
    "save_records",
    "solve_position",
    "solver_for",
    "start",
    "written",
]


if not TYPE_CHECKING:  # type checkers read the names from `plyground.api`, and report any other

    def __getattr__(name: str) -> object:
        """A public name; the module that defines them is imported when the first one is used."""
        if name not in __all__:
            raise AttributeError(f"module 'plyground' has no attribute {name!r}")
        from plyground import api

        try:
            return getattr(api, name)
        except AttributeError:  # in the package that submissions get, see plyground.referee.sandbox.interface
            raise AttributeError(
                f"plyground.{name} is not there for submissions: they have positions, moves, heuristics and the plain "
                'searches; a teacher can allow more, by allow = ["engine"]'
            ) from None


def __dir__() -> list[str]:
    return __all__
