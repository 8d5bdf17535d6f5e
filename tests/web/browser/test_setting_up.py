"""Setting up: players, options, the board's numbers, an unfinished game, hidden points."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.browser.conftest import Place
from tests.web.browser.phones import Phone
from tests.web.browser.quickly import Quickly


def fill_in(phone: Phone, names: list[str]) -> None:
    for index, name in enumerate(names):
        if index >= 2:
            phone.page.get_by_role("button", name="Add a player").tap()
        phone.page.locator(".player-row input").nth(index).fill(name)


def test_players_colours_the_first_one_and_options_go_into_the_game(phone: Callable[..., Phone], place: Place) -> None:
    one = phone(seat=None)
    fill_in(one, ["Ada", "Ben", "Cleo"])
    one.tap(".colour")
    one.tap('button[aria-label="Move Cleo up"]')
    one.page.locator(".who .chip", has_text="Ben").tap()
    one.page.get_by_role("switch", name="Order track").tap()
    one.page.get_by_role("switch", name="Hidden points").tap()
    one.confirm()
    one.says("Turn over 5 finds.")
    state = place.table.now.show()
    players = [(player["name"], player["colour"]) for player in state["players"]]
    assert players == [("Ben", "blue"), ("Ada", "green"), ("Cleo", "red")]
    assert state["variants"] == ["order_track"]
    assert state["house_rules"]["hidden_points"]


def test_a_game_cannot_start_while_a_name_is_missing_or_given_twice(phone: Callable[..., Phone]) -> None:
    one = phone(seat=None)
    start = one.page.locator(".bar .primary")
    expect(start).to_be_disabled()
    fill_in(one, ["Ada", "Ada"])
    one.says("Two players have the same name.")
    expect(start).to_be_disabled()
    fill_in(one, ["Ada", "Ben"])
    expect(start).to_be_enabled()


def test_the_board_is_confirmed_space_by_space_and_new_games_use_it(phone: Callable[..., Phone], place: Place) -> None:
    one = phone(seat=None)
    one.page.get_by_role("button", name="Compare with the board").tap()
    one.page.get_by_role("button", name="Coins: one less").tap()
    for _ in range(14):
        one.tap("dialog .primary")
    one.says("Where the tomb raider stands")
    one.tap("dialog .primary")
    one.says("Confirmed against the real board.")
    fill_in(one, ["Ada", "Ben"])
    one.confirm()
    one.says("Turn over 5 finds.")
    board = place.table.now.show()["board"]
    assert board["confirmed"]
    assert list(board["coins"][:2]) == [5, 6]
    expect(one.page.locator(".unconfirmed")).to_have_count(0)


def test_an_unfinished_game_can_be_taken_up_again(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"]).until(2, "draw_funds")
    Quickly(place.table, ["Cleo", "Dora"], replace=True)
    one = phone(seat=None)
    one.go("past")
    one.page.locator(".games button", has_text="Ada, Ben").tap()
    one.page.get_by_role("button", name="Go on with this game").tap()
    one.says("Round 2 of 12")
    assert [player["name"] for player in place.table.now.show()["players"]] == ["Ada", "Ben"]


def test_a_new_game_in_mid_game_asks_first(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"])
    one = phone(seat="Ada")
    one.go("new")
    fill_in(one, ["Eve", "Fay"])
    one.confirm()
    one.says("A game is under way")
    assert place.table.now.version == 1
    one.tap("dialog .primary")
    one.at(2)


def test_hidden_points_are_seen_only_by_their_owner(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben", "Cleo"], seed=5, house_rules={"hidden_points": True})
    quick.until(6, "place_figures")
    ada = phone(seat="Ada")
    mine = next(player for player in quick.state["players"] if player["name"] == "Ada")
    points = {name: ada.page.locator(".people li", has_text=name).locator(".points") for name in ("Ada", "Ben", "Cleo")}
    expect(points["Ada"]).to_contain_text(f"{mine['points']} pt")
    expect(points["Ben"]).to_have_text("?")
    expect(points["Cleo"]).to_have_text("?")


def test_a_finished_game_can_be_kept_as_a_file_and_for_bg_stats(phone: Callable[..., Phone], place: Place) -> None:
    quick = Quickly(place.table, ["Ada", "Ben"], seed=6)
    while quick.state["phase"] != "over":
        quick.step()
    one = phone(seat="Ada")
    one.go("past")
    one.tap(".games button")
    with one.page.expect_download() as download:
        one.page.get_by_role("link", name="Save as a recorded game").click()
    assert download.value.path().read_text("utf-8").count("\n") > 100
    link = one.page.get_by_role("link", name="Log in BG Stats").get_attribute("href")
    assert link is not None
    assert link.startswith("https://app.bgstatsapp.com/createPlay.html?data=")


def test_with_free_sorting_finds_of_one_century_can_be_swapped(phone: Callable[..., Phone], place: Place) -> None:
    Quickly(place.table, ["Ada", "Ben"], variants=["free_sorting"])
    one = phone(seat="Ada")
    for code in ("V13J1", "B45M1", "J57V2", "B14J3", "J15V5"):
        one.enter_find(code)
    one.page.get_by_role("button", name="Swap with the one before").tap()
    one.confirm()
    one.at(2)
    assert place.table.now.show()["galleries"][:2] == [["B45M1"], ["V13J1"]]
