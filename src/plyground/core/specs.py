"""One text form for games and players: `name:key=value,key=value`.

The options of a spec come from the signature of the function that builds the thing: its keyword
parameters are the keys, their annotations the kinds of value, their defaults the defaults. A key that
Python reserves is a parameter with an underscore behind it: `as_` is the key `as`.
"""

from __future__ import annotations

import difflib
import inspect
import keyword
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from types import NoneType, UnionType
from typing import Literal, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


@dataclass(frozen=True)
class Spec:
    """A name and its options."""

    name: str
    options: tuple[tuple[str, str], ...] = ()

    @staticmethod
    def parse(text: str) -> Spec:
        """A spec from its text; ValueError when it has not the form `name:key=value,key=value`.

        The name may be `FILE.py:FUNCTION`.
        """
        name, colon, rest = text.strip().partition(":")
        if name.endswith(".py") and rest:  # a function in a file
            function, colon, rest = rest.partition(":")
            name = f"{name}:{function}"
        if not name or (colon and not rest.strip()):
            raise ValueError(f"bad spec {text!r}: expected name or name:key=value,key=value")
        options: dict[str, str] = {}
        for part in rest.split(",") if colon else []:
            key, equals, value = (piece.strip() for piece in part.partition("="))
            if not (key and equals and value):
                raise ValueError(f"bad spec {text!r}: {part.strip()!r} is not key=value")
            if key in options:
                raise ValueError(f"bad spec {text!r}: {key!r} is given twice")
            options[key] = value
        return Spec(name.strip(), tuple(options.items()))

    def __str__(self) -> str:
        return self.name + (":" if self.options else "") + ",".join(f"{key}={value}" for key, value in self.options)


def unknown(kind: str, got: str, known: Iterable[str]) -> ValueError:
    """The error for a name that does not exist: what was got, the nearest that exists, all that exist."""
    names = sorted(map(str, known))
    near = difflib.get_close_matches(got, names, n=1, cutoff=0.5)
    guess = f"; did you mean {near[0]!r}?" if near else ";"
    return ValueError(f"unknown {kind} {got!r}{guess} known: {', '.join(names) or 'none'}")


def look_up(kind: str, name: str, registry: Mapping[str, T]) -> T:
    """The entry of that name; ValueError with the nearest name otherwise."""
    if name not in registry:
        raise unknown(kind, name, registry)
    return registry[name]


@dataclass(frozen=True)
class Option:
    """A key that a spec may set."""

    name: str
    kinds: tuple[object, ...]
    """The types or literal values it takes."""
    default: object

    def read(self, text: str) -> object:
        """The value of a text; ValueError when it is of none of the kinds."""
        for kind in self.kinds:
            if kind is bool and text.lower() in ("yes", "no", "true", "false"):
                return text.lower() in ("yes", "true")
            if kind in (int, float):
                try:
                    return int(text) if kind is int else float(text)
                except ValueError:
                    continue
            if kind is str or text == kind:
                return text
        raise ValueError(f"{self.name} must be {self.expected}, got {text!r}")

    @property
    def expected(self) -> str:
        """The kinds in words."""
        words: dict[object, str] = {
            int: "a whole number",
            float: "a number",
            bool: "yes or no",
            str: "a text",
        }
        return " or ".join(words.get(kind, repr(kind)) for kind in self.kinds if kind is not NoneType)

    def __str__(self) -> str:
        literals = [str(kind) for kind in self.kinds if isinstance(kind, str)]
        if literals:
            return f"{self.name}={'|'.join([*literals, *(['N'] if int in self.kinds else [])])}"
        return f"{self.name}={'...' if self.default is None else self.default}"


def options_of(factory: Callable[..., object]) -> dict[str, Option]:
    """The keys that a spec for this factory may set: all but its positional-only parameters.

    Of a parameter whose default is a value with fields, a dataclass, each field is a key.
    """
    hints = get_type_hints(factory)
    options = {}
    for name, parameter in _settable(factory):
        if _grouped(parameter):
            inner = get_type_hints(type(parameter.default))
            for each in fields(parameter.default):
                default = getattr(parameter.default, each.name)
                options[each.name] = Option(each.name, tuple(_kinds(inner[each.name])), default)
        else:
            key = _key(name)
            options[key] = Option(key, tuple(_kinds(hints.get(name, _kind_of(parameter)))), parameter.default)
    return options


def _settable(factory: Callable[..., object]) -> list[tuple[str, inspect.Parameter]]:
    """The parameters that a spec may set; the positional-only ones are what the program itself passes."""
    parameters = inspect.signature(factory).parameters.items()
    return [(name, parameter) for name, parameter in parameters if parameter.kind is not parameter.POSITIONAL_ONLY]


def _kind_of(parameter: inspect.Parameter) -> type:
    """The kind of value that a parameter without an annotation takes: that of its default, else a text."""
    default = parameter.default
    return str if default is None or default is parameter.empty else type(default)


def _grouped(parameter: inspect.Parameter) -> bool:
    return is_dataclass(parameter.default) and not isinstance(parameter.default, type)


def _arguments(factory: Callable[..., object], values: dict[str, object]) -> dict[str, object]:
    """What to call a factory with, so that its keys have these values."""
    arguments = {_parameter(key): value for key, value in values.items()}
    for name, parameter in _settable(factory):
        if _grouped(parameter):
            own = {each.name: arguments.pop(each.name) for each in fields(parameter.default) if each.name in arguments}
            if own:
                arguments[name] = replace(parameter.default, **own)
    return arguments


def _key(parameter: str) -> str:
    """What a spec calls a parameter."""
    return parameter.removesuffix("_")


def _parameter(key: str) -> str:
    """The parameter that a key sets."""
    return f"{key}_" if keyword.iskeyword(key) else key


def _kinds(hint: object) -> Iterable[object]:
    if get_origin(hint) in (Union, UnionType):
        for part in get_args(hint):
            yield from _kinds(part)
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        yield hint


def build(
    kind: str, text: str, registry: Mapping[str, Callable[..., T]], *given: object, written_as: str | None = None
) -> T:
    """What a spec describes, `given` being passed on to its factory; ValueError for what does not exist.

    The error quotes the spec as somebody wrote it, where that is not `text`.
    """
    quoted = repr(text if written_as is None else written_as)
    spec = Spec.parse(text)
    factory = look_up(kind, spec.name, registry)
    options = options_of(factory)
    values: dict[str, object] = {}
    for key, value in spec.options:
        if key not in options:
            raise unknown(f"option of {spec.name}", key, options)
        try:
            values[key] = options[key].read(value)
        except ValueError as error:
            raise ValueError(f"bad {kind} {quoted}: {error}") from None
    try:
        return factory(*given, **_arguments(factory, values))
    except ValueError as error:
        raise ValueError(f"bad {kind} {quoted}: {error}") from None


def written(name: str, factory: Callable[..., object], **values: object) -> str:
    """The spec that builds the same again: the values that differ from the factory's defaults."""
    options = options_of(factory)
    given = {_key(parameter): value for parameter, value in values.items()}
    changed = ((key, str(value)) for key, value in given.items() if value != options[key].default)
    return str(Spec(name, tuple(changed)))


def described(name: str, factory: Callable[..., object]) -> tuple[str, str, str]:
    """Name, what it is (the first line of its docstring) and its options as text, for a listing."""
    summary = (inspect.getdoc(factory) or "").partition("\n")[0]
    return name, summary, " ".join(str(option) for option in options_of(factory).values())
