"""The five programs this one grew from, as players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Literal

from plyground.core import specs
from plyground.native import supports
from plyground.players import heritage
from plyground.players.base import Player, Setting
from plyground.players.depth import DepthPlayer
from plyground.players.heritage import Preset
from plyground.search import twins
from plyground.search.alpha_beta import alpha_beta
from plyground.search.beam import Selection, beam
from plyground.search.minimax import minimax
from plyground.search.plain import STATIC_VALUE, Conventions


def hazar_isik_player(
    setting: Setting,
    /,
    plies: int = 5,
    heuristic: Literal["completable", "centrality", "completable-centrality"] = "completable-centrality",
) -> Player:
    """Connect Four, 2021: alpha-beta, a chosen number of plies below each move, one of three heuristics."""
    name = specs.written("hazar-isik", hazar_isik_player, plies=plies, heuristic=heuristic)
    return _preset_player(name, heritage.hazar_isik(plies, heuristic), setting)


def ayoub_qabbani_player(setting: Setting, /, level: int = 2, as_: Literal["report", "program"] = "report") -> Player:
    """Polarized Ladder, 2016: alpha-beta, a line is worth what its last move changes; level 1 weighs single moves."""
    name = specs.written("ayoub-qabbani", ayoub_qabbani_player, level=level, as_=as_)
    return _preset_player(name, heritage.ayoub_qabbani(level, as_), setting)


def preset(name: str, preset: Preset) -> Callable[[Setting], Player]:
    """What builds an old program that has no options."""

    def player(setting: Setting, /) -> Player:
        return _preset_player(name, preset, setting)

    player.__doc__ = f"{preset.about}."
    return player


def _preset_player(name: str, preset: Preset, setting: Setting) -> Player:
    preset.check(setting.rules)
    heuristic, order = preset.heuristic_for(setting.rules), preset.order(setting.rules)
    win, leaf = preset.win, preset.leaf
    own = Conventions(win, leaf, order)
    every, cutting = partial(minimax, win=win), partial(alpha_beta, conventions=own)
    fast = supports(setting.rules)
    later = own._replace(win=replace(win, base=win.base + win.per_ply))
    build = partial(DepthPlayer, name, heuristic=heuristic, own_limit=preset.limit, win=win, leaf=leaf, order=order)
    match preset.search:
        case "minimax":
            twin = partial(twins.minimax, win=win) if fast else None
            below = partial(twins.minimax if fast else minimax, win=later.win)
            return build(search=every, twin=twin, counterpart=cutting, below=below, exhaustive=True)
        case "alpha-beta":
            plain = twins.alpha_beta if fast else alpha_beta
            twin = partial(twins.alpha_beta, conventions=own) if fast else None
            return build(
                search=cutting,
                twin=twin,
                counterpart=every if leaf == STATIC_VALUE else None,
                below=partial(plain, conventions=later),
                exhaustive=True,
            )
        case "beam":
            search = partial(beam, conventions=Conventions(win))
            twin = partial(search, selection=Selection(below=twins.alpha_beta)) if fast else None
            return build(search=search, twin=twin, selective=True)
