"""What a submission imports, as its Python files say it; nothing of it is run for that.

What is imported in another way, such as by a name that is put together, is not seen here: the sandbox decides what is
there to be imported.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

MOST_SHOWN = 30
"""How many names are listed."""


def imports_of(files: Iterable[Path]) -> tuple[str, ...]:
    """The modules that these files import, in order: those of this program whole, of others the first name alone.

    A file that is no Python has none, nor has one of the submission's own modules.
    """
    scripts = [path for path in files if path.suffix == ".py" and path.is_file()]
    own = {path.stem for path in scripts} | {path.parent.name for path in scripts if path.name == "__init__.py"}
    found = {name for path in scripts for name in _named(path)}
    return tuple(sorted(found - own)[:MOST_SHOWN])


def _named(path: Path) -> Iterator[str]:
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (_shown(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = node.module or ""
            yield from {_shown(f"{module}.{alias.name}" if module == "plyground" else module) for alias in node.names}


def _shown(module: str) -> str:
    return module if module.partition(".")[0] == "plyground" else module.partition(".")[0]
