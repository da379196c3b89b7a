"""Games over HTTP and sockets: what changes them, and all that must not."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from plyground.web.rooms.room import lock_of
from plyground.web.security.quotas import Quotas
from serving import Room, Serving, Socket, serving
from waiting import eventually


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    with serving(quotas=Quotas(workers=1, games_per_client=1000)) as running:
        yield running


def refused(answer: httpx.Response, status: int, code: str) -> str:
    assert (answer.status_code, answer.json()["error"]) == (status, code), answer.text
    message: str = answer.json()["message"]
    return message


def test_a_game_is_played_to_its_end_and_kept_as_a_record(server: Serving) -> None:
    room = server.open(first="me", second="me")
    room.play_all("4", "5", "4", "5", "4", "5", "4")
    state = room.state()
    assert (state["result"], state["termination"]) == ("1-0", "pattern")
    assert len(state["position"]["outcome"]["cells"]) == 4
    record = room.client.get(f"/api/rooms/{room.id}/record").text
    assert '[Result "1-0"]' in record
    assert record.startswith('[Event "Game on the page"]\n[Date "')
    assert room.client.get(f"/api/rooms/{room.id}/record?form=json").json()["result"] == "1-0"


def test_a_late_or_duplicate_move_changes_nothing(server: Serving) -> None:
    room = server.open()
    assert room.play(0, "4").status_code == 200
    assert "ply 0" in refused(room.play(0, "4"), 409, "stale")
    refused(room.play(5, "4"), 409, "stale")
    assert room.state()["moves"] == ["4"]


def test_an_illegal_move_is_explained_and_changes_nothing(server: Serving) -> None:
    room = server.open()
    room.play_all("1", "1", "1", "1", "1", "1", "1")
    assert "column 1 is full" in refused(room.play(7, "1"), 422, "illegal")
    refused(room.play(7, "G99"), 422, "illegal")
    assert len(room.state()["moves"]) == 7


def test_who_is_not_to_move_waits(server: Serving) -> None:
    room = server.open(second="friend")
    friend = room.friend()
    refused(friend.play(0, "4"), 409, "out-of-turn")
    assert room.play(0, "4").status_code == 200
    refused(room.play(1, "4"), 409, "out-of-turn")
    assert friend.play(1, "4").status_code == 200


@pytest.mark.parametrize("token", [None, "forged", "ÿ" * 10, "a" * 5000])
def test_nobody_moves_resigns_or_takes_back_without_a_token_of_the_game(server: Serving, token: str | None) -> None:
    room = server.open()
    room.play_all("4")
    headers = {} if token is None else {b"Authorization": f"Bearer {token}".encode()}
    for deed, body in (("moves", {"ply": 1, "move": "4"}), ("resign", {}), ("undo", {}), ("rematch", {})):
        answer = room.client.post(f"/api/rooms/{room.id}/{deed}", json=body, headers=headers)
        refused(answer, 403, "no-seat")
    assert (room.state()["moves"], room.state()["result"]) == (["4"], "*")


def test_the_token_of_another_game_is_worth_nothing_here(server: Serving) -> None:
    mine, other = server.open(), server.open()
    refused(Room(server, mine.client, other.id, mine.token).play(0, "4"), 403, "no-seat")


def test_a_program_s_seat_cannot_be_taken_over(server: Serving) -> None:
    room = server.open(first="ai", second="me")
    assert server.hub is not None
    seat = server.hub.live[room.id].room.seats[0]
    seat.lock = lock_of("known")
    refused(Room(server, room.client, room.id, "known").play(0, "4"), 403, "no-seat")


def test_what_is_kept_of_a_token_opens_no_seat(server: Serving) -> None:
    room = server.open()
    assert server.hub is not None
    kept = server.hub.live[room.id].room.seats[0].lock
    refused(Room(server, room.client, room.id, kept).play(0, "4"), 403, "no-seat")
    assert room.play(0, "4").status_code == 200


def test_a_third_person_watches(server: Serving) -> None:
    room = server.open(second="friend")
    room.friend()
    refused(server.client().post(f"/api/rooms/{room.id}/join", json={}), 409, "no-free-seat")
    with Socket(server, room.id) as watching:
        assert watching.welcome["you"] == []
        room.play_all("4")
        assert watching.until("state")["moves"] == ["4"]
        watching.say(type="move", ply=1, move="4")
        assert watching.until("error")["error"] == "no-seat"
    assert room.state()["moves"] == ["4"]


def test_a_game_that_does_not_exist_is_not_found(server: Serving) -> None:
    client = server.client()
    for name in ("nothing", "x" * 500, "%00", "..%2f..%2fetc"):
        answer = client.get(f"/api/rooms/{name}")
        assert answer.status_code == 404, name
    with pytest.raises(ConnectionClosed), Socket(server, "nothing"):
        pass


def test_both_people_must_agree_to_take_back(server: Serving) -> None:
    room = server.open(second="friend")
    friend = room.friend()
    room.play_all("4")
    assert friend.play(1, "5").status_code == 200
    with friend.socket() as socket:
        asked = room.ask("undo").json()
        assert (asked["done"], asked["state"]["undo_asked"]) == (False, "first")
        assert socket.until("state")["undo_asked"] == "first"
        assert room.ask("undo").json()["done"] is False  # asking twice is not agreeing
        assert room.state()["moves"] == ["4", "5"]
        assert friend.ask("undo").json()["done"] is True
        assert socket.until("state", lambda reported: not reported["moves"])["undo_asked"] is None


def test_a_wish_to_take_back_lapses_with_the_next_move(server: Serving) -> None:
    room = server.open(second="friend")
    friend = room.friend()
    room.play_all("4")
    room.ask("undo")
    assert friend.play(1, "5").status_code == 200
    assert friend.ask("undo").json()["done"] is False
    assert room.state()["moves"] == ["4", "5"]


def test_nothing_to_take_back_is_said(server: Serving) -> None:
    refused(server.open().ask("undo"), 409, "nothing-to-undo")
    room = server.open(second="friend")
    friend = room.friend()
    room.play_all("4")
    refused(friend.ask("undo"), 409, "nothing-to-undo")


def test_taking_back_against_a_program_goes_to_one_s_own_turn(server: Serving) -> None:
    room = server.open(second="ai", ai_seconds=0.05)
    room.play_all("4")
    eventually(lambda: len(room.state()["moves"]) == 2)
    assert room.ask("undo").json()["done"] is True
    assert room.state()["moves"] == []


def test_a_refused_wish_does_not_stop_a_thinking_program(server: Serving) -> None:
    room = server.open(first="ai", second="me", ai_seconds=0.3)
    refused(room.ask("undo"), 409, "nothing-to-undo")
    eventually(lambda: len(room.state()["moves"]) == 1)


def test_who_resigns_loses_and_nothing_more_is_played(server: Serving) -> None:
    room = server.open(second="friend")
    room.friend()
    assert room.ask("resign").json()["result"] == "0-1"
    refused(room.play(0, "4"), 409, "over")
    refused(room.ask("resign"), 409, "over")
    refused(room.ask("undo"), 409, "over")


def test_a_rematch_swaps_the_sides_and_keeps_the_tokens(server: Serving) -> None:
    room = server.open(second="friend", control={"seconds": 60, "increment": 1})
    friend = room.friend("Grace")
    refused(room.ask("rematch"), 409, "not-over")
    room.ask("resign")
    with friend.socket() as socket:
        again = room.ask("rematch").json()["id"]
        assert socket.until("state")["rematch"] == again
    assert friend.ask("rematch").json()["id"] == again
    theirs = Room(server, friend.client, again, friend.token)
    assert theirs.play(0, "4").status_code == 200
    assert theirs.state()["names"][0] == "Grace"
    assert theirs.state()["clocks"] == pytest.approx([60, 60], abs=5)


def test_a_clock_runs_from_the_first_move_and_its_flag_ends_the_game(server: Serving) -> None:
    room = server.open(control={"seconds": 0.3, "increment": 0})
    with room.socket() as socket:
        assert room.state()["clocks"] == [0.3, 0.3]
        room.play_all("4")
        ended = socket.until("state", lambda reported: reported["result"] != "*")
    assert (ended["result"], ended["termination"]) == ("1-0", "time exceeded")
    assert ended["clocks"][1] == 0
    refused(room.play(1, "4"), 409, "over")


def test_an_increment_is_added_after_each_move(server: Serving) -> None:
    room = server.open(control={"seconds": 50, "increment": 10})
    room.play_all("4", "5", "4", "5")
    first, second = room.state()["clocks"]
    assert 58 < first <= 60
    assert 68 < second <= 70


def test_a_program_with_little_time_left_hurries(server: Serving) -> None:
    room = server.open(second="ai", control={"seconds": 8, "increment": 0}, ai_seconds=10)
    room.play_all("4")
    eventually(lambda: len(room.state()["moves"]) == 2)
    assert room.state()["result"] == "*"


def test_a_game_may_begin_in_any_position(server: Serving) -> None:
    room = server.open(moves=["4", "4", "5", "5", "6", "6"])
    assert room.play(6, "7").json()["result"] == "1-0"
    over = server.open(moves=["4", "5", "4", "5", "4", "5", "4"])
    assert over.state()["result"] == "1-0"
    body = {"game": "connect-four", "moves": ["4", "99"]}
    refused(room.client.post("/api/rooms", json=body), 422, "bad-position")


def test_names_are_kept_as_text_and_cleaned(server: Serving) -> None:
    client = server.client()
    seat = {"kind": "me", "name": "<b>\u202e\nEve\0" + "x" * 60}
    reported = client.post("/api/rooms", json={"game": "tic-tac-toe", "first": seat, "second": seat}).json()
    name = client.get(f"/api/rooms/{reported['id']}").json()["state"]["names"][0]
    assert name.startswith("<b>Eve")
    assert len(name) == 40


def test_a_pasted_record_or_list_of_moves_is_read(server: Serving) -> None:
    room = server.open("polarized-ladder")
    room.play_all("G3", "H4")
    client = room.client
    record = client.get(f"/api/rooms/{room.id}/record").text
    assert client.post("/api/record", json={"text": record}).json()["moves"] == ["G3", "H4"]
    reported = client.post("/api/record", json={"text": "4453", "game": "connect-four"}).json()
    assert reported == {"game": "connect-four", "moves": ["4", "4", "5", "3"]}
    for text, game in (("", None), ("nonsense", None), ("[Game", "connect-four")):
        refused(client.post("/api/record", json={"text": text, "game": game}), 422, "bad-record")
    for text, game in (("99", "connect-four"), ("4", "no")):
        refused(client.post("/api/record", json={"text": text, "game": game}), 422, "bad-position")


def test_a_line_of_play_shows_the_legal_moves_of_its_last_position_only(server: Serving) -> None:
    body = {"game": "connect-four", "moves": ["4", "5"]}
    positions = server.client().post("/api/positions", json=body).json()["positions"]
    assert [position["moves"] is None for position in positions] == [True, True, False]
    assert [position.get("played", {}).get("move") for position in positions] == [None, "4", "5"]
    assert len(positions[-1]["moves"]) == 8


def test_what_a_socket_says_is_done_as_a_request_would(server: Serving) -> None:
    room = server.open()
    with room.socket() as socket:
        assert socket.welcome["you"] == ["first", "second"]
        for ply, move in enumerate("4545"):
            socket.say(type="move", ply=ply, move=move)
            assert len(socket.until("state")["moves"]) == ply + 1
        socket.say(type="undo")
        assert len(socket.until("state")["moves"]) == 3
        socket.say(type="look")
        assert socket.until("look")["threats"] == []
        socket.say(type="ping")
        assert socket.until("pong")
        socket.say(type="resign")
        assert socket.until("state")["termination"] == "resignation"
        socket.say(type="rematch")
        assert socket.until("state")["rematch"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "garbled"),
        ("[]", "garbled"),
        ('{"type": 3}', "garbled"),
        ('{"type": "fly"}', "unknown-type"),
        ('{"type": "move"}', "garbled"),
        ('{"type": "move", "ply": true, "move": "4"}', "garbled"),
        ('{"type": "move", "ply": 0, "move": "' + "4" * 100 + '"}', "garbled"),
        ('{"type": "move", "ply": 0, "move": "\\ud800"}', "illegal"),
        ("[" * 5000, "garbled"),
    ],
)
def test_what_a_socket_says_wrongly_is_answered_and_the_game_goes_on(server: Serving, text: str, code: str) -> None:
    room = server.open()
    with room.socket() as socket:
        socket.raw.send(text)
        assert socket.until("error")["error"] == code
        socket.say(type="move", ply=0, move="4")
        assert socket.until("state")["moves"] == ["4"]


def test_a_token_that_is_not_even_text_is_a_spectator_s(server: Serving) -> None:
    room = server.open()
    with Socket(server, room.id, "\ud800") as socket:
        assert socket.welcome["you"] == []


def test_a_request_to_take_back_can_be_declined_by_the_other_person_only(server: Serving) -> None:
    room = server.open(second="friend")
    friend = room.friend("Grace")
    refused(friend.ask("decline"), 409, "not-asked")
    room.play_all("4")
    assert room.ask("undo").json()["done"] is False
    refused(room.ask("decline"), 409, "not-asked")
    with room.socket() as socket:
        assert friend.ask("decline").json()["undo_asked"] is None
        socket.until("declined")
    assert room.state()["moves"] == ["4"]


def test_only_games_opened_for_everybody_are_listed_until_they_are_over(server: Serving) -> None:
    hidden = server.open("tic-tac-toe", second="friend")
    shown = server.open("tic-tac-toe", first="engine:level=3", second="friend", listed=True)
    listed = {one["id"]: one for one in shown.client.get("/api/rooms").json()}
    assert hidden.id not in listed
    assert listed[shown.id]["free"]
    assert listed[shown.id]["names"][0] == "3 Casual"
    friend = shown.friend("Grace")
    listed = {one["id"]: one for one in shown.client.get("/api/rooms").json()}
    assert not listed[shown.id]["free"]
    friend.ask("resign")
    assert shown.id not in {one["id"] for one in shown.client.get("/api/rooms").json()}


def test_people_with_a_clock_get_no_hints_and_others_do(server: Serving) -> None:
    clock = {"seconds": 60, "increment": 0}
    assert server.open(second="friend").state()["hints"]
    assert server.open(second="ai", control=clock).state()["hints"]
    assert not server.open(second="friend", control=clock).state()["hints"]


def test_a_program_is_called_by_its_level_s_name(server: Serving) -> None:
    first, second = server.open(first="engine:level=3", second="alpha-beta:depth=1").state()["titles"]
    assert (first["name"], first["level"]["number"]) == ("3 Casual", 3)
    assert second == {"name": "alpha-beta:depth=1", "level": None}
    assert server.open().state()["titles"] == [None, None]
