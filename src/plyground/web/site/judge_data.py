"""What the judge goes by, as data: so the page's own judge has no number of its own."""

from __future__ import annotations

from plyground.judge import exact, explain, forced, inquiry, judge, memory, review, safeguard, settling
from plyground.judge.claims import ClaimKind
from plyground.solve import pairing, proof
from plyground.solve.connect_four import goal
from plyground.web.site.game_data import FORMAT
from plyground.web.thinking import worker
from plyground.web.views import View

NAMES = {
    inquiry: (
        *(
            "KEEPING_SHARE",
            "SOLVING_SHARE",
            "TRYING_SHARE",
            "FORCING_SHARE",
            "SETTLING_SHARE",
            "SOLVABLE_CELLS",
            "FIRST_TRY_NODES",
            "MORE",
        ),
        *("DRAWING_NODES", "REFUTING_NODES"),
    ),
    settling: ("USUAL_SETTLING_SECONDS", "LEAST_SETTLING_SECONDS", "SETTLING_NODES"),
    judge: ("PROVER_MB", "SOLVER_BYTES", "TRIES_PER_SECOND", "PAIRING_SHARE"),
    forced: ("SHORT_PLIES", "STEP_PLIES"),
    memory: ("MOST_POSITIONS",),
    pairing: ("EFFORT_TRIES", "GLANCE_TRIES", "MANY_PATTERNS"),
    proof: (
        "FIRST_LOOK_NODES",
        "SHORTENING_SECONDS",
        "STRATEGY_SECONDS",
        "LINE_SECONDS",
        "HOLDING_SHARE",
        "PATTERNS_PER_SECOND",
    ),
    review: ("FALL_POINTS",),
    worker: ("LINES", "LINE_PLIES", "SUMMARY_SHARE"),
    safeguard: (
        "TOLL_NODES",
        "THINKING_SHARE",
        "CHECKING_SHARE",
        "DEFENDING_SHARE",
        "RANKING_SHARE",
        "LONGEST_DEFENCE",
    ),
    exact: (
        "WHO_SHARE",
        "WHEN_SHARE",
        "WHICH_SHARE",
        "FILLED_SHARE",
        "EARLY_FILLED_SHARE",
        "GENEROUS_NODES",
        "GENEROUS_SECONDS",
    ),
}
"""The constants that the page's judge needs too, by the module that has them."""

GOAL = ("FIRST_TRY_NODES", "MORE")
"""Those of the search for moves that keep a result, which are called like some of the judge's."""


def judge_data() -> View:
    """How the judge divides its time and where it stops, and which claims about a move go together."""
    settings: View = {name: getattr(module, name) for module, names in NAMES.items() for name in names}
    parts = {"goal": {name: getattr(goal, name) for name in GOAL}, "claims": _claims()}
    return {"format": FORMAT, "settings": settings | parts}


def _claims() -> View:
    return {
        "MOST_CLAIMS": explain.MOST_CLAIMS,
        "ALIKE": [sorted(alike) for alike in explain.ALIKE],
        "ASIDE": [kind for kind in ClaimKind if not kind.explains],
    }
