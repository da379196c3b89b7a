"""Check a student's search: run it on positions that expose bugs, and say what is wrong first, where and why."""

from __future__ import annotations

import ast
import contextlib
import io
import itertools
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from plyground.core.position import IllegalMove, Position
from plyground.core.position_text import write_position
from plyground.core.rules import Rules, Side
from plyground.debug.calling import Flag, Role, Signature, limits_depth, number_in, signature_of
from plyground.debug.causes import CAUSES
from plyground.debug.diagnose import Diagnosis, Experiment, Issue
from plyground.debug.findings import LIMIT_SECONDS, Finding, Report, move_rows, plain, reference_json, shown, tree_json
from plyground.debug.positions import Test, estimate, tests
from plyground.debug.recording import MAX_CALLS, Call, OutOfBudget, Recorder, Watched
from plyground.debug.student_code import Kept, Stopwatch, alarm, cut_traceback, has_alarm, own_lines, source_of
from plyground.debug.tree import CLOSE, INFINITY, Kind, Node, Truth, View, agreement, grow, searching, view_of
from plyground.render.text import board as draw_board

DEPTH_PLIES = 3
RUNNING_SHARE = 0.5
"""The part of the time in which the search runs; the rest is for judging what it did."""

ENOUGH_NODES = 12_000
"""Calls after which no further position is searched."""

PER_DEPTH = 26
"""Positions for each depth."""

DEEPER_PLIES = 2
"""How much deeper small trees are searched where nothing else is wrong ..."""

DEEPER_NODES = 1_500
"""... how large these may be ..."""

DEEPER_SHARE = 0.75
"""... and at which part of the time that ends."""

IN_TURN = 3
"""Positions of each depth before another one has its turn."""

MOST_NODES = 9_000
"""About how large a tree of minimax may be."""

SLOW_NODES = 400
"""A tree that should be smaller must end within its share of the time, or the search does not end at all."""


@dataclass
class Recorded:
    """One search that was run."""

    test: Test
    call: Call | None
    answer: Any
    error: BaseException | None = None
    stopped: bool = False
    """Whether its time was over before it ended."""

    endless: bool = False
    """Whether it had more than enough time for a tree of its size."""

    processor: float = 0.0
    """Seconds of processor time: on a busy machine the clock says little."""

    where: list[tuple[str, int]] = field(default_factory=list)


class Check:
    """A check of one search in one game."""

    def __init__(
        self,
        function: Callable[..., Any],
        rules: Rules,
        heuristic: Callable[[Position], int],
        depth: int = DEPTH_PLIES,
        start: Position | None = None,
        seconds: float = LIMIT_SECONDS,
        heuristic_name: str = "lines",
        handed: Any = None,
    ) -> None:
        self.function, self.rules, self.depth, self.start = function, rules, depth, start
        self.seconds, self._watch = seconds, Stopwatch()
        self.signature = signature_of(function)
        self.handed = handed
        if handed is not None:
            self.signature = replace(self.signature, own_heuristic=False)
        self._values: dict[Position, int] = {}
        self._raw_heuristic = heuristic
        self.printed = io.StringIO()
        self.source, self.file = source_of(function)
        name = getattr(function, "__qualname__", type(function).__name__)
        self.report = Report(name, rules.name, depth, heuristic_name)
        self._kept = Kept(function)

    def elapsed(self) -> float:
        """Seconds that the check has taken, without those in which others had the processor."""
        return self._watch.seconds

    @property
    def _asks_depth(self) -> bool:
        """Whether the function is told how deep to look."""
        filled = {role for name, role in self.signature.roles.items() if name in self.signature.filled}
        return bool(filled & {Role.DEPTH, Role.LIMIT})

    def heuristic(self, position: Position) -> int:
        """The heuristic handed over, each position valued once."""
        if position not in self._values:
            self._values[position] = self._raw_heuristic(position)
        return self._values[position]

    # ------------------------------------------------------------ running

    def run(self) -> Report:
        """The whole check."""
        recorded = list(self._record_all(self._chosen_tests()))
        report = self.report
        report.positions = len({each.test.position for each in recorded})
        if (finding := self._failure(recorded)) is not None:
            report.findings.append(finding)
        else:
            self._diagnose([each for each in recorded if each.call is not None])
        if not report.findings and self._asks_depth:
            self._look_deeper()
        if text := self.printed.getvalue():
            report.notes.append(f"the search prints: {text.splitlines()[0][:60]!r} ... remove it before a tournament")
        report.seconds = round(self.elapsed(), 2)
        return report

    def _chosen_tests(self) -> list[Test]:
        """The positions and depths, from small trees to large ones; the one that was asked for first."""
        found = tests(self.rules, self.depth, MOST_NODES)
        chosen: list[Test] = []
        counts: dict[int, int] = {}
        rounds: dict[int, int] = {}
        turns: list[int] = []
        for test in found:
            # several of each size: small trees alone would show no cut-offs
            size = test.depth * 100 + min(test.cost.bit_length(), 14)
            counts[size] = counts.get(size, 0) + 1
            if counts[size] <= PER_DEPTH // 2:
                chosen.append(test)
                turns.append(rounds.get(test.depth, 0) // IN_TURN)
                rounds[test.depth] = rounds.get(test.depth, 0) + 1
        # The depths take turns, so that each is searched before the time is over.
        chosen = [chosen[at] for at in sorted(range(len(chosen)), key=lambda at: (turns[at], chosen[at].cost))]
        if self.start is not None:
            watched = Watched.copy(self.start)
            own = [Test(watched, plies, estimate(self.start, plies)) for plies in range(1, self.depth + 1)]
            chosen = [*own, *[each for each in chosen if each.cost < 400]]
        return chosen

    def _look_deeper(self) -> None:
        """Small trees, deeper than was asked for: a bug in a table shows only where moves can change places."""
        deeper = [
            test for test in tests(self.rules, self.depth + DEEPER_PLIES, DEEPER_NODES) if test.depth > self.depth
        ]
        shapes: dict[tuple[int, int], Test] = {}
        for test in deeper:
            shapes.setdefault((test.depth, test.cost // 8), test)
        recorded = list(self._record_all(list(shapes.values()), DEEPER_SHARE))
        searched = [each for each in recorded if each.call is not None and not each.stopped and each.error is None]
        if searched:
            diagnosis, grown = self._grow(searched)
            self._find_first(diagnosis, grown)

    def _record_all(self, chosen: list[Test], part: float = RUNNING_SHARE) -> Iterator[Recorded]:
        share = self.seconds * part
        asked = self.start is not None
        slow: dict[int, int] = {}
        completed = 0
        for test in chosen:
            spent = self.elapsed()
            if completed > 3 and self.report.nodes > ENOUGH_NODES and part == RUNNING_SHARE and not asked:
                return
            if spent > share:
                return
            if slow.get(test.depth, 10**9) <= test.cost:
                continue
            left = max(share - spent, 0.2)
            recorded = self.record(test, left if asked or test.cost < SLOW_NODES else left * 0.6)
            if recorded.stopped:
                slow[test.depth] = test.cost
                enough = recorded.processor > share * 0.4 or not completed
                recorded.endless = test.cost < SLOW_NODES and enough
            else:
                completed += 1
            yield recorded
            if recorded.error is not None or recorded.endless:
                return

    def record(
        self, test: Test, seconds: float, signature: Signature | None = None, max_calls: int = MAX_CALLS
    ) -> Recorded:
        """One search of one position, recorded."""
        self._kept.restore()
        recorder = Recorder(self.file, time.process_time() + seconds, max_calls, not has_alarm())
        heuristic = recorder.watch(self.heuristic)
        if self.handed is not None:
            self.handed.current = heuristic
        used = signature or self.signature
        found = Recorded(test, None, None)
        started = time.process_time()
        with contextlib.redirect_stdout(self.printed), alarm(seconds + 0.2):
            try:
                found.answer = recorder.run(lambda: used.call(test.position, test.depth, heuristic))
            except OutOfBudget as error:
                found.stopped = True
                found.where = own_lines(error, self.file)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a student's code may raise anything, SystemExit too
                found.error = error
        found.processor = time.process_time() - started
        found.call = recorder.root
        self.report.nodes += recorder.count
        return found

    def learn(self) -> View:
        """For whom its values count, seen from searches of small trees; how it is called is settled with it."""
        chosen = [test for test in self._chosen_tests() if test.cost <= SLOW_NODES]
        recorded = [each for each in self._record_all(_spread(chosen, 24)) if each.call is not None]
        return self._assume(recorded)[0]

    def _assume(self, recorded: list[Recorded]) -> tuple[View, list[Recorded], set[Any]]:
        """For whom values count, the searches as they are called then, and the functions that search."""
        complete = [each for each in recorded if not each.stopped] or recorded
        roots = [(each.call, each.test.depth) for each in complete if each.call is not None]
        searches = searching(call for call, _ in roots)
        handed = None if self.signature.own_heuristic else self.heuristic
        sources: list[ast.AST] = [self.source.tree] if self.source.tree is not None else []
        view = view_of(_spread(roots, 24), searches, sources, handed)  # enough to see whose values they are
        view, recorded = self._try_flag(view, searches, recorded, handed)
        return view, recorded, searches

    def describe(self, error: BaseException) -> str:
        """An error of the student's in a line, with the last of their own lines that led to it."""
        lines = own_lines(error, self.file)
        where = f" (line {lines[-1][1]})" if lines else ""
        return f"{type(error).__name__}: {str(error)[:200]}{where}"

    # ------------------------------------------------------------ exceptions and endless searches

    def _failure(self, recorded: list[Recorded]) -> Finding | None:
        for each in recorded:
            if each.error is not None:
                return self._of_error(each)
            if each.endless:
                return self._of_stop(each)
        if not recorded:
            return Finding("too-slow", "No search ended within the time.")
        if all(each.call is None for each in recorded):
            wanted = "the function was never seen with a position; is it written in Python, in a file?"
            self.report.notes.append(wanted)
        return None

    def _of_error(self, each: Recorded) -> Finding | None:
        error = each.error
        assert error is not None
        call = _deepest(each.call, failed=True)
        lines = own_lines(error, self.file)
        line = lines[-1][1] if lines else None
        said = f"{type(error).__name__}: {error}"
        cause = "exception"
        if isinstance(error, RecursionError):
            cause, line = self._recursion_cause(each.call, line)
            said = "RecursionError: the function calls itself without end"
        elif isinstance(error, IllegalMove) and call is not None:
            cause = "shared-board" if self._shared(call) else "exception"
        elif call is not None and call.position.outcome() is not None:
            left = number_in(call.arguments.get(Role.DEPTH))
            cause = "end-missing" if left is None or left > 0 else "exception"
        text = f"{CAUSES[cause].advice} {said[:200]}"
        if cause == "exception":
            text = f"{said[:200]}. The search ended here with an exception."
        return self._finding(each.test, call, cause, line, text, traceback=cut_traceback(error, self.file))

    def _of_stop(self, each: Recorded) -> Finding:
        call = _deepest(each.call, failed=False)
        line = each.where[-1][1] if each.where else None
        cause, found = self._recursion_cause(each.call, line)
        if cause == "endless-recursion" and call is not None:
            plies = call.position.ply - each.test.position.ply
            if plies <= each.test.depth:
                cause = "too-slow"
        text = f"{CAUSES[cause].advice} A tree of about {each.test.cost} positions was not finished in time."
        return self._finding(each.test, call, cause, found, text)

    def _recursion_cause(self, root: Call | None, line: int | None) -> tuple[str, int | None]:
        """Why a recursion does not end: the depth stays, or the board does."""
        call = _deepest(root, failed=False)
        chain: list[Call] = []
        while call is not None and len(chain) < 60:
            chain.append(call)
            call = call.parent
        for below, above in itertools.pairwise(chain):
            one, other = (number_in(each.arguments.get(Role.DEPTH)) for each in (below, above))
            ply, before = (number_in(each.arguments.get(Role.PLY)) for each in (below, above))
            if below.code is above.code and below.position == above.position:
                return "stale-board", below.called_at or line
            if limits_depth(below.code) and ply != before:
                continue
            if one is not None and one == other and below.position.ply > above.position.ply:
                return "depth-not-reduced", below.called_at or line
        return "endless-recursion", line

    def _shared(self, call: Call) -> bool:
        """Whether the moves of a call were played one after the other on the same board."""
        return any(each.position.ply > call.position.ply + 1 for each in call.calls) or len(call.calls) >= 1

    # ------------------------------------------------------------ judging

    def _diagnose(self, recorded: list[Recorded]) -> None:
        if not recorded:
            self.report.findings.append(Finding("no-value", "The search was never seen with a position."))
            return
        diagnosis, grown = self._grow(recorded)
        issue = self._find_first(diagnosis, grown)
        self._judge_root_moves(diagnosis, grown)
        self._measure_pruning(diagnosis, grown, issue)
        self._note_rights(diagnosis, issue)

    def _grow(self, recorded: list[Recorded]) -> tuple[Diagnosis, list[tuple[Node, Recorded]]]:
        """The trees of what was recorded, those that were asked for first, and what judges them."""
        view, recorded, searches = self._assume(recorded)
        handed = None if self.signature.own_heuristic else self.heuristic
        self.report.assumed = [self.signature.in_words(), f"values for {view.value}"]
        if handed is None:
            self.report.assumed.append("a heuristic of its own")
        grown: list[tuple[Node, Recorded]] = []
        for each in recorded:
            if each.call is not None:
                tree = grow(each.call, each.test.depth, searches, view)
                if not self._asks_depth:
                    looked = max((n.ply for n in tree.walk() if n.kind is Kind.LEAF), default=each.test.depth)
                    each.test = replace(each.test, depth=looked)
                    tree = grow(each.call, looked, searches, view)
                grown.append((tree, each))
        # The depth that was asked for first, and there small trees first.
        own = None if self.start is None else self.start._key
        grown.sort(key=lambda pair: (pair[1].test.position._key != own, pair[1].test.depth != self.depth))
        diagnosis = Diagnosis(
            [tree for tree, _ in grown],
            self.source,
            handed,
            self._ask(view),
            lambda: self.elapsed() > self.seconds * 0.85,
        )
        if handed is None:
            diagnosis.own_leaf = _OwnLeaves(diagnosis, self._reference).judge
        return diagnosis, grown

    def _find_first(self, diagnosis: Diagnosis, grown: list[tuple[Node, Recorded]]) -> Issue | None:
        """The first wrong node, as a finding of the report."""
        own = None if self.start is None else self.start._key
        issue = diagnosis.first() or diagnosis.wrong_window()
        if issue is None:
            return None
        if own is not None and issue.node.root._key != own:
            self.report.notes.append("the position that was given shows nothing wrong, others do")
        tree, test = next((t, each.test) for t, each in grown if _top(issue.node) is t)
        if test.depth > self.depth:
            self.report.notes.append(f"it shows only where the search looks {test.depth} plies ahead")
        self.report.findings.append(self._of_issue(issue, test, tree, diagnosis))
        return issue

    def _try_flag(
        self,
        view: View,
        searches: set[Any],
        recorded: list[Recorded],
        handed: Callable[[Position], float] | None,
    ) -> tuple[View, list[Recorded]]:
        """Whether a flag means the first player rather than the one at the root: what explains more is assumed."""
        name = self.signature.by_role(Role.FLAG)
        kind = self.signature.flag
        if name is None or kind not in (Flag.BOOL, Flag.SIGN):
            return view, recorded
        seconds = [
            each
            for each in recorded
            if each.call is not None and each.test.position.to_move is Side.SECOND and not each.stopped
        ]
        few = _spread(seconds, 14)
        if not few:
            return view, recorded
        other = replace(self.signature, flag_of_first=True, filled=self.signature.filled | {name})
        again = [self.record(each.test, 0.3, other) for each in few]
        sources: list[ast.AST] = [self.source.tree] if self.source.tree is not None else []

        def points(runs: list[Recorded]) -> tuple[float, View]:
            firsts = [
                e for e in recorded if e.test.position.to_move is Side.FIRST and not e.stopped and e.call is not None
            ]
            both = [(e.call, e.test.depth) for e in [*runs, *_spread(firsts, 10)] if e.call is not None]
            best = view_of(both, searches, sources, handed)
            return agreement([grow(call, depth, searches, best) for call, depth in both], handed), best

        if any(each.error is not None or each.call is None for each in again):
            return view, recorded
        (old, old_view), (new, new_view) = points(few), points(again)
        if new <= old + 0.05:
            return old_view, recorded
        self.signature = other
        budget = self.elapsed() + self.seconds * 0.2
        changed = []
        for each in recorded:
            if each.test.position.to_move is Side.SECOND:
                if self.elapsed() < budget:
                    changed.append(self.record(each.test, 0.5))
            else:
                changed.append(each)
        return new_view, [each for each in changed if each.call is not None and each.error is None]

    def _ask(self, view: View) -> Callable[[Position], float | None]:
        """What the search itself says of a position when it is not to look ahead."""

        def asked(position: Position) -> float | None:
            if self.elapsed() > self.seconds * 0.85:
                return None
            watched = position if isinstance(position, Watched) else Watched.copy(position)
            test = Test(watched, 0, 1)
            found = self.record(test, 0.1)
            if found.error is not None or found.stopped or found.call is None or found.call.value is None:
                return None
            sign = -1 if view is View.FIRST and position.to_move is Side.SECOND else 1
            return sign * found.call.value

        return asked

    def _reference(self, position: Position) -> int:
        """How good a position looks, whatever the student's heuristic says: lines that can still be completed."""
        return self.heuristic(position)

    def _judge_root_moves(self, diagnosis: Diagnosis, grown: list[tuple[Node, Recorded]]) -> None:
        """What the search would play, for the report; the reference's choice beside it."""
        for finding in self.report.findings:
            tree = next(
                (
                    t
                    for t, each in grown
                    if write_position(each.test.position) == finding.start and each.test.depth == finding.depth
                ),
                None,
            )
            if tree is None:
                continue
            if tree.call.move is not None:
                finding.chosen = tree.root.write(tree.call.move)
            diagnosis.root_key = id(tree.root), tree.remaining
            values = {m: diagnosis.worth_of(tree, m) for m in tree.root.moves()}
            if all(value is not None for value in values.values()) and values:
                best = max(values, key=lambda m: values[m] or 0)
                finding.best = tree.root.write(best)

    def _measure_pruning(self, diagnosis: Diagnosis, grown: list[tuple[Node, Recorded]], issue: Issue | None) -> None:
        """Positions looked at by minimax, by the search and by the reference; a finding where it cuts too little."""
        if not diagnosis.windowed:
            return
        minimax = yours = reference = 0
        budget = self.elapsed() + min(0.6, max(self.seconds * 0.12, 0.2))
        for tree, each in grown:
            if each.stopped or each.test.depth < 2 or self.elapsed() > budget or tree.kind is not Kind.INNER:
                continue
            diagnosis.root_key = id(tree.root), tree.remaining
            counted = _count(tree, diagnosis.truth, lambda: self.elapsed() > budget)
            if counted is not None:
                minimax += counted[0]
                yours += sum(node.kind is not Kind.THROUGH for node in tree.walk())
                reference += counted[1]
        if minimax:
            self.report.pruning = {"minimax": minimax, "yours": yours, "reference": reference}
        if issue is not None:
            return
        reached, ignored = diagnosis.cut_events()
        possible, used = diagnosis.narrowing()
        said = ""
        if minimax:
            said = f" Minimax looks at {minimax} positions, yours at {yours}, alpha-beta in your order at {reference}."
        cause, wanted = "", False
        if possible >= 5 and used == 0 and yours > reference * 1.1:
            cause, wanted = "window-not-narrowed", True
        elif reached >= 3 and ignored:
            cause = "never-cuts" if ignored >= reached * 0.9 else "cut-late"
            wanted = True
        if wanted:
            node, line = self._late_node(diagnosis, cause)
            text = f"{CAUSES[cause].advice}{said}"
            test = next(each.test for t, each in grown if t is _top(node))
            self.report.findings.append(self._finding(test, node.call, cause, line, text, path=node.path))

    def _late_node(self, diagnosis: Diagnosis, cause: str) -> tuple[Node, int]:
        """The first node at which a cut-off is missed."""
        for node in diagnosis.nodes:
            if node.kind is not Kind.INNER or Role.BETA not in node.call.arguments:
                continue
            low, high = node.window
            best = -INFINITY
            for number, child in enumerate(node.children):
                best = max(best, -(child.worth or 0))
                more = number + 1 < len(node.children)
                if low < high and more and (best >= high or (cause == "window-not-narrowed" and best > low)):
                    line = self.source.find(node.call, _cuts) if cause != "window-not-narrowed" else None
                    return node, line or child.call.called_at or node.call.returned_at
        return diagnosis.nodes[0], 0

    def _note_rights(self, diagnosis: Diagnosis, issue: Issue | None) -> None:
        wrong = None if issue is None else issue.cause
        ends = [
            n for n in diagnosis.nodes if n.kind is Kind.END and (o := n.position.outcome()) and o.winner is not None
        ]
        draws = [n for n in diagnosis.nodes if n.kind is Kind.END and (o := n.position.outcome()) and o.winner is None]
        facts = [
            ("wins and losses", bool(ends), ("end-side", "end-missing", "end-after-heuristic")),
            ("draws are 0", bool(draws), ("draw-not-zero", "end-missing")),
            ("nearer wins count more", diagnosis.sloped, ("end-distance-reversed", "end-without-distance")),
            ("depth", True, ("depth-off-by-one", "depth-not-reduced")),
            ("best of the moves", True, ("negation-missing", "negation-doubled", "min-max-exchanged", "last-value")),
            ("side of the heuristic", not self.signature.own_heuristic, ("heuristic-side", "stale-board")),
            ("window", diagnosis.windowed, ("window-not-swapped", "window-not-negated", "window-wrong")),
            ("cut-offs", diagnosis.windowed, ("cut-early", "cut-wrong-bound", "cut-late", "never-cuts")),
            ("every move", True, ("moves-skipped", "move-list-changed")),
            ("the move returned", any(n.call.move for n in diagnosis.nodes), ("wrong-move", "last-of-equal-moves")),
        ]
        found = {each.cause for each in self.report.findings} | {wrong}
        self.report.right = [title for title, seen, causes in facts if seen and not found & set(causes)]
        if diagnosis.same_wins and not diagnosis.decays:
            self.report.notes.append(
                "a won game is worth the same however far away it is, so the search may put off a win; "
                "subtract the plies from the root, or add the plies that are left"
            )
        if diagnosis.win_sizes and diagnosis.largest > min(size for _, size in diagnosis.win_sizes):
            self.report.notes.append(
                f"a won game is worth {diagnosis.win:g}, and the heuristic says up to {diagnosis.largest:g}: "
                "give a win a larger number"
            )

    # ------------------------------------------------------------ words

    def _of_issue(self, issue: Issue, test: Test, tree: Node, diagnosis: Diagnosis) -> Finding:
        node, cause = issue.node, CAUSES[issue.cause]
        path = " ".join(_texts(tree.root, node))
        where = f"After {path} " if path else "At the root "
        got, right = shown(issue.got), shown(issue.right)
        valued = f"your search returns {got}" + (f", right is {right}" if issue.right is not None else "")
        text = f"{where}{valued}. {issue.detail} {cause.advice}".replace("  ", " ")
        tried = [each for each in issue.experiments if each.of]
        best = max((each for each in tried if each.title != "as it is"), key=lambda each: each.agree, default=None)
        if best is not None and best.agree == best.of and best.of > 2:
            text += f" Tried: {best.title}: then all {best.of} nodes agree."
        finding = self._finding(test, node.call, issue.cause, issue.line, text, path=node.path)
        finding.got, finding.right = plain(issue.got), plain(issue.right)
        finding.experiments = [asdict(each) for each in tried]
        finding.moves = move_rows(node, diagnosis)
        self.report.trees = {
            "yours": tree_json(tree, node, diagnosis),
            "reference": reference_json(tree, node, diagnosis),
        }
        return finding

    def _finding(self, test: Test, call: Call | None, cause: str, line: int | None, text: str, **more: Any) -> Finding:
        at = test.position if call is None else call.position
        path = more.pop("path", None)
        found = Finding(cause, text, line=line, source=self.source.line(line or 0), depth=test.depth, **more)
        found.start = write_position(test.position)
        if test.moves is not None:
            found.before = Position.start(self.rules).write_line(test.moves)
        if path is not None:
            found.path = test.position.write_line(path)
        elif call is not None:
            moves: list[Any] = []
            each: Call | None = call
            while each is not None and each.parent is not None:
                if each.position.ply == each.parent.position.ply + 1 and each.position.last is not None:
                    moves.append(each.position.last)
                each = each.parent
            found.path = test.position.write_line(moves[::-1])
        found.position = write_position(at)
        found.board = draw_board(at)
        if call is not None:
            window = [number_in(call.arguments.get(role)) for role in (Role.ALPHA, Role.BETA)]
            if any(each is not None for each in window):
                found.window = [plain(each) for each in window]
            if call.returned and found.got is None:
                found.got = plain(call.value)
        return found


class _OwnLeaves:
    """Leaves valued by the student's own heuristic: does it agree with who stands better?"""

    def __init__(self, diagnosis: Diagnosis, reference: Callable[[Position], int]) -> None:
        self.diagnosis, self.reference = diagnosis, reference
        self.wrong_sides: set[Side] | None = None
        self.experiments: list[Experiment] = []

    def judge(self, node: Node) -> Issue | None:
        """The issue of a leaf, None where nothing speaks against it."""
        worth = node.worth
        if worth is None:
            return None
        for each in node.call.calls:
            if not each.value or node.parent is None or each.position != node.parent.position:
                continue
            if abs(abs(each.value) - abs(worth)) < CLOSE:
                line = node.call.returned_at
                detail = "It is a leaf, and the position before the last move was valued."
                return self.diagnosis.issue_of(node, "stale-board", line, node.call.value, None, detail)
        if self.wrong_sides is None:
            self.wrong_sides = self._study()
        if node.position.to_move in self.wrong_sides and worth * self.reference(node.position) < 0:
            detail = "Who has more open lines here gets the worse value."
            got = node.call.value
            right = None if got is None else -got
            return self.diagnosis.issue_of(
                node, "heuristic-side", node.call.returned_at, got, right, detail, self.experiments
            )
        return None

    def _study(self) -> set[Side]:
        """The sides for which the heuristic disagrees with the lines that can still be completed."""
        seen: set[Position] = set()
        points: dict[Side, list[int]] = {Side.FIRST: [], Side.SECOND: []}
        for node in self.diagnosis.depth_leaves():
            if node.position in seen or node.worth is None or len(seen) > 4000:
                continue
            seen.add(node.position)
            reference = self.reference(node.position)
            if node.worth and reference:
                points[node.position.to_move].append(1 if node.worth * reference > 0 else -1)
        everything = points[Side.FIRST] + points[Side.SECOND]
        agree = everything.count(1)
        self.experiments = [
            Experiment("sign of the heuristic changed", len(everything) - agree, len(everything)),
            Experiment("as it is", agree, len(everything)),
        ]
        # One that is always above 0 cannot be seen from a wrong side in this way.
        return {side for side, found in points.items() if len(found) >= 8 and sum(found) / len(found) < -0.45}


def _deepest(root: Call | None, failed: bool) -> Call | None:
    """The last call that had not returned when the search ended."""
    best: Call | None = None
    stack = [root] if root is not None else []
    while stack:
        call = stack.pop()
        if not call.returned and (call.failed or not failed) and (best is None or call.number > best.number):
            best = call
        stack.extend(call.calls[-3:])
    return best


def _cuts(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.If)
        and any(isinstance(each, ast.Break | ast.Return) for each in node.body)
        and (any(isinstance(each, ast.Name) and each.id in ("alpha", "beta", "a", "b") for each in ast.walk(node.test)))
    )


def _spread(items: list[Any], count: int) -> list[Any]:
    """This many of the items, from the whole list."""
    if len(items) <= count:
        return list(items)
    step = len(items) / count
    return [items[int(number * step)] for number in range(count)]


def _top(node: Node) -> Node:
    while node.parent is not None:
        node = node.parent
    return node


def _texts(root: Position, node: Node) -> list[str]:
    return root.write_line(node.path)


def _count(tree: Node, truth: Truth, late: Callable[[], bool]) -> tuple[int, int] | None:
    """Positions that minimax, and alpha-beta in the student's order, look at; None where it takes too long."""
    order = {node.position: {child.move: number for number, child in enumerate(node.children)} for node in tree.walk()}
    sizes: dict[tuple[Position, int], int] = {}

    def size(position: Position, remaining: int) -> int:
        key = position, remaining
        if key not in sizes:
            below = position.moves() if remaining > 0 else []
            sizes[key] = 1 + sum(size(position.play(move), remaining - 1) for move in below)
        return sizes[key]

    visited = 0

    def search(position: Position, remaining: int, ply: int, low: float, high: float) -> float:
        nonlocal visited
        visited += 1
        if (not visited & 31 and late()) or truth.left < 0:
            raise OutOfBudget
        moves = position.moves() if remaining > 0 else []
        if not moves:
            value = truth.value(position, 0, ply)
            if value is None:
                raise OutOfBudget
            return value
        ranks = order.get(position, {})
        best = -INFINITY
        for move in sorted(moves, key=lambda each: ranks.get(each, len(ranks))):
            best = max(best, -search(position.play(move), remaining - 1, ply + 1, -high, -max(low, best)))
            if best >= high:
                break
        return best

    try:
        search(tree.position, tree.remaining, 0, -INFINITY, INFINITY)
        return size(tree.position, tree.remaining), visited
    except OutOfBudget:
        return None
