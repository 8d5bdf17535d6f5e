"""The state as the outside relies on it, and what one seat may see of it."""

from __future__ import annotations

from typing import Any

from companion.games.pergamon import PERGAMON
from companion.games.pergamon.state import State
from tests.companion.games.given import TWO, do, new_game, show, turn

KEYS = {
    "game", "version", "round", "phase", "to_act", "first_player", "variants", "board", "galleries", "funds",
    "figures", "museum", "players", "raider", "winners",
}  # fmt: skip
PLAYER_KEYS = {"name", "colour", "coins", "points", "finds", "collections"}
COLLECTION_KEYS = {"marker", "finds", "objects", "value", "space"}


def hidden(**options: Any) -> State:
    return turn(
        house_rules={"hidden_points": True},
        points={"Ada": 4, "Ben": 7, "Cleo": 2},
        finds="V50J3 J12M4",
        **options,
    )


def seen_by(state: State, seat: str | None) -> dict[str, Any]:
    return {player["name"]: player.get("points") for player in PERGAMON.view(state, 1, seat)["players"]}


def test_every_promised_key_is_there() -> None:
    shown = show(do(turn(finds="V50J3 J12M4"), "exhibit", finds=["V50J3", "J12M4"]))

    assert set(shown) >= KEYS
    assert set(shown["funds"]) == {"backs", "values", "unseen"}
    assert all(set(player) == PLAYER_KEYS for player in shown["players"])
    assert set(shown["players"][0]["collections"][0]) >= COLLECTION_KEYS


def test_a_new_game_has_every_key_too() -> None:
    assert set(show(new_game(*TWO))) >= KEYS


def test_the_museum_is_listed_from_the_lowest_space_up() -> None:
    state = turn(museum={"Ada": {"I": 20, "II": 3}, "Cleo": {"I": 9}})

    assert [marker["space"] for marker in show(state)["museum"]] == [3, 9, 20]


def test_points_are_open_unless_the_table_hides_them() -> None:
    state = turn(points={"Ada": 4, "Ben": 7})

    assert seen_by(state, None) == {"Ada": 4, "Ben": 7, "Cleo": 0}


def test_hidden_points_are_seen_by_their_owner_alone() -> None:
    assert seen_by(hidden(), "Ben") == {"Ada": None, "Ben": 7, "Cleo": None}


def test_an_onlooker_sees_no_hidden_points() -> None:
    assert seen_by(hidden(), None) == {"Ada": None, "Ben": None, "Cleo": None}
    assert seen_by(hidden(), "Nobody") == {"Ada": None, "Ben": None, "Cleo": None}


def test_hidden_points_do_not_show_in_what_happened() -> None:
    state = do(hidden(then=(), round=5, museum={"Ben": {"I": 9}, "Ada": {"I": 12}}), "end_turn")

    for log in ("scores", "events"):
        entries = PERGAMON.view(state, 1, "Ben")[log]
        assert {entry["player"] for entry in entries if entry["what"] == "scored"} == {"Ben"}
        assert not [entry for entry in PERGAMON.view(state, 1, None)[log] if entry["what"] == "scored"]


def test_coins_stay_open_where_points_are_hidden() -> None:
    assert PERGAMON.view(hidden(coins=5), 1, "Ben")["players"][0]["coins"] == 5


def test_at_the_end_all_tickets_are_turned_up() -> None:
    over = do(hidden(then=(), round=12), "end_turn")

    assert seen_by(over, None) == {"Ada": 4, "Ben": 7, "Cleo": 2}
    assert PERGAMON.view(over, 1, None)["winners"] == ["Ben"]


def test_the_table_itself_knows_all_points() -> None:
    assert [player["points"] for player in show(hidden())["players"]] == [4, 7, 2]


def test_next_step_names_who_acts_and_how() -> None:
    step = PERGAMON.next_step(turn("Ben", then=()))
    assert (step.to_act, step.commands) == ("Ben", ("dig", "exhibit", "end_turn"))

    step = PERGAMON.next_step(new_game())
    assert (step.to_act, step.commands) == (None, ("lay_out",))

    assert PERGAMON.next_step(do(turn(then=(), round=12), "end_turn")).commands == ()


def test_the_game_says_who_plays_and_who_has_won() -> None:
    over = do(turn(then=(), round=12, points={"Ben": 3}), "end_turn")

    assert PERGAMON.players(over) == ("Ada", "Ben", "Cleo")
    assert PERGAMON.is_over(over)
    assert PERGAMON.winners(over) == ("Ben",)
    assert PERGAMON.winners(turn()) == ()
