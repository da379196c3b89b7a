"""A name means one thing, and nothing grows too long or too wide to be read."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import pytest

from documents import PROJECT

MOST_PARAMETERS = 6
MOST_LINES_OF_FUNCTION = 47
MOST_LINES_OF_MODULE = 500
FEWEST_LINES_OF_A_COPY = 3

INDEPENDENT = {"puzzle/walk.py"}
"""What checks the rest, and shares nothing with it."""

PACKAGE = PROJECT / "src" / "plyground"

OPTIONS_OF_A_SPEC = {"engine_player", "mcts_player"}
"""Each parameter is an option that users write: `engine:level=3,threads=2`."""

PUBLIC_WITH_OPTIONS = {"play_match", "run_tournament", "check_search"}
"""Each parameter is an option that users name in a call: `play_match(..., games=100, seed=1)`."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def modules() -> dict[str, ast.Module]:
    """Every module of the package, parsed."""
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


def functions() -> Iterator[tuple[str, Function]]:
    for name, module in modules().items():
        yield from ((name, node) for node in ast.walk(module) if isinstance(node, Function))


def is_command(function: Function) -> bool:
    """Whether its parameters are the options of a command."""
    called = (node.func for node in function.decorator_list if isinstance(node, ast.Call))
    return any(isinstance(node, ast.Attribute) and node.attr == "command" for node in called)


def parameters(function: Function) -> list[str]:
    given = function.args
    return [
        each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs) if each.arg not in ("self", "cls")
    ]


def test_only_commands_and_options_of_users_have_more_than_six_parameters() -> None:
    wide = [(module, each.name) for module, each in functions() if len(parameters(each)) > MOST_PARAMETERS]
    allowed = OPTIONS_OF_A_SPEC | PUBLIC_WITH_OPTIONS
    commands = {(module, each.name) for module, each in functions() if is_command(each)}
    assert [each for each in wide if each not in commands and each[1] not in allowed] == []
    assert allowed <= {name for _, name in wide}, "an exception that nobody needs any more"


def test_functions_can_be_read_without_turning_the_page() -> None:
    long = [(module, each.name) for module, each in functions() if lines(each) > MOST_LINES_OF_FUNCTION]
    assert long == []


def lines(function: Function) -> int:
    assert function.end_lineno is not None
    return function.end_lineno - function.lineno + 1


@pytest.mark.parametrize("folder", ["src/plyground", "native"])
def test_modules_are_about_one_thing(folder: str) -> None:
    sources = [path for path in (PROJECT / folder).rglob("*") if path.suffix in {".py", ".hpp", ".cpp", ".js"}]
    long = {str(path.relative_to(PROJECT)): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {name: count for name, count in long.items() if count > MOST_LINES_OF_MODULE} == {}


def test_no_two_classes_have_the_same_name() -> None:
    homes = defaultdict(list)
    for module, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    assert {name: modules for name, modules in homes.items() if len(modules) > 1} == {}


def test_no_function_is_written_twice() -> None:
    homes = defaultdict(list)
    for module, each in functions():
        body = each.body[1:] if ast.get_docstring(each) is not None else each.body
        if module not in INDEPENDENT and body and lines_of(body) >= FEWEST_LINES_OF_A_COPY:
            homes[ast.dump(ast.Module(body, []))].append((module, each.name))
    assert [copies for copies in homes.values() if len(copies) > 1] == []


def lines_of(body: list[ast.stmt]) -> int:
    assert body[-1].end_lineno is not None
    return body[-1].end_lineno - body[0].lineno + 1
