"""A phone that undoes, reloads, sleeps or comes too late shows what is, and says so."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Route, expect

from tests.web.browser.conftest import Place
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly


def test_undo_says_what_it_takes_back_and_takes_it_back_for_everyone(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    quick.until(1, "place_figures")
    quick.submit(do="place_figure", space=4)
    ada, ben = phone(seat="Ada"), phone(seat="Ben")
    ada.tap(".bar .quiet")
    ada.says("Ada's figure on space 4.")
    ada.says("take the figure off the funds track.")
    ada.tap("dialog .primary")
    for one in (ada, ben):
        one.at(5)
    ada.says("Ada: choose your funds space.")
    assert place.table.now.show()["figures"] == {"raider": place.table.now.show()["figures"]["raider"]}


def test_nothing_to_undo_at_the_very_beginning(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    ada = phone(seat="Ada")
    ada.says("Turn over 5 finds.")
    expect(ada.page.locator(".bar .quiet")).to_have_count(0)


def test_a_reload_in_mid_game_comes_back_to_the_same_seat_and_screen(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"]).until(3, "place_figures")
    name = place.table.now.show()["to_act"]
    one = phone(seat=name)
    one.says(f"{name}: choose your funds space.")
    one.page.reload()
    one.says(f"{name}: choose your funds space.")


def test_a_phone_without_network_says_so_and_catches_up_by_itself(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    ada = phone(seat="Ada")
    ada.at(1)
    ada.context.set_offline(True)
    ada.says("No connection to the table.")
    quick.until(1, "place_figures")
    ada.context.set_offline(False)
    ada.says("Connected again, and up to date.")
    ada.at(3)
    expect(ada.page.locator(".offline")).to_have_count(0)
    ada.troubles.clear()


def test_phones_come_back_by_themselves_when_the_box_was_restarted(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    quick.until(2, "place_figures")
    name = quick.state["to_act"]
    one = phone(seat=name)
    one.says(f"{name}: choose your funds space.")
    place.restart()
    expect(one.page.locator(".offline")).to_have_count(0)
    one.tap(".spaces button")
    one.confirm()
    one.at(quick.state["version"] + 1)
    assert name in place.table.now.show()["figures"]
    one.troubles.clear()


def test_a_command_on_a_stale_state_is_refused_and_explained(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"])
    quick.until(1, "draw_funds")
    ada = phone(seat="Ada")

    def overtaken(route: Route) -> None:
        quick.submit(do="undo")
        route.continue_()

    ada.page.route("**/api/table/commands", overtaken, times=1)
    ada.tap(".hand")
    ada.confirm()
    ada.says("The table has moved on")
    ada.says("Turn over 5 finds.")
    assert place.table.now.version == 3
    ada.troubles.clear()


def test_a_phone_of_an_earlier_game_is_asked_who_holds_it_now(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    ada = phone(seat="Ada")
    Quickly(place.table, ["Cleo", "Dora"], replace=True)
    ada.says("Who holds this device?")
    expect(ada.page.locator(".places")).to_have_count(0)
    ada.page.locator(".who .chip", has_text="Dora").tap()
    ada.see(".places")


def test_an_evaluation_waits_on_every_phone_until_it_was_looked_through(
    phone: Callable[..., Phone], place: Place
) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"], seed=3)
    quick.until(6, "lay_out")
    ada = phone(seat="Ada")
    ada.says("Evaluation after round 5: step 1 of 3")
    quick.step()
    ada.at(place.table.now.version)
    ada.says("Evaluation after round 5: step 1 of 3")
    for _ in range(3):
        ada.confirm()
    ada.says("Draw two funds cards, backs up.")
    ada.page.reload()
    ada.says("Draw two funds cards, backs up.")
    expect(ada.page.locator(".step-of")).to_have_count(0)


def test_what_is_wrong_with_the_box_is_said_on_every_phone_until_it_is_mended(
    phone: Callable[..., Phone], place: Place
) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    told = {"record": {"ok": False, "message": "The record could not be written."}}
    watching = phone()
    watching.page.route("**/api/status", lambda route: route.fulfill(json=told))
    watching.page.reload()
    watching.says("The record could not be written.")
    told["record"] = {"ok": True, "message": ""}
    watching.page.reload()
    watching.see("#code")
    expect(watching.page.locator(".offline")).to_have_count(0)
