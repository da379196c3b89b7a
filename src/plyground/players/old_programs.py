"""The five programs this one grew from, as players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal

from plyground.core import specs
from plyground.heritage import programs, searches
from plyground.heritage.programs import Preset
from plyground.heritage.searches import STATIC_VALUE, USUAL, Conventions, OldDeepening
from plyground.players.base import Player, Setting
from plyground.players.depth import DepthPlayer
from plyground.search import twins
from plyground.search.base import WinValue
from plyground.search.beam import beam
from plyground.search.deepening import FixedDepth


@dataclass(frozen=True)
class OldProgram(DepthPlayer):
    """An old program: its search, and what it takes for granted."""

    own: Conventions = USUAL

    below: FixedDepth | None = None
    """Its search for positions after a move."""

    @property
    def win(self) -> WinValue:
        """What it thinks a won game is worth."""
        return self.own.win

    @property
    def deepened(self) -> OldDeepening:
        """The search with all it takes to go deeper and deeper."""
        return OldDeepening(
            self.twin or self.search,
            self.heuristic,
            exhaustive=self.exhaustive,
            conventions=self.own,
            below=self.below,
            check=twins.alpha_beta,
        )


def cameron_tiago_player(setting: Setting, /, depth: Literal["tournament", "report"] | int = "tournament") -> Player:
    """Polarized Ladder, 2013: minimax, 2 plies at first, 3 and 4 later, then to the end; or as deep as wanted."""
    name = specs.written("cameron-tiago", cameron_tiago_player, depth=depth)
    return _preset_player(name, programs.cameron_tiago(depth), setting)


def hazar_isik_player(
    setting: Setting,
    /,
    plies: int = 5,
    heuristic: Literal["completable", "centrality", "completable-centrality"] = "completable-centrality",
) -> Player:
    """Connect Four, 2021: alpha-beta, a chosen number of plies below each move, one of three heuristics."""
    name = specs.written("hazar-isik", hazar_isik_player, plies=plies, heuristic=heuristic)
    return _preset_player(name, programs.hazar_isik(plies, heuristic), setting)


def ayoub_qabbani_player(setting: Setting, /, level: int = 1, as_: Literal["report", "program"] = "report") -> Player:
    """Polarized Ladder, 2016: alpha-beta, a line is worth what its last move changes; level 1 weighs single moves."""
    name = specs.written("ayoub-qabbani", ayoub_qabbani_player, level=level, as_=as_)
    return _preset_player(name, programs.ayoub_qabbani(level, as_), setting)


def turpin_player(setting: Setting, /, ties: Literal["first", "last"] = "first") -> Player:
    """Double Card, 2019: minimax to depth 2, the first or the last of equal moves; won its class 6-0."""
    name = specs.written("turpin", turpin_player, ties=ties)
    return _preset_player(name, programs.turpin(ties), setting)


def preset(name: str, preset: Preset) -> Callable[[Setting], Player]:
    """What builds an old program that has no options."""

    def player(setting: Setting, /) -> Player:
        return _preset_player(name, preset, setting)

    player.__doc__ = f"{preset.about}."
    return player


def _preset_player(name: str, preset: Preset, setting: Setting) -> Player:
    preset.check(setting.rules)
    own = preset.own._replace(order=preset.order(setting.rules))
    build = partial(OldProgram, name, heuristic=preset.heuristic_for(setting.rules), own_limit=preset.limit, own=own)
    every, cutting = partial(searches.minimax, conventions=own), partial(searches.alpha_beta, conventions=own)
    match preset.search:
        case "minimax":
            twin = partial(searches.fast_minimax, conventions=own)
            return build(search=every, twin=twin, counterpart=cutting, below=searches.fast_minimax, exhaustive=True)
        case "alpha-beta":
            return build(
                search=cutting,
                twin=partial(searches.fast_alpha_beta, conventions=own),
                counterpart=every if own.leaf == STATIC_VALUE else None,
                below=searches.fast_alpha_beta,
                exhaustive=True,
            )
        case "beam":
            return build(search=beam, twin=partial(beam, below=twins.alpha_beta), selective=True)
