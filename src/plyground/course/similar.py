"""Which submissions are alike: by their files, by passages of their code, and by what they choose where nothing tells.

All of it is evidence for a person to look at, never a verdict.

By behaviour: bots are asked in positions in which several moves are proved to be exactly equal, so that skill says
nothing about the choice. For each pair the likelihood of its choices, if one were a copy of the other, is compared with
their likelihood if both chose on their own, as others do: as the whole class does, as the bots that choose most like
the one of them, or by a simple recipe such as the first move, whichever is more likely. A pair is named when the ratio
is above the number of pairs divided by `ERROR_RATE`; by Markov's inequality, if all choose on their own in this sense,
the chance that any pair is named is at most `ERROR_RATE`. Who uses the same recipe without knowing of each other may be
named too.
"""

from __future__ import annotations

import hashlib
import io
import keyword
import math
import random
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import plyground
from plyground.books.shelf import shipped_for
from plyground.core.position import Position
from plyground.core.rules import Move, Rules
from plyground.course.classroom import Classroom
from plyground.course.exam import ExamPosition, Phase
from plyground.course.examiner import Interview, Report
from plyground.course.rubric import Criterion, CriterionKind, Rubric
from plyground.course.version import Version
from plyground.judge.judge import Judge
from plyground.referee import entrants
from plyground.referee.sandbox.view import keep_private
from plyground.search.base import Limit
from plyground.tournament.parcel import Parcel, place_files, unpack_once
from plyground.tournament.plan import Terms

ERROR_RATE = 0.01
"""The chance that any pair is named by behaviour if all bots choose on their own."""

FAITHFUL = 0.95
"""How often a copy chooses what the original does: the rest is for what was changed."""

NEIGHBOURS = 5
"""How many bots that choose most alike say how common a way of choosing is."""

EQUAL_MOVES = 3
"""At least so many moves must be equal in a position that is asked."""

EQUAL_TRUTH = Limit(nodes=50_000)
"""How closely positions are looked at to find equal moves; in nodes, so that the same are found again."""

MOST_LINES = 2_000
"""After so many games it is given up to find more positions."""

TOKENS_IN_A_PASSAGE = 12
"""How long a passage is that two programs have in common; names, numbers and layout do not count."""

COMMON_SHARE = 0.25
"""Passages in more than this part of the submissions, and in more than three, are common knowledge."""

ALIKE_SHARE = 0.5
"""Two programs are named when more of the passages of the smaller one are in the other."""

LEAST_PASSAGES = 15
"""Fewer passages of its own say nothing about a program."""


class Alike(NamedTuple):
    """Two submissions that are alike."""

    one: str
    other: str

    how: str
    """`files`, `code` or `behaviour`."""

    share: float
    """Of the passages, or of the positions; 1 for files."""

    why: str
    """In words."""


def alike_files(parcels: Mapping[str, Parcel]) -> Iterator[Alike]:
    """Pairs that handed in the very same files."""
    for one, other in combinations(parcels, 2):
        if parcels[one].fingerprint == parcels[other].fingerprint:
            yield Alike(one, other, "files", 1.0, "the same files")


# By code


def alike_code(parcels: Mapping[str, Parcel], known: Sequence[Parcel] = ()) -> list[Alike]:
    """Pairs whose programs have more passages in common than they could have by chance, most alike first.

    Passages of what everybody knows, such as templates, do not count.
    """
    passages = {name: passages_of(parcel) for name, parcel in parcels.items()}
    counted = Counter(passage for found in passages.values() for passage in found)
    most = max(3, COMMON_SHARE * len(parcels))
    common = {passage for passage, count in counted.items() if count > most}
    common |= {passage for parcel in known for passage in passages_of(parcel)}
    own = {name: found - common for name, found in passages.items()}
    pairs = []
    for one, other in combinations(own, 2):
        smaller = min(len(own[one]), len(own[other]))
        shared = len(own[one] & own[other])
        if smaller >= LEAST_PASSAGES and shared > ALIKE_SHARE * smaller:
            share = shared / smaller
            why = f"{share:.0%} of the passages of the smaller program are in the other ({shared} of {smaller})"
            pairs.append(Alike(one, other, "code", share, why))
    return sorted(pairs, key=lambda pair: -pair.share)


def passages_of(parcel: Parcel) -> frozenset[int]:
    """The passages of all programs in a parcel, as numbers."""
    found: set[int] = set()
    for name, data in parcel.files:
        if name.endswith((".py", ".js", ".java", ".mjs")):
            text = data.decode("utf-8", errors="replace")
            words = list(_python_tokens(text) if name.endswith(".py") else _other_tokens(text))
            found |= {
                _number(words[at : at + TOKENS_IN_A_PASSAGE]) for at in range(len(words) - TOKENS_IN_A_PASSAGE + 1)
            }
    return frozenset(found)


def _number(words: Sequence[str]) -> int:
    return int.from_bytes(hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest())


LAYOUT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENCODING, tokenize.ENDMARKER)


def _python_tokens(text: str) -> Iterator[str]:
    """The words of a Python program without what is easily changed: names, values, comments, layout."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type in LAYOUT:
                continue
            if token.type == tokenize.NAME:
                yield token.string if keyword.iskeyword(token.string) else "name"
            elif token.type in (tokenize.NUMBER, tokenize.STRING):
                yield "value"
            else:
                yield tokenize.tok_name[token.type] if not token.string.strip() else token.string
    except (tokenize.TokenError, SyntaxError, ValueError):  # as far as it can be read
        return


WORD = re.compile(r"[A-Za-z_$][\w$]*|\d[\w.]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[^\s\w]")

KEPT_WORDS = frozenset(
    {
        "if",
        "else",
        "for",
        "while",
        "return",
        "new",
        "const",
        "let",
        "var",
        "function",
        "class",
        "static",
        "int",
        "break",
    }
)
"""The words of Java and JavaScript that are no names."""


def _other_tokens(text: str) -> Iterator[str]:
    for word in WORD.findall(re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)):
        if word[0].isalpha() or word[0] in "_$":
            yield word if word in KEPT_WORDS else "name"
        else:
            yield "value" if word[0].isdigit() or word[0] in "\"'" else word


# By behaviour


def equal_positions(rules: Rules, count: int, seed: int) -> tuple[ExamPosition, ...]:
    """Positions in which several of the best moves are proved to be worth exactly the same.

    The same again for the same seed. Fewer than asked for where the game has too few; ValueError where it has none.
    """
    chance, judge = random.Random(f"equal {seed}"), Judge(rules, shipped_for(rules))
    found: dict[Position, ExamPosition] = {}
    for _ in range(MOST_LINES):
        position, line = Position.start(rules), list[Move]()
        while position.outcome() is None:
            line.append(chance.choice(position.moves()))
            position = position.play(line[-1])
        for plies in sorted(chance.sample(range(len(line)), min(4, len(line)))):
            position = Position.start(rules)
            for move in line[:plies]:
                position = position.play(move)
            if position not in found and (asked := _equal(judge, position, line[:plies])) is not None:
                found[position] = asked
                if len(found) == count:
                    return tuple(found.values())
    if not found:
        raise ValueError(f"no position of {rules.name} was found in which moves are proved to be equal")
    return tuple(found.values())


def _equal(judge: Judge, position: Position, line: list[Move]) -> ExamPosition | None:
    """The position to be asked about, with its equal best moves alone; None where there are too few."""
    if len(position.moves()) < EQUAL_MOVES:
        return None
    known = [(each.move, each.score) for each in judge.judge(position, EQUAL_TRUTH).moves]
    best = known[0][1]
    if best is None or not best.proved:
        return None
    equal = tuple((move, score) for move, score in known if score == best)
    if len(equal) < EQUAL_MOVES:
        return None
    return ExamPosition(position, tuple(line), Phase.of(len(line), judge.rules.max_plies), equal)


Choices = Sequence[Move | None]
"""What a bot chose in each position; None where it gave no answer."""


def alike_behaviour(asked: Sequence[ExamPosition], choices: Mapping[str, Choices]) -> list[Alike]:
    """Pairs that choose alike where nothing tells the moves apart, more than others do; the clearest first."""
    equal = [{move for move, _ in each.worth} for each in asked]
    counted = {
        name: [move if move in among else None for move, among in zip(chosen, equal, strict=True)]
        for name, chosen in choices.items()
    }
    agreed = {
        frozenset(pair): sum(a is not None and a == b for a, b in zip(*(counted[name] for name in pair), strict=True))
        for pair in combinations(counted, 2)
    }
    fixed = [[_recipe(each, part) for each in asked] for part in RECIPES]
    pairs = len(agreed)
    found = []
    for one, other in combinations(counted, 2):
        ratios = [_log_ratio(counted, equal, agreed, fixed, *pair) for pair in ((one, other), (other, one))]
        if min(ratios) > math.log(pairs / ERROR_RATE):
            both = sum(a is not None and b is not None for a, b in zip(counted[one], counted[other], strict=True))
            same = agreed[frozenset((one, other))]
            why = (
                f"the same choice in {same} of {both} positions with equal moves; "
                f"10^{min(ratios) / math.log(10):.0f} times as likely for a copy as by chance"
            )
            found.append((min(ratios), Alike(one, other, "behaviour", same / both, why)))
    return [pair for _, pair in sorted(found, key=lambda entry: -entry[0])]


def _log_ratio(
    counted: Mapping[str, Choices],
    equal: Sequence[set[Move]],
    agreed: Mapping[frozenset[str], int],
    fixed: Sequence[Choices],
    one: str,
    other: str,
) -> float:
    """How much likelier the choices of the one are if it copies the other, as a logarithm."""
    others = [name for name in counted if name not in (one, other)]
    near = sorted(others, key=lambda name: -agreed[frozenset((one, name))])[:NEIGHBOURS]
    recipes = [(chosen, _followed(counted[one], chosen)) for chosen in fixed]
    total = 0.0
    for place, among in enumerate(equal):
        mine, theirs = counted[one][place], counted[other][place]
        if mine is None or theirs is None:
            continue
        on_its_own = max(
            *(_popularity(counted, group, place, mine, len(among)) for group in (others, near)),
            *(_by_recipe(recipe[place], share, mine, len(among)) for recipe, share in recipes),
        )
        copied = FAITHFUL if mine == theirs else (1 - FAITHFUL) / (len(among) - 1)
        total += math.log(copied / on_its_own)
    return total


RECIPES = (0.0, 0.5, 1.0)
"""Simple ways to choose among equal moves, which anybody finds: the first, the middle one, the last."""


def _recipe(asked: ExamPosition, part: float) -> Move:
    """The move that a simple way of choosing takes."""
    equal = {move for move, _ in asked.worth}
    ordered = [move for move in asked.position.moves() if move in equal]
    return ordered[round(part * (len(ordered) - 1))]


def _followed(chosen: Choices, recipe: Choices) -> float:
    """How often a bot did what a simple way of choosing does, with one imaginary position for each side."""
    answered = [(mine, its) for mine, its in zip(chosen, recipe, strict=True) if mine is not None]
    return (sum(mine == its for mine, its in answered) + 1) / (len(answered) + 2)


def _by_recipe(recipe: Move | None, share: float, move: Move, moves: int) -> float:
    return share if recipe == move else (1 - share) / (moves - 1)


def _popularity(counted: Mapping[str, Choices], group: Sequence[str], place: int, move: Move, moves: int) -> float:
    """How often a move is chosen in a group of bots, with one imaginary bot that chooses evenly."""
    chosen = [counted[name][place] for name in group if counted[name][place] is not None]
    return (chosen.count(move) + 1 / moves) / (len(chosen) + 1)


def choices_of(
    version: Version, terms: Terms, asked: Sequence[ExamPosition], private: Sequence[str], parcel: Parcel
) -> Choices:
    """What a version chooses in each position, in the sandbox; nothing any more after some faults in a row."""
    keep_private(private)
    folder = unpack_once(parcel)
    rubric = Rubric((Criterion(CriterionKind.LEGALITY, 1, count=len(asked)),), control=terms.control)
    spec = place_files(version.spec, {parcel.fingerprint: folder})
    player = entrants.load(spec, terms.rules, 0, isolated=True, access=terms.access((str(folder),)))
    try:
        interview = Interview(player, rubric)
        return [interview.ask(each).move for each in asked]
    finally:
        player.close()


def alike_in_class(room: Classroom, count: int, executor: Executor, report: Report = lambda _: None) -> Iterator[Alike]:
    """Pairs of students whose graded versions are alike: by files, by code, and by behaviour in so many positions.

    With 0 positions nothing is run. InternalFailure when a bot cannot be asked by nobody's fault.
    """
    graded = {student: version for student in room.roster if (version := room.graded(student)) is not None}
    parcels = {student: room.store.parcel(version.sha256) for student, version in graded.items()}
    same = list(alike_files(parcels))
    yield from same
    named = {(pair.one, pair.other) for pair in same}
    templates = [Parcel.of_path(path) for path in template_folders()]
    yield from (pair for pair in alike_code(parcels, templates) if (pair.one, pair.other) not in named)
    if not count or len(graded) < 2:
        return
    report("finding positions with equal moves")
    terms = room.settings.terms
    asked = equal_positions(terms.rules, count, room.settings.seed)
    waiting = {
        student: executor.submit(choices_of, version, terms, asked, room.private, parcels[student])
        for student, version in graded.items()
    }
    choices = {}
    for student, future in waiting.items():
        choices[student] = future.result()
        report(f"asked {len(choices)} of {len(waiting)}")
    yield from alike_behaviour(asked, choices)


def template_folders() -> list[Path]:
    """The bots that students begin with."""
    templates = Path(plyground.__file__).parent / "referee" / "templates"
    return [path for path in sorted(templates.iterdir()) if path.is_dir() and not path.name.startswith("_")]
