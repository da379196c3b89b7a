"""The published student interface: positions, moves, heuristics and the plain searches that the course teaches.

A submission that is graded, or plays in a class, is given these public names and nothing else of this program: no
engine, solver, judge, book or puzzle and no core (see `plyground.referee.sandbox.interface`).
"""

from __future__ import annotations

from plyground.core.grid import Grid as Grid
from plyground.core.grid import Mask as Mask
from plyground.core.grid import bits as bits
from plyground.core.kinds import checked
from plyground.core.notation import CardNotation as CardNotation
from plyground.core.notation import CellNotation as CellNotation
from plyground.core.notation import ColumnNotation as ColumnNotation
from plyground.core.notation import PieceNotation as PieceNotation
from plyground.core.position import Ending as Ending
from plyground.core.position import IllegalMove as IllegalMove
from plyground.core.position import Outcome as Outcome
from plyground.core.position import Position as Position
from plyground.core.rules import Effect as Effect
from plyground.core.rules import Guide as Guide
from plyground.core.rules import Move as Move
from plyground.core.rules import Notation as Notation
from plyground.core.rules import Pattern as Pattern
from plyground.core.rules import Placement as Placement
from plyground.core.rules import Reading as Reading
from plyground.core.rules import Rules as Rules
from plyground.core.rules import Side as Side
from plyground.core.rules import Symmetry as Symmetry
from plyground.core.specs import written as written
from plyground.core.symmetry import canonical as canonical
from plyground.games import load_given
from plyground.heuristics import Heuristic as Heuristic
from plyground.heuristics import load as find_heuristic
from plyground.play.clock import TimeControl as TimeControl
from plyground.render import text as _text  # noqa: F401  (it writes the board that `print` shows)
from plyground.search.alpha_beta import alpha_beta as alpha_beta
from plyground.search.base import Analysis as Analysis
from plyground.search.base import Effort as Effort
from plyground.search.base import Limit as Limit
from plyground.search.base import OutOfTime as OutOfTime
from plyground.search.base import Ranking as Ranking
from plyground.search.base import Search as Search
from plyground.search.base import Source as Source
from plyground.search.base import WinValue as WinValue
from plyground.search.deepening import Deepening as Deepening
from plyground.search.deepening import deepening as deepening
from plyground.search.minimax import minimax as minimax
from plyground.search.score import MAX_HEURISTIC as MAX_HEURISTIC
from plyground.search.score import WIN as WIN
from plyground.search.score import Score as Score

load_game = load_given  # an assignment, not an import under another name, so that type checkers find it


def start(game: str | Rules, moves: str = "") -> Position:
    """The empty board of a game, or the position after some moves; ValueError for an unknown game or illegal moves.

    A text that describes a position, as `repr(position)` shows it, is read too.

    >>> start("tic-tac-toe", "B2 A1")
    Position('tic-tac-toe', '.../.x./o.. x')
    >>> print(start("tic-tac-toe", ".../.x./o.. x"))
    3  .  .  .
    2  .  x  .
    1  o  .  .
       A  B  C
    """
    return Position(load_game(game), moves)


def load_heuristic(text: str, rules: str | Rules) -> Heuristic:
    """The heuristic of a name, of `weights:0/1/4/16/64` or `FILE.py:FUNCTION`; ValueError when none fits the game.

    >>> load_heuristic("lines", "tic-tac-toe")(start("tic-tac-toe", "B2"))
    -16
    """
    return find_heuristic(checked(text, str, "a heuristic is a name, such as 'lines'"), load_game(rules))
