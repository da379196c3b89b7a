"""A witness for what is said about moves: the three games as their rules texts describe them, and a plain walk.

It takes from a position only what lies where, and from a claim only its JSON; tables, moves, lines and searches are
its own. `faults` says what is not true.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import literal
from plyground.conformance.positions import random_game
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.core.specs import Spec
from plyground.puzzle.walk import Board, Laid, PatternLine, PlainWalk, Tables, UndecidedError

Claim = dict[str, Any]
PLAYOUTS = 20
KINDS = ("red", "white", "filled", "open")


def middle_game(rules: Rules, chance: random.Random) -> Position:
    """A random position from the middle of a game in which the side to move cannot win at once."""
    cells = len(rules.grid.cells)
    low, high = (4, 18) if rules.recycle_from else (cells // 4, cells * 3 // 4)
    while True:
        positions = random_game(rules, chance, careful=True)
        open_ = [each for each in positions if low <= each.ply <= high and each.outcome() is None]
        if open_ and not _wins_now(position := chance.choice(open_)):
            return position


def _wins_now(position: Position) -> bool:
    after = (position.play(move) for move in position.moves())
    return any(each.over is not None and each.over.winner is position.to_move for each in after)


# ------------------------------------------------------------ the games as their texts say


@lru_cache(maxsize=16)
def _cells(game: str) -> list[literal.Cell]:
    spec = Spec.parse(game)
    options = dict(spec.options)
    if spec.name == "connect-four":
        rows, columns = int(options.get("rows", 7)), int(options.get("columns", 8))
        return [(c, r) for c in range(1, columns + 1) for r in range(1, rows + 1)]
    if spec.name == "polarized-ladder":
        height = int(options.get("height", 7))
        return [(c, r) for r in range(1, height + 1) for c in range(r, 2 * height - r + 1)]
    return [(c, r) for c in range(1, 9) for r in range(1, 13)]


def _mask(game: str, places: Any) -> int:
    return sum(1 << _cells(game).index(place) for place in places)


@lru_cache(maxsize=16)
def tables(game: str) -> Tables:
    """The tables of a walk, from the text of the rules."""
    spec, cells = Spec.parse(game), _cells(game)
    every = set(cells)
    if spec.name == "double-card":
        lines = tuple(PatternLine(_mask(game, line), 0) for _, line in literal.lines_of(every, 4))
        cards = tuple(_card(game, (n, c, r)) for n in literal.FACES for c, r in cells if _on_board(every, (n, c, r)))
        return Tables((cards, cards), lines, ((0, 1), (2, 3)), 4, 24)
    if spec.name == "connect-four":
        lines = tuple(PatternLine(_mask(game, line), 0) for _, line in literal.lines_of(every, 4))
        below = [_mask(game, [(c, r - 1)] if r > 1 else []) for c, r in cells]
        names = [str(c) for c, _ in cells]
    else:
        ladders = literal.ladders(7, dict(spec.options).get("variant", "grounded"))
        lines = tuple(PatternLine(_mask(game, ladder), _mask(game, poles)) for ladder, poles in ladders)
        below, names = [0] * len(cells), [_name(cell) for cell in cells]
    sides = [
        tuple(Laid(names[i], (1 << i, 0) if side == 0 else (0, 1 << i), 1 << i, below[i]) for i in range(len(cells)))
        for side in (0, 1)
    ]
    return Tables((sides[0], sides[1]), lines, ((0,), (1,)), 2, len(cells))


def _on_board(every: set[literal.Cell], card: literal.Card) -> bool:
    return set(literal.kinds(card)) <= every


def _card(game: str, card: literal.Card) -> Laid:
    shown = literal.kinds(card)
    adds = tuple(_mask(game, [cell for cell, face in shown.items() if kind in face]) for kind in KINDS)
    feet = list(shown) if literal.FACES[card[0]][0] == "flat" else list(shown)[:1]
    rests = _mask(game, [(c, r - 1) for c, r in feet if r > 1])
    return Laid(literal.written(card), adds, _mask(game, shown), rests)


def _name(cell: literal.Cell) -> str:
    return f"{chr(ord('A') + cell[0] - 1)}{cell[1]}"


def board_of(position: Position) -> Board:
    """What lies on a position's board."""
    game = position.rules.name
    if Spec.parse(game).name == "double-card":
        shown = literal.board(literal.cards(position))
        layers = tuple(_mask(game, [cell for cell, face in shown.items() if kind in face]) for kind in KINDS)
    else:
        discs = literal.discs(position)
        layers = tuple(_mask(game, [cell for cell, side in discs.items() if side == owner]) for owner in (0, 1))
    return Board(layers, position.ply)


# ------------------------------------------------------------ claims


def true(position: Position, move: str, claim: Claim, budget: int = 20_000) -> bool | None:
    """Whether a claim about a move is true, None where a search takes too long; ValueError if it makes no sense."""
    try:
        return Witness(position, move, claim, budget).true()
    except UndecidedError:
        return None


def faults(position: Position, move: str, claim: Claim, budget: int = 20_000) -> list[str]:
    """What is not true of a claim about a move; nothing also where a search would take too long."""
    try:
        return [f"not true: {claim}"] if true(position, move, claim, budget) is False else []
    except ValueError as error:
        return [str(error)]


def changes_nothing(position: Position, move: str) -> bool:
    """Whether no line that can still be completed is nearer or farther by a move."""
    walk, before = _walk(position.rules.name), board_of(position)
    after = walk.lay(before, walk.named(before, move))
    lines = [[(side, *line) for side in (0, 1) for line in walk.live(board, side)] for board in (before, after)]
    added = [now & ~then for then, now in zip(before.layers, after.layers, strict=True)]
    return lines[0] == lines[1] and not any(line.cells & added[layer] for _, layer, line in lines[1])


@lru_cache(maxsize=4)
def _walk(game: str) -> PlainWalk:
    """A walk through a game, which remembers what it found for other sentences."""
    return PlainWalk(tables(game))


class Witness:
    """One claim about one move."""

    def __init__(self, position: Position, move: str, claim: Claim, budget: int) -> None:
        self.game, self.claim = position.rules.name, claim
        self.walk = _walk(self.game)
        self.walk.budget = budget
        self.before = board_of(position)
        self.side = ("first", "second").index(claim["side"])
        self.mover = self.before.mover
        self.laid = self.walk.named(self.before, move)
        self.after = self.walk.lay(self.before, self.laid)
        self.moves: list[str] = claim.get("moves", [])
        self.patterns = [self.mask(pattern) for pattern in claim.get("patterns", [])]
        self.number: int = claim.get("number", 0)

    def mask(self, names: list[str]) -> int:
        by_name = {_name(cell): cell for cell in _cells(self.game)}
        return _mask(self.game, [by_name[name] for name in names])

    def true(self) -> bool:
        return bool(getattr(self, self.claim["claim"].replace("-", "_"))())

    def turn(self, board: Board) -> Board:
        return board if board.mover == self.side else Board(board.layers, board.ply + 1)

    def wins_with(self, board: Board, move: str, pattern: int) -> bool:
        """Whether the side, on its turn, wins with a move that completes a pattern."""
        ready = self.turn(board)
        try:
            end = self.walk.lay(ready, self.walk.named(ready, move))
        except ValueError:
            return False
        return end.winner == self.side and self.complete(end, pattern)

    def complete(self, board: Board, pattern: int) -> bool:
        line = next(line for line in self.walk.tables.lines if line.cells == pattern)
        watched, others = (self.walk.tables.watches[side] for side in (self.side, 1 - self.side))
        dead = line.poles and any(line.poles & ~board.layers[layer] == 0 for layer in others)
        return not dead and any(pattern & ~board.layers[layer] == 0 for layer in watched)

    def follow(self, board: Board, moves: list[str]) -> Board:
        for move in moves:
            board = self.walk.lay(board, self.walk.named(board, move))
        return board

    def every_reply_loses(self, board: Board) -> bool:
        replies = [self.walk.lay(board, number) for number in self.walk.moves(board)]
        lost = (r.winner == self.side or (r.winner is None and self.walk.at_once(r, self.side)) for r in replies)
        return board.mover != self.side and board.winner is None and all(lost) and bool(replies)

    # one method for each kind of claim

    def completes(self) -> bool:
        return self.after.winner == self.side and self.complete(self.after, self.patterns[0])

    def stops(self) -> bool:
        wins = self.wins_with(self.before, self.moves[0], self.patterns[0])
        return wins and self.after.winner is None and not self.walk.at_once(self.turn(self.after), self.side)

    def leaves(self) -> bool:
        return all(self.wins_with(board, self.moves[0], self.patterns[0]) for board in (self.before, self.after))

    def gives_cell(self) -> bool:
        reply = self.walk.named(self.after, self.moves[0])
        filled = self.walk.tables.laid[self.mover][self.laid].cells
        above = self.walk.tables.laid[self.side][reply].rests_on & filled
        return bool(above) and self.wins_with(self.after, self.moves[0], self.patterns[0])

    def lets(self) -> bool:
        before = self.walk.at_once(self.turn(self.before), self.side)
        names = {self.walk.tables.laid[self.side][number].name for number in before}
        return self.moves[0] not in names and self.wins_with(self.after, self.moves[0], self.patterns[0])

    def two_threats(self) -> bool:
        board = self.follow(self.after, self.claim.get("after", []))
        named = zip(self.moves, self.patterns, strict=True)
        both = len(set(self.moves)) == 2 and all(self.wins_with(board, *threat) for threat in named)
        return both and self.every_reply_loses(board)

    def zugzwang(self) -> bool:
        return not self.walk.at_once(self.turn(self.after), self.side) and self.every_reply_loses(self.after)

    def no_reply(self) -> bool:
        return self.every_reply_loses(self.after)

    def forces(self) -> bool:
        board, left = self.after, self.number - 1
        self.follow(board, self.moves)
        for move in (*self.moves, None):
            if board.winner is not None:
                return board.winner == self.side and left == 0 and move is None
            if not self.walk.wins(board, self.side, left) or self.walk.wins(board, self.side, left - 1):
                return False
            if move is not None:
                board, left = self.follow(board, [move]), left - 1
        return True

    def must_fill(self) -> bool:
        last = self.follow(self.after, self.moves[:-2])
        quiet = last.mover != self.side and not self.walk.at_once(self.turn(last), self.side)
        forced = self.walk.named(last, self.moves[-2])
        filled = self.walk.lay(last, forced)
        winning = self.walk.tables.laid[self.side][self.walk.named(filled, self.moves[-1])]
        rests = winning.rests_on & self.walk.tables.laid[1 - self.side][forced].cells
        right_length = len(self.moves) == self.number - 1
        won = self.wins_with(filled, self.moves[-1], self.patterns[0])
        return quiet and bool(rests) and won and right_length and self.forces()

    def follows(self) -> bool:
        """Played out: whatever the leader does, the follower's answers keep what is claimed."""
        start, chance = self.follow(self.after, self.claim.get("after", [])), random.Random(1)
        return start.mover != self.side and all(self._played_out(start, chance) for _ in range(PLAYOUTS))

    def _played_out(self, board: Board, chance: random.Random) -> bool:
        while moves := self.walk.moves(board):
            odd = self._odd(board)
            led = chance.choice(moves)
            name = self.walk.tables.laid[board.mover][led].name
            board = self.walk.lay(board, led)
            if board.winner is not None:
                return board.winner == self.side
            if not self.walk.moves(board):
                break
            # the lowest cell of a column with an odd number of empty cells is answered in another such column
            answers = [str(column) for column in odd if str(column) != name] if int(name) in odd else [name]
            board = self.walk.lay(board, self.walk.named(board, answers[0]))
            if board.winner is not None:
                return board.winner == self.side
        return not self.patterns or self.complete(board, self.patterns[0])

    def _odd(self, board: Board) -> list[int]:
        cells, occupied = _cells(self.game), board.occupied
        columns = sorted({c for c, _ in cells})
        free = {c: sum(not occupied >> i & 1 for i, cell in enumerate(cells) if cell[0] == c) for c in columns}
        return [c for c in columns if free[c] % 2]

    def cannot_win(self) -> bool:
        return not list(self.walk.live(self.after, self.side))

    def pairing(self) -> bool:
        pairs = [self.mask(pair) for pair in self.claim["pairs"]]
        used = sum(pairs)
        apart = used.bit_count() == 2 * len(pairs) and not used & self.after.occupied
        open_ = [line.cells for _, line in self.walk.live(self.after, 1 - self.side)]
        return apart and all(any(pair & ~cells == 0 for pair in pairs) for cells in open_)

    def poles(self) -> bool:
        line = next(line for line in self.walk.tables.lines if line.cells == self.patterns[0])
        laid = self.walk.tables.laid[self.mover][self.laid].cells
        was, is_ = ([live.cells for _, live in self.walk.live(b, self.side)] for b in (self.before, self.after))
        return bool(line.poles & laid) and line.cells in was and line.cells not in is_ and not line.cells & laid

    def only(self) -> bool:
        others = [number for number in self.walk.moves(self.before) if number != self.laid]
        lost = (self.walk.wins(self.walk.lay(self.before, n), 1 - self.side, self.number - 1) for n in others)
        return all(lost) and not self.walk.wins(self.after, 1 - self.side, self.number - 1)

    def lasts(self) -> bool:
        lost = self.walk.wins(self.before, 1 - self.side, self.number)
        return lost and not self.walk.wins(self.after, 1 - self.side, self.number - 2)

    def threatens(self) -> bool:
        return self.wins_with(self.after, self.moves[0], self.patterns[0])

    def blocks(self) -> bool:
        was, is_ = (set(self.walk.live(board, self.side)) for board in (self.before, self.after))
        return sum(bool(line.cells & self.before.layers[layer]) for layer, line in was - is_) == self.number

    def builds(self) -> bool:
        live = self.walk.live(self.after, self.side)
        return self.number == sum(
            bool(line.cells & self.after.layers[layer] & ~self.before.layers[layer]) for layer, line in live
        )
