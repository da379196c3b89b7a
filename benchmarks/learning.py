"""How the engine's weights were learned, for any game.

`python -m benchmarks.learning GAME [--seconds 600] [--data FILE] [--match 0.05] [--write]` makes positions, each with
the result it leads to, and fits weights by logistic regression or, with `--features net`, a small net. A fifth of the
games is kept apart to judge them. In Connect Four the results are the solver's, for positions of games with some
random moves. In other games they are those of games of a quick engine with itself from random openings. `--data` keeps
the positions and takes those of earlier runs too. `--match` plays the learned weights against the engine's evaluation,
with so many seconds per move for both, until a sequential test (SPRT 0,20) decides. `--write` enters the weights into
the package. `--features` says what is learned.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import plyground.heuristics
from benchmarks.learning_features import POINTS_PER_LOG_ODDS, Array, Features, Flags, of_odds
from benchmarks.learning_net import LearnedNet, NetFeatures
from benchmarks.machine import Timing, print_condition
from plyground import games
from plyground.core.grid import bits
from plyground.core.notation import parse_moves, write_moves
from plyground.core.position import Position
from plyground.core.rules import Move, Rules, Side
from plyground.heuristics.data import DataHeuristic
from plyground.heuristics.engine import engine_heuristic, growing, level_heuristic
from plyground.heuristics.learned import Page, from_page
from plyground.play.openings import openings
from plyground.ratings.scores import PAIR_SHARES
from plyground.ratings.sprt import Sprt, sentence
from plyground.search.base import Analysis, Limit
from plyground.search.engine import EngineSearch
from plyground.search.twins import evaluate
from plyground.solve.connect_four.solver import RESULT, ConnectFourSolver, objection

PAGES = Path(plyground.heuristics.__file__).with_name("learned.json")
NETS = PAGES.with_name("nets.json")

SELF_PLAY_NODES = 3_000
"""A move, where the results are those of games."""

LARGE_BOARD_MOVES = 60
"""With more moves than these, random ones are laid near what lies there."""

AT_ONCE = 20_000
"""Positions whose features are counted together."""

FEATURES = {
    "patterns": ("patterns", "poles"),
    "threats": ("patterns", "poles", "threats"),
    "cells": ("patterns", "poles", "threats", "cells"),
    "single": ("patterns", "poles", "threats", "cells", "single patterns", "single threats"),
}
"""What may be learned, by a name for each choice; the last one is the usual one."""

NET = "net"
"""What is learned instead: a small net."""

UNITS = 64
"""Of that net."""


class Known(NamedTuple):
    """A position, and how it ends."""

    game: str
    """Which game it is of: positions of one game are learned from, or judged by, together."""

    result: int
    """1, 0 or -1 for the first side."""

    moves: str

    def __str__(self) -> str:
        return "\t".join(map(str, self))

    @staticmethod
    def parse(line: str) -> Known:
        game, result, moves = line.split("\t")
        return Known(game, int(result), moves)


def best(search: EngineSearch, position: Position, limit: Limit) -> Analysis:
    *_, last = search(position, limit)
    return last


def sign(position: Position) -> int:
    return 1 if position.to_move is Side.FIRST else -1


def solved(rules: Rules, seconds: float, seed: int) -> Iterator[Known]:
    """Positions that a solver knows, of games with some random moves; backwards, since late ones are solved sooner."""
    chance = random.Random(seed)
    search, solver = EngineSearch(table_mb=16), ConnectFourSolver(rules, 256 << 20)
    cells = len(rules.grid.cells)
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        number += 1
        path, moves, opening = [Position.start(rules)], list[Move](), chance.randint(2, 8)
        while not path[-1].over and path[-1].ply < 0.57 * cells:
            if path[-1].ply < opening or chance.random() < 0.12:
                move = chance.choice(path[-1].moves())
            else:
                found = best(search, path[-1], Limit(nodes=chance.choice((300, 2_000, 6_000))))
                if found.score is not None and found.score.plies is not None:
                    break
                move = found.move
            moves.append(move)
            path.append(path[-1].play(move))
        for position in reversed([each for each in path if not each.over and each.ply >= 0.3 * cells]):
            score = solver.solve(position, Limit(seconds=0.3), RESULT).score
            if score is None:
                break
            yield Known(f"{seed}-{number}", sign(position) * score, write_moves(rules, moves[: position.ply]))


def played(rules: Rules, seconds: float, seed: int) -> Iterator[Known]:
    """Positions of games of a quick engine with itself, as far as it proves nothing, with the result of the game."""
    chance = random.Random(seed)
    search = EngineSearch(table_mb=16)
    ends, number = time.monotonic() + seconds, 0
    while time.monotonic() < ends:
        number += 1
        position, moves, opening = Position.start(rules), list[Move](), chance.randint(2, 8)
        result = None
        while result is None:
            if over := position.outcome():
                result = 0 if over.winner is None else (1, -1)[over.winner]
            elif position.ply < opening:
                moves.append(chance.choice(near(position)))
                position = position.play(moves[-1])
            else:
                found = best(search, position, Limit(nodes=SELF_PLAY_NODES))
                if found.proved and found.score is not None:
                    result = sign(position) * (found.score.won - found.score.lost)
                else:
                    moves.append(found.move)
                    position = position.play(found.move)
        for ply in range(opening, len(moves)):
            yield Known(f"{seed}-{number}", result, write_moves(rules, moves[:ply]))


def near(position: Position) -> list[Move]:
    """The moves, on a large board those at most two cells from the middle or from what lies there."""
    moves, cells = position.moves(), position.rules.grid.cells
    if len(moves) < LARGE_BOARD_MOVES or position.rules.recycle_from is not None:
        return moves
    middle = ((position.rules.grid.columns + 1) // 2, (position.rules.grid.rows + 1) // 2)
    taken = [cells[cell] for cell in bits(position.occupied)] or [middle]

    def is_near(move: Move) -> bool:
        column, row = cells[move.place]
        return any(abs(column - c) <= 2 and abs(row - r) <= 2 for c, r in taken)

    return [move for move in moves if is_near(move)] or moves


class Fit:
    """Weights of some features, by logistic regression."""

    def __init__(self, features: Features, counted: dict[str, Array], turn: Array, names: Sequence[str]) -> None:
        self.features = features
        self.names = [name for name in names if name in counted]
        self.table = np.column_stack([np.ones(len(turn)), turn, *(counted[name] for name in self.names)])
        self.penalty = np.zeros((self.table.shape[1],) * 2)
        self.at: dict[str, slice] = {}
        start = 2
        for name in self.names:
            form = features.penalty(name, counted[name].shape[1])
            self.at[name] = slice(start, start + len(form))
            self.penalty[self.at[name], self.at[name]] = form
            start += len(form)

    def page(self, weights: Array) -> Page:
        return self.features.page({name: weights[self.at[name]] for name in self.names})


def chances(table: Array, weights: Array) -> Array:
    return of_odds(table @ weights)


def fitted(table: Array, results: Array, penalty: Array) -> Array:
    """Logistic regression by Newton's method."""
    penalty = penalty / len(results)
    weights = np.zeros(table.shape[1])
    for _ in range(12):
        p = chances(table, weights)
        slope = table.T @ (p - results) / len(results) + 2 * penalty @ weights
        curve = table.T * (p * (1 - p)) @ table / len(results) + 2 * penalty + 1e-9 * np.eye(len(weights))
        step = np.linalg.solve(curve, slope)
        weights = weights - step
        if np.abs(step).max() < 1e-3:
            break
    return weights


def judged(chances: Array, results: Array) -> str:
    p = np.clip(chances, 1e-9, 1 - 1e-9)
    loss = -(results * np.log(p) + (1 - results) * np.log(1 - p)).mean()
    decided = results != 0.5
    return f"log loss {loss:.3f}, right about {((p > 0.5) == (results > 0.5))[decided].mean():.1%} of the decided ones"


def printed(pages: dict[str, Page]) -> str:
    """Pages as JSON, with a line for each kind of weight."""

    def lines(page: Any, depth: int) -> str:
        if not isinstance(page, dict):
            return json.dumps(page)
        inner = ",\n".join(
            f"{' ' * (depth + 1)}{json.dumps(name)}: {lines(row, depth + 1)}" for name, row in page.items()
        )
        return f"{{\n{inner}\n{' ' * depth}}}"

    return lines(pages, 0) + "\n"


def known_positions(rules: Rules, seconds: float, data: Path | None, seed: int) -> list[Known]:
    """Positions to learn from, each once; where most of them are drawn, the decided ones alone."""
    known = [Known.parse(line) for line in data.read_text().splitlines()] if data and data.exists() else []
    makes = solved if objection(rules) is None else played
    known += makes(rules, seconds, seed) if seconds else ()
    if data:
        data.write_text("".join(f"{one}\n" for one in known))
    different = list({one.moves: one for one in known}.values())
    decided = [one for one in different if one.result]
    return decided if 2 * len(decided) < len(different) else different


def replayed(rules: Rules, known: Sequence[Known]) -> Iterator[Position]:
    """The positions; those of a game that lie one behind the other are played through once."""
    for _, of_game in groupby(known, key=lambda one: one.game):
        wanted = [one.moves for one in of_game]
        found: dict[str, Position] = {}
        for text in sorted(wanted, key=len, reverse=True):
            if text in found:
                continue
            moves, position = parse_moves(rules, text)[0], Position.start(rules)
            for ply, move in enumerate(moves):
                position = position.play(move)
                found[write_moves(rules, moves[: ply + 1])] = position
        yield from (found[text] for text in wanted)


def kept_apart(known: Sequence[Known], seed: int) -> Flags:
    """Which positions are there to judge by: those of a fifth of the games."""
    of_games = sorted({one.game for one in known})
    chosen = set(random.Random(seed).sample(of_games, len(of_games) // 5))
    apart = np.array([one.game in chosen for one in known])
    print(f"{len(known)} positions of {len(of_games)} games, {apart.sum()} of {len(chosen)} apart to judge by")
    return apart


def learn(rules: Rules, known: Sequence[Known], names: str, seed: int) -> Page:
    """The page of weights learned; prints how well each choice of features does."""
    positions = list(replayed(rules, known))
    results = np.array([(one.result + 1) / 2 for one in known])
    turn = np.array([float(sign(position)) for position in positions])
    features = Features(rules)
    chunks = [features(positions[at : at + AT_ONCE]) for at in range(0, len(positions), AT_ONCE)]
    counted = {name: np.concatenate([chunk[name] for chunk in chunks]) for name in chunks[0]}
    apart = kept_apart(known, seed)
    for name, heuristic in (("growing", growing(rules)), ("engine", engine_heuristic(rules))):
        print(f"{name:16}", judged_heuristic(heuristic, positions, results, apart), flush=True)
    for name, wanted in FEATURES.items():
        fit = Fit(features, counted, turn, wanted)
        weights = fitted(fit.table[~apart], results[~apart], fit.penalty)
        print(f"learned {name:8}", judged(chances(fit.table[apart], weights), results[apart]), flush=True)
    fit = Fit(features, counted, turn, FEATURES[names])
    return fit.page(fitted(fit.table, results, fit.penalty))


def judged_heuristic(heuristic: DataHeuristic, positions: Sequence[Position], results: Array, apart: Flags) -> str:
    """How well a heuristic does, with the factor that fits it best and something for the side to move."""
    turn = np.array([sign(position) for position in positions])
    worth = turn * [evaluate(heuristic, position) / POINTS_PER_LOG_ODDS for position in positions]
    table = np.column_stack([np.ones(len(turn)), turn, worth])
    weights = fitted(table[~apart], results[~apart], np.zeros((3, 3)))
    return judged(chances(table[apart], weights), results[apart])


def learn_net(rules: Rules, known: Sequence[Known], seed: int) -> Page:
    """The page of a net learned from what is not apart; prints how well it does."""
    features, positions, chunks = NetFeatures(rules), replayed(rules, known), []
    while chunk := list(islice(positions, AT_ONCE)):
        chunks.append(features.packed(chunk))
    packed, results = np.concatenate(chunks), np.array([(one.result + 1) / 2 for one in known])
    apart = kept_apart(known, seed)
    net = LearnedNet(features, UNITS, seed)
    for epoch in net.learn(packed[~apart], results[~apart], seed):
        print(f"net, {epoch:2} times all ", judged(of_odds(net.odds(packed[apart])), results[apart]), flush=True)
    some = np.flatnonzero(~apart)[:: max(1, len(known) // AT_ONCE)]
    print("of those learned from", judged(of_odds(net.odds(packed[some])), results[some]))
    page = net.page()
    judges = np.flatnonzero(apart)[:: max(1, int(apart.sum()) // AT_ONCE)]
    judged_by = list(replayed(rules, [known[at] for at in judges]))
    every_other = np.arange(len(judges)) % 2 == 0
    for name, heuristic in (("in whole numbers", from_page(rules, page)), ("of the levels", level_heuristic(rules))):
        print(f"{name:20}", judged_heuristic(heuristic, judged_by, results[judges], every_other), flush=True)
    return page


def points(start: Position, heuristics: Sequence[DataHeuristic], limit: Limit, swapped: bool) -> float:
    """The points of the first heuristic in a game from a position; a proved result ends it."""
    searches = [EngineSearch(heuristic, table_mb=16) for heuristic in heuristics]
    position = start
    while not (over := position.outcome()):
        found = best(searches[position.to_move ^ swapped], position, limit)
        if found.proved and found.score is not None:
            result = sign(position) * (found.score.won - found.score.lost)
            break
        position = position.play(found.move)
    else:
        result = 0 if over.winner is None else (1, -1)[over.winner]
    return (1 + (-result if swapped else result)) / 2


def match(rules: Rules, learned: DataHeuristic, limit: Limit, most: int, plies: int, seed: int) -> str:
    """Pairs of games from random openings, the learned weights against the engine's, until a test decides."""
    sprt, pairs, results = Sprt(0, 20), [0] * len(PAIR_SHARES), list[float]()
    heuristics = (learned, engine_heuristic(rules))
    for opening in openings(rules, plies, seed):
        start = Position.start(rules)
        for move in opening:
            start = start.play(move)
        pair = [points(start, heuristics, limit, swapped) for swapped in (False, True)]
        results += pair
        pairs[PAIR_SHARES.index(sum(pair) / 2)] += 1
        if sprt.state(pairs).verdict or len(results) >= most:
            break
    won, drawn, lost = (results.count(result) for result in (1, 0.5, 0))
    return f"{won} won, {drawn} drawn, {lost} lost\n" + sentence(sprt, sprt.state(pairs), "learned", "engine")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=600, help="how long positions are made")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--features", choices=[*FEATURES, NET], default="single")
    parser.add_argument("--match", type=float, metavar="SECONDS", help="per move of a match against the engine")
    parser.add_argument("--games", type=int, default=2000, help="of that match at most")
    parser.add_argument("--opening", type=int, default=4, help="random moves at its start")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print_condition(Timing.CLOCK)
    rules = games.load(arguments.game)
    known = known_positions(rules, arguments.seconds, arguments.data, arguments.seed)
    if arguments.features == NET:
        page = learn_net(rules, known, arguments.seed)
    else:
        page = learn(rules, known, arguments.features, arguments.seed)
    if arguments.match:
        learned, limit = from_page(rules, page), Limit(seconds=arguments.match)
        print(match(rules, learned, limit, arguments.games, arguments.opening, arguments.seed))
    if arguments.write:
        file = NETS if arguments.features == NET else PAGES
        file.write_text(printed(json.loads(file.read_text()) | {rules.name: page}))


if __name__ == "__main__":
    main()
