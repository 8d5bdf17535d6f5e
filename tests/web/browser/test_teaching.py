"""Teaching a box on a phone: from one photograph of pieces that nobody has drawn for us, by tapping."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.vision.piece_shop import box_tiles
from tests.web.browser.conftest import CODE
from tests.web.browser.phones import PAIRS, Phone
from tests.web.browser.test_every_screen import check
from tests.web.browser.test_scanning import PATIENCE, Simulated, adas_phone, running
from vision.digits import tesseract_there
from vision.simulated import Photograph, Scene, Thing, photograph
from vision.simulated_layout import scattered
from vision.simulated_light import Light, Sensor
from vision.simulated_view import View

SEED = 4
CARD = (44.0, 68.0)

needs_tesseract = pytest.mark.skipif(not tesseract_there(), reason="Tesseract is not installed")


def laid_out(count: int) -> Photograph:
    """A photograph of so many finds of a box that is not ours, in any turn."""
    rng = np.random.default_rng(SEED)
    faces = box_tiles(60, SEED + 11)
    codes = [str(code) for code in rng.permutation(list(faces))[:count]]
    view = View(size=(1600, 1000), tilt=8.0)
    things = [Thing(faces[code], (45.0, 45.0), (0.0, 0.0), 0.0, code, "find") for code in codes]
    return photograph(Scene(tuple(scattered(view, things, rng)), "slate", view, Light(), Sensor(), SEED))


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Simulated]:
    with running(tmp_path) as there:
        yield there


@pytest.fixture
def ada(browser: Browser, simulated: Simulated) -> Iterator[Phone]:
    with adas_phone(browser, simulated) as one:
        one.go("teach")
        yield one


def send(phone: Phone, shot: Photograph, folder: Path) -> list[str]:
    """Photograph these pieces; their codes, in the order in which the page shows them."""
    file = folder / "table.jpg"
    cv2.imwrite(str(file), shot.image)
    phone.page.locator('input[type="file"]').set_input_files(file)
    phone.page.locator(".lessons").wait_for(timeout=PATIENCE)
    corners = phone.page.eval_on_selector_all(
        ".lessons .crop", "all => all.map(one => JSON.parse(one.dataset.corners))"
    )
    middles = [np.mean(four, axis=0) for four in corners]
    return [
        str(min(shot.truth, key=lambda one: float(np.linalg.norm(one.corners.mean(axis=0) - middle))).label)
        for middle in middles
    ]


def told(phone: Phone, what: str) -> Locator:
    """What was read, as it stands ready in the picker."""
    return phone.page.locator(".sheet-body .told", has_text=what)


@needs_tesseract
def test_foreign_finds_are_taught_from_one_photograph_by_tapping(
    ada: Phone, simulated: Simulated, tmp_path: Path
) -> None:
    ada.says("Finds: 0 of 60")
    check(ada, "teach")
    codes = send(ada, laid_out(4), tmp_path)
    expect(ada.page.locator(".lessons .guess")).to_have_count(4)
    expect(ada.page.locator(".bar .primary")).to_be_disabled()
    check(ada, "teach: guesses")

    ada.tap(".lessons .guess")
    for number, code in enumerate(codes):
        expect(told(ada, f"number {code[1:3]}")).to_be_visible()
        expect(told(ada, f"century {code[4]}")).to_be_visible()
        if number == 0:
            check(ada, "teach: pictures")
        ada.tap(".pairs button", PAIRS.index(code[0] + code[3]))
        ada.says("Is this right?")
        if number == 1:
            check(ada, "teach: is this right")
            told(ada, "number").tap()
            for digit in "66":
                ada.tap(".keys.digits button", (int(digit) - 1) % 10)
            expect(told(ada, "number 66")).to_be_visible()
        ada.page.get_by_role("button", name="That is right").tap()

    expect(ada.page.locator(".lessons .guess")).to_have_count(0)
    ada.confirm()
    ada.says("Finds: 4 of 60")
    corrected = [code if number != 1 else f"{code[0]}66{code[3:]}" for number, code in enumerate(codes)]
    (taught,) = simulated.station.teacher.sets()
    assert taught["labels"] == dict.fromkeys(corrected, 1)

    simulated.station.teacher.finish()
    again = send(ada, laid_out(4), tmp_path)
    assert again == codes
    expect(ada.page.locator('.lessons button[aria-label$="tap to correct"]')).to_have_count(3)
    expect(ada.page.locator(".lessons button.guess")).to_have_count(1)
    ada.page.get_by_role("button", name="Throw away").tap()
    ada.says("Finds: 4 of 60")


@needs_tesseract
def test_what_nobody_confirmed_is_not_kept(ada: Phone, simulated: Simulated, tmp_path: Path) -> None:
    codes = send(ada, laid_out(4), tmp_path)
    ada.tap(".lessons .guess")
    ada.tap(".pairs button", PAIRS.index(codes[0][0] + codes[0][3]))
    ada.page.get_by_role("button", name="That is right").tap()
    ada.page.get_by_role("button", name="Take it away").tap()
    ada.page.get_by_role("button", name="Close").tap()
    ada.says("left out")
    ada.says("Keep 1 piece")
    ada.confirm()
    ada.says("Finds: 1 of 60")
    (taught,) = simulated.station.teacher.sets()
    assert list(taught["labels"]) == [codes[0]]


def test_cards_are_named_with_one_tap_each(ada: Phone, simulated: Simulated, tmp_path: Path) -> None:
    rng = np.random.default_rng(SEED)
    view = View(size=(1600, 1000), tilt=8.0)
    faces = [np.asarray(cv2.resize(face, (240, 371)), np.uint8) for face in box_tiles(2, SEED).values()]
    things = [Thing(face, CARD, (0.0, 0.0), 0.0, "card", "funds") for face in faces]
    shot = photograph(Scene(tuple(scattered(view, things, rng)), "slate", view, Light(), Sensor(), SEED))
    ada.page.get_by_role("radio", name="Funds cards").tap()
    send(ada, shot, tmp_path)
    ada.tap(".lessons .guess")
    ada.page.get_by_role("button", name="card of 3").tap()
    check(ada, "teach: card")
    ada.page.get_by_role("button", name="chest").tap()
    ada.confirm()
    ada.says("Funds cards: 2 of 10")
    (taught,) = simulated.station.teacher.sets()
    assert sorted(taught["labels"]) == ["3", "chest"]


def test_a_german_phone_asks_in_german(browser: Browser, simulated: Simulated, tmp_path: Path) -> None:
    one = Phone(browser, simulated.station.address + "/", "de")
    one.see("#code")
    one.join(CODE, "Ada")
    one.go("teach")
    send(one, laid_out(2), tmp_path)
    one.says("Nur was du bestätigt hast, wird behalten.")
    one.close()
    assert one.troubles == []
