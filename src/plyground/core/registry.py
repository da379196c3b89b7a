"""Registries of things by name: the program's own, and those of installed plug-ins, which are loaded when needed.

A package adds to a registry by an entry point, such as

    [project.entry-points."plyground.games"]
    four-corners = "four_corners:four_corners"
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any, TypeVar

T = TypeVar("T")


class PluginWarning(UserWarning):
    """A plug-in that cannot be used and is left out."""


class Registry(MutableMapping[str, T]):
    """Entries by name. Plug-ins are looked for once, when a name is not known or all names are wanted."""

    def __init__(self, own: Mapping[str, T], **groups: Callable[[str, object], T]) -> None:
        """The program's own entries; each group turns what a plug-in of that kind offers into one, or raises."""
        self.groups = groups
        self.entries: dict[str, T] = dict(own)
        self.searched = False

    def __getitem__(self, name: str) -> T:
        if name not in self.entries:
            self._search()
        return self.entries[name]

    def __setitem__(self, name: str, entry: T) -> None:
        self.entries[name] = entry

    def __delitem__(self, name: str) -> None:
        del self.entries[name]

    def __iter__(self) -> Iterator[str]:
        self._search()
        return iter(self.entries)

    def __len__(self) -> int:
        self._search()
        return len(self.entries)

    def _search(self) -> None:
        if self.searched:
            return
        self.searched = True
        from importlib.metadata import entry_points  # slow to import, and most runs never need it

        for group, accept in self.groups.items():
            for point in entry_points(group=f"plyground.{group}"):
                try:
                    if point.name in self.entries:
                        raise ValueError("the name is already taken")
                    self.entries[point.name] = accept(point.name, point.load())
                except Exception as error:
                    problem = f"{type(error).__name__}: {error}"
                    warnings.warn(
                        f"plug-in {point.name!r} of {group} ({point.value}) is left out: {problem}",
                        PluginWarning,
                        stacklevel=2,
                    )


def function(name: str, offered: object) -> Callable[..., Any]:
    """What a plug-in offers, if it is a function; TypeError otherwise."""
    if not callable(offered):
        raise TypeError(f"expected a function, got {type(offered).__name__}")
    return offered
