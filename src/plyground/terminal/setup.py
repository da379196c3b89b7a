"""Who plays what: as given on the command line, as a person answers, or the defaults."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from plyground import games
from plyground.core.rules import Rules
from plyground.core.specs import described
from plyground.games.boards import boards, question
from plyground.games.guide import guide
from plyground.play.clock import UNLIMITED, TimeControl
from plyground.players import HUMAN
from plyground.players.opponents import level_name, quick
from plyground.terminal.console import Console
from plyground.terminal.invoked import command
from plyground.terminal.menu import Choice, Menu
from plyground.terminal.opponents import ask_opponent

FRIEND = "friend"
WATCH = "watch"

CLOCKS = (
    Choice("none", "take your time", "none"),
    Choice("300+3", "and 3 seconds more for each move", "5 minutes"),
    Choice("600+5", "and 5 seconds more for each move", "10 minutes"),
    Choice("60+1", "and 1 second more for each move", "1 minute"),
)

MAX_NAME_LETTERS = 40


@dataclass(frozen=True)
class Wish:
    """What was asked for before a game starts; None is open."""

    rules: Rules | None = None
    first: str | None = None
    """A player's spec, `human` for a person."""
    second: str | None = None
    names: tuple[str, str] | None = None
    control: TimeControl | None = None


@dataclass(frozen=True)
class Lineup:
    """Rules, players, names and time control of a game that can start."""

    rules: Rules
    specs: tuple[str, str]
    names: tuple[str | None, str | None]
    """None for a program that is called by its spec; a level has a name where a person reads it."""
    control: TimeControl = UNLIMITED

    @property
    def swapped(self) -> Lineup:
        """The same players, the other one moving first."""
        return replace(self, specs=self.specs[::-1], names=self.names[::-1])


def complete(wish: Wish, console: Console) -> Lineup:
    """The wish with what was missing asked for; without anybody to ask, the first game played by quick programs."""
    rules = wish.rules or ask_game(console)
    specs = _ask_players(wish, rules, console)
    names = wish.names or _ask_names(specs, console)
    asked = wish.first is None and wish.second is None and HUMAN in specs
    control = _ask_clock(console) if wish.control is None and asked and console.asks else wish.control
    return Lineup(rules, specs, names, control or UNLIMITED)


def check_name(text: str) -> str:
    """A name as it is shown and recorded; ValueError when it cannot be."""
    name = text.strip()
    if not (0 < len(name) <= MAX_NAME_LETTERS and name.isprintable()):
        raise ValueError(f"a name is 1 to {MAX_NAME_LETTERS} printable characters, got {text!r}")
    return name


def ask_game(console: Console) -> Rules:
    """A game and, where several are offered, its board."""
    if not console.asks:
        return games.load(next(iter(games.GAMES)))
    listed = (described(name, factory) for name, factory in games.GAMES.items())
    learn, puzzles = command("learn"), command("puzzles play")
    console.say(f"new here? {learn} explains a game step by step, and {puzzles} has puzzles, the easiest first\n")
    menu = Menu("Which game?", "Game", tuple(Choice(name, word, games.title(name)) for name, word, _ in listed))
    while True:
        spec = console.choose(menu)
        if offered := boards(spec):
            spec = _ask_board(spec, offered, console)
        try:
            return games.load(spec)
        except ValueError as error:
            console.say(str(error))


def _ask_board(spec: str, offered: tuple[tuple[str, str], ...], console: Console) -> str:
    """The spec of a board; options typed as `rows=6,columns=9` are one of their own."""
    choices = tuple(Choice(board, "", word) for board, word in offered)
    hint = f"type a number, or options such as {offered[1][0].partition(':')[2]}"
    menu = Menu(f"Which {question(spec).lower()}?", question(spec), choices, 0, hint)
    while True:
        try:
            console.say(f"{menu.title}\n{menu.listing}")
            answer = console.ask(menu.question)
            return f"{spec}:{answer}" if "=" in answer else menu.chosen(answer)
        except ValueError as error:
            console.say(str(error))


def _ask_players(wish: Wish, rules: Rules, console: Console) -> tuple[str, str]:
    """The specs of both players."""
    if wish.first is not None and wish.second is not None:
        return wish.first, wish.second
    if not console.asks:
        return wish.first or quick(), wish.second or quick()
    if wish.first is None and wish.second is None:
        return _ask_both(rules, console)
    if HUMAN in (wish.first, wish.second):
        opponent = ask_opponent("Which opponent?", "Opponent", rules, console)
        return wish.first or opponent, wish.second or opponent
    return wish.first or HUMAN, wish.second or HUMAN  # who gives one opponent wants to play it


def _ask_both(rules: Rules, console: Console) -> tuple[str, str]:
    others = (
        Choice(FRIEND, "two people at this keyboard", "A friend"),
        Choice(WATCH, "two programs play", "Watch"),
    )
    opponent = ask_opponent("Who do you want to play against?", "Opponent", rules, console, others)
    if opponent == FRIEND:
        return HUMAN, HUMAN
    if opponent == WATCH:
        return (
            ask_opponent("Which program moves first?", "First", rules, console),
            ask_opponent("Which program moves second?", "Second", rules, console),
        )
    return (HUMAN, opponent) if _ask_first(rules, console) else (opponent, HUMAN)


def _ask_first(rules: Rules, console: Console) -> bool:
    """Whether the person moves first."""
    first, second = rules.sides
    choices = (
        Choice("first", f"you are {first}", "First"),
        Choice("second", f"you are {second}", "Second"),
        Choice("any", "chosen at random", "Either"),
    )
    side = console.choose(Menu("Do you move first?", "Side", choices, guide(rules).newcomer))
    return random.random() < 0.5 if side == "any" else side == "first"


def _ask_clock(console: Console) -> TimeControl:
    """The time for each player; any other is typed as `300+2`."""
    menu = Menu("A clock for both players?", "Clock", CLOCKS)
    console.say(f"{menu.title}\n{menu.listing}")
    while True:
        answer = console.ask(menu.question)
        try:
            return game_clock(answer if "+" in answer else menu.chosen(answer))
        except ValueError as error:
            console.say(str(error))


def game_clock(text: str) -> TimeControl:
    """The time for all moves of a player, `300+2`, or `none`; ValueError for anything else."""
    try:
        control = TimeControl.parse(text)
    except ValueError:
        control = TimeControl()
    if control != UNLIMITED and control.game is None:
        raise ValueError(f"a clock is seconds per game and an increment, such as 300+2, or none, got {text!r}")
    return control


def _ask_names(specs: tuple[str, str], console: Console) -> tuple[str | None, str | None]:
    """Names of the people; two of them get different ones."""
    if specs == (HUMAN, HUMAN):
        ada = _ask_name("Name of the first player", "Ada", console)
        return ada, _ask_name("Name of the second player", "Grace", console)
    first, second = (
        _ask_name("Your name", "Ada", console) if spec == HUMAN else level_name(spec) if console.asks else None
        for spec in specs
    )
    return first, second


def _ask_name(question: str, default: str, console: Console) -> str:
    if not console.asks:
        return default
    while True:
        answer = console.ask(f"{question} [{default}]: ")
        try:
            return check_name(answer or default)
        except ValueError as error:
            console.say(str(error))
