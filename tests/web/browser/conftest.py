"""A real table, a real server, a real browser."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from companion.journal import Journal
from companion.owner import OwnerFiles
from companion.table import Table
from tests.web.browser.phones import FLAGS, PATIENCE, Phone
from web import create_app
from web.seats import Seats
from web.server import serve

CODE = "TABLE7"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


expect.set_options(timeout=PATIENCE)


class Place:
    """A table with its page at an address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open(port=0)

    def _open(self, port: int) -> None:
        folder = self.folder
        self.journal = Journal(folder / "journal.sqlite", time.time)
        owner = OwnerFiles(folder)
        self.table = Table(self.journal, owner)
        self.seats = Seats(folder / "seats.json", CODE)
        self.server = serve(create_app(self.table, self.seats, None, owner), "127.0.0.1", port)
        self.server.start()
        self.url = f"http://127.0.0.1:{self.server.port}/"

    def restart(self) -> None:
        """Off and on again, at the same address."""
        self.close()
        self._open(self.server.port)

    def close(self) -> None:
        self.server.stop()
        self.journal.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no chromium here: install it to test the page in a browser")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    here = Place(tmp_path)
    yield here
    here.close()


@pytest.fixture
def phone(browser: Browser, place: Place) -> Iterator[Callable[..., Phone]]:
    """Takes another phone out of the pocket; none may have met an error when it is put away."""
    phones: list[Phone] = []

    def take(language: str = "en", path: str = "", seat: str | None = "", **options: object) -> Phone:
        """A phone that has just opened the page; with a `seat` it has joined (None: the table's own device)."""
        phones.append(Phone(browser, place.url + path, language, **options))
        if seat != "":
            phones[-1].see("#code")
            phones[-1].join(CODE, seat)
        return phones[-1]

    yield take
    troubles = [trouble for one in phones for trouble in one.troubles]
    for one in phones:
        one.close()
    assert troubles == []
