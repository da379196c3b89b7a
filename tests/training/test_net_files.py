"""Files of nets: what is written is read again, everybody plays it, and what is damaged or hostile is refused."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from native_positions import random_game
from plyground.core.files import files_named
from plyground.core.rules import Rules
from plyground.games import load
from plyground.heuristics import load as load_heuristic
from plyground.heuristics.net import largest_weight, most_units, row_count
from plyground.heuristics.net_file import (
    LENGTH,
    MAGIC,
    MEASURES,
    Checkpoint,
    NetFile,
    Weights,
    fingerprint,
    heuristic_of,
    read_net,
)
from plyground.players import choose
from plyground.players.registry import load as load_player
from plyground.search import twins
from plyground.search.base import Limit
from plyground.web.security.refusal import Refused
from plyground.web.security.trust import safe_heuristic, safe_player
from wasm_core import NEEDS_WASM, Question, ask_node, questions_file

SIX = "connect-four:rows=6,columns=7"
SMALL = "tic-tac-toe"

PLAN: dict[str, int | float | str | None] = {"seed": 0}


def any_weights(rules: Rules, seed: int, units: int | None = None) -> Weights:
    """Weights of any size, with all the units there is room for."""
    chance = random.Random(seed)
    units, largest, rows = units or most_units(rules), largest_weight(rules), row_count(rules)
    return Weights(
        bytes(chance.randint(-largest, largest) & 255 for _ in range(rows * units)),
        tuple(chance.randint(-512, 512) for _ in range(units)),
        chance.randint(4, 9),
        tuple(chance.randint(-300, 300) for _ in range(rows)),
    )


def any_file(game: str, checkpoints: int = 2, units: int | None = None, state: bytes = b"state") -> NetFile:
    rules = load(game)
    marks = (Checkpoint(n, 10 * n, 1.5, 0.5, 0.75, 0.1, any_weights(rules, n, units)) for n in range(checkpoints))
    return NetFile(rules.name, fingerprint(rules), tuple(marks), PLAN, state)


@pytest.fixture
def net(tmp_path: Path) -> str:
    file = tmp_path / "my.net"
    any_file(SIX).write(file)
    return str(file)


# ------------------------------------------------------------------ who plays it


def test_what_is_written_is_read_again() -> None:
    file = any_file(SIX)
    assert NetFile.of_bytes(file.to_bytes()) == file


@pytest.mark.parametrize("game", [SIX, SMALL, "yavalath", "misere-tic-tac-toe", "mnk:columns=5,rows=5,line=4"])
def test_python_and_the_core_say_the_same_number(game: str, tmp_path: Path) -> None:
    any_file(game).write(tmp_path / "my.net")
    rules = load(game)
    for text in (f"{tmp_path}/my.net", f"{tmp_path}/my.net@0"):
        heuristic = load_heuristic(text, rules)
        for position in random_game(game, 6):
            assert twins.evaluate(heuristic, position) == heuristic(position)


class TestOnThePage:
    pytestmark = NEEDS_WASM

    @pytest.mark.parametrize("game", [SIX, SMALL, "gomoku"])
    def test_the_core_in_webassembly_says_the_same_number(self, game: str, tmp_path: Path) -> None:
        any_file(game, 1).write(tmp_path / "my.net")
        name = f"{tmp_path}/my.net"
        heuristic, path = load_heuristic(name, load(game)), list(random_game(game, 8))[::4]
        questions = [Question(position, [["evaluate", name]]) for position in path]
        answers = ask_node(questions_file(tmp_path, questions, {game: [name]}))
        assert [answer["answers"][0] for answer in answers] == [heuristic(position) for position in path]


@pytest.mark.parametrize("spec", ["engine:nodes=200,guard=no,net={}", "alpha-beta:depth=2,heuristic={}@1"])
def test_players_take_it(spec: str, net: str) -> None:
    rules = load(SIX)
    player = load_player(spec.format(net), rules)
    position = next(iter(random_game(SIX, 1)))
    assert choose(player, position, Limit(seconds=5)) in position.moves()
    assert files_named(spec.format(net)) == [net]  # which a tournament watches


def test_a_net_and_a_heuristic_are_one_too_many(net: str) -> None:
    with pytest.raises(ValueError, match="give one of the two"):
        load_player(f"engine:net={net},heuristic=lines", load(SIX))


def test_checkpoints_are_counted_from_0(net: str) -> None:
    rules, file = load(SIX), read_net(Path(net))
    for number in (0, 1):
        wanted = heuristic_of(rules, file.checkpoints[number].weights, f"{net}@{number}")
        assert load_heuristic(f"{net}@{number}", rules) == wanted
    with pytest.raises(ValueError, match="checkpoints of this net are 0 to 1, got 2"):
        load_heuristic(f"{net}@2", rules)


def test_a_net_for_another_game_is_refused(net: str) -> None:
    with pytest.raises(ValueError, match=r"is a net for connect-four:rows=6,columns=7, not for connect-four"):
        load_heuristic(net, load("connect-four"))


def test_a_net_fits_rules_of_another_name(net: str) -> None:
    renamed = replace(load(SIX), name="mine")
    assert load_heuristic(net, renamed)(next(iter(random_game(SIX, 1)))) is not None


def test_rules_that_differ_have_other_nets() -> None:
    small = ["tic-tac-toe", "misere-tic-tac-toe", "tic-tac-toe-torus", "maker-and-breaker", "mnk:width=3,height=4,k=3"]
    large = ["gomoku", "gomoku-exact", SIX, "connect-four", "polarized-ladder", "polarized-ladder:variant=open"]
    names = small + large
    assert len({fingerprint(load(name)) for name in names}) == len(names)


def test_a_missing_net_is_named_with_its_neighbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, net: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"there is no net 'mu\.net'.*did you mean 'my\.net'"):
        load_heuristic("mu.net", load(SIX))


def test_the_web_takes_no_file(net: str) -> None:
    for spec in (f"engine:net={net}", "engine:net=my.net", "engine:heuristic=my.net", "engine:net=x"):
        with pytest.raises(Refused):
            safe_player(spec)
    with pytest.raises(Refused):
        safe_heuristic("my.net", load(SIX))


def test_a_file_that_has_changed_is_read_again(net: str) -> None:
    rules = load(SIX)
    before = load_heuristic(net, rules)
    other = any_file(SIX, 1)
    other.write(Path(net))
    assert load_heuristic(net, rules) != before


# ------------------------------------------------------------------ damaged and hostile files


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with something wrong: bits turned, cut off, doubled, exchanged or put in."""
    at, count = chance.randrange(len(content)), chance.randint(1, 40)
    kind = chance.randrange(5)
    if kind == 0:
        return content[:at] + bytes([content[at] ^ 1 << chance.randrange(8)]) + content[at + 1 :]
    if kind == 1:
        return content[:at]
    if kind == 2:
        return content[:at] + chance.randbytes(count) + content[at + count :]
    if kind == 3:
        return content[:at] + content[at + count :]
    return content[:at] + chance.randbytes(count) + content[at:]


def check_damaged(seeds: Iterator[int]) -> None:
    content = any_file(SMALL, 2, 2).to_bytes()
    for seed in seeds:
        broken = damaged(content, random.Random(seed))
        if broken == content:
            continue
        with pytest.raises(ValueError, match=r".{10}"):
            NetFile.of_bytes(broken)


def check_forged(seeds: Iterator[int]) -> None:
    """A checksum that fits lets nothing through that the core could not take."""
    content, rules = any_file(SMALL, 2, 2).to_bytes(), load(SMALL)
    position = list(random_game(SMALL, 2))[3]
    taken = 0
    for seed in seeds:
        broken = damaged(content[:-32], random.Random(seed))
        try:
            file = NetFile.of_bytes(broken + hashlib.sha256(broken).digest())
            heuristic = file.heuristic(rules, "forged")
        except ValueError:
            continue
        taken += 1
        assert twins.evaluate(heuristic, position) == heuristic(position)
    assert taken  # other weights are a net as well


def test_damaged_files_are_refused() -> None:
    check_damaged(iter(range(600)))
    check_forged(iter(range(600)))


@pytest.mark.slow
def test_ten_thousand_damaged_files_are_refused() -> None:
    check_damaged(iter(range(1000, 11_000)))
    check_forged(iter(range(1000, 11_000)))


def sealed(change: Callable[[dict[str, Any]], object], game: str = SMALL) -> bytes:
    """A file whose header was changed by somebody who knows how to seal it."""
    content = any_file(game, 2, 2).to_bytes()
    start = len(MAGIC) + LENGTH.size
    (length,) = LENGTH.unpack(content[len(MAGIC) : start])
    header = json.loads(content[start : start + length])
    change(header)
    text = json.dumps(header).encode()
    body = MAGIC + LENGTH.pack(len(text)) + text + content[start + length : -32]
    return body + hashlib.sha256(body).digest()


LIES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "too many units": (lambda header: header.update(units=129), "units must be a whole number from 1 to 128"),
    "more weights than there are": (lambda header: header.update(units=3), "its header needs"),
    "a huge state": (lambda header: header.update(state=1 << 40), "state must be a whole number"),
    "true for a number": (lambda header: header.update(rows=True), "rows must be a whole number"),
    "no checkpoint": (lambda header: header.update(checkpoints=[]), "a net has 1 to 1000 checkpoints"),
    "checkpoints that are numbers": (lambda header: header.update(checkpoints=[1, 2]), "its header is no object"),
    "a shift beyond all": (lambda header: header["checkpoints"][0].update(shift=31), "shift must be a whole number"),
    "a share above all": (lambda header: header["checkpoints"][0].update(kept=1.5), "kept must be a number"),
    "a share that is none": (
        lambda header: header["checkpoints"][0].update(kept=float("nan")),
        "kept must be a number",
    ),
    "a plan of plans": (lambda header: header.update(plan={"seed": [[]]}), "its plan is no object of plain values"),
    "no game": (lambda header: header.pop("game"), "game must be a text"),
}


@pytest.mark.parametrize("name", LIES)
def test_a_header_that_lies_is_refused(name: str) -> None:
    change, message = LIES[name]
    with pytest.raises(ValueError, match=message):
        NetFile.of_bytes(sealed(change))


def test_headers_that_would_exhaust_a_reader_are_refused() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    for text in (deep, b'{"units": ' + b"9" * 5000 + b"}", b"\xff\xfe", b"{"):
        body = MAGIC + LENGTH.pack(len(text)) + text
        with pytest.raises(ValueError, match=r"."):
            NetFile.of_bytes(body + hashlib.sha256(body).digest())
    body = MAGIC + LENGTH.pack(1 << 31)
    with pytest.raises(ValueError, match="its header cannot have"):
        NetFile.of_bytes(body + hashlib.sha256(body).digest())


def test_a_file_that_is_no_net_says_so(tmp_path: Path) -> None:
    (tmp_path / "my.net").write_bytes(b"no net at all" * 10)
    with pytest.raises(ValueError, match=r"my\.net cannot be used: it is no net: `plyground train` writes them"):
        load_heuristic(f"{tmp_path}/my.net", load(SIX))


def test_a_file_too_large_for_a_net_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "my.net").open("wb") as file:
        file.truncate(1 << 40)  # a hole
    with pytest.raises(ValueError, match="too large for a net"):
        load_heuristic(f"{tmp_path}/my.net", load(SIX))


def test_what_a_checkpoint_says_of_itself_is_in_the_file() -> None:
    assert set(MEASURES) | {"weights"} == set(Checkpoint.__dataclass_fields__)
