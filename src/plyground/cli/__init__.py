"""The command line: each command is parse, call, print, in a module of its own that is loaded when it is used."""

from __future__ import annotations

import importlib
import io
import os
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

COMMANDS = {
    "games": "plyground.cli.listing:games",
    "players": "plyground.cli.listing:players",
    "heuristics": "plyground.cli.listing:heuristics",
    "play": "plyground.cli.play:play",
    "learn": "plyground.cli.learn:learn",
    "show": "plyground.cli.show:show",
    "perft": "plyground.cli.perft:perft",
    "evaluate": "plyground.cli.evaluate:evaluate",
    "analyse": "plyground.cli.analyse:analyse",
    "explain": "plyground.cli.explain:explain",
    "review": "plyground.cli.review:review",
    "trace": "plyground.cli.trace:trace",
    "check": "plyground.cli.check:check",
    "exercise": "plyground.cli.exercise:exercise",
    "growth": "plyground.cli.growth:growth",
    "puzzles": "plyground.cli.puzzles:puzzles",
    "match": "plyground.cli.match:match",
    "tournament": "plyground.cli.tournament:tournament",
    "report": "plyground.cli.report:report",
    "tune": "plyground.cli.tune:tune",
    "train": "plyground.cli.train:train",
    "solve": "plyground.cli.solve:solve",
    "prove": "plyground.cli.prove:prove",
    "book": "plyground.cli.book:book",
    "serve": "plyground.cli.serve:serve",
    "site": "plyground.cli.site:site",
    "engine": "plyground.cli.engine:engine",
    "bot": "plyground.cli.bot:bot",
    "plugin": "plyground.cli.plugin:plugin",
    "mcp": "plyground.cli.agents:mcp",
    "exam": "plyground.cli.agents:exam",
    "doctor": "plyground.cli.doctor:doctor",
    "grade": "plyground.cli.grade:grade",
    "class": "plyground.cli.classes:class_",
    "help": "plyground.cli.help:help_",
    "completion": "plyground.cli.completion:completion",
}
"""Where each command lives."""

SUMMARIES = {
    "games": "List the games and their options.",
    "players": "List the players and their options.",
    "heuristics": "List the heuristics, what they count, and for which games.",
    "play": "Play a game in the terminal.",
    "learn": "Learn a game in a few steps.",
    "show": "Show the board of a game, empty or after some moves.",
    "perft": "Count the sequences of 1 to N legal moves.",
    "evaluate": "Show how a heuristic evaluates a position, and why.",
    "analyse": "Score every legal move of a position and list the threats.",
    "explain": "Explain why a move wins, loses or draws.",
    "review": "Grade the moves of a saved game by what they gave away.",
    "trace": "Record the tree that a search visits in a position.",
    "check": "Find the bug in your own search or heuristic.",
    "exercise": "Write the file from which you start a search of your own.",
    "growth": "Measure how your own search grows with its depth.",
    "puzzles": "Solve puzzles, find new ones, check them.",
    "match": "Play many games between two players and report the score.",
    "tournament": "Run a tournament.",
    "report": "Report the results of a tournament or a tuning.",
    "tune": "Tune the weights of a heuristic by self-play.",
    "train": "Let a net learn a game from nothing, by games with itself.",
    "solve": "Prove who wins a position, and in how many plies.",
    "prove": "Prove by pairs of cells that a side cannot lose.",
    "book": "Build and check books of solved positions.",
    "serve": "Play, analyse and follow tournaments in a browser.",
    "site": "Write the page as static files that need no server.",
    "engine": "Run as a UGI engine on stdin and stdout.",
    "bot": "Create a bot from a template, and check it.",
    "plugin": "Begin a package that adds games, heuristics and players.",
    "mcp": "Let agents play by the Model Context Protocol.",
    "exam": "Measure what an agent gives away in positions whose truth is known.",
    "doctor": "Show how bots are isolated on this machine.",
    "grade": "Grade a submission by a rubric.",
    "class": "Run a class over a term.",
    "help": "Read the documentation in the terminal.",
    "completion": "Print the shell code that completes commands and specs.",
}
"""What each command does, as its own help begins: the list of commands is shown without loading them."""

FIRST_STEPS = "New here? Try `plyground play`, `plyground learn` or `plyground help`."
"""What stands last in the list of commands, where it stays in sight."""

READER_GONE = 141
"""Exit code where nobody reads the output any more: what a shell reports of a program that SIGPIPE ended."""


def _reader_is_gone() -> bool:
    """Whether stdout or stderr is a pipe that nobody reads any more."""
    import select

    watched = select.poll() if hasattr(select, "poll") else None
    if watched is None:  # Windows, which reports no such thing
        return False
    for stream in (sys.stdout, sys.stderr):
        watched.register(stream, select.POLLOUT)
    return any(event & (select.POLLERR | select.POLLHUP) for _, event in watched.poll(0))


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """End a command in peace where the reader of its output has left, as `head` does."""
    try:
        yield
    except BrokenPipeError as error:
        if not _reader_is_gone():  # another pipe, which is an error like any other
            raise OSError(error.strerror) from error
        raise click.exceptions.Exit(READER_GONE) from None


PATH_WORDS = {
    r"^File ('.*') is a directory\.$": r"\1 is a folder",
    r"^Directory ('.*') is a file\.$": r"\1 is a file, not a folder",
    r"^File ('.*') does not exist\.$": r"there is no file \1",
    r"^Directory ('.*') does not exist\.$": r"there is no folder \1",
    r"^Path ('.*') does not exist\.$": r"there is no file or folder \1",
}
"""What Click says of files and folders, and what is said here instead."""


class LazyGroup(click.Group):
    """A group that loads a command's module when the command is asked for, so that starting stays instant."""

    def make_context(self, *given: Any, **extra: Any) -> click.Context:
        """The context of a run; the help is printed here."""
        with _reader_may_leave():
            return super().make_context(*given, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _reader_may_leave():
            return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(SUMMARIES.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command asked for; a usage error with the nearest name when there is none."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            from plyground.core.specs import unknown

            ctx.fail(str(unknown("command", args[0], COMMANDS)))
        return super().resolve_command(ctx, args)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=FIRST_STEPS)
@click.version_option(package_name="plyground")
def cli() -> None:
    """A laboratory for two-player pattern games."""


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning on one line, such as that of a plug-in that was left out."""
    from plyground.cli.output import write_message

    write_message(f"Warning: {message}")


def _worded(error: click.ClickException) -> click.ClickException:
    """The error in plain words: of paths, and without brackets; a missing game with those there are."""
    param = error.param if isinstance(error, click.BadParameter) else None
    if param and isinstance(error, click.MissingParameter) and param.name == "game":
        from plyground.games import GAMES

        return click.MissingParameter(f"Known games: {', '.join(GAMES)}.", error.ctx, param, "'GAME'")
    if param is None or type(error) is not click.BadParameter:
        return error
    message = error.message
    for theirs, ours in PATH_WORDS.items():
        message = re.sub(theirs, ours, message)
    optional = param.metavar if (param.metavar or "").startswith("[") else None
    hint = error.param_hint or (optional and f"'{optional.strip('[].')}'")
    return click.BadParameter(message, error.ctx, param, hint)


def _exit(code: int) -> NoReturn:
    """Exit with a code, without a word about output that nobody reads or that finds no room."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = READER_GONE
    except OSError:  # such as a full disk
        code = code or 1
    else:
        sys.exit(code)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):  # Python would try to write it once more
        os.dup2(nowhere, stream.fileno())
    sys.exit(code)


def main() -> None:
    """Run the command line and exit: 0 ok, 1 failure, 2 usage, 130 interrupted, 141 nobody reads the output."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell: `plyground games >&-`
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w"))  # noqa: SIM115  (until the end)
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper):  # whatever is typed or named can be read and shown somehow
            stream.reconfigure(errors=errors)
    warnings.showwarning = _show_warning
    try:
        code = _run()
    except BrokenPipeError:  # of the message about an error
        code = READER_GONE
    _exit(code)


def _run() -> int:
    """Run the command line, with a message where it fails; the exit code."""
    from plyground.cli.output import write_message

    try:
        return cli.main(prog_name="plyground", standalone_mode=False) or 0
    except click.exceptions.Abort as error:
        write_message("; ".join(["interrupted", *error.args]))
        return 130
    except click.ClickException as error:
        text = io.StringIO()
        _worded(error).show(text)
        write_message(text.getvalue().rstrip("\n"))
        return error.exit_code
    except (ValueError, OSError) as error:
        at = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) and error.filename else error
        write_message(f"Error: {at}")
    except ImportError as error:  # the core, in the wheel without one
        if error.name != "plyground.native._core":
            raise
        write_message(f"Error: {error}")
    except MemoryError:
        write_message("Error: not enough memory on this machine; choose a smaller --table")
    return 1
