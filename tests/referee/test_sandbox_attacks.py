"""Every hole that was found in the sandbox of bots, tried in every mode: held, or the mode does not claim it."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

import attacking
from attacking import ATTACKS, LEFT, Attack, Ground, claimed
from plyground.core.interpreter import import_path
from plyground.play.faults import Fault, FaultKind
from plyground.play.isolation import Aspect, Strength
from plyground.referee.sandbox import modes
from plyground.referee.sandbox.limits import MODES, Limits
from plyground.referee.sandbox.process import BotProcess
from plyground.referee.sandbox.supervisor_host import SupervisorHost
from waiting import eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the attacks are those of Linux")

ALL_MEANS = modes.Means(frozenset(("memory", "pids", "cpu", "freezer")), True, 7, True)
NO_GROUPS = ALL_MEANS._replace(groups=frozenset())
USER = 12345
"""A user that owns nothing."""


EACH_MODE = pytest.mark.parametrize(
    "mode", [MODES[0], *(pytest.param(mode, marks=pytest.mark.slow) for mode in MODES[1:])]
)
"""The weaker modes are slow tests; what does not work here is skipped."""


@pytest.fixture(autouse=True)
def working(request: pytest.FixtureRequest) -> None:
    mode = getattr(request.node, "callspec", None) and request.node.callspec.params.get("mode")
    if mode and (problem := modes.problem_with(mode)):
        pytest.skip(f"{mode} does not work here: {problem}")


@pytest.fixture(scope="module")
def ground() -> Iterator[Ground]:
    with attacking.ground() as here:
        yield here


@EACH_MODE
@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_an_attack_is_held_or_the_mode_does_not_claim_to_hold_it(attack: Attack, mode: str, ground: Ground) -> None:
    isolation = modes.isolation(mode)
    if not claimed(attack, isolation):
        pytest.skip(f"{mode} does not claim it here")
    finding = ground.tried(attack, mode)
    assert finding.held, finding.how
    if attack.aspect is Aspect.MEMORY and isolation.strength(Aspect.MEMORY) is Strength.YES:
        assert finding.most <= 110  # of 100 MB


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
@pytest.mark.slow
def test_a_door_that_is_held_is_open_to_a_bare_process(attack: Attack, ground: Ground) -> None:
    """Otherwise holding it would show nothing; what only root or a user of the same kind may do is left out."""
    if attack.name in ("memfd", "heap", "shared", "system-v", "children", "pipes", "cores", "attributes", "keyring"):
        pytest.skip("limits of this machine may hold it too")
    if attack.arguments in (("/etc/shadow",), ("/dev/tty",)) or attack.name in ("kernel-setting", "family"):
        pytest.skip("not open to everybody")
    if attack.name in ("write-beside", "times", "modes") and attacking.HERE.stat().st_uid != os.getuid():
        pytest.skip("the files of these tests are somebody else's")
    finding = ground.tried(attack, "process")
    assert not finding.held, finding.how


@EACH_MODE
@pytest.mark.parametrize(("name", "place"), LEFT)
def test_what_a_bot_leaves_in_its_sandbox_is_gone_with_it(name: str, place: str, mode: str, ground: Ground) -> None:
    if modes.isolation(mode).strength(Aspect.TRACES) is not Strength.YES:
        pytest.skip(f"{mode} does not claim it here")
    ground.tried(Attack("traces", name, Aspect.TRACES, Strength.YES, (place,)), mode)
    path = place.format(**ground.things)
    assert not Path(path).exists()
    assert ground.things["key"] not in Path("/proc/sysvipc/shm").read_text().split()


@EACH_MODE
def test_a_bot_does_not_think_in_the_time_of_its_opponent(mode: str) -> None:
    if modes.isolation(mode).strength(Aspect.FREEZING) is Strength.NO:
        pytest.skip(f"{mode} does not claim it here")
    finding = attacking.pondered(mode)
    assert finding.held, finding.how


@EACH_MODE
def test_many_busy_processes_get_no_more_of_a_core_than_one(mode: str) -> None:
    if modes.isolation(mode).strength(Aspect.CPU) is Strength.NO:
        pytest.skip(f"{mode} does not claim it here")
    finding = attacking.crowded(mode)
    assert finding.held, finding.how


def as_user(*words: str) -> list[dict[str, object]]:
    """What comes of the attacks in modes for somebody who is not root, with the machine's own Python."""
    python, source = "/usr/bin/python3", Path(attacking.__file__).parents[1] / "src"
    if os.getuid() or shutil.which("setpriv") is None or not Path(python).exists():
        pytest.skip("needs root, setpriv and a Python of the machine")
    paths = {"PYTHONPATH": f"{source}:{Path(attacking.__file__).parent}", "PYTHONDONTWRITEBYTECODE": "1"}
    probe = f"import sys; sys.path.insert(0, {str(source)!r}); import plyground.referee.bots"
    drop = ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups"]
    if subprocess.run([*drop, python, "-c", probe], capture_output=True, cwd="/", check=False).returncode:
        pytest.skip("the machine's own Python cannot run this program")
    done = subprocess.run(
        [*drop, python, attacking.__file__, *words],
        capture_output=True,
        text=True,
        cwd="/tmp",
        env={"PATH": os.environ["PATH"], "HOME": "/nonexistent"} | paths,
        check=True,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "process"])
def test_the_attacks_are_held_for_a_user_too(mode: str) -> None:
    findings = as_user(mode)
    assert len(findings) > 5
    assert [finding for finding in findings if not finding["held"]] == []


def test_the_documentation_claims_what_the_program_claims() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (.+) \|$", page.partition("| claim |")[2].partition("\n\n")[0], re.MULTILINE)
    assert [name for name, _ in rows] == [aspect.value for aspect in Aspect]
    for name, cells in rows:
        for mode, cell in zip(MODES, cells.split(" | "), strict=True):
            strengths = [modes.isolation(mode, means).strength(Aspect(name)) for means in (ALL_MEANS, NO_GROUPS)]
            assert cell == " / ".join(dict.fromkeys(strength.name.lower() for strength in strengths)), (name, mode)


@pytest.mark.parametrize("means", [ALL_MEANS, NO_GROUPS], ids=["with control groups", "without"])
@pytest.mark.parametrize("mode", MODES)
def test_every_claim_of_a_mode_has_an_attack_that_would_break_it(mode: str, means: modes.Means) -> None:
    """Each cell of the table is tried: by an attack, or by one of the two scenes that take longer."""
    scenes = {Aspect.FREEZING: attacking.pondered, Aspect.CPU: attacking.crowded}
    isolation = modes.isolation(mode, means)
    for claim in isolation.claims:
        meant = [attack for attack in ATTACKS if attack.aspect is claim.aspect and claimed(attack, isolation)]
        if claim.strength is Strength.YES and claim.aspect not in scenes:  # more than those who claim it partly hold
            assert any(attack.strength is Strength.YES for attack in meant), claim
        assert meant or claim.strength is Strength.NO or claim.aspect in scenes, claim


WITHOUT_GROUPS = """
import sys
sys.path[:] = {path!r}
from plyground.referee.sandbox import cgroups, zygote
cgroups.places = dict
zygote.main()
"""


@pytest.fixture
def ungrouped(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which no control group can be made."""
    monkeypatch.setattr("plyground.referee.sandbox.pipes.SUPERVISORS", host := SupervisorHost())
    code = WITHOUT_GROUPS.format(path=import_path())
    monkeypatch.setattr(
        "plyground.referee.sandbox.supervisor_host.interpreter_command",
        lambda _, descriptor, **__: [sys.executable, "-c", code, descriptor],
    )
    yield
    host.close()


FIRST_PROCESS = [sys.executable, "-S", str(Path(attacking.__file__).parent / "attacks" / "first_process.py")]


@pytest.mark.usefixtures("ungrouped")
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the attack is written for x86-64")
@pytest.mark.skipif(bool(modes.problem_with("bubblewrap")), reason="needs bubblewrap")
@pytest.mark.parametrize("what", ["compute", "memory"])
def test_the_first_process_of_a_sandbox_counts_and_stands_still_like_the_bot(what: str) -> None:
    token = uuid.uuid4().hex
    bot = BotProcess([*FIRST_PROCESS, what, token], Limits(memory=200, isolation="bubblewrap"))
    try:
        bot.begin_move()
        said = bot.read(time.monotonic() + 60) or ""
        if said.startswith("held"):
            return
        assert said.startswith("taken over")
        if what == "memory":
            with pytest.raises(Fault) as caught:
                bot.read(time.monotonic() + 60)
            assert caught.value.kind is FaultKind.MEMORY_EXCEEDED
        else:
            eventually(lambda: "R" in attacking.states(token))  # it computes in the first process
            bot.end_move()
            eventually(lambda: set(attacking.states(token)) == {"T"})  # what is stopped cannot go on by itself
    finally:
        bot.close()


HOARDING = [sys.executable, "-S", str(Path(attacking.__file__).parent / "attacks" / "hoarding.py")]
WITH_A_DISK = pytest.mark.parametrize("mode", ["landlock", "group"])
"""The modes in which a bot writes where others write too."""


@WITH_A_DISK
@pytest.mark.parametrize("way", ["unlinked", "many"])
def test_files_without_names_and_very_many_files_count_too(way: str, mode: str) -> None:
    bot = BotProcess([*HOARDING, way], Limits(isolation=mode, memory=1000))
    try:
        bot.begin_move()
        with pytest.raises(Fault, match=r"of files, more than the 64 MB|more than the 4096 files") as caught:
            list(iter(lambda: bot.read(time.monotonic() + 60), None))
    finally:
        bot.close()
    assert caught.value.kind is FaultKind.OUTPUT_FLOOD


@pytest.mark.parametrize("mode", ["group", "process"])
def test_a_scratch_directory_under_another_name_does_not_stay(
    mode: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if mode == "group" and os.getuid() == 0:
        pytest.skip("the bot has a user of its own, who may not rename it")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    bot = BotProcess([*HOARDING, "moved", uuid.uuid4().hex], Limits(isolation=mode))
    try:
        bot.begin_move()
        assert bot.read(time.monotonic() + 60) == "moved"
        assert [path.name.startswith("plyground") for path in tmp_path.iterdir()] == [False]
    finally:
        bot.close()
    assert list(tmp_path.iterdir()) == []
