"""Faults, warnings and isolation of a game, as the tags of a PGN and as JSON.

    [Fault "o: 3.20 s, allowed 3.05 s"]     "fault": {"side": "second", "kind": "time exceeded", "why": "3.20 s, ..."}
    [Stderr "..."]                                    "stderr" of the fault
    [Warnings "x: move 1: crash: ..."]      "warnings": {"first": ["move 1: crash: ..."]}
    [Isolation "group: partly memory; ..."] "isolation": "group: partly memory; ..."

What kind of fault it was is in a PGN the termination, and whose it was follows from the result.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.core.rules import Rules, Side
from plyground.play.faults import FaultKind
from plyground.play.records.record import NO_WARNINGS, GameRecord, NotedFault, Result, Warnings


class Conduct(NamedTuple):
    """How the players of a game behaved."""

    fault: NotedFault | None = None
    warnings: Warnings = NO_WARNINGS
    isolation: str = ""


def to_tags(record: GameRecord) -> dict[str, str]:
    """The tags of a PGN; none for what did not happen."""
    tags, fault = {}, record.fault
    if record.isolation:
        tags["Isolation"] = record.isolation
    if fault is not None:
        tags["Fault"] = fault.text(record.rules)
        tags |= {"Stderr": fault.stderr} if fault.stderr else {}
    lines = [f"{name}: {line}" for name, own in zip(record.rules.sides, record.warnings, strict=True) for line in own]
    return tags | ({"Warnings": "\n".join(lines)} if lines else {})


def from_tags(rules: Rules, result: Result, termination: str, tags: dict[str, str]) -> Conduct:
    """What the tags say; ValueError when they contradict the rest of the record."""
    return Conduct(
        _fault_of_tags(rules, result, termination, tags),
        _warnings_of_tag(rules, tags["Warnings"]) if "Warnings" in tags else NO_WARNINGS,
        tags.get("Isolation", ""),
    )


def _fault_of_tags(rules: Rules, result: Result, termination: str, tags: dict[str, str]) -> NotedFault | None:
    if "Fault" not in tags:
        if "Stderr" in tags:
            raise ValueError("the tag Stderr stands without a tag Fault")
        return None
    if result.winner is None:
        raise ValueError(f"the tag Fault needs a game that was lost, got {result.value!r}")
    side = result.winner.other
    start = f"{rules.sides[side]}: "
    if not tags["Fault"].startswith(start):
        raise ValueError(f"the tag Fault must begin with {start!r}, the side that lost, got {tags['Fault']!r}")
    return NotedFault(side, parse_kind(termination), tags["Fault"].removeprefix(start), tags.get("Stderr", ""))


def _warnings_of_tag(rules: Rules, text: str) -> Warnings:
    found: tuple[list[str], list[str]] = ([], [])
    sides = sorted(Side, key=lambda side: -len(rules.sides[side]))  # one name may begin like the other
    for line in text.split("\n"):
        side = next((side for side in sides if line.startswith(f"{rules.sides[side]}: ")), None)
        if side is None:
            raise ValueError(f"a warning begins with {' or '.join(rules.sides)} and a colon, got {line!r}")
        found[side].append(line.removeprefix(f"{rules.sides[side]}: "))
    return tuple(found[Side.FIRST]), tuple(found[Side.SECOND])


def to_data(record: GameRecord) -> dict[str, object]:
    """The keys of a JSON record; none for what did not happen."""
    data: dict[str, object] = {}
    if (fault := record.fault) is not None:
        stderr = {"stderr": fault.stderr} if fault.stderr else {}
        data["fault"] = {"side": fault.side.text, "kind": fault.kind.value, "why": fault.why} | stderr
    if warned := {side.text: list(record.warnings[side]) for side in Side if record.warnings[side]}:
        data["warnings"] = warned
    return data | ({"isolation": record.isolation} if record.isolation else {})


def from_data(data: dict[str, object]) -> Conduct:
    """What the keys of a JSON record say; ValueError when they are not of that form."""
    isolation = data.get("isolation", "")
    if not isinstance(isolation, str):
        raise ValueError(f"broken record: 'isolation' must be a text, got {isolation!r}")
    return Conduct(
        _fault_of_data(data["fault"]) if "fault" in data else None,
        _warnings_of_data(data.get("warnings", {})),
        isolation,
    )


def _fault_of_data(data: object) -> NotedFault:
    keys = {"side", "kind", "why"}
    if (
        not isinstance(data, dict)
        or not keys <= data.keys() <= keys | {"stderr"}
        or not all(isinstance(value, str) for value in data.values())
    ):
        raise ValueError(f"broken record: 'fault' must be an object of texts: side, kind, why, stderr; got {data!r}")
    return NotedFault(_parse_side(data["side"]), parse_kind(data["kind"]), data["why"], data.get("stderr", ""))


def _warnings_of_data(data: object) -> Warnings:
    if not isinstance(data, dict):
        raise ValueError(f"broken record: 'warnings' must be an object, got {data!r}")
    found = {Side.FIRST: list[str](), Side.SECOND: list[str]()}
    for name, lines in data.items():
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise ValueError(f"broken record: 'warnings' of a side must be a list of texts, got {lines!r}")
        found[_parse_side(name)] = lines
    return tuple(found[Side.FIRST]), tuple(found[Side.SECOND])


def _parse_side(text: str) -> Side:
    known = {side.text: side for side in Side}
    if text not in known:
        raise ValueError(f"broken record: a side is {' or '.join(known)}, got {text!r}")
    return known[text]


def parse_kind(text: str) -> FaultKind:
    """The fault of that name; ValueError for any other text."""
    try:
        return FaultKind(text)
    except ValueError:
        raise ValueError(f"a fault is one of {', '.join(kind.value for kind in FaultKind)}, got {text!r}") from None
