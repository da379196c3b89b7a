"""What was seen of a submission as JSON, so that it is kept: every game, position and answer.

A grade is worked out from it again in a moment when only points, thresholds or texts of the rubric have changed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from plyground import __version__
from plyground.core.files import parse_json, write_file
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.course import kept_positions
from plyground.course.exam import ExamAnswer, ExamPosition
from plyground.course.examiner import Evidence
from plyground.course.opponent import Hurried
from plyground.course.puzzle_exam import PuzzleAnswer, solved_by
from plyground.course.rubric import Criterion, Rubric
from plyground.course.worst_moves import Blunder
from plyground.play.faults import Fault, FaultKind
from plyground.play.match import MatchGame
from plyground.play.records import from_json as record_of_json
from plyground.play.records import to_json as record_to_json
from plyground.puzzle import shelf
from plyground.tournament.parcel import fingerprint_of

FORM = "3"
"""Another one with every change of what is kept, or of what is asked and how."""

Json = dict[str, Any]


def asks(criterion: Criterion) -> list[object]:
    """What a criterion asks, whatever it is worth."""
    about = (criterion.rungs, criterion.themes, criterion.hardest, criterion.plies)
    return [str(criterion.kind), criterion.count, *map(_plain, about)]


def _plain(value: object) -> object:
    return list(map(str, value)) if isinstance(value, tuple) else value


def evidence_key(fingerprint: str, rules: Rules, rubric: Rubric, seed: int) -> str:
    """What distinguishes this examination from every other: who is asked, and what; not what answers are worth."""
    terms = (str(rubric.control), rubric.nodes, rubric.budget, rubric.allow)
    asked = [asks(criterion) for criterion in rubric.criteria]
    parts = (FORM, __version__, fingerprint, rules.name, repr(terms), json.dumps(asked), str(seed))
    return fingerprint_of(part.encode(errors="surrogateescape") for part in parts)[:32]


class Kept:
    """The evidence of a run, a file each, by what was examined."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def find(self, key: str, rules: Rules, rubric: Rubric) -> Evidence | None:
        """What was seen under a key; None where there is nothing that can be read."""
        try:
            found = parse_json((self.folder / f"{key}.json").read_text(encoding="utf-8"))
            return of_json(found, rules, rubric)
        except (OSError, ValueError):
            return None

    def keep(self, key: str, evidence: Json) -> None:
        """Keep what was seen; it is there whole or not at all."""
        write_file(self.folder / f"{key}.json", json.dumps(evidence, ensure_ascii=False), private=True)


def to_json(evidence: Evidence, rubric: Rubric) -> Json:
    """All of it as JSON values, criterion by criterion."""
    return {
        "problem": evidence.problem,
        "isolation": evidence.isolation,
        "imports": list(evidence.imports),
        "opponents": {spec: [each.near, each.moves] for spec, each in evidence.opponents.items()},
        "criteria": [_of_criterion(evidence, criterion) for criterion in rubric.criteria],
        "blunders": [
            {
                "asked": kept_positions.to_json([each.asked])[0],
                "played": each.asked.position.write(each.played),
                "why": each.why,
                "criterion": each.criterion,
                "game": each.game,
                "opponent": each.opponent,
            }
            for each in evidence.blunders
        ],
    }


def _of_criterion(evidence: Evidence, criterion: Criterion) -> Json:
    found: Json = {"asks": asks(criterion)}
    if criterion in evidence.answers:
        found["answers"] = list(map(_answer_to_json, evidence.answers[criterion]))
    if criterion in evidence.puzzles:
        found["puzzles"] = [
            {"id": each.puzzle.id, "answers": list(map(_answer_to_json, each.answers))}
            for each in evidence.puzzles[criterion]
        ]
    if criterion in evidence.games:
        # What counts as lost after faults in a row has the record of another game.
        records = {id(game.record): game.record for game in evidence.games[criterion]}
        places = {key: place for place, key in enumerate(records)}
        found["records"] = [parse_json(record_to_json(record)) for record in records.values()]
        found["games"] = [places[id(game.record)] for game in evidence.games[criterion]]
    return found


def _answer_to_json(answer: ExamAnswer) -> Json:
    position = answer.asked.position
    return {
        **kept_positions.to_json([answer.asked])[0],
        "played": None if answer.move is None else position.write(answer.move),
        "seconds": answer.seconds,
        "fault": None
        if answer.fault is None
        else {"kind": answer.fault.kind.value, "why": answer.fault.why, "stderr": answer.fault.stderr},
        "skipped": answer.skipped,
    }


def of_json(found: Any, rules: Rules, rubric: Rubric) -> Evidence:
    """What was seen, for a rubric that asks the same; ValueError where it was something else."""
    try:
        evidence = Evidence(
            opponents={spec: Hurried(near, moves) for spec, (near, moves) in found["opponents"].items()},
            isolation=found["isolation"],
            imports=tuple(found["imports"]),
            problem=found["problem"],
            blunders=tuple(_blunder(rules, each) for each in found["blunders"]),
        )
        by_question = {json.dumps(each["asks"]): each for each in found["criteria"]}
        for criterion in rubric.criteria:
            kept = by_question[json.dumps(asks(criterion))]
            if "answers" in kept:
                evidence.answers[criterion] = [_answer(rules, each) for each in kept["answers"]]
            if "puzzles" in kept:
                evidence.puzzles[criterion] = [_puzzle(rules, each) for each in kept["puzzles"]]
            if "games" in kept:
                records = [record_of_json(json.dumps(record)) for record in kept["records"]]
                evidence.games[criterion] = [MatchGame(i, records[place]) for i, place in enumerate(kept["games"])]
    except (TypeError, LookupError, AttributeError) as error:
        raise ValueError(f"no evidence of such a grading: {error!r}") from None
    return evidence


def _answer(rules: Rules, data: Json) -> ExamAnswer:
    asked = _position(rules, data)
    played, fault = data["played"], data["fault"]
    return ExamAnswer(
        asked,
        None if played is None else asked.position.parse(played),
        data["seconds"],
        None if fault is None else Fault(FaultKind(fault["kind"]), fault["why"], fault["stderr"]),
        data["skipped"],
    )


def _position(rules: Rules, data: Json) -> ExamPosition:
    (found,) = kept_positions.of_json(rules, [data], complete=False)
    return found


def _puzzle(rules: Rules, data: Json) -> PuzzleAnswer:
    """The same attempt again, with the answers that were given."""
    given: Iterator[ExamAnswer] = iter([_answer(rules, each) for each in data["answers"]])
    return solved_by(lambda _: next(given), shelf.find(data["id"]))


def _blunder(rules: Rules, data: Json) -> Blunder:
    asked = _position(rules, data["asked"])
    played = Position.parse(asked.position, data["played"])
    return Blunder(asked, played, data["why"], data["criterion"], data["game"], data["opponent"])
