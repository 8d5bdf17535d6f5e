"""Every screen, light and dark, in both languages: readable for everyone and never wider than the phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.web.browser.conftest import Place
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly

AXE = (Path(__file__).parent / "axe" / "axe.min.js").read_text("utf-8")
RULES = "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']}"
LOOKS = [("en", "light"), ("de", "dark")]


def check(phone: Phone, what: str) -> None:
    """No finding of axe-core, and nothing beyond the right edge."""
    phone.still()
    phone.page.evaluate(AXE)
    found = phone.page.evaluate(f"axe.run(document, {RULES}).then(r => r.violations)")
    told = [f"{what}: {one['id']} {[node['html'][:140] for node in one['nodes'][:3]]}" for one in found]
    assert told == []
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{what} is too wide"


def everyone(phone: Phone) -> None:
    phone.page.locator(".who .chip").last.tap()


@pytest.mark.parametrize(("language", "scheme"), LOOKS)
def test_screens_before_a_game(phone: Callable[..., Phone], language: str, scheme: str) -> None:
    one = phone(language, color_scheme=scheme)
    one.see("#code")
    check(one, "join")
    one.join("TABLE7")
    one.see(".player-row")
    check(one, "set up")
    one.tap(".card .entry", -1)
    one.see("progress")
    check(one, "board data")


@pytest.mark.parametrize(("language", "scheme"), LOOKS)
def test_screens_of_a_round(phone: Callable[..., Phone], place: Place, language: str, scheme: str) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"], seed=2)
    one = phone(language, seat=None, color_scheme=scheme)
    one.see(".places")
    check(one, "lay out, and who holds this device")
    everyone(one)
    one.tap(".places .blank")
    check(one, "pick: pictures")
    one.tap(".pairs button", 4)
    one.tap(".keys button", 2)
    check(one, "pick: number")
    one.page.keyboard.press("Escape")
    for phase, sign in (("draw_funds", ".hand"), ("place_figures", ".bars"), ("reveal_funds", ".value")):
        quick.until(1, phase)
        one.see(sign)
        if phase == "place_figures":
            one.tap(".spaces button", 3)
            one.see(".facts")
        check(one, phase)
    quick.until(1, "excavate")
    one.see(".steps")
    check(one, "dig")


@pytest.mark.parametrize(("language", "scheme"), LOOKS)
def test_screens_of_a_turn(phone: Callable[..., Phone], place: Place, language: str, scheme: str) -> None:
    quick = Quickly(place.table, ["Ada", "Ben", "Cleo"], seed=5)
    state = quick.until_row()
    one = phone(language, seat=state["to_act"], color_scheme=scheme)
    one.tap(".steps button", 1)
    one.tap(".suggestion")
    one.see(".spot.chosen")
    check(one, "exhibit")
    one.tap(".steps button", 2)
    check(one, "store")
    one.tap(".bar .quiet")
    check(one, "undo")
    one.page.keyboard.press("Escape")
    one.page.locator(".top .icon-button").first.tap()
    check(one, "help on the screen")
    one.page.keyboard.press("Escape")
    one.page.locator(".top .icon-button").last.tap()
    check(one, "menu")
    for path in ("seats", "help", "settings", "table", "past", "card", "new"):
        one.go(path)
        check(one, path)
    waiting = phone(
        language, seat=next(player["name"] for player in state["players"] if player["name"] != state["to_act"])
    )
    waiting.see(".site")
    check(waiting, "waiting")


@pytest.mark.parametrize(("language", "scheme"), LOOKS)
def test_screens_of_evaluations_and_the_end(
    phone: Callable[..., Phone], place: Place, language: str, scheme: str
) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"], seed=3)
    quick.until(6, "lay_out")
    one = phone(language, seat="Ada", color_scheme=scheme)
    for step in (1, 2, 3):
        expect(one.page.locator(".step-of")).to_have_text(re.compile(rf"5\D+{step}\D+3$"))
        check(one, f"evaluation, step {step}")
        one.confirm()
    while quick.state["phase"] != "over":
        quick.step()
    one.at(place.table.now.version)
    for _ in range(3):
        one.confirm()
    one.see(".chart")
    check(one, "result")
    one.go("past")
    one.see(".games")
    check(one, "past games")
    one.tap(".games button")
    one.see(".chart")
    check(one, "a past game")


def test_a_television_shows_the_table_side_by_side(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben", "Cleo", "Dora"], seed=5).until(4, "excavate")
    television = phone(viewport={"width": 1280, "height": 800}, has_touch=False, is_mobile=False)
    television.page.get_by_role("button", name="Just watch").click()
    television.see(".wing .tile")
    wings = television.page.locator(".wing")
    assert wings.count() == 3
    tops = {round(wing.bounding_box()["y"]) for wing in wings.all()}  # type: ignore[index]  # all three are shown
    assert len(tops) == 1
    check(television, "watching")
