"""OpenSpiel's bots as players: `open-spiel`, `open-spiel:bot=mcts,simulations=1000`, `open-spiel:bot=uniform_random`.

For games that both programs know: Connect Four of any size, tic-tac-toe and m,n,k games.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from plyground.core import specs
from plyground.core.grid import Mask
from plyground.core.position import Position, fits
from plyground.core.rules import Move, Rules
from plyground.players import Player, Setting
from plyground.search.base import Analysis, Limit
from plyground.solve.connect_four.solver import is_connect_four

MCTS = "mcts"
"""The bot whose work is counted in simulations."""

MEMORY_MB = 200
"""What a tree search may take."""


def spiel_spec(rules: Rules) -> str:
    """The game as OpenSpiel names it; ValueError when it knows no such game."""
    name, grid = rules.name.partition(":")[0], rules.grid
    if is_connect_four(rules):
        return f"connect_four(rows={grid.rows},columns={grid.columns},x_in_row={rules.longest})"
    if name in ("tic-tac-toe", "mnk", "gomoku"):
        return f"mnk(m={grid.columns},n={grid.rows},k={rules.longest})"
    raise ValueError(f"OpenSpiel knows connect-four, tic-tac-toe, gomoku and mnk only, got {rules.name}")


def spiel_game(rules: Rules) -> Any:
    """The game of OpenSpiel; ValueError when there is none, or no OpenSpiel."""
    spec = spiel_spec(rules)
    try:
        import pyspiel
    except ImportError:
        raise ValueError("OpenSpiel is not installed: pip install open_spiel") from None
    return pyspiel.load_game(spec)


def action_of(rules: Rules, move: Move) -> int:
    """A move as OpenSpiel numbers it: its column, or its cell row by row."""
    column, row = rules.grid.cells[move.place]
    return column - 1 if is_connect_four(rules) else (row - 1) * rules.grid.columns + column - 1


def history(position: Position) -> list[Move]:
    """Moves that lead to a position, in some order that the rules allow."""
    rules = position.rules
    dead_ends: set[Mask] = set()

    def onwards(occupied: Mask, played: list[Move]) -> bool:
        if len(played) == position.ply:
            return True
        if occupied in dead_ends:
            return False
        side = len(played) & 1
        for place, placement in enumerate(rules.placements[side]):
            laid = all(added & ~layer == 0 for added, layer in zip(placement.adds, position.layers, strict=True))
            if laid and fits(placement, occupied):
                played.append(Move(place))
                if onwards(occupied | placement.cells, played):
                    return True
                played.pop()
        dead_ends.add(occupied)
        return False

    moves: list[Move] = []
    if not onwards(0, moves):
        raise ValueError(f"no game of {rules.name} leads to this position")
    return moves


@dataclass
class SpielPlayer:
    """A bot of OpenSpiel."""

    name: str
    game: Any
    bot: str
    simulations: int
    seed: int
    bots: dict[tuple[int, int], Any] = field(default_factory=dict)
    """By the side it plays and its simulations per move, once it has been asked."""

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """One analysis with the bot's move; only a limit of nodes holds it back.

        ValueError when its move is to be one of some: a bot cannot be given a choice of moves.
        """
        if among is not None:
            raise ValueError(f"{self.name} cannot be given a choice of moves")
        started = time.perf_counter()
        rules, state = position.rules, self.game.new_initial_state()
        for move in history(position):
            state.apply_action(action_of(rules, move))
        nodes = self._simulations(limit)
        action = self._bot(int(position.to_move), nodes).step(state)
        [chosen] = [move for move in position.moves() if action_of(rules, move) == action]
        yield Analysis((chosen,), None, 0, nodes, time.perf_counter() - started)

    def close(self) -> None:
        """Forget its bots."""
        self.bots.clear()

    def _simulations(self, limit: Limit) -> int:
        """The simulations for a move; 0 for a bot that makes none."""
        return min(self.simulations, limit.nodes or self.simulations) if self.bot == MCTS else 0

    def _bot(self, side: int, simulations: int) -> Any:
        """The bot that plays a side, the same for all moves of a game."""
        if (side, simulations) not in self.bots:
            self.bots[side, simulations] = self._new_bot(side, simulations)
        return self.bots[side, simulations]

    def _new_bot(self, side: int, simulations: int) -> Any:
        import pyspiel

        if self.bot != MCTS:
            return pyspiel.load_bot(self.bot, self.game, side)
        evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
        return pyspiel.MCTSBot(self.game, evaluator, 2.0, simulations, MEMORY_MB, True, self.seed, False)


def open_spiel_player(setting: Setting, /, bot: str = MCTS, simulations: int = 1000, seed: int | None = None) -> Player:
    """A bot of OpenSpiel, if that is installed: mcts, or any other bot registered there."""
    if simulations < 1:
        raise ValueError(f"simulations must be 1 or more, got {simulations}")
    game = spiel_game(setting.rules)
    import pyspiel

    specs.look_up("bot of OpenSpiel", bot, dict.fromkeys([MCTS, *pyspiel.registered_bots()]))
    name = specs.written("open-spiel", open_spiel_player, bot=bot, simulations=simulations, seed=seed)
    given = setting.seed if seed is None else seed
    start = random.randrange(1 << 31) if given is None else given % (1 << 31)
    return SpielPlayer(name, game, bot, simulations, start)
