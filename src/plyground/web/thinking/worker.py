"""A thinking process of the server: reads one JSON job per line, answers with JSON lines, `{"done": true}` last.

Before the first job it says `{"ready": true}`, when all it needs has been imported. SIGINT (on Windows SIGBREAK) stops
the job at work, not the process; end of input ends it. `{"kind": "forget", "room": ...}` lets the players of a room go,
and has no answer.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from plyground import games, players
from plyground.core.notation import play_texts
from plyground.core.position import Position
from plyground.core.rules import Rules
from plyground.judge.explain import EFFORT_IN_ALL_NODES, EFFORT_NODES, PATIENCE_SECONDS, explained
from plyground.judge.explain import explain as explained_move
from plyground.judge.judge import Judge, judge_of
from plyground.judge.judgement import Judgement
from plyground.judge.lines import continued
from plyground.judge.oracle import ProofOracle
from plyground.judge.review import review as reviewed_moves
from plyground.judge.review import summarise
from plyground.play.match import GameTerms, play_game
from plyground.play.openings import openings
from plyground.players import EnginePlayer, Player
from plyground.players.depth import heuristic_player
from plyground.search.base import Analysis, Limit, Ranking
from plyground.solve.connect_four.solver import number_of
from plyground.steps.stepping import stepped
from plyground.steps.trace import fixed_depth
from plyground.web.lab import tree_view
from plyground.web.security.quotas import Quotas
from plyground.web.thinking.fair_queue import JUDGED
from plyground.web.thinking.player_cache import PlayerCache
from plyground.web.thinking.sandboxed import typed_answer
from plyground.web.views import certificate_view, move_view

if TYPE_CHECKING:
    from plyground.native._core import EntryTuple

Job = dict[str, object]
Answer = dict[str, object]

UNDECIDED = "not decided in the time"

STOP: signal.Signals = getattr(signal, "SIGBREAK", signal.SIGINT)
"""The signal that stops a job."""

LINES, LINE_PLIES, LINE_SECONDS = 3, 10, 0.2
"""How many lines are followed how far where they are proved, and how long each of them may take."""

SUMMARY_SHARE = 0.1
"""How much of the time of a search for proofs is left for opinions of the rest."""

OPENING_PLIES = 4
"""Moves of a game between heuristics that are drawn by lot."""

CACHE = PlayerCache(Quotas().table_mb)
"""The players of rooms."""


def think(job: Job) -> Iterator[Answer]:
    """A player's ever better answers; in a room it remembers its last move's thinking."""
    position = _position(job)
    with _player(job, position.rules) as player:
        for analysis in player.think(position, _limit(job)):
            yield as_json(position, analysis)


def hint(job: Job) -> Iterator[Answer]:
    """The best move as far as is known, and why."""
    position = _position(job)
    judge = judge_of(position.rules)
    *_, judgement = judge.hint(position, _limit(job))
    best = judgement.best
    why = explained(judge, position, best.move, best.score)
    said = {"reason": why.text, "reasons": list(why.sentences), "claims": why.to_json()["claims"]}
    yield as_json(position, best) | said | move_view(position, best.move)


def explain(job: Job) -> Iterator[Answer]:
    """Why a move, the best one if none is named, is worth what it is worth."""
    position, move = _position(job), job.get("move")
    chosen = None if move is None else position.parse(str(move))
    found = explained_move(judge_of(position.rules), position, chosen, _limit(job))
    yield found.to_json() | {"text": found.text}


def judge(job: Job) -> Iterator[Answer]:
    """What is known of a position and of every legal move, ever more; at last with longer lines of what is proved."""
    position = _position(job)
    asked, limit = judge_of(position.rules), _limit(job)
    if job.get("prove"):
        for judgement in asked.prove(position, limit.part(1 - SUMMARY_SHARE)):
            yield {"partial": True, "exact": _exact(asked, position, judgement.ranking)}
        limit = limit.part(SUMMARY_SHARE)  # what was proved is remembered
    for judgement in asked.rank(position, limit, opinions=True):
        yield _judged(asked, judgement, judgement.ranking)
    best = judgement.best
    patience = min(PATIENCE_SECONDS, float(str(job["seconds"])))  # a quick question wants no long search for words
    oracle = ProofOracle(asked, EFFORT_NODES, EFFORT_IN_ALL_NODES, patience)
    why = explained(asked, position, best.move, best.score, oracle)
    said = {"final": True, "reasons": list(why.sentences), "claims": why.to_json()["claims"]}
    yield _judged(asked, judgement, _with_lines(asked, judgement)) | said


def _judged(asked: Judge, judgement: Judgement, ranking: Ranking) -> Answer:
    position = judgement.position
    return {
        "worth": None if judgement.score is None else judgement.score.to_json(),
        "text": judgement.text,
        "proved": judgement.proved,
        "source": str(judgement.source),
        "depth": judgement.best.depth,
        "nodes": judgement.nodes,
        "seconds": round(judgement.seconds, 3),
        "exact": _exact(asked, position, ranking),
    } | _ranked(position, ranking)


def _exact(asked: Judge, position: Position, ranking: Ranking) -> dict[str, int]:
    """The solver's number for each move whose end is known to the ply, where the game has a solver."""
    if asked.solver is None:
        return {}
    known = {each.move: each.score for each in ranking if each.proved and each.score and not each.score.at_most}
    return {position.write(move): number_of(position, score) for move, score in known.items()}


def _with_lines(asked: Judge, judgement: Judgement) -> Ranking:
    """The ranking with the lines of its best moves followed further."""
    first, rest = judgement.ranking.compared[:LINES], judgement.ranking.compared[LINES:]
    longer = (continued(asked, judgement.position, each, LINE_PLIES, LINE_SECONDS) for each in first)
    return replace(judgement.ranking, compared=(*longer, *rest))


def review(job: Job) -> Iterator[Answer]:
    """A whole game, from its last position to the first."""
    moves, limit = job["moves"], _limit(job)
    assert isinstance(moves, list)
    start = Position.start(games.load(str(job["game"])))
    played, _ = play_texts(start, moves)
    found = []
    for reviewed in reviewed_moves(judge_of(start.rules), start, played, limit):
        found.append(reviewed)
        better = reviewed.better
        drawn = None if better is None else move_view(reviewed.position, better.move)
        yield reviewed.to_json() | {"drawn": drawn}
    yield {"summary": summarise(found).to_json()}


def analyse(job: Job) -> Iterator[Answer]:
    """Every legal move with what a player thinks of it, best first, ever deeper."""
    position = _position(job)
    player = players.load(str(job["player"]), position.rules)
    for ranking in players.rank(player, position, _limit(job)):
        yield _ranked(position, ranking)


def _ranked(position: Position, ranking: Ranking) -> Answer:
    moves, others = ([as_json(position, each) for each in group] for group in (ranking.compared, ranking.others))
    return {"moves": moves, "not_compared": others, "best": position.write(ranking.best.move)}


def tree(job: Job) -> Iterator[Answer]:
    """A plain search step by step, with its tree and its code."""
    position = _position(job)
    player, _ = fixed_depth(players.load(str(job["player"]), position.rules), position)
    yield tree_view(player, stepped(player, position))


def check(job: Job) -> Iterator[Answer]:
    """What is wrong with a search that somebody has typed; its code runs in a sandbox."""
    asked = {key: job[key] for key in ("kind", "game", "moves", "source", "depth", "heuristic")}
    found = typed_answer(asked, float(str(job["seconds"])), float(str(job["wall_seconds"])))
    error = found.pop("error", None)
    yield found if error is None else found | {"fault": error}


def pair(job: Job) -> Iterator[Answer]:
    """Two games between two heuristics from one opening, the second with the sides swapped."""
    rules, depth, number = games.load(str(job["game"])), int(str(job["depth"])), int(str(job["pair"]))
    mine, theirs = (heuristic_player(rules, str(job[key]), depth) for key in ("heuristic", "against"))
    opening = next(islice(openings(rules, OPENING_PLIES, int(str(job["seed"]))), number, None))
    for swapped in (False, True):
        first, second = (theirs, mine) if swapped else (mine, theirs)
        record = play_game(rules, first, second, GameTerms(opening=opening))
        winner = record.result.winner
        yield {
            "swapped": swapped,
            "points": 0.5 if winner is None else 1 - winner,
            "moves": record.move_texts(),
            "result": record.result.value,
        }


def certificate(job: Job) -> Iterator[Answer]:
    """Proofs that a side cannot lose."""
    yield certificate_view(_position(job))


def solve(job: Job) -> Iterator[Answer]:
    """What can be proved about a position."""
    position = _position(job)
    for judgement in judge_of(position.rules).prove(position, _limit(job)):
        moves = {position.write(each.move): str(each.score) for each in judgement.moves if each.proved}
        yield {"text": judgement.text if judgement.proved else UNDECIDED, "decided": judgement.proved, "moves": moves}


def as_json(position: Position, analysis: Analysis) -> Answer:
    """An analysis as JSON; what it is worth, proved or not, is for the side to move."""
    return analysis.to_json(position) | {"worth": None if analysis.score is None else analysis.score.to_json()}


def _limit(job: Job) -> Limit:
    return Limit(seconds=float(str(job["seconds"])))


def _player(job: Job, rules: Rules) -> AbstractContextManager[Player]:
    spec = str(job["player"])
    if "room" not in job:
        return nullcontext(players.load(spec, rules))
    return CACHE.borrow(str(job["room"]), str(job["side"]), spec, rules)


def _position(job: Job) -> Position:
    moves = job["moves"]
    assert isinstance(moves, list)
    _, position = play_texts(Position.start(games.load(str(job["game"]))), moves)
    return position


JOBS = {
    "think": think,
    "hint": hint,
    "explain": explain,
    "judge": judge,
    "review": review,
    "analyse": analyse,
    "tree": tree,
    "check": check,
    "pair": pair,
    "certificate": certificate,
    "solve": solve,
}
"""What can be asked for."""


def serve(table_mb: int) -> None:
    """Work until the input ends, keeping tables of so many megabytes from job to job."""
    CACHE.megabytes = table_mb
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(STOP, signal.SIG_IGN)  # outside a job there is nothing to stop
    _say({"ready": True})
    for line in sys.stdin:
        job = json.loads(line)
        if job["kind"] == "forget":
            CACHE.forget(job["room"])
            continue
        _learn(job)
        try:
            signal.signal(STOP, signal.default_int_handler)
            try:
                for answer in JOBS[job["kind"]](job):
                    _say(answer)
            finally:
                signal.signal(STOP, signal.SIG_IGN)
        except KeyboardInterrupt:
            pass
        except ValueError as error:
            _say({"error": "cannot", "message": str(error), "status": 422})
        if learned := _learned(job):
            _say({"learned": learned})
        _say({"done": True})


def _learn(job: Job) -> None:
    """Take over what other processes have proved of the job's game."""
    if known := job.get("known"):
        asked = judge_of(games.load(str(job["game"])))
        asked.learn(map(_entry, known))  # type: ignore[call-overload]
        asked.take_news()  # which is none to the others


def _learned(job: Job) -> list[object]:
    """What was proved of the job's game meanwhile, by the judge or by the guards of a room's players."""
    found: list[object] = []
    if job["kind"] in JUDGED:
        with suppress(ValueError):  # there is no such game
            found += judge_of(games.load(str(job["game"]))).take_news()
    for player in CACHE.players_of(str(job.get("room"))):
        if isinstance(player, EnginePlayer) and player.guard is not None:
            found += player.guard.judge.take_news()
    return found


def _entry(told: list[Any]) -> EntryTuple:
    """An entry of a judge's memory, of whose tuples JSON has made lists."""
    key, ply, (line, score, source, note) = told
    moves = [(place, lift) for place, lift in line]
    return key, ply, (moves, None if score is None else tuple(score), source, tuple(note))


def _say(answer: Answer) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    serve(int(sys.argv[1]))
