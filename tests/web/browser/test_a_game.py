"""Whole games on phones around a table, by tapping only."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.browser.conftest import CODE, Place
from tests.web.browser.phones import Phone, Tapping
from tests.web.browser.quickly import Quickly


def set_up(phone: Phone, names: list[str]) -> None:
    """The first phone joins, names the players and starts."""
    phone.see("#code")
    phone.join(CODE)
    phone.see(".player-row")
    for index, name in enumerate(names):
        if index >= 2:
            phone.tap(".card > .entry")
        phone.page.locator(".player-row input").nth(index).fill(name)
    phone.confirm()
    phone.page.locator(".who .chip", has_text=names[0]).tap()


def test_two_phones_play_a_whole_game_of_twelve_rounds(phone: Callable[..., Phone], place: Place) -> None:
    ada = phone()
    set_up(ada, ["Ada", "Ben"])
    ben = phone(seat="Ben")
    game = Tapping({"Ada": ada, "Ben": ben}, place.table, seed=3)
    game.to_the_end()
    for one in (ada, ben):
        game.look_through_evaluation(one)
        one.says(f"{game.state['winners'][0]} wins!")


def test_the_last_round_leads_through_the_evaluation_to_the_result(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"], seed=4)
    quick.until(12, "excavate")
    tablet = phone(seat=None)
    tablet.page.locator(".who .chip", has_text="Everyone").tap()
    Tapping({"Ada": tablet}, place.table).to_the_end()
    tablet.says("Points for the museum.")
    for _ in range(3):
        tablet.confirm()
    winners = quick.state["winners"]
    tablet.says(f"{winners[0]} wins!")
    assert tablet.see(".chart").is_visible()
    totals = tablet.page.locator(".total td").all_inner_texts()
    assert sorted(map(int, totals)) == sorted(player["points"] for player in quick.state["players"])


def test_four_phones_each_choose_a_space_only_in_their_turn(phone: Callable[..., Phone], place: Place) -> None:
    names = ["Ada", "Ben", "Cleo", "Dora"]
    quick = Quickly(place.table, names)
    quick.until(1, "place_figures")
    phones = {name: phone(seat=name) for name in names}
    for name in names:
        for other, one in phones.items():
            one.says(f"{name}: choose your funds space." if other == name else f"{name} chooses a funds space.")
            assert (one.page.locator(".spaces button").count() > 0) == (other == name)
        Tapping(phones, place.table, seed=names.index(name)).step()
    for one in phones.values():
        one.says("Turn over the two funds cards.")


def test_a_find_by_hand_takes_four_taps(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    one = phone(seat="Ada")
    for code in ("V50J3", "J12M4", "M30B2", "B45V1", "V21B5"):
        one.enter_find(code, printed=False)
    one.confirm()
    one.at(2)
    assert place.table.now.show()["galleries"] == [["B45V1"], ["M30B2"], ["V50J3"], ["J12M4"], ["V21B5"]]


def test_a_row_snaps_where_halves_join_and_says_when_they_do_not(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben", "Cleo"])
    for tens, second in ((1, "J20M2"), (3, "M21V2"), (4, "B22V2")):
        others = [f"V{tens}1J1", f"V{tens}3J3", f"V{tens}4J4", f"V{tens}5J5"]
        quick.submit(do="lay_out", finds=[second, *others])
        quick.submit(do="draw_funds", backs=["bag", "bag"])
        for player in quick.state["order"]:
            quick.submit(do="place_figure", space={"Ada": 1, "Ben": 12, "Cleo": 13}[player])
        quick.submit(do="reveal_funds", values=[tens, tens])
        quick.submit(do="end_turn")
        quick.submit(do="end_turn")
        if tens < 4:
            quick.submit(do="end_turn")
    quick.submit(do="dig", gallery=2)
    ada = phone(seat="Ada")
    ada.tap(".steps button", 1)
    row = ada.page.locator(".bench [data-find]")

    ada.tap('.tray [data-find="M21V2"]')
    ada.tap('.tray [data-find="J20M2"]')
    expect(row).to_have_count(2)
    assert [found.get_attribute("data-find") for found in row.all()] == ["J20M2", "M21V2"]
    ada.says("Worth 2")
    ada.tap('.tray [data-find="B22V2"]')
    ada.says("It does not join on")
    expect(row).to_have_count(2)


def test_a_find_can_be_dragged_into_the_row(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben", "Cleo"], seed=7)
    state = quick.until_row()
    laptop = phone(has_touch=False, is_mobile=False, viewport={"width": 700, "height": 1400})
    laptop.page.fill("#code", CODE)
    laptop.page.locator(".seat", has_text=state["to_act"]).click()
    laptop.page.locator(".steps button").nth(1).click()
    tile = laptop.page.locator(".tray [data-find]").first
    code = tile.get_attribute("data-find")
    tile.drag_to(laptop.page.locator(".bench"))
    expect(laptop.page.locator(f'.bench [data-find="{code}"]')).to_have_count(1)
