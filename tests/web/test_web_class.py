"""The class on the server: handing in by a link, what a student sees, what nobody else does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from classes import CRASH, FIRST, LAST, SETTINGS, accepted, new_class
from command import run
from plyground.course.classroom import Classroom
from plyground.course.version import State
from serving import Serving, serving
from waiting import eventually

FILE = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_class(tmp_path_factory.mktemp("class"), "ada", "ben", "eve", *(f"s{n}" for n in range(20)))


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Serving]:
    with serving(class_folder=folder) as running:
        yield running


def token(folder: Path, student: str) -> str:
    with Classroom.open(folder) as room:
        return room.link(student)


def student(server: Serving, key: str) -> httpx.Client:
    client = server.client()
    client.headers["Authorization"] = f"Bearer {key}"
    return client


def hand_in(client: httpx.Client, text: str, file: str = "bot.py") -> httpx.Response:
    return client.post("/api/class/own/versions", params={"file": file}, content=text.encode(), headers=FILE)


def checked(client: httpx.Client) -> dict[str, Any]:
    """The newest version of a student once it has been checked."""
    eventually(lambda: client.get("/api/class/own").json()["versions"][0]["state"] != "waiting")
    found: dict[str, Any] = client.get("/api/class/own").json()["versions"][0]
    return found


def test_what_a_student_hands_in_is_checked_and_then_plays(server: Serving, folder: Path) -> None:
    ada = student(server, token(folder, "ada"))
    answer = hand_in(ada, FIRST)
    assert (answer.status_code, answer.json()["number"]) == (201, 1)
    version = checked(ada)
    assert version["state"] == "accepted", version
    assert all(found["passed"] for found in version["findings"])
    own = ada.get("/api/class/own").json()
    assert (own["name"], own["plays"], own["line"]["name"]) == ("Ada Smith", 1, "Ada Smith")


def test_a_bot_that_crashes_is_refused_with_the_reason_and_the_one_before_plays_on(
    server: Serving, folder: Path
) -> None:
    ben = student(server, token(folder, "ben"))
    hand_in(ben, LAST)
    assert checked(ben)["state"] == "accepted"
    hand_in(ben, CRASH)
    version = checked(ben)
    assert version["state"] == "refused"
    assert any("ZeroDivisionError" in found["stderr"] for found in version["findings"])
    assert ben.get("/api/class/own").json()["plays"] == 1


def test_an_empty_file_is_refused_as_empty(server: Serving, folder: Path) -> None:
    client = student(server, token(folder, "s2"))
    assert hand_in(client, "").status_code == 201
    version = checked(client)
    assert (version["state"], version["problem"]) == ("refused", "bot.py is empty")


def test_everybody_sees_names_and_nobody_an_id_or_a_file(server: Serving, folder: Path) -> None:
    reported = server.client().get("/api/class").json()["class"]
    assert (reported["title"], reported["game"]) == ("Games", "tic-tac-toe")
    assert not any("student" in line for line in reported["standings"])
    assert "bot.py" not in server.client().get("/api/class").text


def test_a_pseudonym_is_what_others_see(server: Serving, folder: Path) -> None:
    with Classroom.open(folder) as room:
        accepted(room, "eve", "def choose(position, limit):\n    return position.moves()[1 % len(position.moves())]\n")
    eve = student(server, token(folder, "eve"))
    shown = eve.put("/api/class/own/name", json={"pseudonym": True}).json()["shown"]
    assert shown != "Eve Smith"
    names = {line["name"] for line in server.client().get("/api/class").json()["class"]["standings"]}
    assert shown in names
    assert "Eve Smith" not in names
    assert eve.put("/api/class/own/name", json={"pseudonym": False}).json()["shown"] == "Eve Smith"


def test_a_game_is_shown_to_its_players_only(tmp_path: Path) -> None:
    place = new_class(tmp_path / "class", "ada", "ben")
    with Classroom.open(place) as room:
        accepted(room, "ada", FIRST)
    done = run("class", "run", str(place), "--games", "2", "--workers", "1")
    assert done.returncode == 0, done.stderr
    with serving(class_folder=place) as running:
        ada, ben = (student(running, token(place, name)) for name in ("ada", "ben"))
        games = ada.get("/api/class/own").json()["games"]
        assert len(games) >= 2
        one = ada.get(f"/api/class/own/games/{games[0]['id']}")
        assert one.status_code == 200
        assert "Ada Smith" in (one.json()["first"], one.json()["second"])
        assert ben.get("/api/class/own").json()["games"] == []
        assert ben.get(f"/api/class/own/games/{games[0]['id']}").status_code == 404


@pytest.mark.parametrize("path", ["/api/class/own", "/api/class/own/games/1"])
@pytest.mark.parametrize("key", ["", "x", "YWRh.ffffffff.0.AAAA", "é", "a" * 5000])
def test_who_has_no_link_sees_and_hands_in_nothing(server: Serving, path: str, key: str) -> None:
    client = server.client()
    headers = {b"Authorization": f"Bearer {key}".encode()} if key else {}
    answer = client.get(path, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["error"].startswith("link-")
    assert client.post("/api/class/own/versions?file=bot.py", content=b"x", headers=headers).status_code == 403


def test_links_that_have_expired_or_were_renewed_open_nothing(server: Serving, folder: Path) -> None:
    with Classroom.open(folder) as room:
        old = room.link("s1", now=time.time() - 400 * 24 * 3600)
        replaced = room.link("s2")
        room.renew_link("s2")
    assert student(server, old).get("/api/class/own").json()["error"] == "link-expired"
    assert student(server, replaced).get("/api/class/own").json()["error"] == "link-renewed"
    assert student(server, token(folder, "s2")).get("/api/class/own").status_code == 200


@pytest.mark.parametrize(
    ("file", "data", "status", "code"),
    [
        ("bot.exe", b"MZ", 422, "hand-in-kind"),
        ("bot.zip", b"no archive", 422, "hand-in-unreadable"),
        ("bot.py", b"#" * 1_500_000, 413, "hand-in-too-large"),
        ("bot.py", b"#" * 3_000_000, 413, "too-large"),
        ("", b"x", 422, "misshapen"),
    ],
)
def test_what_cannot_be_handed_in_is_refused_with_the_reason(
    server: Serving, folder: Path, file: str, data: bytes, status: int, code: str
) -> None:
    client = student(server, token(folder, "s3"))
    answer = client.post("/api/class/own/versions", params={"file": file}, content=data, headers=FILE)
    assert (answer.status_code, answer.json()["error"]) == (status, code)
    assert client.get("/api/class/own").json()["versions"] == []


def test_the_same_files_twice_and_too_many_versions_are_refused(tmp_path: Path) -> None:
    place = new_class(tmp_path / "class", "ada", settings=SETTINGS + "\n[intake]\nper_hour = 2\n")
    with serving(class_folder=place) as running:
        ada = student(running, token(place, "ada"))
        assert hand_in(ada, FIRST).status_code == 201
        assert hand_in(ada, FIRST).json()["error"] == "hand-in-same"
        assert hand_in(ada, LAST).status_code == 201
        late = hand_in(ada, FIRST + "\n")
        assert (late.status_code, late.json()["error"]) == (429, "hand-in-too-many")


def test_a_whole_class_hands_in_at_once(server: Serving, folder: Path) -> None:
    keys = [token(folder, f"s{n}") for n in range(4, 20)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda key: hand_in(student(server, key), FIRST), keys))
    assert [answer.status_code for answer in answers] == [201] * len(keys)
    with Classroom.open(folder) as room:
        assert all(len(room.versions(f"s{n}")) == 1 for n in range(4, 20))


@pytest.mark.slow
def test_sixty_students_hand_in_within_a_minute_and_nothing_is_lost(tmp_path: Path) -> None:
    names = [f"t{n:02}" for n in range(60)]
    place = new_class(tmp_path / "class", *names)
    keys = {name: token(place, name) for name in names}

    def patiently(name: str, text: str) -> list[int]:
        """The statuses of handing in until it is taken; who is asked to wait does so."""
        client, statuses = student(running, keys[name]), list[int]()
        while not statuses or statuses[-1] in (429, 503):
            answer = hand_in(client, text)
            statuses.append(answer.status_code)
            if statuses[-1] != 201:
                time.sleep(min(5.0, float(answer.headers.get("Retry-After", 1))))
        return statuses

    with serving(class_folder=place) as running:
        with ThreadPoolExecutor(60) as pool:
            started = time.monotonic()
            texts = [f"# {name}\n{CRASH if number % 10 == 0 else FIRST}" for number, name in enumerate(names)]
            statuses = list(pool.map(patiently, names, texts))
            seconds = time.monotonic() - started
        print(f"60 handed in within {seconds:.1f} s, {sum(map(len, statuses)) - 60} times asked to wait")
        assert all(each[-1] == 201 for each in statuses), statuses
        with Classroom.open(place) as room:
            eventually(lambda: not room.waiting(), 900)
            for number, (name, text) in enumerate(zip(names, texts, strict=True)):
                (version,) = room.versions(name)
                assert version.state is (State.REFUSED if number % 10 == 0 else State.ACCEPTED), version.problem
                assert room.store.parcel(version.sha256).files == (("bot.py", text.encode()),)


def test_a_personal_link_leads_to_the_page(server: Serving, folder: Path) -> None:
    key = token(folder, "ada")
    answer = server.client().get(f"/class/{key}", follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"../#/class/own/{key}")


def test_without_a_class_there_is_none_to_see() -> None:
    with serving() as running:
        assert running.client().get("/api/class").json() == {"class": None}
        answer = running.client().get("/api/class/own")
        assert (answer.status_code, answer.json()["error"]) == (404, "not-found")


def test_a_folder_without_a_class_cannot_be_served(tmp_path: Path) -> None:
    done = run("serve", "--class", str(tmp_path), "--port", "0")
    assert done.returncode == 1
    assert "there is no class in" in done.stderr
