"""Setting a game up: players, colours, variants, house rules and the board that it keeps."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.games.base import Refused
from tests.companion.games.given import THREE, TWO, new_game, show


def refusal_of(*names: Any, **options: Any) -> str:
    with pytest.raises(Refused) as refused:
        new_game(*names, **options)
    return refused.value.code


@pytest.mark.parametrize("players", [("Ada", "Ben"), ("Ada", "Ben", "Cleo"), ("Ada", "Ben", "Cleo", "Dino")])
def test_a_game_begins_in_round_1_with_empty_galleries_and_purses(players: tuple[str, ...]) -> None:
    shown = show(new_game(*players))

    assert (shown["round"], shown["phase"], shown["to_act"]) == (1, "lay_out", None)
    assert shown["galleries"] == [[], [], [], [], []]
    assert [player["name"] for player in shown["players"]] == list(players)
    assert {(player["coins"], player["points"]) for player in shown["players"]} == {(0, 0)}
    assert shown["funds"]["unseen"] == {str(value): 3 for value in range(1, 9)}
    assert (shown["first_player"], shown["order"]) == ("Ada", list(players))


def test_only_two_players_meet_the_raider() -> None:
    assert show(new_game(*TWO))["raider"] == {"coins": 0}
    assert show(new_game(*THREE))["raider"] is None


def test_players_without_a_colour_take_the_next_free_one() -> None:
    shown = show(new_game("Ada", {"name": "Ben", "colour": "yellow"}, "Cleo", {"name": "Dino", "colour": "red"}))

    assert [player["colour"] for player in shown["players"]] == ["blue", "yellow", "green", "red"]


@pytest.mark.parametrize("players", [("Ada",), ("Ada", "Ben", "Cleo", "Dino", "Eve")])
def test_a_game_is_for_two_to_four(players: tuple[str, ...]) -> None:
    assert refusal_of(*players) == "malformed"


def test_all_players_have_different_names() -> None:
    assert refusal_of("Ada", "Ada") == "malformed"


def test_all_players_have_different_colours() -> None:
    assert refusal_of({"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "red"}) == "malformed"


def test_nobody_is_called_raider() -> None:
    assert refusal_of("Ada", "raider") == "malformed"
    assert refusal_of({"name": "raider", "colour": "red"}, "Ben", "Cleo") == "malformed"


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Ада",
        "愛",
        "👩‍🚀",
        "🏺🏺",
        "عدي",
        "אדה",
        "<b>Ada</b>",
        "{{ Ada }}",
        "Ada & 'Ben'",
        '"',
        "Zoë",
        "null",
        "A" * 40,
    ],
)
def test_any_name_that_people_write_is_taken(name: str) -> None:
    assert show(new_game(name, "Other"))["players"][0]["name"] == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        " Ada",
        "Ada ",
        "Ada\n",
        "A\nda",
        "A\tda",
        "A\x00da",
        "A\x1b[2Jda",
        "A\x7f",
        "A\u2028da",
        "A\u0085",
        "A" * 41,
    ],
)
def test_a_name_with_a_control_character_or_spaces_around_it_is_refused(name: str) -> None:
    assert refusal_of(name, "Other") == "malformed"


@pytest.mark.parametrize("name", ["\u200b", "\u202e\u202c", "\u2060\u200d", "\u0301"])
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    assert refusal_of(name, "Other") == "malformed"


@pytest.mark.parametrize("name", [None, 7, ["Ada"], {"name": "Ada"}, {"name": "Ada", "colour": "pink"}])
def test_what_is_no_name_is_malformed(name: Any) -> None:
    assert refusal_of(name, "Other") == "malformed"


def test_variants_are_kept() -> None:
    assert show(new_game(variants=["order_track", "free_sorting"]))["variants"] == ["order_track", "free_sorting"]


@pytest.mark.parametrize("variants", [["order_track", "order_track"], ["fast"], "order_track"])
def test_a_wrong_list_of_variants_is_malformed(variants: Any) -> None:
    assert refusal_of(*THREE, variants=variants) == "malformed"


def test_house_rules_not_named_are_as_the_rules_have_them() -> None:
    assert show(new_game())["house_rules"] == {"raider_takes_rest": True, "hidden_points": False}
    kept = show(new_game(house_rules={"raider_takes_rest": False}))["house_rules"]
    assert kept == {"raider_takes_rest": False, "hidden_points": False}


@pytest.mark.parametrize("house_rules", [{"no_polish": True}, {"raider_takes_rest": 1}, []])
def test_an_unknown_house_rule_is_malformed(house_rules: Any) -> None:
    assert refusal_of(*THREE, house_rules=house_rules) == "malformed"


def test_the_shipped_board_is_not_confirmed() -> None:
    assert show(new_game())["board"]["confirmed"] is False


def test_a_game_keeps_the_board_it_was_started_with() -> None:
    board = {"confirmed": True, "coins": [9, 8, 7, 6, 5, 4, 3, 3, 2, 2, 1, 1, 0], "raider": {"two_bags": 8}}

    shown = show(new_game(board=board))["board"]

    assert (shown["confirmed"], shown["coins"]) == (True, board["coins"])
    assert shown["raider"] == {"two_chests": 5, "bag_and_chest": 7, "two_bags": 8}
    assert shown["deepest_gallery"] == [5, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1]


@pytest.mark.parametrize(
    "board",
    [
        {"coins": [6, 5, 4]},
        {"coins": [-1] * 13},
        {"coins": [10**9] * 13},
        {"deepest_gallery": [6] * 13},
        {"deepest_gallery": [0] * 13},
        {"museum_points": [1] * 23},
        {"raider": {"two_bags": 14}},
        {"colour": "blue"},
        {"confirmed": "yes"},
        [],
    ],
)
def test_a_board_that_cannot_be_is_malformed(board: Any) -> None:
    assert refusal_of(*THREE, board=board) == "malformed"


def test_the_same_command_gives_the_same_game() -> None:
    assert msgspec.json.encode(show(new_game())) == msgspec.json.encode(show(new_game()))
