"""How a student's function is called: what each argument means, found by its name and by how the code uses it."""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import CodeType
from typing import Any

from plyground.core.position import Position
from plyground.core.rules import Side
from plyground.heuristics.base import Heuristic
from plyground.search.base import Effort, Limit


class Role(StrEnum):
    """What an argument of a search is."""

    POSITION = "position"
    DEPTH = "depth"
    """How many plies to look ahead from here, or how deep the whole search goes where `PLY` counts up."""

    PLY = "ply"
    """How many plies have been played since the root."""

    ALPHA = "alpha"
    BETA = "beta"

    FLAG = "maximizing"
    """Whether, or who, the value is maximised for at this node."""

    HEURISTIC = "heuristic"
    EFFORT = "effort"
    LIMIT = "limit"
    TABLE = "table"
    RULES = "rules"


NAMES: dict[Role, str] = {
    Role.POSITION: "position pos p board state node game_state s current root situation",
    Role.DEPTH: (
        "depth d n remaining plies_left depth_left left levels max_depth maxdepth depth_limit plies_remaining "
        "moves_left remaining_depth profondeur tiefe"
    ),
    Role.PLY: "ply plies level distance height from_root plies_from_root current_depth ply_from_root played",
    Role.ALPHA: "alpha a lo low lower lower_bound",
    Role.BETA: "beta b hi high upper upper_bound",
    Role.FLAG: (
        "maximizing maximising maximizing_player maximising_player is_maximizing is_maximising maximize maximise "
        "is_max is_maximizer max_turn is_max_turn maximizer maxi max_player my_turn is_my_turn mine player side "
        "colour color sign turn to_move who me is_me us"
    ),
    Role.HEURISTIC: (
        "heuristic h evaluate evaluation eval evaluator eval_fn eval_function evaluation_function evaluate_fn "
        "value_of score_fn heuristic_fn static_eval static h_fn ev"
    ),
    Role.EFFORT: "effort",
    Role.LIMIT: "limit",
    Role.TABLE: "table tt transposition_table transpositions cache memo seen known",
    Role.RULES: "rules game",
}
"""The names by which an argument is recognised."""

ROLE_OF: dict[str, Role] = {name: role for role, names in NAMES.items() for name in names.split()}

UNLIMITED = 1_000_000_000
"""The widest window that is handed to a search that asks for one: a float would surprise code that negates ints."""


class Flag(StrEnum):
    """How the side is told to a search that asks for it."""

    BOOL = "true or false"
    SIGN = "1 or -1"
    SIDE = "Side"
    NUMBER = "1 or 2"
    TEXT = "first or second"


class CallError(ValueError):
    """A function whose arguments cannot be filled."""


@dataclass(frozen=True)
class Signature:
    """A function and what each of its arguments means."""

    function: Callable[..., Any]
    roles: Mapping[str, Role]
    """The role of each argument that is recognised."""

    flag: Flag | None = None
    flag_of_first: bool = False
    """Whether the flag says that the first player is to move, not that the player at the root is."""

    own_heuristic: bool = True
    """Whether the search evaluates by itself; False where a heuristic is handed over."""

    filled: frozenset[str] = field(default_factory=frozenset)
    """The arguments that are given when it is called; all others have a default."""

    def by_role(self, role: Role) -> str | None:
        """The argument of a role, or None."""
        return next((name for name, each in self.roles.items() if each is role), None)

    def call(self, position: Position, depth: int, heuristic: Heuristic) -> Any:
        """What the function returns at the root."""
        given: dict[str, Any] = {}
        for name, role in self.roles.items():
            if name in self.filled:
                given[name] = self._value(role, position, depth, heuristic)
        parameters = inspect.signature(self.function).parameters.values()
        ordered = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
        leading: list[Any] = []
        for each in ordered:
            if each.name not in given:
                break
            leading.append(given.pop(each.name))
        return self.function(*leading, **given)

    def _value(self, role: Role, position: Position, depth: int, heuristic: Heuristic) -> Any:
        match role:
            case Role.POSITION:
                return position
            case Role.DEPTH:
                return depth
            case Role.PLY:
                return 0
            case Role.ALPHA:
                return -UNLIMITED
            case Role.BETA:
                return UNLIMITED
            case Role.FLAG:
                return self._flag(position)
            case Role.HEURISTIC:
                return heuristic
            case Role.EFFORT:
                return Effort(Limit())
            case Role.LIMIT:
                return Limit(depth=depth)
            case Role.TABLE:
                return {}
            case Role.RULES:
                return position.rules

    def _flag(self, position: Position) -> Any:
        """The flag at the root: this player's turn, or who this player is."""
        first = position.to_move is Side.FIRST
        own = first if self.flag_of_first else True
        match self.flag:
            case Flag.SIGN:
                return 1 if own else -1
            case Flag.SIDE:
                return position.to_move
            case Flag.NUMBER:
                return 1 if first else 2
            case Flag.TEXT:
                return position.to_move.text
            case _:
                return own

    def in_words(self) -> str:
        """`alpha_beta(position, depth, heuristic), values for the side to move`: what was assumed."""
        shown = [
            name if name == str(role) else f"{name} = {role}"
            for name, role in self.roles.items()
            if name in self.filled
        ]
        return f"{getattr(self.function, '__qualname__', self.function)}({', '.join(shown)})"


def signature_of(function: Callable[..., Any]) -> Signature:
    """How a function is called; CallError when an argument without default is not recognised."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as error:
        raise CallError(f"the arguments of {function!r} cannot be read: {error}") from None
    plain = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    roles = {each.name: role for each in plain if (role := role_of(each.name)) is not None}
    _settle_doubles(roles, plain)
    name = getattr(function, "__name__", "the function")
    if Role.POSITION not in roles.values():
        free = [each for each in plain if each.name not in roles] or plain
        if not free:
            raise CallError(f"{name} takes no position; a search is a function such as def {name}(position, depth)")
        roles[free[0].name] = Role.POSITION
    free = [each for each in plain if each.name not in roles and each.default is each.empty]
    if free and Role.DEPTH not in roles.values():
        roles[free[0].name] = Role.DEPTH
        free = free[1:]
    if free:
        known = ", ".join(str(role) for role in Role)
        raise CallError(
            f"the argument {free[0].name!r} of {name}{inspect.signature(function)} is not recognised; give it a "
            f"default, or a name for one of {known}"
        )
    filled = {
        each.name
        for each in plain
        if each.name in roles and (each.default is each.empty or roles[each.name] in (Role.POSITION, Role.DEPTH))
    }
    if (flag := next((key for key, role in roles.items() if role is Role.FLAG), None)) is not None:
        # a flag with a default of its own is left alone, unless it says whose turn it is
        kind = _flag_kind(function, flag)
    else:
        kind = None
    counts_up = Role.PLY in roles.values() and Role.DEPTH in roles.values()
    if not counts_up and (ply := next((key for key, role in roles.items() if role is Role.PLY), None)) is not None:
        counts_down = Role.DEPTH not in roles.values() and ply in filled
        if counts_down:  # `search(position, plies)`: the only number says how deep to look
            roles[ply] = Role.DEPTH
    own = not any(role is Role.HEURISTIC and key in filled for key, role in roles.items())
    ordered = {each.name: roles[each.name] for each in plain if each.name in roles}
    return Signature(function, ordered, kind, own_heuristic=own, filled=frozenset(filled))


def role_of(name: str) -> Role | None:
    """What an argument of this name is; None for an unknown name."""
    lowered = name.lower().strip("_")
    if lowered in ROLE_OF:
        return ROLE_OF[lowered]
    parts = lowered.split("_")
    for known in ("alpha", "beta", "depth", "heuristic", "position", "maximizing", "maximising", "ply", "table"):
        if known in parts or (len(known) > 4 and known in lowered):
            return ROLE_OF[known]
    return None


def _settle_doubles(roles: dict[str, Role], plain: list[inspect.Parameter]) -> None:
    """One argument a role: `b` is a board where it stands first, `max_depth` beside `depth` is the limit."""
    names = [each.name for each in plain]
    depths = [name for name in names if roles.get(name) is Role.DEPTH]
    if len(depths) > 1:  # depth counts up from 0, max_depth says where it stops
        limits = [name for name in depths if any(word in name.lower() for word in ("max", "limit", "target"))]
        for name in depths:
            if limits and name not in limits:
                roles[name] = Role.PLY
        for name in [name for name in depths if roles[name] is Role.DEPTH][1:]:
            del roles[name]
    if names and roles.get(names[0]) in (Role.BETA, Role.ALPHA) and Role.POSITION not in roles.values():
        roles[names[0]] = Role.POSITION
    taken: set[Role] = set()
    for name in names:
        role = roles.get(name)
        if role in taken:
            del roles[name]
        elif role is not None:
            taken.add(role)


def _flag_kind(function: Callable[..., Any], name: str) -> Flag:
    """How the code uses its flag: `not flag` is a truth value, `-flag` a sign, `flag.other` a side."""
    tree = source_tree(function)
    lowered = name.lower()
    if tree is not None:
        for node in ast.walk(tree):
            match node:
                case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=found)) if found == name:
                    return Flag.BOOL
                case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id=found)) if found == name:
                    return Flag.SIGN
                case ast.Attribute(value=ast.Name(id=found)) if found == name:
                    return Flag.SIDE
                case ast.BinOp(left=ast.Constant(value=3), op=ast.Sub(), right=ast.Name(id=found)) if found == name:
                    return Flag.NUMBER
                case ast.BinOp(left=ast.Constant(value=1), op=ast.Sub(), right=ast.Name(id=found)) if found == name:
                    return Flag.SIDE
                case ast.Compare(left=ast.Name(id=found), comparators=[ast.Constant(value=str())]) if found == name:
                    return Flag.TEXT
                case ast.Compare(left=ast.Name(id=found), comparators=[other]) if found == name:
                    text = ast.unparse(other)
                    if "Side" in text or "to_move" in text or "winner" in text:
                        return Flag.SIDE
                case ast.Compare(left=ast.Name() | ast.Attribute() as left, comparators=[ast.Name(id=found)]) if (
                    found == name
                ):
                    text = ast.unparse(left)
                    if "winner" in text or "to_move" in text:
                        return Flag.SIDE
    if any(word in lowered for word in ("colo", "sign")):
        return Flag.SIGN
    return Flag.SIDE if lowered in ("player", "side", "turn", "to_move", "who", "me", "us") else Flag.BOOL


def limits_depth(code: CodeType) -> bool:
    """Whether the depth of a function stays the same, `max_depth`, and another number counts up to it."""
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    limits = [name for name in names if role_of(name) is Role.DEPTH and any(w in name for w in ("max", "limit"))]
    return bool(limits) and len([name for name in names if role_of(name) in (Role.DEPTH, Role.PLY)]) > 1


def code_of(function: Callable[..., Any]) -> CodeType | None:
    """The code of a function, a method, or what a decorator wraps."""
    plain = inspect.unwrap(function)
    plain = getattr(plain, "func", plain)
    plain = getattr(plain, "__func__", plain)
    if not hasattr(plain, "__code__") and not isinstance(plain, type):
        plain = getattr(type(plain), "__call__", plain)  # noqa: B004  (its code is wanted, not whether there is one)
    found = getattr(plain, "__code__", None)
    return found if isinstance(found, CodeType) else None


def source_tree(function: Callable[..., Any]) -> ast.Module | None:
    """The code of a function as a tree; None where there is no source."""
    plain = inspect.unwrap(function)
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(plain)))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return None


def number_in(value: Any) -> float | None:
    """A value as a number; None for anything else. A truth value is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        inner = getattr(value, "value", None)
        if isinstance(inner, int | float) and not isinstance(inner, bool) and not isinstance(value, Side):
            return inner
        return None
    return None if isinstance(value, float) and math.isnan(value) else value
