"""Scans on a phone: by the table's camera, by the phone's own, and one tap for what is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, expect

from companion.eyes import Reader
from companion.games.base import Expected
from companion.settings import Settings
from companion.station import Outside, Station
from tests.web.browser.conftest import CODE
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly
from tests.web.browser.test_every_screen import check
from vision.photo import Photo
from vision.reading import Piece, Reading

PATIENCE = 60_000
"""Milliseconds for a photograph to be drawn and read, on a machine that is busy with other tests."""
OTHERS = ("V13J1", "J15V5", "B14J3")


class Doubting(Reader):
    """The real reader, who is not sure of the first piece when a test wants it so."""

    doubts = False
    doubted = ""

    def __call__(self, photo: Photo, expect: str | None, expected: Expected | None) -> Reading:
        reading = super().__call__(photo, expect, expected)
        if not self.doubts:
            return reading
        first, *rest = reading.pieces
        self.doubted = first.code or ""
        others = tuple(code for code in OTHERS if code not in [piece.code for piece in reading.pieces])
        trouble = "It is blurred; keep the camera still and in focus."
        unsure = Piece(first.kind, others[0], "unsure", 0.5, first.corners, (self.doubted, *others[1:]), trouble)
        return replace(reading, pieces=(unsure, *rest))


class Simulated:
    """A whole station over the simulated table."""

    def __init__(self, data: Path) -> None:
        settings = Settings()
        settings = replace(
            settings,
            network=replace(settings.network, host="127.0.0.1", port=0, join_code=CODE),
            camera=replace(settings.camera, use="sim", watch=False),
            panel=replace(settings.panel, use="none"),
        )
        self.eyes = Doubting(data, "")
        self.eyes.warm_up()
        self.station = Station(data, settings, Outside(read=self.eyes))
        self.station.start()
        self.game = Quickly(self.station.table, ["Ada", "Ben"])


@contextmanager
def running(data: Path) -> Iterator[Simulated]:
    """The station, until it is stopped."""
    there = Simulated(data)
    yield there
    there.station.stop()


@contextmanager
def adas_phone(browser: Browser, simulated: Simulated) -> Iterator[Phone]:
    """A phone with Ada's seat, which may not have met an error when it is put away."""
    one = Phone(browser, simulated.station.address + "/")
    one.see("#code")
    one.join(CODE, "Ada")
    yield one
    one.close()
    assert one.troubles == []


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Simulated]:
    with running(tmp_path) as there:
        yield there


@pytest.fixture
def ada(browser: Browser, simulated: Simulated) -> Iterator[Phone]:
    with adas_phone(browser, simulated) as one:
        yield one


def scan(phone: Phone) -> None:
    phone.page.get_by_role("button", name="The table's camera").tap()
    phone.page.locator(".photo").wait_for(timeout=PATIENCE)


def test_the_tables_camera_reads_a_round_that_one_tap_confirms(ada: Phone, simulated: Simulated) -> None:
    scan(ada)
    ada.says("5 pieces found.")
    places = ada.page.locator(".found-list li small").all_inner_texts()
    assert places == ["into I", "into II", "into III", "into IV", "into V"]
    assert ada.page.evaluate("document.querySelector('.photo').decode().then(() => true)")
    ada.confirm()
    ada.at(2)
    assert [len(finds) for finds in simulated.game.state["galleries"]] == [1] * 5
    scan(ada)
    ada.says("2 pieces found.")
    ada.confirm()
    ada.at(3)
    simulated.game.step()
    simulated.game.step()
    ada.at(5)
    scan(ada)
    ada.confirm()
    ada.at(6)
    ada.says("Pay out, from right to left")


def test_an_unsure_find_is_asked_with_pictures_and_one_tap_answers(ada: Phone, simulated: Simulated) -> None:
    simulated.eyes.doubts = True
    scan(ada)
    ada.says("Which one is this?")
    ada.says("1 is not sure")
    expect(ada.page.locator(".bar .primary")).to_be_disabled()
    ada.tap(".alternatives button", 1)
    expect(ada.page.locator(".alternatives")).to_have_count(0)
    ada.confirm()
    ada.at(2)
    assert simulated.eyes.doubted in [code for finds in simulated.game.state["galleries"] for code in finds]


def test_a_wrong_find_can_be_corrected_by_hand(ada: Phone, simulated: Simulated) -> None:
    simulated.eyes.doubts = True
    scan(ada)
    ada.page.get_by_role("button", name="Another one").tap()
    ada.tap(".pairs button", 0)
    ada.tap(".keys button", 4)
    ada.tap(".keys.digits button", 5)
    ada.tap(".keys.digits button", 5)
    ada.confirm()
    ada.at(2)
    assert simulated.game.state["galleries"][4] == ["V66J5"]


def test_the_phones_own_photograph_is_read(ada: Phone, simulated: Simulated, tmp_path: Path) -> None:
    eye = simulated.station.eye
    assert eye is not None
    picture = tmp_path / "table.jpg"
    ada.page.get_by_role("button", name="The table's camera").wait_for()
    cv2.imwrite(str(picture), eye.photograph())
    ada.page.locator('input[type="file"]').set_input_files(picture)
    ada.page.locator(".photo").wait_for(timeout=PATIENCE)
    ada.says("5 pieces found.")
    ada.confirm()
    ada.at(2)


def test_a_scan_of_one_phone_is_seen_on_the_others(ada: Phone, browser: Browser, simulated: Simulated) -> None:
    ben = Phone(browser, simulated.station.address + "/")
    ben.see("#code")
    ben.join(CODE, "Ben")
    scan(ada)
    ben.says("5 pieces found.")
    ben.confirm()
    ada.at(2)
    ben.close()


def test_the_screen_of_a_scan_is_readable_for_everyone(ada: Phone, simulated: Simulated) -> None:
    simulated.eyes.doubts = True
    scan(ada)
    check(ada, "scan")


def test_what_is_not_sure_is_asked_in_german_on_a_german_phone(browser: Browser, simulated: Simulated) -> None:
    simulated.eyes.doubts = True
    one = Phone(browser, simulated.station.address + "/", "de")
    one.see("#code")
    one.join(CODE, "Ada")
    one.page.get_by_role("button", name="Kamera am Tisch").tap()
    one.page.locator(".photo").wait_for(timeout=PATIENCE)
    one.says("Es ist unscharf; halte die Kamera ruhig und scharf.")
    one.close()
    assert one.troubles == []
