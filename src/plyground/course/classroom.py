"""A class: a folder with its settings and its roster, and a store with everything that was handed in and played."""

from __future__ import annotations

import contextlib
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from plyground.core.files import parse_json, write_file
from plyground.course import links, roster, settings
from plyground.course.checking import CheckResult, CheckTask, Inspected, check, look_at, unchecked
from plyground.course.ledger import HistoryPoint, Ledger, MemberState
from plyground.course.links import Link, LinkRefused
from plyground.course.pseudonyms import pseudonym_of
from plyground.course.roster import Member
from plyground.course.standings import Field, Line, Standings, lines_of
from plyground.course.version import State, Version, student_of
from plyground.course.views import (
    ClassNow,
    GameLine,
    StudentFault,
    UnderWayLine,
    fault_of,
    game_line,
    record_for,
    side_of,
    without_hidden,
)
from plyground.play.records import GameRecord
from plyground.ratings.scores import GameScore
from plyground.tournament.live import moves_of
from plyground.tournament.lock import is_held
from plyground.tournament.parcel import Parcel, fingerprint_of
from plyground.tournament.play import SOFTWARE
from plyground.tournament.store import Store
from plyground.tournament.stored_game import FAULTS
from plyground.words import one_line

STORE = "class.db"

GRADES_FOLDER = "grades"
"""The folder of a class in which it is kept what was seen of the submissions."""

HOUR_SECONDS = 3600.0
DAY_SECONDS = 24 * HOUR_SECONDS

FRESH_SECONDS = 30.0
"""How old standings may be while the ladder runs, which renews them itself."""


class HandInRefused(ValueError):  # noqa: N818  (it reads as what it is)
    """What cannot be handed in; `reason` is a word: closed, withdrawn, too large, kind, same, too many."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class Classroom:
    """An open class, for one thread. Use it in a `with` block; what is saved stays even if the process is killed."""

    def __init__(self, folder: Path, store: Store, ledger: Ledger) -> None:
        """ValueError when a file in the folder is not what it should be."""
        self.folder = folder
        self.store = store
        self.ledger = ledger
        self.settings = settings.read_settings(folder)
        self.roster = roster.read_roster(folder / roster.FILE)
        game = _game_of(store)
        if self.settings.terms.game != game:
            raise ValueError(
                f"{folder / settings.FILE}: the game of this class is {game!r}, got {self.settings.terms.game!r}; "
                "create a new class for another game"
            )

    @staticmethod
    def create(folder: Path, game: str, title: str = "Class", time_control: str = "3") -> None:
        """A new class in a folder: class.toml, an empty roster.csv, and the store.

        FileExistsError when there is one already, ValueError when there is no such game, OSError when it cannot be
        written.
        """
        folder = folder.resolve()  # new/.. is no new folder
        text = settings.usual_file(game, title, time_control)
        for name in (settings.FILE, roster.FILE, STORE):
            if (folder / name).exists():
                raise FileExistsError(f"{folder / name} exists already: a new class needs a folder of its own")
        folder.mkdir(parents=True, exist_ok=True)
        Store.create(folder / STORE, "class", json.dumps({"game": game}), SOFTWARE).close()
        write_file(folder / roster.FILE, "id,name,pseudonym\n", private=True)
        write_file(folder / settings.FILE, text, private=True)

    @staticmethod
    def open(folder: Path) -> Classroom:
        """The class in a folder; FileNotFoundError or ValueError when there is none."""
        if not (folder / STORE).is_file():
            raise FileNotFoundError(f"there is no class in {folder}: create one with plyground class new {folder}")
        with contextlib.ExitStack() as stack:
            store = stack.enter_context(Store.open(folder / STORE))
            if store.kind != "class":
                raise ValueError(f"{folder / STORE} holds a {store.kind}, not a class")
            ledger = Ledger(folder / STORE)
            stack.callback(ledger.close)
            opened = Classroom(folder.absolute(), store, ledger)
            stack.pop_all()
        return opened

    def __enter__(self) -> Classroom:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store."""
        self.ledger.close()
        self.store.close()

    # Who is in it

    def member(self, student: str) -> Member:
        """Somebody on the roster; ValueError when there is nobody with that id."""
        if student not in self.roster:
            named = self._meant(student)
            advice = f"add a line to {self.folder / roster.FILE}" if named is None else f"did you mean {named!r}?"
            raise ValueError(f"nobody on the roster has the id {student!r}; {advice}")
        return self.roster[student]

    def _meant(self, text: str) -> str | None:
        """The id of the one whom a text means that is no id: by a name or a part of it, in capitals or not."""
        word = text.casefold()
        meant = [who.id for who in self.roster.values() if word in (who.id.casefold(), who.name.casefold())]
        part = [who.id for who in self.roster.values() if word in who.name.casefold().split()]
        return next((found[0] for found in (meant, part) if len(found) == 1), None)

    def state(self, student: str) -> MemberState:
        """What is known about somebody besides."""
        return self.ledger.states().get(student, MemberState())

    def shown(self, player: str, states: Mapping[str, MemberState] | None = None) -> str:
        """What others see of a student, or of a player of a game: a pseudonym where there is one, else the name.

        Who asks for many gives the states of all members.
        """
        student = student_of(player)[0] or player
        found = self.roster.get(student)
        if found is None:
            return student
        known = self.ledger.states() if states is None else states
        return known.get(student, MemberState()).pseudonym or found.pseudonym or found.name

    def shown_to_teacher(self, student: str) -> str:
        """The name on the roster; the id of somebody who is not on it any more."""
        return self.roster[student].name if student in self.roster else student

    def set_pseudonym(self, student: str, wanted: bool) -> str:
        """Show a student to others under a pseudonym, or under the name again; what others see now."""
        self.member(student)
        states = self.ledger.states()
        taken = {state.pseudonym for key, state in states.items() if key != student}
        taken |= {found.pseudonym for found in self.roster.values()} | {found.name for found in self.roster.values()}
        pseudonym = pseudonym_of(student, self._secret, taken) if wanted else ""
        self._set(student, pseudonym=pseudonym)
        return self.shown(student)

    def _set(self, student: str, **changes: Any) -> None:
        self.ledger.set_state(student, self.state(student)._replace(**changes))

    def withdraw(self, student: str) -> None:
        """Take a student out of the ladder; what was played stays."""
        self.member(student)
        self._set(student, withdrawn=True)

    def readmit(self, student: str) -> None:
        """Let a student that was withdrawn play again."""
        self.member(student)
        self._set(student, withdrawn=False)

    def pause(self, paused: bool = True) -> None:
        """Begin no more games until this is taken back."""
        self.ledger.set_note("paused", "yes" if paused else "")

    def pause_student(self, student: str, paused: bool = True) -> None:
        """Begin no more games with a student until this is taken back."""
        self.member(student)
        self._set(student, paused=paused)

    @property
    def paused(self) -> bool:
        """Whether the whole ladder is paused."""
        return bool(self.ledger.note("paused"))

    # Links

    @property
    def _secret(self) -> str:
        return self.ledger.note("secret")

    def link(self, student: str, now: float | None = None) -> str:
        """The token of a student's link, good from now for as long as the settings say."""
        self.member(student)
        moment = time.time() if now is None else now
        expires = int(moment + self.settings.links.days * DAY_SECONDS)
        return Link(student, expires, self.state(student).serial).token(self._secret)

    def renew_link(self, student: str) -> None:
        """Refuse every link that a student has had until now."""
        self.member(student)
        self._set(student, serial=self.state(student).serial + 1)

    def verify(self, token: str, now: float | None = None) -> str:
        """The id of the student whose link it is; LinkRefused otherwise."""
        found = Link.read(token, self._secret)
        if found.student not in self.roster:
            raise LinkRefused("unknown")
        if found.serial != self.state(found.student).serial:
            raise LinkRefused("renewed")
        if found.expires <= (time.time() if now is None else now):
            raise LinkRefused("expired")
        return found.student

    def address(self, student: str, now: float | None = None) -> str:
        """The address to hand out to a student."""
        return links.address_of(self.settings.links.address, self.link(student, now))

    # Handing in

    def hand_in(
        self, student: str, file: str, parcel: Parcel, via: str = "teacher", now: float | None = None
    ) -> Version:
        """Keep what a student hands in as a new version, to be checked; HandInRefused when it may not be handed in.

        `file` is what it was called. Its files are looked at and not run. Limits of size, kind, rate and time hold for
        what comes by a link. A student that was withdrawn plays again when the teacher hands in for them; what is
        imported with everything else is kept and changes nothing about that.
        """
        moment = time.time() if now is None else now
        self.admit(student, file, parcel.size, via, moment)
        return self.enter(student, file, look_at(parcel), via, moment)

    def admit(self, student: str, file: str, size: int, via: str, now: float) -> None:
        """The first half, before a byte is read: HandInRefused when a file of this name and size may not be handed in.

        What comes by a link counts from here on, whatever comes of it.
        """
        self.member(student)
        if via != "link":
            return
        intake = self.settings.intake
        last = self.settings.last_moment(student)
        if last is not None and now > last.timestamp():
            raise HandInRefused("closed", f"the last version could be handed in until {last:%Y-%m-%d %H:%M}")
        if Path(file).suffix.lower() not in intake.kinds:
            raise HandInRefused("kind", f"{file}: hand in one of {', '.join(intake.kinds)}")
        self._check_size(file, size)
        if self.state(student).withdrawn:
            raise HandInRefused("withdrawn", "you are not in the ladder any more: ask your teacher")
        if not self.ledger.count_upload(student, now, now - HOUR_SECONDS, intake.per_hour):
            raise HandInRefused("too many", f"{intake.per_hour} files within an hour are the most: try again later")

    def _check_size(self, file: str, size: int) -> None:
        most = self.settings.intake.largest_kb
        if size > most * 1024:
            raise HandInRefused("too large", f"{file}: {-(-size // 1024)} kB, and {most} kB are the most")

    def enter(self, student: str, file: str, look: Inspected, via: str, now: float) -> Version:
        """The second half: keep what was admitted and then looked at; HandInRefused when it is nothing new."""
        parcel, moment = look.parcel, now
        if via == "link":
            self._check_size(file, parcel.size)  # of what was packed
        self._check_new(student, parcel, via, moment)
        if via == "teacher" and self.state(student).withdrawn:
            self.readmit(student)
        self.store.keep(parcel)
        version = Version(student, 0, parcel.fingerprint, look.spec, one_line(file), moment, via)
        if look.problem:
            version = _settled(version, CheckResult((), None), look.problem, moment)
        return self.ledger.add_version(version)

    def _check_new(self, student: str, parcel: Parcel, via: str, moment: float) -> None:
        mine = self.versions(student)
        if mine and mine[0].sha256 == parcel.fingerprint and mine[0].state is not State.REFUSED:
            forgiven = f"forgiven/{student}"
            if via == "link" and self.ledger.note(forgiven) != str(mine[0].number):
                self.ledger.forget_upload(student, moment)  # a slip costs nothing, once: to read it costs the server
                self.ledger.set_note(forgiven, str(mine[0].number))
            raise HandInRefused("same", f"these are the files of version {mine[0].number} again: nothing has changed")

    def check_task(self, version: Version) -> CheckTask:
        """What whoever checks a version needs to know."""
        return CheckTask(version.spec, self.store.parcel(version.sha256), self.settings.terms, self.private)

    def settle(self, version: Version, result: CheckResult, now: float | None = None) -> Version:
        """Note what the check of a version found: it plays from its next game on, or is refused."""
        moment = time.time() if now is None else now
        return self.ledger.settle(_settled(version, result, result.problem, moment))

    def check(self, version: Version) -> Version:
        """Check a version now, in the sandbox, and note the result; one that was checked before is as it is."""
        for waiting, task in self.check_tasks([version]):
            return self.settle(waiting, check(task))
        return self.ledger.version(version.student, version.number)

    def waiting(self) -> list[Version]:
        """What has been handed in and not been checked: one version of everybody, the oldest first, then the next."""
        turns: Counter[str] = Counter()
        listed = []
        for version in self.ledger.waiting():
            listed.append((turns[version.student], version))
            turns[version.student] += 1
        return [version for _, version in sorted(listed, key=lambda entry: entry[0])]

    def check_tasks(self, versions: Iterable[Version]) -> Iterator[tuple[Version, CheckTask]]:
        """Those of some versions that wait to be checked, with what that needs.

        One whose files are damaged in the store is refused here, so that it stops no other.
        """
        for version in versions:
            if version.state is State.WAITING:
                try:
                    yield version, self.check_task(version)
                except ValueError as error:
                    self.settle(version, unchecked(f"{error}; hand it in again"))

    @property
    def private(self) -> tuple[str, ...]:
        """Files that no bot may see."""
        return tuple(str(self.folder / name) for name in (STORE, settings.FILE, roster.FILE))

    # What a student sees

    def versions(self, student: str) -> list[Version]:
        """What a student has handed in, the newest first."""
        return self.ledger.versions(student)[::-1]

    def current(self, student: str) -> Version | None:
        """The version that plays, or would if nobody had withdrawn or paused it."""
        return self.ledger.current().get(student)

    def graded(self, student: str) -> Version | None:
        """The version that is graded: the one a teacher chose, or the one that the settings say."""
        accepted = [version for version in self.versions(student) if version.accepted]
        chosen = self.ledger.note(f"graded/{student}")
        if chosen:
            return next((version for version in accepted if str(version.number) == chosen), None)
        in_time = [each for each in accepted if not self.settings.days_late(student, each.handed_in)]
        if self.settings.graded == "in time" and in_time:
            return in_time[0]
        return accepted[0] if accepted else None

    def choose_graded(self, student: str, number: int | None) -> None:
        """Grade a version whatever comes later, or with None again the one that the settings say.

        ValueError when it is no accepted version.
        """
        self.member(student)
        accepted = [version.number for version in self.versions(student) if version.accepted]
        if number is not None and number not in accepted:
            known = ", ".join(map(str, sorted(accepted))) or "none"
            raise ValueError(f"{student} has no accepted version {number}; accepted: {known}")
        self.ledger.set_note(f"graded/{student}", "" if number is None else str(number))

    def same_files(self, version: Version) -> list[Version]:
        """Versions of other students with the very same files, the oldest first."""
        return [
            other
            for other in self.ledger.versions()
            if other.sha256 == version.sha256 and other.student != version.student and version.sha256
        ]

    def note_evidence(self, student: str, key: str) -> None:
        """Note under which name it is kept what was seen of a student."""
        keys = dict.fromkeys([*filter(None, self.ledger.note(f"evidence/{student}").split()), key])
        self.ledger.set_note(f"evidence/{student}", " ".join(keys))

    def forget_evidence(self, student: str) -> list[str]:
        """The names under which it is kept what was seen of a student and of nobody else."""
        keys = {each: self.ledger.note(f"evidence/{each}").split() for each in self.roster}
        others = {key for each, theirs in keys.items() if each != student for key in theirs}
        return [key for key in keys[student] if key not in others]

    def _players(self, student: str) -> list[str]:
        return [version.player for version in self.versions(student)]

    def games(self, student: str, most: int = 50) -> list[GameLine]:
        """The last games of a student, the newest first."""
        lines = []
        for game in self.store.latest_of(self._players(student), most):
            other = game.second if student_of(game.first)[0] == student else game.first
            lines.append(game_line(game, student, self.shown(other)))
        return lines

    def faults(self, student: str, most: int = 20) -> list[StudentFault]:
        """The last games that a student's bot lost by its own fault, the newest first."""
        games = self.store.latest_of(self._players(student), most, FAULTS)
        return [fault for game in games if (fault := fault_of(game, student)) is not None]

    def game(self, student: str, key: str) -> GameRecord:
        """A game of a student, under the names that are shown; LookupError when it is not one of theirs."""
        try:
            game = self.store.game(key)
        except KeyError:
            raise LookupError(f"there is no game {key!r}") from None
        side_of(game, student)
        return record_for(game, student, (self.shown(game.first), self.shown(game.second)))

    def feedback(self, student: str, now: float | None = None) -> dict[str, Any] | None:
        """The grade that a student last got, as JSON values; None where there is none.

        What the rubric hides is left out until nobody can hand in any more.
        """
        found = self.ledger.note(f"grade/{student}")
        if not found:
            return None
        moment = time.time() if now is None else now
        ends = [self.settings.last_moment(each) for each in self.roster]
        over = None not in ends and all(moment > end.timestamp() for end in ends if end is not None)
        grade: dict[str, Any] = parse_json(found)
        try:
            shown = without_hidden(grade)
        except (TypeError, LookupError, AttributeError):
            raise ValueError(f"the grade of {student!r} in the store is damaged: grade the class again") from None
        return grade if over else shown

    def history(self, student: str) -> list[HistoryPoint]:
        """What the versions of a student were rated, the oldest first."""
        return self.ledger.history(student)

    # What everybody sees

    def standings(self, now: float | None = None) -> Standings:
        """The table; worked out anew when something has changed, which may take seconds in a large class.

        While the ladder runs, which renews it now and then, it may be half a minute old.
        """
        moment = time.time() if now is None else now
        kept = self.kept_standings()
        if kept is None or (kept.stamp != self.stamp() and not self._renewed_elsewhere(kept, moment)):
            kept = self.renew_standings(moment)
        return kept._replace(lines=tuple(self._named(kept)))

    def _named(self, kept: Standings) -> Iterator[Line]:
        states = self.ledger.states()
        for line in kept.lines:
            yield line._replace(name=self.shown(line.student, states)) if line.student else line

    def _renewed_elsewhere(self, kept: Standings, moment: float) -> bool:
        return moment - kept.moment < FRESH_SECONDS and is_held(self.store.path)

    def kept_standings(self) -> Standings | None:
        """The table as it was last worked out."""
        text = self.ledger.note("standings")
        return Standings.of_json(text) if text else None

    def renew_standings(self, moment: float, given: list[GameScore] | None = None) -> Standings:
        """Work out the table, and keep it; who has read all games already gives them."""
        stamp, kept = self.stamp(), self.kept_standings()
        scores = list(self.store.scores().values()) if given is None else given
        lines, values = lines_of(self.field(), scores, kept.values if kept else {})
        found = Standings(moment, len(scores), stamp, tuple(lines), values)
        self.ledger.set_note("standings", found.to_json())
        return found

    def field(self) -> Field:
        """Who takes part."""
        versions = [version for version in self.ledger.versions() if version.accepted]
        return Field(self.settings.anchors, versions, self.ledger.current(), self.ledger.states())

    def stamp(self) -> str:
        """A text that changes with whatever the table depends on."""
        states = sorted((key, state.withdrawn, state.paused) for key, state in self.ledger.states().items())
        versions = sorted((key, version.number) for key, version in self.ledger.current().items())
        return fingerprint_of([repr((self.store.count(), versions, states, self.settings.anchors)).encode()])

    def live(self, now: datetime | None = None) -> ClassNow:
        """What is going on now."""
        moment = now or datetime.now()
        running = is_held(self.store.path)
        games = self.store.under_way() if running else []
        shown = [
            UnderWayLine(
                game.id,
                self.shown(game.first),
                self.shown(game.second),
                game.since,
                tuple(moves_of(self.store.path, game.id)),
            )
            for game in games
        ]
        quiet = any(each.holds(moment) for each in self.settings.ladder.quiet)
        return ClassNow(running, self.paused, quiet, len(self.waiting()), self.store.count(), tuple(shown))


def _game_of(store: Store) -> str:
    """The game of a class; ValueError when its store is damaged."""
    try:
        return str(parse_json(store.plan)["game"])
    except (ValueError, TypeError, LookupError):
        raise ValueError(f"{store.path} is damaged: it does not say which game the class plays") from None


def _settled(version: Version, result: CheckResult, problem: str, moment: float) -> Version:
    return replace(
        version,
        state=State.REFUSED if problem else State.ACCEPTED,
        checked=moment,
        problem=problem,
        findings=result.findings,
        isolation=str(result.isolation or ""),
    )
