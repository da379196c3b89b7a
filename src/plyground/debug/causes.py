"""The documented causes of wrong nodes: an id, a short name, and what to do, in words that a student understands."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cause:
    """Why a node is wrong."""

    id: str
    title: str
    """`the heuristic is seen from the wrong side`."""

    advice: str
    """What is the matter and what to do, in one or two sentences."""


_ALL = (
    Cause(
        "heuristic-side",
        "the heuristic is seen from the wrong side",
        "A leaf must be valued for the side that the search counts for. A heuristic here counts for the side to move, "
        "and after a move that is the other player.",
    ),
    Cause(
        "negation-missing",
        "a negation is missing",
        "What is good for the opponent is bad for you: the value after a move must be negated before it is compared.",
    ),
    Cause(
        "negation-doubled",
        "a value is negated twice",
        "The value is negated once too often. Negate what the recursive call returns, and return the best as it is.",
    ),
    Cause(
        "min-max-exchanged",
        "minimum and maximum are exchanged",
        "This node takes the worst of its moves instead of the best, as seen by the player who chooses here.",
    ),
    Cause(
        "side-not-changed",
        "the side does not change from move to move",
        "After a move the other player chooses, so the recursive call must be told the other side.",
    ),
    Cause(
        "window-not-swapped",
        "the window is not swapped",
        "With negated values alpha and beta change places: the call below needs -beta, -alpha.",
    ),
    Cause(
        "window-not-negated",
        "the window is not negated",
        "With negated values both bounds change their sign as well as their place: the call below needs -beta, -alpha.",
    ),
    Cause(
        "window-wrong",
        "the window handed down is wrong",
        "The call below gets a window that excludes values which matter here, so it may return a bound for a value.",
    ),
    Cause(
        "window-not-narrowed",
        "the window never gets narrower",
        "The values are right, but what the side to move already has is not handed down, so too little is cut.",
    ),
    Cause(
        "cut-early",
        "moves are skipped too early",
        "The remaining moves may be skipped only when the best value reaches the bound of the opponent (beta).",
    ),
    Cause(
        "cut-wrong-bound",
        "the cut-off compares with the wrong bound",
        "A player who has found a value beyond the opponent's bound may stop, not one who has reached their own.",
    ),
    Cause(
        "cut-late",
        "the search goes on after a cut-off",
        "The values are right, but moves are looked at after alpha has reached beta, which cannot change anything.",
    ),
    Cause(
        "never-cuts",
        "nothing is ever cut off",
        "The values are right, but every move is looked at, as minimax does: alpha and beta have no effect.",
    ),
    Cause(
        "stale-board",
        "the position before the move is used",
        "The move is played, but then the old position is searched or valued. Use what play(move) returns.",
    ),
    Cause(
        "shared-board",
        "the next move is played on the board of the last one",
        "The position of this node is overwritten, so later moves are played after earlier ones. Keep it, and give "
        "each child a position of its own.",
    ),
    Cause(
        "depth-off-by-one",
        "the search looks too far or not far enough",
        "Asked for a number of plies, the search evaluates after another number.",
    ),
    Cause(
        "depth-not-reduced",
        "the depth does not change by one from move to move",
        "Each recursive call must look exactly one ply less far than its caller.",
    ),
    Cause(
        "end-missing",
        "finished games are not noticed",
        "When the game is over the result counts, not the heuristic: ask position.outcome() first.",
    ),
    Cause(
        "end-after-heuristic",
        "the end of the game is noticed too late",
        "At the last ply the heuristic is asked before it is known whether the game is over. Test for the end first.",
    ),
    Cause(
        "end-side",
        "a finished game counts for the wrong side",
        "After a winning move it is the loser's turn, so for the side to move such an end is a loss.",
    ),
    Cause(
        "end-without-distance",
        "a win counts the same however far away it is",
        "A sooner win must be worth more than a later one, or the search may put off winning for ever.",
    ),
    Cause(
        "end-distance-reversed",
        "later wins are worth more than sooner ones",
        "The distance has the wrong sign: subtract the plies from the root (or add the plies that are left).",
    ),
    Cause(
        "win-too-small",
        "a win is worth less than the heuristic can be",
        "A won game must be worth more than every value of the heuristic, or the search prefers a good-looking board.",
    ),
    Cause("draw-not-zero", "a drawn game is not worth 0", "A draw is worth 0 to both sides."),
    Cause(
        "table-without-depth",
        "the table returns values of a shallower search",
        "A stored value may be used only if it was searched at least as deep as is needed now. Store the depth too.",
    ),
    Cause(
        "table-without-flag",
        "the table returns a bound as if it were a value",
        "A value outside its window is only a bound. Store whether it is exact, at least or at most, and use it so.",
    ),
    Cause(
        "table-key",
        "the table takes one position for another",
        "The key must hold all that matters: the whole board and the side to move.",
    ),
    Cause(
        "last-of-equal-moves",
        "a later move replaces an equal one",
        "In alpha-beta a later move that seems equal may be worse: its value is only a bound. Replace the best only "
        "when the new one is really better (>, not >=).",
    ),
    Cause(
        "wrong-move", "the move returned is not one of the best", "The value is right, but the move belongs to another."
    ),
    Cause("moves-skipped", "not every move is looked at", "Some legal moves are never tried."),
    Cause(
        "move-list-changed",
        "the list of moves is changed while it is walked through",
        "Removing from a list inside a loop over it makes the loop jump over moves. Loop over a copy.",
    ),
    Cause(
        "initial-value",
        "the best value starts too high",
        "Before the first move the best value must be lower than all that can come, so minus infinity, or None.",
    ),
    Cause(
        "last-value",
        "the value of one move is returned instead of the best",
        "The node returns what one of its moves is worth, whichever came last, not what the best is worth.",
    ),
    Cause(
        "position-changed", "the position that was handed over is changed", "Positions are values: never change one."
    ),
    Cause("no-value", "something else than a value is returned", "A search returns a number, or a number and a move."),
    Cause("exception", "an exception ends the search", "The traceback shows your own lines."),
    Cause(
        "endless-recursion",
        "the recursion never ends",
        "Each call must be nearer to an end than its caller: a smaller depth, and a position after a move.",
    ),
    Cause("too-slow", "the search does not end in time", "It did not come back within the time limit."),
    Cause(
        "value-wrong",
        "the value does not follow from the moves",
        "All moves below are valued rightly, but the node is worth something else.",
    ),
    Cause("heuristic-not-whole", "the heuristic does not return a whole number", "Return an int: use round(...)."),
    Cause(
        "heuristic-not-finite",
        "the heuristic is not a finite number",
        "Infinity and NaN cannot be used.",
    ),
    Cause("heuristic-out-of-range", "the heuristic is too large", "Its values must stay below those of a win."),
    Cause("heuristic-unsteady", "the heuristic changes its mind", "The same position must always get the same value."),
    Cause(
        "heuristic-not-symmetric",
        "mirrored positions get different values",
        "A symmetry of the game changes nothing. If this is meant, ignore it.",
    ),
    Cause("heuristic-slow", "the heuristic is slow", "The search asks it thousands of times: look at its loops."),
)

CAUSES: dict[str, Cause] = {cause.id: cause for cause in _ALL}
"""Every cause, by its id."""
