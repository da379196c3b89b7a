"""Searches as students write them: correct ones in many forms, and the same with a bug seeded in one line."""

from __future__ import annotations

from typing import NamedTuple

NEGAMAX = """
def value_of_end(position, plies):
    over = position.outcome()
    if over.winner is None:
        return 0
    return 10000 - plies if over.winner is position.to_move else plies - 10000


def search(position, depth, heuristic, plies=0):
    if position.outcome():
        return value_of_end(position, plies), None
    if depth == 0:
        return heuristic(position), None
    best, chosen = -10**9, None
    for move in position.moves():
        value = -search(position.play(move), depth - 1, heuristic, plies + 1)[0]
        if value > best:
            best, chosen = value, move
    return best, chosen
"""

ALPHA_BETA = """
def search(position, depth, heuristic, alpha=-10**9, beta=10**9, plies=0):
    over = position.outcome()
    if over:
        if over.winner is None:
            return 0
        return 10000 - plies if over.winner is position.to_move else plies - 10000
    if depth == 0:
        return heuristic(position)
    best = -10**9
    for move in position.moves():
        value = -search(position.play(move), depth - 1, heuristic, -beta, -alpha, plies + 1)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
"""

FAIL_HARD = """
def search(board, depth, heuristic, a=float("-inf"), b=float("inf")):
    end = board.outcome()
    if end is not None:
        if end.winner is None:
            return 0
        size = 10000 + depth
        return size if end.winner == board.to_move else -size
    if depth <= 0:
        return heuristic(board)
    for move in board.moves():
        score = -search(board.play(move), depth - 1, heuristic, -b, -a)
        if score >= b:
            return b
        if score > a:
            a = score
    return a
"""

FLAGGED = """
import math


def minimax(state, depth, alpha, beta, maximizing, heuristic):
    over = state.outcome()
    if over is not None:
        if over.winner is None:
            return 0
        mine = (over.winner is state.to_move) == maximizing
        return 10000 + depth if mine else -10000 - depth
    if depth == 0:
        return heuristic(state) if maximizing else -heuristic(state)
    if maximizing:
        best = -math.inf
        for move in state.moves():
            best = max(best, minimax(state.play(move), depth - 1, alpha, beta, False, heuristic))
            alpha = max(alpha, best)
            if beta <= alpha:
                break
        return best
    best = math.inf
    for move in state.moves():
        best = min(best, minimax(state.play(move), depth - 1, alpha, beta, True, heuristic))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best
"""

TWO_FUNCTIONS = """
INF = 10**9


def max_value(position, depth, heuristic, alpha=-INF, beta=INF):
    over = position.outcome()
    if over:
        return 0 if over.winner is None else (10000 + depth if over.winner is position.to_move else -10000 - depth)
    if depth == 0:
        return heuristic(position)
    v = -INF
    for move in position.moves():
        v = max(v, min_value(position.play(move), depth - 1, heuristic, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(position, depth, heuristic, alpha=-INF, beta=INF):
    over = position.outcome()
    if over:
        return 0 if over.winner is None else (-10000 - depth if over.winner is position.to_move else 10000 + depth)
    if depth == 0:
        return -heuristic(position)
    v = INF
    for move in position.moves():
        v = min(v, max_value(position.play(move), depth - 1, heuristic, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v
"""

BY_SIDE = """
from plyground import Side


def value(position, depth, heuristic):
    over = position.outcome()
    if over:
        if over.winner is None:
            return 0
        return 10000 + depth if over.winner is Side.FIRST else -10000 - depth
    if depth == 0:
        guess = heuristic(position)
        return guess if position.to_move is Side.FIRST else -guess
    values = [value(position.play(move), depth - 1, heuristic) for move in position.moves()]
    return max(values) if position.to_move is Side.FIRST else min(values)
"""

PVS = """
def pvs(position, depth, alpha, beta, heuristic, ply=0):
    if position.outcome():
        winner = position.outcome().winner
        return 0 if winner is None else (10000 - ply) * (1 if winner is position.to_move else -1)
    if depth == 0:
        return heuristic(position)
    first = True
    for move in position.moves():
        child = position.play(move)
        if first:
            score = -pvs(child, depth - 1, -beta, -alpha, heuristic, ply + 1)
        else:
            score = -pvs(child, depth - 1, -alpha - 1, -alpha, heuristic, ply + 1)
            if alpha < score < beta:
                score = -pvs(child, depth - 1, -beta, -alpha, heuristic, ply + 1)
        first = False
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return alpha
"""

TABLED = """
EXACT, LOWER, UPPER = 0, 1, 2
TABLE = {}


def deepen(position, depth, heuristic):
    TABLE.clear()
    for plies in range(1, depth + 1):
        answer = search(position, plies, heuristic, -10**9, 10**9)
    return answer


def search(position, depth, heuristic, alpha, beta):
    over = position.outcome()
    if over:
        winner = over.winner
        return 0 if winner is None else (10000 if winner is position.to_move else -10000)
    key = position
    if key in TABLE:
        known, value, flag = TABLE[key]
        if known >= depth:
            if flag == EXACT:
                return value
            if flag == LOWER:
                alpha = max(alpha, value)
            if flag == UPPER:
                beta = min(beta, value)
            if alpha >= beta:
                return value
    if depth == 0:
        return heuristic(position)
    best, low = -10**9, alpha
    for move in position.moves():
        best = max(best, -search(position.play(move), depth - 1, heuristic, -beta, -alpha))
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    flag = UPPER if best <= low else LOWER if best >= beta else EXACT
    TABLE[key] = (depth, best, flag)
    return best
"""

CLASS = """
class Searcher:
    def __init__(self, heuristic):
        self.heuristic = heuristic
        self.nodes = 0

    def search(self, position, depth):
        value, move = self.negamax(position, depth, -10**9, 10**9)
        return move, value

    def negamax(self, position, depth, alpha, beta):
        self.nodes += 1
        over = position.outcome()
        if over:
            if over.winner is None:
                return 0, None
            return (10000 + depth if over.winner is position.to_move else -10000 - depth), None
        if depth == 0:
            return self.heuristic(position), None
        best, chosen = -10**9, None
        for move in self.ordered(position):
            value = -self.negamax(position.play(move), depth - 1, -beta, -alpha)[0]
            if value > best:
                best, chosen = value, move
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best, chosen

    def ordered(self, position):
        return sorted(position.moves(), key=lambda move: self.heuristic(position.play(move)))
"""

OWN = """
def lines_of(position, side):
    return sum(count * number for number, count in enumerate(position.lines(side)))


def evaluate(position):
    mine = lines_of(position, position.to_move)
    theirs = lines_of(position, position.to_move.other)
    return mine - theirs


def best_move(position, depth):
    def negamax(node, left, alpha, beta):
        over = node.outcome()
        if over:
            return 0 if over.winner is None else (10000 + left) * (1 if over.winner is node.to_move else -1)
        if left == 0:
            return evaluate(node)
        best = -10**9
        for move in node.moves():
            best = max(best, -negamax(node.play(move), left - 1, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    best, chosen = None, None
    for move in position.moves():
        value = -negamax(position.play(move), depth - 1, -10**9, 10**9)
        if best is None or value > best:
            best, chosen = value, move
    return chosen
"""

COUNTING_UP = """
def search(position, depth, max_depth, heuristic):
    over = position.outcome()
    if over:
        return 0 if over.winner is None else (10000 - depth) * (1 if over.winner is position.to_move else -1)
    if depth == max_depth:
        return heuristic(position)
    return max(-search(position.play(move), depth + 1, max_depth, heuristic) for move in position.moves())
"""

COLOUR = """
def negamax(node, depth, alpha, beta, color, heuristic):
    over = node.outcome()
    if over:
        return 0 if over.winner is None else (10000 + depth) * (1 if over.winner is node.to_move else -1)
    if depth == 0:
        return heuristic(node)
    value = float("-inf")
    for move in node.moves():
        value = max(value, -negamax(node.play(move), depth - 1, -beta, -alpha, -color, heuristic))
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return value
"""

EFFORTFUL = """
from plyground import WIN


def plain(position, depth, heuristic, effort, plies=0):
    effort.visit(position)
    if over := position.outcome():
        won = 0 if over.winner is None else 1 if over.winner is position.to_move else -1
        return won * (WIN - plies), ()
    if depth == 0:
        return effort.evaluate(heuristic, position), ()
    best = -WIN, ()
    for move in position.moves():
        value, line = plain(position.play(move), depth - 1, heuristic, effort, plies + 1)
        best = max(best, (-value, (move, *line)), key=lambda found: found[0])
    return best
"""

CACHED = """
from functools import lru_cache


@lru_cache(maxsize=None)
def search(position, depth):
    over = position.outcome()
    if over:
        return 0 if over.winner is None else (10000 + depth) * (1 if over.winner is position.to_move else -1)
    if depth == 0:
        return 0
    return max(-search(position.play(move), depth - 1) for move in position.moves())
"""

DECAYING = """
def search(position, depth, heuristic):
    over = position.outcome()
    if over:
        return 0 if over.winner is None else 100000 * (1 if over.winner is position.to_move else -1)
    if depth == 0:
        return heuristic(position)
    best = max(-search(position.play(move), depth - 1, heuristic) for move in position.moves())
    if best > 50000:
        best -= 1
    elif best < -50000:
        best += 1
    return best
"""

MOVE_FIRST = """
def search(position, depth, evaluate, alpha=None, beta=None):
    if position.outcome() is not None:
        winner = position.outcome().winner
        if winner is None:
            return None, 0
        return None, 20000 + depth if winner is position.to_move else -20000 - depth
    if depth == 0:
        return None, evaluate(position)
    best_move, best_value = None, None
    for text in position.move_texts():
        after = position.play(text)
        window = None if beta is None else -beta, None if alpha is None else -alpha
        _, value = search(after, depth - 1, evaluate, *window)
        value = -value
        if best_value is None or value > best_value:
            best_move, best_value = text, value
        if alpha is None or best_value > alpha:
            alpha = best_value
        if beta is not None and alpha >= beta:
            break
    return best_move, best_value
"""

DEPTH_ONE = """
def search(position, depth, heuristic):
    if position.outcome():
        winner = position.outcome().winner
        return 0 if winner is None else (10000 + depth) * (1 if winner is position.to_move else -1)
    if depth < 1:
        return heuristic(position)
    moves = position.moves()
    best = -search(position.play(moves[0]), depth - 1, heuristic)
    for move in moves[1:]:
        best = max(best, -search(position.play(move), depth - 1, heuristic))
    return best
"""

ASPIRING = (
    """
def deepen(position, max_depth, heuristic):
    guess = 0
    for depth in range(1, max_depth + 1):
        low, high = guess - 50, guess + 50
        guess = search(position, depth, heuristic, low, high)
        if guess <= low or guess >= high:
            guess = search(position, depth, heuristic, -10**9, 10**9)
    return guess

"""
    + ALPHA_BETA
)

TEXTBOOK = """
from plyground import Side

INFINITY = float("inf")


def alpha_beta_search(position, depth, heuristic):
    me = position.to_move

    def utility(state, plies):
        winner = state.outcome().winner
        if winner is None:
            return 0
        return 5000 - plies if winner == me else -5000 + plies

    def evaluate(state):
        return heuristic(state) if state.to_move == me else -heuristic(state)

    def max_value(state, left, alpha, beta, plies):
        if state.outcome():
            return utility(state, plies), None
        if left == 0:
            return evaluate(state), None
        v, move = -INFINITY, None
        for a in state.moves():
            v2, _ = min_value(state.play(a), left - 1, alpha, beta, plies + 1)
            if v2 > v:
                v, move = v2, a
                alpha = max(alpha, v)
            if v >= beta:
                return v, move
        return v, move

    def min_value(state, left, alpha, beta, plies):
        if state.outcome():
            return utility(state, plies), None
        if left == 0:
            return evaluate(state), None
        v, move = INFINITY, None
        for a in state.moves():
            v2, _ = max_value(state.play(a), left - 1, alpha, beta, plies + 1)
            if v2 < v:
                v, move = v2, a
                beta = min(beta, v)
            if v <= alpha:
                return v, move
        return v, move

    value, move = max_value(position, depth, -INFINITY, INFINITY, 0)
    return move
"""

STATEFUL = """
class Player:
    WIN = 30000

    def __init__(self):
        self.best_move = None
        self.nodes = 0

    def score(self, board, who):
        total = 0
        for count, number in enumerate(board.lines(who)):
            total += number * count * count
        return total

    def evaluate(self, board):
        return self.score(board, board.to_move) - self.score(board, board.to_move.other)

    def choose_move(self, board, depth):
        self.best_move = None
        self.root = board
        self.alphabeta(board, depth, float("-inf"), float("inf"), True)
        return self.best_move

    def alphabeta(self, board, depth, alpha, beta, top=False):
        self.nodes += 1
        result = board.outcome()
        if result is not None:
            if result.winner is None:
                return 0
            sign = 1 if result.winner == board.to_move else -1
            return sign * (self.WIN + depth)
        if depth <= 0:
            return self.evaluate(board)
        value = float("-inf")
        for move in sorted(board.moves()):
            score = -self.alphabeta(board.play(move), depth - 1, -beta, -alpha)
            if score > value:
                value = score
                if top:
                    self.best_move = move
            alpha = max(alpha, value)
            if alpha >= beta:
                break
        return value
"""

AS_DICT = """
def minimax(node, depth, is_max, heuristic):
    end = node.outcome()
    if end:
        if end.winner is None:
            return {"score": 0, "move": None}
        won = (end.winner is node.to_move) == is_max
        return {"score": 9000 + depth if won else -9000 - depth, "move": None}
    if depth == 0:
        guess = heuristic(node)
        return {"score": guess if is_max else -guess, "move": None}
    results = []
    for move in node.moves():
        result = minimax(node.play(move), depth - 1, not is_max, heuristic)
        results.append({"score": result["score"], "move": move})
    if is_max:
        return max(results, key=lambda each: each["score"])
    return min(results, key=lambda each: each["score"])
"""

SIGNED_SIDE = """
def negamax(position, depth, sign, heuristic):
    outcome = position.outcome()
    if outcome is not None:
        if outcome.winner is None:
            return [0, None]
        return [sign * (8000 + depth) * (1 if outcome.winner == 0 else -1), None]
    if depth == 0:
        guess = heuristic(position)
        first = guess if position.to_move == 0 else -guess
        return [sign * first, None]
    best = [float("-inf"), None]
    for move in sorted(position.moves()):
        child = negamax(position.play(move), depth - 1, -sign, heuristic)
        if -child[0] > best[0]:
            best = [-child[0], move]
    return best
"""

DEEPENING_INSIDE = """
def best_move(position, max_depth, heuristic):
    order = sorted(position.moves())
    chosen = order[0]
    for depth in range(1, max_depth + 1):
        alpha, beta = float("-inf"), float("inf")
        best = None
        for move in order:
            score = -alpha_beta(position.play(move), depth - 1, -beta, -alpha, heuristic)
            if best is None or score > best:
                best = score
                chosen = move
            if score > alpha:
                alpha = score
        order.remove(chosen)
        order.insert(0, chosen)
    return chosen


def alpha_beta(position, depth, alpha, beta, heuristic):
    over = position.outcome()
    if over:
        if over.winner is None:
            return 0
        if over.winner == position.to_move:
            return 7000 + depth
        return -(7000 + depth)
    if depth == 0:
        return heuristic(position)
    for move in sorted(position.moves()):
        score = -alpha_beta(position.play(move), depth - 1, -beta, -alpha, heuristic)
        if score >= beta:
            return beta
        alpha = max(alpha, score)
    return alpha
"""


class Variant(NamedTuple):
    """A correct search."""

    text: str
    name: str
    """The function that is called."""


CORRECT = {
    "negamax": Variant(NEGAMAX, "search"),
    "alpha-beta": Variant(ALPHA_BETA, "search"),
    "fail-hard": Variant(FAIL_HARD, "search"),
    "flagged": Variant(FLAGGED, "minimax"),
    "two functions": Variant(TWO_FUNCTIONS, "max_value"),
    "by side": Variant(BY_SIDE, "value"),
    "scout": Variant(PVS, "pvs"),
    "table": Variant(TABLED, "deepen"),
    "class": Variant(CLASS, "Searcher.search"),
    "own heuristic": Variant(OWN, "best_move"),
    "counting up": Variant(COUNTING_UP, "search"),
    "colour": Variant(COLOUR, "negamax"),
    "effort": Variant(EFFORTFUL, "plain"),
    "cached": Variant(CACHED, "search"),
    "decaying": Variant(DECAYING, "search"),
    "move first": Variant(MOVE_FIRST, "search"),
    "first move apart": Variant(DEPTH_ONE, "search"),
    "aspiring": Variant(ASPIRING, "deepen"),
    "fixed win": Variant(FAIL_HARD.replace("10000 + depth", "10000"), "search"),
    "last of equal moves": Variant(NEGAMAX.replace("if value > best", "if value >= best"), "search"),
    "ordered": Variant(
        ALPHA_BETA.replace("in position.moves()", "in sorted(position.moves(), reverse=True)"), "search"
    ),
    "recursive closure": Variant(OWN.replace("alpha >= beta", "beta <= alpha"), "best_move"),
    "flag as sign": Variant(
        FLAGGED.replace("(over.winner is state.to_move) == maximizing", "(over.winner is state.to_move) == (color > 0)")
        .replace("if maximizing", "if color > 0")
        .replace("beta, maximizing, heuristic", "beta, color, heuristic")
        .replace("beta, False, heuristic", "beta, -color, heuristic")
        .replace("beta, True, heuristic", "beta, -color, heuristic"),
        "minimax",
    ),
    "flag of the first": Variant(
        FLAGGED.replace("mine = (over.winner is state.to_move) == maximizing", "mine = over.winner == 0").replace(
            "return heuristic(state) if maximizing else -heuristic(state)",
            "return heuristic(state) if state.to_move == 0 else -heuristic(state)",
        ),
        "minimax",
    ),
    "floats": Variant(FAIL_HARD.replace("return heuristic(board)", "return heuristic(board) / 7"), "search"),
}
"""Searches that are right, by what is special about them."""


class Bug(NamedTuple):
    """A search with one line changed, and the cause that should be found."""

    variant: str
    old: str
    new: str
    cause: str


BUGS = (
    Bug("negamax", "return heuristic(position), None", "return -heuristic(position), None", "heuristic-side"),
    Bug("alpha-beta", "return heuristic(position)", "return -heuristic(position)", "heuristic-side"),
    Bug(
        "flagged",
        "return heuristic(state) if maximizing else -heuristic(state)",
        "return heuristic(state)",
        "heuristic-side",
    ),
    Bug("two functions", "return -heuristic(position)", "return heuristic(position)", "heuristic-side"),
    Bug("by side", "return guess if position.to_move is Side.FIRST else -guess", "return guess", "heuristic-side"),
    Bug("own heuristic", "return mine - theirs", "return theirs - mine", "heuristic-side"),
    Bug("class", "return self.heuristic(position), None", "return -self.heuristic(position), None", "heuristic-side"),
    Bug("negamax", "value = -search", "value = search", "negation-missing"),
    Bug("alpha-beta", "value = -search", "value = search", "negation-missing"),
    Bug("own heuristic", "best = max(best, -negamax", "best = max(best, negamax", "negation-missing"),
    Bug("negamax", "return best, chosen", "return -best, chosen", "negation-doubled"),
    Bug("first move apart", "best = max(best, -search", "best = min(best, -search", "min-max-exchanged"),
    Bug(
        "by side",
        "return max(values) if position.to_move is Side.FIRST else min(values)",
        "return min(values) if position.to_move is Side.FIRST else max(values)",
        "min-max-exchanged",
    ),
    Bug("negamax", "if value > best", "if chosen is None or value < best", "min-max-exchanged"),
    Bug("flagged", "alpha, beta, False, heuristic", "alpha, beta, True, heuristic", "side-not-changed"),
    Bug("two functions", "v = max(v, min_value", "v = max(v, max_value", "side-not-changed"),
    Bug("alpha-beta", "-beta, -alpha, plies", "alpha, beta, plies", "window-not-swapped"),
    Bug("alpha-beta", "-beta, -alpha, plies", "-alpha, -beta, plies", "window-not-swapped"),
    Bug("fail-hard", "-b, -a)", "b, a)", "window-not-negated"),
    Bug("class", "-beta, -alpha)", "alpha, beta)", "window-not-swapped"),
    Bug("alpha-beta", "if alpha >= beta:", "if alpha >= beta - 60:", "cut-early"),
    Bug("alpha-beta", "if alpha >= beta:", "if best >= alpha:", "cut-wrong-bound"),
    Bug("fail-hard", "if score >= b:", "if score >= a:", "cut-wrong-bound"),
    Bug("alpha-beta", "        if alpha >= beta:\n            break\n", "", "never-cuts"),
    Bug("alpha-beta", "        alpha = max(alpha, best)\n", "", "window-not-narrowed"),
    Bug("negamax", "-search(position.play(move), depth", "-search(position, depth", "stale-board"),
    Bug(
        "alpha-beta",
        "value = -search(position.play(move)",
        "position = position.play(move)\n        value = -search(position",
        "shared-board",
    ),
    Bug("alpha-beta", "if depth == 0:", "if depth == 1:", "depth-off-by-one"),
    Bug("negamax", "if depth == 0:", "if depth == -1:", "depth-off-by-one"),
    Bug("alpha-beta", "depth - 1, heuristic", "depth, heuristic", "depth-not-reduced"),
    Bug(
        "alpha-beta",
        "    over = position.outcome()\n    if over:\n",
        "    over = position.outcome()\n    if over and depth > 0:\n",
        "end-after-heuristic",
    ),
    Bug(
        "negamax", "    if position.outcome():\n        return value_of_end(position, plies), None\n", "", "end-missing"
    ),
    Bug(
        "alpha-beta",
        "return 10000 - plies if over.winner is position.to_move else plies - 10000",
        "return plies - 10000 if over.winner is position.to_move else 10000 - plies",
        "end-side",
    ),
    Bug(
        "alpha-beta",
        "return 10000 - plies if over.winner is position.to_move else plies - 10000",
        "return 10000 if over.winner is position.to_move else -10000",
        "end-without-distance",
    ),
    Bug("fail-hard", "10000 + depth", "10000 - depth", "end-distance-reversed"),
    Bug("negamax", "        return 0\n", "        return -300\n", "draw-not-zero"),
    Bug("table", "if known >= depth:", "if True:", "table-without-depth"),
    Bug("table", "if flag == EXACT:", "if True:", "table-without-flag"),
    Bug("move first", "value > best_value", "value >= best_value", "last-of-equal-moves"),
    Bug("negamax", "for move in position.moves():", "for move in position.moves()[1:]:", "moves-skipped"),
    Bug(
        "negamax",
        "    for move in position.moves():\n",
        "    moves = position.moves()\n    for move in moves:\n        moves.remove(move)\n",
        "move-list-changed",
    ),
    Bug("alpha-beta", "best = -10**9\n", "best = 0\n", "initial-value"),
    Bug("negamax", "    return best, chosen", "    return value, chosen", "last-value"),
    Bug("negamax", "best, chosen = value, move", "best, chosen = value, position.moves()[0]", "wrong-move"),
)

OTHER_CORRECT = {
    "textbook": Variant(TEXTBOOK, "alpha_beta_search"),
    "move kept in self": Variant(STATEFUL, "Player.choose_move"),
    "dict": Variant(AS_DICT, "minimax"),
    "signed side": Variant(SIGNED_SIDE, "negamax"),
    "deepening inside": Variant(DEEPENING_INSIDE, "best_move"),
}
"""Searches in other styles, written after the check was, before it had been seen how it does with them."""

OTHER_BUGS = (
    Bug(
        "textbook",
        "return heuristic(state) if state.to_move == me else -heuristic(state)",
        "return heuristic(state)",
        "heuristic-side",
    ),
    Bug("textbook", "if v <= alpha:", "if v <= beta:", "cut-wrong-bound"),
    Bug("textbook", "v2, _ = max_value(", "v2, _ = min_value(", "side-not-changed"),
    Bug("move kept in self", "-self.alphabeta(board.play(move)", "self.alphabeta(board.play(move)", "negation-missing"),
    Bug(
        "move kept in self",
        "return self.score(board, board.to_move) - self.score(board, board.to_move.other)",
        "return self.score(board, board.to_move.other) - self.score(board, board.to_move)",
        "heuristic-side",
    ),
    Bug("dict", "return min(results", "return max(results", "min-max-exchanged"),
    Bug("dict", "9000 + depth if won else -9000 - depth", "-9000 - depth if won else 9000 + depth", "end-side"),
    Bug("signed side", "depth - 1, -sign, heuristic", "depth - 1, sign, heuristic", "side-not-changed"),
    Bug(
        "deepening inside",
        "-beta, -alpha, heuristic)\n        if",
        "alpha, beta, heuristic)\n        if",
        "window-not-swapped",
    ),
    Bug("deepening inside", "    if depth == 0:", "    if depth <= 1:", "depth-off-by-one"),
)
"""Bugs in these."""


def seeded(bug: Bug) -> Variant:
    """The search with its bug."""
    text, name = (CORRECT | OTHER_CORRECT)[bug.variant]
    assert bug.old in text, bug
    return Variant(text.replace(bug.old, bug.new, 1), name)
