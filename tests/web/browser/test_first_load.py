"""What a phone loads the first time, and that nothing comes from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Request

from tests.web.browser.conftest import Place
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly

MOST_BYTES = 150_000


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_first_load_in_mid_game_is_under_150_kB(
    browser: Browser, place: Place, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Quickly(place.table, ["Ada", "Ben", "Cleo", "Dora"]).until(2, "excavate")
    sizes: dict[str, int] = {}

    def count(request: Request) -> None:
        told = request.sizes()
        sizes[request.url] = told["responseBodySize"] + told["responseHeadersSize"]

    with browser.new_context(locale=language) as context:
        page = context.new_page()
        page.on("requestfinished", count)
        page.goto(place.url + "#/table")
        page.locator(".overview .tile").first.wait_for()
        page.wait_for_load_state("load")
        assert {urlsplit(url).netloc for url in sizes} == {urlsplit(place.url).netloc}
        with capsys.disabled():
            print(f"\nfirst load ({language}): {sum(sizes.values()):,} bytes in {len(sizes)} answers")
        assert 20_000 < sum(sizes.values()) < MOST_BYTES


def test_the_page_can_be_put_on_the_home_screen(phone: Callable[..., Phone]) -> None:
    one = phone()
    one.see("#code")
    about = one.page.evaluate("fetch('/manifest.webmanifest').then(answer => answer.json())")
    assert about["display"] == "standalone"
    for picture in about["icons"]:
        status, kind = one.page.evaluate(
            "url => fetch(url).then(answer => [answer.status, answer.headers.get('Content-Type')])", picture["src"]
        )
        assert (status, kind) == (200, picture["type"])
