"""Joining: by code, by link, by being let in; watching; changing seats."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2
import numpy as np
from playwright.sync_api import expect

from tests.web.browser.conftest import CODE, Place
from tests.web.browser.phones import PATIENCE, Phone
from tests.web.browser.quickly import Quickly


def scanned(phone: Phone, picture: str) -> str:
    """What another phone's camera reads in this picture."""
    phone.see(picture)
    phone.page.wait_for_function("selector => document.querySelector(selector).complete !== false", arg=picture)
    phone.still()
    seen = np.frombuffer(phone.page.locator(picture).screenshot(), np.uint8)
    pixels = cv2.imdecode(seen, cv2.IMREAD_COLOR)
    assert pixels is not None
    return cv2.QRCodeDetector().detectAndDecode(pixels)[0]


def test_a_wrong_code_is_explained_and_may_be_tried_again(phone: Callable[..., Phone], place: Place) -> None:
    one = phone()
    one.page.fill("#code", "WRONG1")
    one.tap(".seat")
    one.says("not the code of this table")
    one.troubles.clear()
    one.join(CODE)
    one.says("Who plays?")
    assert len(place.seats.all) == 1


def test_a_scanned_link_carries_the_code(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    one = phone(path=f"join#{CODE}")
    one.says("Who are you?")
    expect(one.page.locator("#code")).to_have_count(0)
    one.page.locator(".seat", has_text="Ben").tap()
    one.says("Turn over 5 finds.")
    assert [seat.player for seat in place.seats.all] == ["Ben"]
    assert CODE not in one.page.url


def test_every_phone_that_plays_shows_a_picture_that_carries_address_and_code(
    phone: Callable[..., Phone], place: Place
) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    one = phone(seat="Ada", color_scheme="dark")
    one.go("seats")
    assert scanned(one, "img.qr") == f"{place.url}join#{CODE}"


def test_a_phone_without_the_code_is_let_in_by_a_press_on_the_box(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    asked = threading.Event()
    place.seats.listen(asked.set)
    one = phone()
    one.page.get_by_role("button", name="Ask to be let in").tap()
    one.says("Press Next on the box now.")
    assert asked.wait(PATIENCE / 1000)
    place.seats.let_in()
    one.says("Turn over 5 finds.")


def test_a_seated_phone_lets_another_in(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    ada, guest = phone(seat="Ada"), phone()
    guest.page.get_by_role("button", name="Ask to be let in").tap()
    ada.says("A phone asks to join.")
    ada.tap(".knock .primary")
    guest.says("Turn over 5 finds.")


def test_whoever_just_watches_sees_everything_and_can_do_nothing(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    quick.until(2, "place_figures")
    one = phone()
    one.page.get_by_role("button", name="Just watch").tap()
    one.see(".overview")
    expect(one.page.locator(".spaces button, .gallery button, .bar")).to_have_count(0)
    quick.step()
    one.at(place.table.now.version)


def test_one_device_plays_for_everyone_and_may_become_one_players(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    quick.until(1, "place_figures")
    tablet = phone(seat=None)
    tablet.says("Ada: choose your funds space.")
    assert tablet.page.locator(".spaces button").count() == 12
    tablet.page.locator(".who .chip", has_text="Ben").tap()
    tablet.says("Ada chooses a funds space.")
    assert [seat.player for seat in place.seats.all] == ["Ben"]


def test_a_seat_can_be_handed_to_another_phone(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"]).until(1, "place_figures")
    old = phone(seat="Ada")
    old.go("seats")
    old.page.get_by_role("button", name="Hand this seat to another phone").tap()
    old.says("within five minutes")
    link = old.page.locator(".address").last.inner_text()
    assert scanned(old, "svg.qr") == link
    new = phone(path=link.removeprefix(place.url))
    new.page.locator(".seat", has_text="Ada").tap()
    new.says("Ada: choose your funds space.")
    assert [seat.player for seat in place.seats.all] == ["Ada"]


def test_a_phone_that_plays_already_takes_over_a_seat_by_its_link(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    ada, ben = phone(seat="Ada"), phone(seat="Ben")
    ada.page.goto(f"{place.url}join#{CODE}")
    ada.says("Turn over 5 finds.")
    link = ada.page.evaluate(
        "fetch('/api/seats/hand-over', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})"
        ".then(answer => answer.json()).then(answer => answer.join)"
    )
    ben.page.goto(link)
    ben.says("Who are you?")
    ben.tap(".seat")
    ben.says("Turn over 5 finds.")
    assert [seat.player for seat in place.seats.all] == ["Ada"]


def test_names_with_markup_and_other_scripts_are_shown_as_text(phone: Callable[..., Phone], place: Place) -> None:
    names = ["<b onclick=alert(1)>Ada</b>", "עדה \U0001f3fa", "Ben & Söhne", "a" * 40]
    Quickly(place.table, names).until(1, "place_figures")
    one = phone(seat=names[1])
    for name in names:
        one.says(name)
    assert one.page.locator("main b[onclick]").count() == 0
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
