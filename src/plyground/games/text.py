"""Games as text: a file of a few lines is a game. The core compiles it; the gallery has some that are known by name."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from plyground.core.files import missing_file, write_file
from plyground.core.grid import Grid, Mask
from plyground.core.notation import CardNotation, CellNotation, ColumnNotation, PieceNotation
from plyground.core.rules import Effect, Guide, Notation, Pattern, Placement, Rules, Side, Symmetry

if TYPE_CHECKING:
    from plyground.native._core import GameText

ENDING = ".game"
CARRIES = f"{ENDING}:text="
"""Stands in the name of a game that came as text, before the text itself: no file is needed to load it again."""

MOST_BYTES = 100_000
"""The longest text that a name may carry, unpacked; the core reads less and says so."""


@lru_cache(maxsize=256)
def rules_of_text(source: str, name: str | None = None) -> Rules:
    """The rules that a text describes; ValueError with line, column and what was expected.

    Without a name the rules are called by the text itself, so that their name is enough to load them anywhere.
    """
    found = _compiled(source)
    sides = (found["sides"][0], found["sides"][1])
    patterns = tuple(
        Pattern(
            _mask(cells),
            _mask(neutraliser),
            family,
            Effect.LOSE if loses else Effect.WIN,
            None if owner < 0 else Side(owner),
            _mask(barred),
            None if layer < 0 else layer,
            _mask(swapped),
        )
        for cells, neutraliser, family, barred, swapped, loses, owner, layer in found["patterns"]
    )
    first, second = (
        tuple(Placement(called, tuple(map(_mask, adds)), _mask(rests_on)) for called, adds, rests_on in placements)
        for placements in found["placements"]
    )
    winner = found["full_winner"]
    return Rules(
        name=name or write_name(found["title"], source),
        grid=Grid(tuple((column, row) for column, row in found["places"])),
        layers=tuple(found["layers"]),
        sides=sides,
        watches=(tuple(found["watches"][0]), tuple(found["watches"][1])),
        patterns=patterns,
        families=tuple(found["families"]),
        placements=(first, second),
        max_plies=found["max_plies"],
        recycle_from=found["recycle_from"],
        notation=_notation(found["writing"], tuple(found["layers"])),
        symmetries=tuple(
            Symmetry(called, tuple(cells), tuple(layers)) for called, cells, layers in found["symmetries"]
        ),
        mover_wins_ties=found["mover_wins_ties"],
        full_winner=None if winner is None else Side(winner),
        passes=tuple(found["passes"]),
        guide=Guide(goal=tuple(found["goal"]), special=tuple(found["special"])),
    )


def _notation(writing: int, pieces: tuple[str, ...]) -> Notation:
    return (CellNotation(), ColumnNotation(), PieceNotation(pieces), CardNotation())[writing]


def _mask(cells: list[int]) -> Mask:
    return sum(1 << cell for cell in cells)


def _compiled(source: str) -> GameText:
    """What the core says of a text; where there is no core, what was provided of it."""
    try:
        from plyground.native import compile_game

        return compile_game(source)
    except ImportError:
        provided = provided_file(source)
        if not provided.is_file():
            raise
        found: GameText = json.loads(provided.read_text("utf-8"))
        return found


def provided_file(source: str, package: Path = Path(__file__).parent.parent) -> Path:
    """Where a package of this program without a core finds the tables of a text."""
    return package / "games" / "compiled" / f"{hashlib.sha256(source.encode()).hexdigest()[:24]}.json"


def provide(source: str, package: Path) -> None:
    """Write the tables of a text where a package without a core finds them; ValueError says where the text is wrong."""
    from plyground.native import compile_game

    file = provided_file(source, package)
    if not file.is_file():
        file.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        write_file(file, json.dumps(compile_game(source), separators=(",", ":")))
        file.chmod(0o644)


def title_of_text(source: str) -> str:
    """What a text that the core accepts calls its game: the rest of its first line that is no remark."""
    lines = (line.partition("//")[0].strip() for line in source.splitlines())
    return next(line for line in lines if line)[len("game") :].strip()


def goal_of_text(source: str) -> str:
    """The goal of a game in words, without the rest of its rules being made."""
    from plyground.native import compile_game

    return " ".join(compile_game(source)["goal"])


# ------------------------------------------------------------ names


def write_name(title: str, source: str) -> str:
    """A name that carries the text: `yavalath.game:text=...`."""
    words = "".join(letter if letter.isascii() and letter.isalnum() else " " for letter in title.lower()).split()
    packed = base64.urlsafe_b64encode(zlib.compress(source.encode(), 9)).decode().rstrip("=")
    return f"{'-'.join(words) or 'game'}{CARRIES}{packed}"


def names_text(spec: str) -> bool:
    """Whether a spec is the name of a file with a game as text, or a name that carries one."""
    return spec.endswith(ENDING) or CARRIES in spec


def carried_text(spec: str) -> str | None:
    """The text that a name carries; None for other names, ValueError where it is damaged."""
    _, carries, packed = spec.partition(CARRIES)
    if not carries:
        return None
    try:
        unpack = zlib.decompressobj()
        source = unpack.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)), MOST_BYTES)
        if not unpack.eof:
            raise ValueError("it is cut off, or too long")
        return source.decode()
    except (ValueError, binascii.Error, zlib.error, UnicodeDecodeError) as error:
        raise ValueError(f"bad game {spec[:60]!r}: the text that its name carries is damaged ({error})") from None


def read_file(file: str) -> str:
    """The text in a file; ValueError where there is none."""
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"game {file!r}: {missing_file(file)}")
    if path.stat().st_size > MOST_BYTES:
        raise ValueError(f"game {file!r}: a game as text has at most {MOST_BYTES} bytes, got {path.stat().st_size}")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"game {file!r}: cannot be read: {error}") from None


def load_text(spec: str) -> Rules:
    """The rules of a file, or of the text that a name carries; ValueError says where the text is wrong."""
    source = carried_text(spec)
    if source is not None:
        return rules_of_text(source)
    try:
        return rules_of_text(read_file(spec))
    except ValueError as error:
        message = str(error)
        raise ValueError(f"bad game {spec!r}: {message}" if message.startswith("line ") else message) from None


# ------------------------------------------------------------ the gallery


@lru_cache(maxsize=1)
def gallery() -> dict[str, str]:
    """The texts of the gallery, by the names of its games."""
    folder = resources.files("plyground.games") / "gallery"
    if not folder.is_dir():  # the wheel for browsers has none, as it has no core to compile them
        return {}
    files = sorted(folder.iterdir(), key=lambda file: file.name)
    return {file.name.removesuffix(ENDING): file.read_text("utf-8") for file in files if file.name.endswith(ENDING)}


class KnownResult(TypedDict):
    """How a game of the gallery ends if both sides play as well as can be, for the side that begins."""

    result: str
    """`win`, `draw` or `loss`."""

    plies: int | None
    """In how many plies the winner wins; None for a draw."""


@lru_cache(maxsize=1)
def known_results() -> dict[str, KnownResult]:
    """What `plyground solve NAME` has proved of games of the gallery; a test proves it again."""
    found: dict[str, KnownResult] = json.loads((Path(__file__).parent / "gallery" / "known.json").read_text("utf-8"))
    return found
