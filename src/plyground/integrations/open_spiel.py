"""OpenSpiel's bots as players: `open-spiel`, `open-spiel:bot=mcts,simulations=1000`, `open-spiel:bot=uniform_random`.

Connect Four of any size and m,n,k games are OpenSpiel's own, in C++; every other game is this program's, as a game of
OpenSpiel (`plyground.integrations.spiel_games`), which is slower.
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
from plyground.games.connect_four import is_connect_four
from plyground.players import Player, Setting
from plyground.search.base import Analysis, Limit

MCTS = "mcts"
"""The bot whose work is counted in simulations."""

TIME_SHARE = 0.7
"""Of its time a tree search plans to use so much: what simulations take varies."""

FIRST_TRY = 8
"""The simulations that show how long one takes."""

MEMORY_MB = 200
"""What a tree search may take."""


def knows(rules: Rules) -> bool:
    """Whether OpenSpiel has the game itself."""
    return is_connect_four(rules) or rules.name.partition(":")[0] in ("tic-tac-toe", "mnk", "gomoku")


def spiel_spec(rules: Rules) -> str:
    """The game as OpenSpiel names it, its own or this program's."""
    grid = rules.grid
    if is_connect_four(rules):
        return f"connect_four(rows={grid.rows},columns={grid.columns},x_in_row={rules.longest})"
    if knows(rules):
        return f"mnk(m={grid.columns},n={grid.rows},k={rules.longest})"
    spec = specs.Spec.parse(rules.name)
    options = ",".join(f"{key}={value}" for key, value in spec.options)
    return f"plyground_{spec.name.replace('-', '_')}({options})"


def spiel_game(rules: Rules) -> Any:
    """The game of OpenSpiel; ValueError where there is no OpenSpiel."""
    try:
        import pyspiel
    except ImportError:
        raise ValueError("OpenSpiel is not installed: pip install open_spiel") from None
    if not knows(rules):
        from plyground.integrations.spiel_games import game_of

        return game_of(rules)
    return pyspiel.load_game(spiel_spec(rules))


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
    in_python: bool
    """Whether the game is one of this program: OpenSpiel's bots in C++ crash on games in Python."""
    bots: dict[tuple[int, int], Any] = field(default_factory=dict)
    """By the side it plays and its simulations per move, once it has been asked."""

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """One analysis with the bot's move.

        Of a tree search only as many simulations are made as a limit of nodes or of time allows; other bots take what
        they need. ValueError when its move is to be one of some: a bot cannot be given a choice of moves.
        """
        if among is not None:
            raise ValueError(f"{self.name} cannot be given a choice of moves")
        started = time.perf_counter()
        state, actions, nodes = self._state(position), list[int](), 0
        while not actions or (position.recycling and len(actions) == 1):  # a card is lifted, then laid
            share = None if limit.seconds is None else limit.seconds / (2 if position.recycling else 1)
            action, made = self._choose(state, int(position.to_move), self._simulations(limit), share)
            actions, nodes = [*actions, action], nodes + made
            state.apply_action(action)
        yield Analysis((self._move(position, actions),), None, 0, nodes, time.perf_counter() - started)

    def _state(self, position: Position) -> Any:
        if self.in_python:
            return self.game.state_of(position)
        state = self.game.new_initial_state()
        for move in history(position):
            state.apply_action(action_of(position.rules, move))
        return state

    def _move(self, position: Position, actions: list[int]) -> Move:
        if not self.in_python:
            [chosen] = [move for move in position.moves() if action_of(position.rules, move) == actions[0]]
            return chosen
        from plyground.integrations.observation import lifted_by, move_of

        return move_of(position, actions[-1], lifted_by(position, actions[0]))

    def _choose(self, state: Any, side: int, simulations: int, seconds: float | None) -> tuple[int, int]:
        """The bot's action, and how many simulations were made for it.

        Within a time the search is made again with more simulations, as long as what the last one took leaves room.
        """
        if seconds is None or self.bot != MCTS:
            return self._bot(side, simulations).step(state), simulations
        ends, count, made, action = time.perf_counter() + seconds * TIME_SHARE, min(simulations, FIRST_TRY), 0, None
        while count:
            started = time.perf_counter()
            action, made = self._new_bot(side, count).step(state), made + count
            now = time.perf_counter()
            affordable = int(count * (ends - now) / max(now - started, 1e-6))
            following = min(simulations, affordable)
            worthwhile = following >= 2 * count or following == simulations
            count = following if count < simulations and worthwhile else 0
        assert action is not None
        return action, made

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

        if not self.in_python:
            if self.bot != MCTS:
                return pyspiel.load_bot(self.bot, self.game, side)
            evaluator = pyspiel.RandomRolloutEvaluator(1, self.seed)
            return pyspiel.MCTSBot(self.game, evaluator, 2.0, simulations, MEMORY_MB, True, self.seed, False)
        import numpy as np
        from open_spiel.python.algorithms import mcts

        chance = np.random.RandomState(self.seed)
        return mcts.MCTSBot(self.game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, chance), random_state=chance)


def open_spiel_player(setting: Setting, /, bot: str = MCTS, simulations: int = 1000, seed: int | None = None) -> Player:
    """A bot of OpenSpiel, if that is installed: mcts, or any other bot registered there."""
    if simulations < 1:
        raise ValueError(f"simulations must be 1 or more, got {simulations}")
    game = spiel_game(setting.rules)
    import pyspiel

    specs.look_up("bot of OpenSpiel", bot, dict.fromkeys([MCTS, *pyspiel.registered_bots()]))
    if (in_python := not knows(setting.rules)) and bot != MCTS:
        raise ValueError(f"of OpenSpiel's bots only {MCTS} plays {setting.rules.name}, got {bot!r}")
    name = specs.written("open-spiel", open_spiel_player, bot=bot, simulations=simulations, seed=seed)
    given = setting.seed if seed is None else seed
    start = random.randrange(1 << 31) if given is None else given % (1 << 31)
    return SpielPlayer(name, game, bot, simulations, start, in_python)
