"""What the box says, in the language of the phone that hears it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from companion.table import Table
from tests.web.conftest import NewPhone, Phone
from tests.web.sentences import GAP, sentences, shape
from tests.web.test_scans import PaperDesk, Sheet
from web import Settings, create_app
from web.answers import SMALL_BODY
from web.languages import LANGUAGES, SENTENCES, Phrasebook, catalogue, tell_in
from web.seats import Seats
from web.server import Server, serve

GERMAN = {"Accept-Language": "de-AT,de;q=0.9,en;q=0.5"}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_that_can_reach_a_phone_is_known(language: str) -> None:
    known = set(map(shape, catalogue(language, SENTENCES)))
    said = sentences()
    assert len(said) > 200
    assert {text: file for text, file in said.items() if shape(text) not in known} == {}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_sentence_is_left_over_and_none_loses_what_it_tells(language: str) -> None:
    said = set(map(shape, sentences()))
    for text, words in catalogue(language, SENTENCES).items():
        assert shape(text) in said, text
        assert isinstance(words, str)
        assert sorted(GAP.findall(words)) == sorted(GAP.findall(text)), text


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_sentence_is_taken_for_itself_whatever_fills_it(language: str) -> None:
    for text, words in catalogue(language, SENTENCES).items():
        gaps = {gap: f"<{number}>" for number, gap in enumerate(GAP.findall(text))}
        assert tell_in(language, text.format(**gaps)) == str(words).format(**gaps)


def test_what_fills_a_gap_is_said_too() -> None:
    book = Phrasebook({"{what} costs {n}.": "{what} kostet {n}.", "A hat of {name}": "Ein Hut von {name}"})
    assert book.say("A hat of Ada costs 3.") == "Ein Hut von Ada kostet 3."


def test_a_row_of_sentences_is_said_one_after_another() -> None:
    book = Phrasebook({"It rains. Go in.": "Es regnet. Geht rein.", "Take a hat.": "Nimm einen Hut."})
    assert book.say("Take a hat. It rains. Go in. Odd.") == "Nimm einen Hut. Es regnet. Geht rein. Odd."


def test_a_refusal_is_in_the_language_of_the_phone(tablet: Phone) -> None:
    body = {"do": "draw_funds", "backs": ["bag", "bag"]}
    english = tablet.post("/api/table/commands", body).json["error"]
    german = tablet.post("/api/table/commands", body, GERMAN).json["error"]
    assert english == {"code": "wrong_phase", "message": "Not now: new finds must be laid out."}
    assert german == {
        "code": "wrong_phase",
        "message": "Das geht gerade nicht: jetzt werden neue Fundstücke ausgelegt.",
    }


def test_the_owner_of_a_phone_may_choose_another_language_than_it_has(phone: Phone) -> None:
    phone.cookies["language"] = "en"
    assert phone.sit(code="WRONG").json["error"]["message"] == "This is not the code of this table."
    phone.cookies["language"] = "de"
    assert phone.sit(code="WRONG").json["error"]["message"] == "Das ist nicht der Code dieses Tisches."


def test_names_and_numbers_stand_in_the_german_sentence(new_phone: NewPhone, tablet: Phone) -> None:
    ben = new_phone()
    ben.sit("Ben")
    tablet.do(do="lay_out", finds=["V50J3", "J12M4", "M30B2", "B45V1", "V21B5"])
    tablet.do(do="draw_funds", backs=["bag", "chest"])
    refused = ben.post("/api/table/commands", {"do": "place_figure", "space": 3}, GERMAN).json["error"]
    assert refused == {"code": "not_yours", "message": "Ada ist am Zug: dieses Handy gehört Ben."}
    taken = tablet.post("/api/table/commands", {"do": "place_figure", "space": 7}, GERMAN).json["error"]
    assert taken == {"code": "space_taken", "message": "Auf Feld 7 steht der Grabräuber."}


def test_what_is_refused_before_it_reaches_the_page_is_in_german_too(phone: Phone) -> None:
    headers = {**GERMAN, "Content-Length": str(SMALL_BODY + 1)}
    answer = phone.call("POST", "/api/table/commands", headers=headers, raw=b"{}")
    assert answer.json["error"] == {"code": "too_large", "message": f"Höchstens {SMALL_BODY} Bytes, bitte."}


def test_a_wrong_address_leads_back_to_the_table(phone: Phone) -> None:
    answer = phone.get("/nowhere", GERMAN)
    assert answer.status == 404
    page = answer.body.decode()
    assert '<html lang="de">' in page
    assert "Unter dieser Adresse ist nichts." in page
    assert '<a href="/">' in page
    assert phone.get("/api/nowhere", GERMAN).json["error"]["message"] == "Unter dieser Adresse ist nichts."


class Doubtful(Sheet):
    """A scan with something to say about itself."""

    def to_json(self) -> dict[str, Any]:
        return {
            **super().to_json(),
            "pieces": [{"code": "V50J3", "trouble": "It is blurred; keep the camera still and in focus."}],
            "problem": {"code": "not_sure", "message": "Not all pieces are sure: answer on a phone, or scan again."},
            "troubles": [{"code": "too_dark", "message": "It is too dark to read. Turn on a lamp."}],
        }


@pytest.fixture
def desk() -> PaperDesk:
    return PaperDesk()


@pytest.fixture
def server(table: Table, seats: Seats, desk: PaperDesk) -> Iterator[Server]:
    server = serve(create_app(table, seats, desk), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def test_what_a_scan_says_is_told_to_each_listening_phone_in_its_language(phone: Phone, desk: PaperDesk) -> None:
    german, english = phone.listen("Accept-Language: de\r\n"), phone.listen()
    for ear in (german, english):
        assert ear.event("scan").data is None
    desk.put(Doubtful("d1", None))
    told = german.event("scan").data
    assert told["pieces"][0]["trouble"] == "Es ist unscharf; halte die Kamera ruhig und scharf."
    assert told["problem"]["message"].startswith("Nicht alle Teile sind sicher")
    assert told["troubles"][0]["message"] == "Es ist zu dunkel zum Lesen. Schalte eine Lampe ein."
    assert english.event("scan").data == Doubtful("d1", None).to_json()
    assert phone.get("/api/scans/current", GERMAN).json["scan"] == told


def test_what_is_in_the_cameras_way_is_told_where_a_photograph_is_wanted(table: Table, seats: Seats) -> None:
    camera = {"sight": "hanging", "message": "The camera hangs: go on by hand, and plug it in again."}
    phone = create_app(table, seats, settings=Settings(status=lambda: {"camera": dict(camera)})).test_client()
    for headers, said in (
        (None, camera["message"]),
        (GERMAN, "Die Kamera hängt: macht von Hand weiter und steckt sie neu ein."),
    ):
        scan, status = (phone.get(path, headers=headers).get_json() for path in ("/api/scans/current", "/api/status"))
        assert scan["says"] == status["camera"]["message"] == said


def test_pieces_in_a_photograph_are_named_in_each_language(phone: Phone, desk: PaperDesk) -> None:
    desk.put(Sheet("s1", None))
    assert phone.get("/api/scans/s1/photo").body == b"jpeg of s1 with a chest"
    assert phone.get("/api/scans/s1/photo", GERMAN).body == b"jpeg of s1 with a Truhe"
