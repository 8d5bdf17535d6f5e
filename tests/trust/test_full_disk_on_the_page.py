"""A full disk as a player sees it, in a real browser at a real table."""

from __future__ import annotations

import resource
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.faults.real_station import CODE, running
from tests.web.browser.conftest import CHROMIUM
from tests.web.browser.phones import FLAGS, Phone

FOR_EVER = resource.RLIM_INFINITY


def test_the_page_says_why_nothing_is_taken_and_goes_on_when_there_is_space(tmp_path: Path) -> None:
    with running(tmp_path) as station, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        phone = Phone(browser, f"http://127.0.0.1:{station.port}/")
        phone.see("#code")
        phone.join(CODE)
        for index, name in enumerate(("Ada", "Ben")):
            phone.page.locator(".player-row input").nth(index).fill(name)
        resource.prlimit(station.process.pid, resource.RLIMIT_FSIZE, (100, FOR_EVER))

        phone.confirm()
        phone.says("The record could not be written")
        resource.prlimit(station.process.pid, resource.RLIMIT_FSIZE, (FOR_EVER, FOR_EVER))
        phone.confirm()
        phone.says("Turn over 5 finds.")

        assert station.phone().get("/api/table")["version"] == 1
        phone.close()
        browser.close()
