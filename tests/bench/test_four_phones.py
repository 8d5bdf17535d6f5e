"""A whole game of twelve rounds on four phones at once, by tapping only: `pytest tests/bench/test_four_phones.py`."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web.browser.conftest import CHROMIUM, CODE, Place
from tests.web.browser.phones import FLAGS, Phone, Tapping
from tests.web.browser.test_a_game import set_up

NAMES = ["Ada", "Ben", "Cleo", "Dora"]


def test_four_phones_play_a_whole_game() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        place = Place(Path(folder))
        phones = {"Ada": Phone(browser, place.url)}
        set_up(phones["Ada"], NAMES)
        for name in NAMES[1:]:
            phones[name] = Phone(browser, place.url, language="de" if name == "Dora" else "en")
            phones[name].see("#code")
            phones[name].join(CODE, name)
        game = Tapping(phones, place.table, seed=8)
        game.to_the_end()
        for phone in phones.values():
            game.look_through_evaluation(phone)
            phone.see(".chart")
            assert phone.troubles == []
        assert game.state["winners"]
        browser.close()
        place.close()
