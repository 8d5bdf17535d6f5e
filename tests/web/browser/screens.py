"""Takes a picture of every screen into docs/screens: `python -m tests.web.browser.screens [FOLDER]`."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from tests.web.browser.conftest import CHROMIUM, CODE, Place
from tests.web.browser.phones import FLAGS, Phone
from tests.web.browser.quickly import Quickly
from tests.web.browser.test_scanning import PATIENCE, Simulated

FOLDER = Path(__file__).parents[3] / "docs" / "screens"
NAMES = ["Ada", "Ben", "Cleo", "Dora"]
QUALITY = 72
PHONES = FOLDER.parent / "pictures" / "phones.webp"
BESIDE = ("scan", "place-figures", "exhibit", "preview")
SMALL, EDGE = 288, 10


class Camera:
    """Photographs a phone's page, small enough for a guide."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser = browser
        self.folder = folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def phone(
        self, url: str, seat: str | None = "", dark: bool = False, language: str = "en", **options: object
    ) -> Phone:
        scheme = "dark" if dark else "light"
        one = Phone(self.browser, url, language, device_scale_factor=2, color_scheme=scheme, **options)
        if seat != "":
            one.see("#code")
            one.join(CODE, seat)
        return one

    def take(self, phone: Phone, name: str) -> None:
        picture = Image.open(io.BytesIO(phone.page.screenshot(animations="disabled")))
        picture.convert("RGB").save(self.folder / f"{name}.webp", quality=QUALITY, method=6)
        print(name)


@contextmanager
def table() -> Iterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder))
        yield place
        place.close()


def before_a_game(camera: Camera) -> None:
    with table() as place:
        one = camera.phone(place.url)
        one.see("#code")
        camera.take(one, "join")
        one.join(CODE)
        for index, name in enumerate(NAMES[:2]):
            one.page.locator(".player-row input").nth(index).fill(name)
        one.page.locator("h1").tap()
        camera.take(one, "set-up")
        one.tap(".card .entry", -1)
        one.see("progress")
        camera.take(one, "board-data")


def a_round(camera: Camera) -> None:
    with table() as place:
        quick = Quickly(place.table, NAMES[:2], seed=2)
        one = camera.phone(place.url, seat="Ada")
        for code in ("V13J1", "J57V2", "B26V5"):
            one.enter_find(code)
        camera.take(one, "lay-out")
        one.tap(".places .blank")
        one.tap(".pairs button", 8)
        one.tap(".keys button", 2)
        camera.take(one, "find-by-hand")
        one.page.keyboard.press("Escape")
        quick.until(2, "draw_funds")
        one.see(".hand")
        camera.take(one, "draw-funds")
        quick.until(2, "place_figures")
        mine = camera.phone(place.url, seat=quick.state["to_act"])
        mine.see(".bars")
        mine.tap(".spaces button", 4)
        mine.see(".facts")
        camera.take(mine, "place-figures")
        quick.until(2, "reveal_funds")
        one.see(".value")
        camera.take(one, "reveal-funds")
        quick.until(2, "excavate")
        acting = camera.phone(place.url, seat=quick.state["to_act"], dark=True)
        acting.see(".steps")
        camera.take(acting, "pay-out-dark")
        acting.tap(".happened button")
        camera.take(acting, "dig-dark")


def a_turn(camera: Camera) -> None:
    with table() as place:
        quick = Quickly(place.table, NAMES, seed=12)
        quick.until(4, "lay_out")
        state = quick.until_row()
        one = camera.phone(place.url, seat=state["to_act"])
        if one.page.locator(".happened button").count():
            one.tap(".happened button")
        one.tap(".steps button", 1)
        one.tap(".suggestion")
        one.see(".spot.chosen")
        camera.take(one, "exhibit")
        one.see(".museum").scroll_into_view_if_needed()
        camera.take(one, "preview")
        one.tap(".steps button", 2)
        camera.take(one, "store")
        one.tap(".bar .quiet")
        camera.take(one, "undo")
        one.go("seats")
        one.see(".qr")
        camera.take(one, "invite")
        one.go("help")
        one.see(".help")
        camera.take(one, "help")
        german = camera.phone(place.url, seat=state["to_act"], language="de", dark=True)
        german.see(".steps")
        camera.take(german, "german-dark")
        television = camera.phone(place.url, viewport={"width": 1280, "height": 860}, has_touch=False, is_mobile=False)
        television.page.get_by_role("button", name="Just watch").click()
        television.see(".wing .tile")
        camera.take(television, "watching")


def the_end(camera: Camera) -> None:
    with table() as place:
        quick = Quickly(place.table, NAMES[:3], seed=3)
        quick.until(8, "lay_out")
        one = camera.phone(place.url, seat="Ada")
        one.see(".step-of")
        camera.take(one, "evaluation")
        for _ in range(2):
            one.confirm()
        camera.take(one, "move-markers")
        one.confirm()
        while quick.state["phase"] != "over":
            quick.step()
        one.at(place.table.now.version)
        for _ in range(3):
            one.confirm()
        one.see(".chart")
        camera.take(one, "result")
        one.go("past")
        one.see(".games")
        camera.take(one, "past-games")


def a_scan(camera: Camera) -> None:
    with tempfile.TemporaryDirectory() as folder:
        simulated = Simulated(Path(folder))
        one = camera.phone(simulated.station.address + "/", seat="Ada")
        simulated.eyes.doubts = True
        one.page.get_by_role("button", name="The table's camera").tap()
        one.page.locator(".photo").wait_for(timeout=PATIENCE)
        one.page.evaluate("document.querySelector('.photo').decode().then(() => new Promise(requestAnimationFrame))")
        one.page.evaluate("scrollTo(0, 170)")
        camera.take(one, "scan-unsure")
        one.tap(".alternatives button", 1)
        one.page.evaluate("scrollTo(0, 60)")
        camera.take(one, "scan")
        one.go("teach")
        one.page.get_by_role("button", name="The table's camera").tap()
        one.page.locator(".lessons").wait_for(timeout=PATIENCE)
        one.page.evaluate("document.querySelector('.photo').decode().then(() => new Promise(requestAnimationFrame))")
        one.page.evaluate("scrollTo(0, 140)")
        camera.take(one, "teach")
        one.close()
        simulated.station.stop()


def beside_each_other(folder: Path) -> None:
    """The README's picture: scans, funds and a collection side by side."""
    shown = [Image.open(folder / f"{name}.webp").resize((SMALL, 740 * SMALL // 360)) for name in BESIDE]
    picture = Image.new("RGB", ((SMALL + EDGE) * len(shown) + EDGE, shown[0].height + 2 * EDGE), "#3a2a22")
    for index, one in enumerate(shown):
        picture.paste(one, (EDGE + index * (SMALL + EDGE), EDGE))
    picture.save(PHONES, quality=QUALITY, method=6)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        camera = Camera(browser, folder)
        for part in (before_a_game, a_round, a_turn, the_end, a_scan):
            part(camera)
        browser.close()
    if folder == FOLDER:
        beside_each_other(folder)
    print(f"{sum(file.stat().st_size for file in folder.glob('*.webp')):,} bytes in {folder.name}")


if __name__ == "__main__":
    main()
