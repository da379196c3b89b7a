"""Bots as players: `cmd:./mybot`, `cmd:java -jar Bot.jar,protocol=json`, `py:bot.py`.

What follows `cmd:` is the command, without a shell. `,key=value` pieces at its very end are options; to give a command
an argument that looks like one, quote it: `cmd:./mybot "a,b=c"`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal

from plyground.core import specs
from plyground.core.files import missing_file
from plyground.core.interpreter import import_path, interpreter_command
from plyground.core.position import IllegalMove, Position
from plyground.core.rules import Move, Rules
from plyground.play.clock import GRACE_SECONDS, Turn
from plyground.play.failure import InternalFailure
from plyground.play.faults import Fault, FaultKind
from plyground.play.gomocup import check_five_in_a_row
from plyground.play.isolation import Isolation
from plyground.referee.protocols.dialogue import Dialogue, Question, Reply
from plyground.referee.protocols.gomocup import GomocupDialogue
from plyground.referee.protocols.json import JsonDialogue
from plyground.referee.protocols.ugi import UgiDialogue
from plyground.referee.sandbox import modes
from plyground.referee.sandbox.limits import Limits
from plyground.referee.sandbox.process import BotProcess
from plyground.referee.sandbox.view import USUAL_ACCESS, Access, keep_private, named_files
from plyground.search.base import Analysis, Limit, Source

USUAL_LIMITS = Limits()
"""What a bot may use whose spec says nothing else."""

USUAL_SECONDS = 3.0
"""A move's time when nobody says anything else."""

FAULTS_FORGIVEN = 3
"""How often a lenient referee asks again for the same move."""

OPTIONS = re.compile(r"((?:,\s*[\w-]+=[^\s,\"'=]+)*)\s*$")
"""The options at the end of a bot's spec."""

PROGRAM_FILES = frozenset((".class", ".exe", ".jar", ".java", ".js", ".lua", ".mjs", ".pl", ".py", ".rb", ".sh"))
"""How files end that an interpreter is to run."""

DIALOGUES: dict[str, Dialogue] = {"ugi": UgiDialogue(), "json": JsonDialogue(), "gomocup": GomocupDialogue()}


class ProcessBot:
    """A bot in a process of its own, which starts when it is first asked and again after a fault.

    A fault is raised as Fault and ends the process; in a practice game the bot is warned and asked again instead.
    `close()` ends the process; it is also ended when the bot is forgotten.
    """

    def __init__(
        self,
        name: str,
        command: list[str],
        rules: Rules,
        dialogue: Dialogue,
        limits: Limits,
        lenient: bool = False,
        access: Access = USUAL_ACCESS,
    ) -> None:
        """`lenient` is for practice: `FAULTS_FORGIVEN` faults per move are forgiven, and listed by `take_warnings`."""
        self.name = name
        self.command = command
        self.rules = rules
        self.dialogue = dialogue
        self.limits = limits
        self.lenient = lenient
        self.access = access
        self.process: BotProcess | None = None
        self.title = ""
        """What the bot calls itself."""
        self.ply: int | None = None
        """How many moves had been played when it was last asked."""
        self._warnings: list[str] = []
        keep_private(path for path in named_files(command) if path.is_file())

    def start(self) -> BotProcess:
        """The process, started and greeted if it does not run; Fault when it does not get ready."""
        if self.process is None:
            self.process = BotProcess(self.command, self.limits, self.access)
            deadline = time.monotonic() + self.limits.startup  # what the sandbox took is not the bot's time
            try:
                self.process.begin_move()
                self.title = self.dialogue.greet(self.process, self.rules, deadline)
            except (Fault, InternalFailure):
                self.close()
                raise
        return self.process

    def think(self, position: Position, limit: Limit, among: Iterable[Move] | None = None) -> Iterator[Analysis]:
        """One analysis with the bot's move; Fault for whatever it does wrong.

        ValueError when its move is to be one of some: a bot cannot be given a choice of moves.
        """
        if among is not None:
            raise ValueError(f"the bot {self.name!r} cannot be given a choice of moves")
        yield self.take_turn(position, _turn(limit))

    def take_turn(self, position: Position, turn: Turn) -> Analysis:
        """The bot's answer; Fault for whatever it does wrong."""
        for still_forgiven in range(FAULTS_FORGIVEN if self.lenient else 0, -1, -1):
            try:
                return self._answer(position, turn)
            except InternalFailure:
                self.close()  # the game is played again, with a new process
                raise
            except Fault as fault:
                if not still_forgiven:
                    self.close()
                    raise
                self._warnings.append(_warning(position, fault))
                if self.process is not None and fault.kind is FaultKind.ILLEGAL_MOVE:
                    self.dialogue.object(self.process, fault.why)
                else:
                    self.close()
        raise AssertionError("the last fault is raised")

    def _answer(self, position: Position, turn: Turn) -> Analysis:
        process = self.start()
        if self.ply is None or position.ply < self.ply:
            self.dialogue.new_game(process)
        self.ply = position.ply
        process.begin_move()
        started = time.monotonic()
        allowed = turn.allowed if turn.allowed is not None else _latest(turn.limit)
        deadline = None if allowed is None else started + allowed
        moves = (
            None if turn.moves is None else tuple(self.rules.notation.write(self.rules, move) for move in turn.moves)
        )
        reply = self.dialogue.ask(process, Question(position, _moves_if_known(position, moves), turn, deadline))
        seconds = time.monotonic() - started
        process.end_move()
        move = self._check_move(process, position, reply)
        points = None if reply.score is None else reply.score.opinion
        return Analysis((move,), reply.score, reply.depth, reply.nodes, seconds, points, Source.CLAIM)

    def _check_move(self, process: BotProcess, position: Position, reply: Reply) -> Move:
        try:
            return position.parse(reply.move)
        except IllegalMove as error:
            raise process.fault(FaultKind.ILLEGAL_MOVE, str(error).removeprefix("illegal move ")) from None

    def take_warnings(self) -> list[str]:
        """What was forgiven since this was last asked for, a line each."""
        taken, self._warnings = self._warnings, []
        return taken

    @property
    def isolation(self) -> Isolation:
        """How it is kept from the rest of the machine."""
        return modes.isolation(modes.mode_of(self.limits))

    def part(self) -> str:
        """Ask the bot to quit, and end it; what was wrong with the way it went, or nothing."""
        if self.process is None:
            return ""
        self.dialogue.part(self.process)
        complaint = self.process.farewell()
        self.close()
        return complaint

    def close(self) -> None:
        """End the process and everything it has started, if it runs."""
        process, self.process, self.ply = self.process, None, None
        if process is not None:
            process.close()

    def __enter__(self) -> ProcessBot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _turn(limit: Limit) -> Turn:
    """A limit as a move's time; the usual time when it says nothing."""
    unlimited = limit.depth is limit.nodes is limit.seconds is None
    seconds = USUAL_SECONDS if unlimited else limit.seconds
    timed = Limit(limit.depth, limit.nodes, seconds)
    return Turn(timed, _latest(timed))


def _latest(limit: Limit) -> float | None:
    """Seconds after which an answer within a limit comes too late; None: never."""
    return None if limit.seconds is None else limit.seconds + GRACE_SECONDS


def _warning(position: Position, fault: Fault) -> str:
    """A fault that was forgiven, as one line."""
    wrote = f" (it wrote: {fault.stderr.splitlines()[-1]})" if fault.stderr else ""
    return " ".join(f"move {position.ply + 1}: {fault}{wrote}".split())


def _moves_if_known(position: Position, moves: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The moves that led to a position, where they are known or there were none."""
    return () if moves is None and position.ply == 0 else moves


def command_bot(
    spec: str,
    command: str,
    rules: Rules,
    access: Access,
    /,
    protocol: Literal["ugi", "json", "gomocup"] = "ugi",
    limits: Limits = USUAL_LIMITS,
    lenient: bool = False,
) -> ProcessBot:
    """Any program that speaks UGI, or with protocol=json or protocol=gomocup one of these: cmd:./mybot"""
    if protocol == "gomocup":
        check_five_in_a_row(rules)
    return ProcessBot(spec, _words(command), rules, DIALOGUES[protocol], limits, lenient, access)


def _words(command: str) -> list[str]:
    """The words of a command, at least one."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ValueError(f"{error} in {command!r}") from None
    if not words:
        raise ValueError("a command is missing: cmd:./mybot")
    return words


def join_words(words: Iterable[str]) -> str:
    """Words as the command of a bot's spec, which reads back as these words: none of them looks like an option."""
    quoted = ((word, shlex.quote(word)) for word in words)
    return " ".join(f"'{word}'" if "," in word and safe == word else safe for word, safe in quoted)


def python_bot(
    spec: str,
    path: str,
    rules: Rules,
    access: Access,
    /,
    limits: Limits = USUAL_LIMITS,
    lenient: bool = False,
    positions: int | None = None,
) -> ProcessBot:
    """A Python file with choose(position, limit), run in its own process: py:bot.py"""
    if not Path(path).is_file():
        raise ValueError(missing_file(path))
    if positions is not None and positions < 1:
        raise ValueError(f"positions must be 1 or more, got {positions}")
    budget = [] if positions is None else [str(positions)]
    words = interpreter_of(access, "plyground.referee.protocols.python", path, *budget)
    return ProcessBot(spec, words, rules, DIALOGUES["ugi"], limits, lenient, access)


def interpreter_of(access: Access, module: str, *arguments: str) -> list[str]:
    """The command of an interpreter for a bot with this access.

    One that is given packages in the place of this program runs nothing at its start that an installed package wants
    run: that is how a program that is being worked at is found.
    """
    packages = access.packages
    return interpreter_command(module, *arguments, path=[*packages, *import_path()], bare=bool(packages))


BOTS: dict[str, Callable[..., ProcessBot]] = {"cmd": command_bot, "py": python_bot}
"""What builds each kind of bot, by the word before the colon."""


def is_bot(spec: str) -> bool:
    """Whether a player's spec names a bot in a process of its own."""
    return spec.partition(":")[0].strip() in BOTS


def load(spec: str, rules: Rules, access: Access = USUAL_ACCESS) -> ProcessBot:
    """The bot a spec names, not started yet; ValueError when the spec is wrong."""
    named, options = _split_options(spec.strip())
    kind, _, command = named.partition(":")
    specs.look_up("kind of bot", kind, BOTS)
    build_from = f"{kind}:{options[1:]}" if options else kind
    return specs.build("player", build_from, BOTS, spec, command.strip(), rules, access, written_as=spec)


def files_of(spec: str) -> list[str]:
    """The words of a bot's spec that can be files of its own; ValueError when one of them must be and is not.

    A program that is looked for on the PATH, or named by an absolute path before other words, is one of the machine's.
    """
    kind, _, rest = _split_options(spec.strip())[0].partition(":")
    words = _words(rest) if kind.strip() == "cmd" else [rest.strip()]
    if kind.strip() == "cmd" and shutil.which(words[0]) is None:
        raise ValueError(f"bad player {spec!r}: {_missing_program(words[0])}")
    of_the_machine = not os.path.dirname(words[0]) or (len(words) > 1 and os.path.isabs(words[0]))  # noqa: PTH117, PTH120
    own = words[1:] if kind.strip() == "cmd" and of_the_machine else words
    for word in own:
        if Path(word).suffix in PROGRAM_FILES and not Path(word).is_file():
            raise ValueError(f"bad player {spec!r}: {missing_file(word)}")
    return own


def _missing_program(name: str) -> str:
    """What an error says of a program that cannot be run."""
    if not os.path.dirname(name):  # noqa: PTH120  (Path("./bot") forgets its dot)
        return f"there is no program {name!r} on the PATH; a file in this folder is ./{name}"
    if Path(name).is_file():
        return f"{name!r} cannot be run as a program; make it executable, or name its interpreter: cmd:python3 bot.py"
    return missing_file(name, "program")


def change_texts(spec: str, change: Callable[[str], str]) -> str:
    """A player's spec after a change of its texts; of a command each word by itself, so that it stays one word."""
    if not is_bot(spec) or spec.partition(":")[0].strip() != "cmd":
        return change(spec)
    named, options = _split_options(spec.strip())
    return f"cmd:{join_words(map(change, _words(named.partition(':')[2])))}{options}"


def lenient(spec: str) -> str:
    """The spec of the same player for a practice game, in which a bot is warned and asked again."""
    return f"{spec},lenient=yes" if is_bot(spec) and ",lenient=" not in _split_options(spec)[1] else spec


def with_budget(spec: str, positions: int) -> str:
    """The spec of a bot in Python that may make so many positions per move; that of any other player as it was."""
    set_already = ",positions=" in _split_options(spec)[1]
    return f"{spec},positions={positions}" if spec.startswith("py:") and not set_already else spec


def counts_positions(spec: str) -> bool:
    """Whether a budget of positions limits a player: a bot in Python, a heuristic or a search, and no other program."""
    return not is_bot(spec) or spec.startswith("py:")


def _split_options(spec: str) -> tuple[str, str]:
    """A bot's spec without its options, and these: `,memory=100,lenient=yes`."""
    match = OPTIONS.search(spec)
    options = match[1] if match else ""
    return spec.rstrip()[: len(spec.rstrip()) - len(options)], "".join(options.split())
