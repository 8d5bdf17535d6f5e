"""Evaluations after rounds 5, 7, 9 and 12, the final bonus, and who wins."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.pergamon.state import State
from tests.companion.games.given import Place, do, museum, player, show, told, turn

VASE, JUG, MASK, BRACELET = "B01V4 V63J1", "B02J3 J40V1", "B03M5 M07V1", "V04B2 B88M1"
"""Collections of one object each: V463, J340, M507 and B288."""
OBJECTS = {5: ("V", VASE), 7: ("J", JUG), 9: ("M", MASK), 12: ("B", BRACELET)}
Museum = dict[str, dict[str, Place]]


def evaluated(round: int, museum: Museum, points: dict[str, int] | None = None, **options: Any) -> State:
    """After the last turn of this round."""
    return do(turn(then=(), round=round, museum=museum, points=points, **options), "end_turn")


def scored(state: State, reason: str) -> list[tuple[str, int]]:
    return [(event["player"], event["points"]) for event in told(state, "scored") if event["reason"] == reason]


def points(state: State) -> dict[str, int]:
    return {player.name: player.points for player in state.players}


@pytest.mark.parametrize(
    ("space", "worth"), [(space, 1 + (space - 1) // 4) for space in range(1, 25)], ids=lambda number: str(number)
)
def test_a_marker_scores_the_points_of_its_space(space: int, worth: int) -> None:
    assert scored(evaluated(12, {"Ben": {"I": space}}), "museum") == [("Ben", worth)]


def test_every_marker_of_a_player_scores() -> None:
    state = evaluated(5, {"Ada": {"I": 24, "II": 9, "III": 1}, "Ben": {"I": 10}})

    assert points(state) == {"Ada": 6 + 3 + 1, "Ben": 3, "Cleo": 0}


def test_the_boards_own_museum_points_hold() -> None:
    board = {"museum_points": [20] * 24}

    assert scored(evaluated(5, {"Ben": {"I": 2}}, board=board), "museum") == [("Ben", 20)]


@pytest.mark.parametrize("round", OBJECTS)
def test_the_prize_goes_to_the_kind_of_the_round(round: int) -> None:
    shown: Museum = {"Ada": {"I": (20, VASE), "II": (19, JUG)}, "Ben": {"I": (18, MASK), "II": (17, BRACELET)}}

    state = evaluated(round, shown)

    kind, finds = OBJECTS[round]
    (prize,) = [event for event in told(state, "scored") if event["reason"] == "prize"]
    assert (prize["points"], prize["object"][0], prize["round"]) == (2, kind, round)
    assert prize["player"] == ("Ada" if finds in (VASE, JUG) else "Ben")


def test_the_older_of_two_wins_by_its_whole_year() -> None:
    shown: Museum = {"Ada": {"I": (20, "B01V4 V62J1")}, "Ben": {"I": (19, VASE)}, "Cleo": {"I": (18, "B05V3 V99J1")}}

    assert scored(evaluated(5, shown), "prize") == [("Ben", 2)]


def test_half_a_vase_at_the_end_of_a_row_is_no_vase() -> None:
    shown: Museum = {"Ada": {"I": (20, "V01J5 J02V5")}, "Ben": {"I": (19, "B05V1 V10J1")}}

    assert scored(evaluated(5, shown), "prize") == [("Ben", 2)]


@pytest.mark.parametrize(("round", "others"), [(5, JUG), (7, VASE), (9, BRACELET), (12, MASK)])
def test_nobody_has_the_kind_nobody_gets_the_prize(round: int, others: str) -> None:
    assert scored(evaluated(round, {"Ada": {"I": (20, others)}}), "prize") == []


def test_finds_in_hand_are_not_exhibited() -> None:
    assert scored(evaluated(5, {}, finds=VASE), "prize") == []


def test_points_and_prize_come_before_the_markers_move() -> None:
    state = evaluated(5, {"Ben": {"I": (3, VASE)}})

    assert points(state)["Ben"] == 1 + 2
    assert museum(state) == {}


@pytest.mark.parametrize(("round", "spaces"), [(5, 3), (7, 4), (9, 5)])
def test_collections_that_leave_the_museum_are_broken_up(round: int, spaces: int) -> None:
    state = evaluated(round, {"Ada": {"I": spaces, "II": spaces + 1}, "Ben": {"I": (1, VASE)}})

    assert museum(state) == {"Ada II": 1}
    assert player(state, "Ben").collections == ()
    assert {(event["player"], event["marker"]) for event in told(state, "fell_out")} == {("Ada", "I"), ("Ben", "I")}


def test_after_round_12_no_marker_moves() -> None:
    assert museum(evaluated(12, {"Ada": {"I": 1}, "Ben": {"I": 24}})) == {"Ada I": 1, "Ben I": 24}


def test_after_an_evaluation_the_next_round_begins() -> None:
    assert (show(evaluated(5, {}))["round"], show(evaluated(5, {}))["phase"]) == (6, "lay_out")


def test_the_three_oldest_objects_score_3_2_and_1() -> None:
    shown: Museum = {"Ada": {"I": (20, JUG)}, "Ben": {"I": (19, MASK)}, "Cleo": {"I": (18, VASE), "II": (17, BRACELET)}}

    assert scored(evaluated(12, shown), "oldest") == [("Ben", 3), ("Cleo", 2), ("Ada", 1)]


def test_all_three_may_go_to_one_player_even_from_one_collection() -> None:
    row = "B03M5 M07V5 V63J5 J40B1"

    assert scored(evaluated(12, {"Ada": {"I": (20, row)}, "Ben": {"I": (19, JUG)}}), "oldest") == [
        ("Ada", 3),
        ("Ada", 2),
        ("Ada", 1),
    ]


def test_with_fewer_than_three_objects_fewer_points_are_given() -> None:
    assert scored(evaluated(12, {"Ada": {"I": (20, JUG)}}), "oldest") == [("Ada", 3)]
    assert scored(evaluated(12, {}), "oldest") == []


@pytest.mark.parametrize("round", [5, 7, 9])
def test_the_oldest_objects_score_only_at_the_end(round: int) -> None:
    assert scored(evaluated(round, {"Ada": {"I": (20, JUG)}}), "oldest") == []


def test_a_whole_last_evaluation_adds_up() -> None:
    state = evaluated(12, {"Ada": {"I": (9, JUG), "II": (2, VASE)}, "Ben": {"I": (16, BRACELET)}}, {"Ada": 5, "Ben": 7})

    assert points(state) == {"Ada": 5 + 3 + 1 + 3 + 2, "Ben": 7 + 4 + 2 + 1, "Cleo": 0}
    assert show(state)["winners"] == ["Ada"]


def test_most_points_win() -> None:
    state = evaluated(12, {}, {"Ada": 10, "Ben": 12, "Cleo": 11})

    assert (show(state)["phase"], show(state)["winners"], show(state)["to_act"]) == ("over", ["Ben"], None)
    assert told(state, "game_ended") == [{"what": "game_ended", "winners": ["Ben"]}]


def test_a_tie_goes_to_the_owner_of_the_oldest_exhibited_object() -> None:
    shown: Museum = {"Ada": {"I": (1, JUG)}, "Ben": {"I": (2, MASK)}}

    state = evaluated(12, shown, {"Ada": 10, "Ben": 9})

    assert points(state)["Ada"] == points(state)["Ben"] == 10 + 1 + 2
    assert show(state)["winners"] == ["Ben"]


def test_on_a_tie_only_those_who_tie_are_compared() -> None:
    shown: Museum = {"Ada": {"I": (1, JUG)}, "Cleo": {"I": (2, MASK)}}

    state = evaluated(12, shown, {"Ada": 17, "Ben": 20, "Cleo": 0})

    assert (points(state)["Ada"], points(state)["Ben"]) == (20, 20)
    assert show(state)["winners"] == ["Ada"]


def test_where_nobody_of_the_tied_exhibits_they_share_the_win() -> None:
    state = evaluated(12, {"Cleo": {"I": (2, MASK)}}, {"Ada": 20, "Ben": 20})

    assert show(state)["winners"] == ["Ada", "Ben"]


def test_a_game_without_any_exhibition_is_shared_by_all() -> None:
    assert show(evaluated(12, {}))["winners"] == ["Ada", "Ben", "Cleo"]


def test_where_years_tie_the_earlier_exhibited_wins_and_it_is_said() -> None:
    shown: Museum = {"Ada": {"I": (20, "B01V4 V63J1")}, "Ben": {"I": (19, "M01V4 V63M1")}}

    (prize,) = [event for event in told(evaluated(5, shown), "scored") if event["reason"] == "prize"]

    assert (prize["player"], prize["tied"]) == ("Ada", True)


def test_the_order_of_exhibiting_counts_not_the_order_of_the_seats() -> None:
    """Cleo exhibits before Ada does, and their vases are of the same year."""
    state = turn("Cleo", then=("Ada",), round=5, finds="B01V4 V63J1")
    state = do(do(state, "exhibit", finds=["B01V4", "V63J1"]), "end_turn")
    ada = replace(player(state, "Ada"), finds=("M01V4", "V63M1"))
    state = replace(state, players=(ada, *state.players[1:]))
    state = do(do(state, "exhibit", finds=["M01V4", "V63M1"]), "end_turn")

    (prize,) = [event for event in told(state, "scored") if event["reason"] == "prize"]
    assert (prize["player"], prize["tied"]) == ("Cleo", True)


def test_a_tie_is_said_only_of_those_who_tie() -> None:
    shown: Museum = {
        "Ada": {"I": (20, "B01V4 V63J1")},
        "Ben": {"I": (19, "M01V4 V63M1")},
        "Cleo": {"I": (18, "B05V3 V99J1"), "II": (17, "B06V3 V98J1")},
    }

    awards = [event for event in told(evaluated(12, shown), "scored") if event["reason"] == "oldest"]

    assert [(award["object"], award.get("tied", False)) for award in awards] == [
        ("V463", True),
        ("V463", False),
        ("V399", False),
    ]


def test_scores_keep_where_every_point_came_from() -> None:
    state = evaluated(12, {"Ben": {"I": (16, BRACELET)}})

    told_of = [(score["player"], score["reason"], score["points"]) for score in show(state)["scores"]]
    assert told_of == [("Ben", "museum", 4), ("Ben", "prize", 2), ("Ben", "oldest", 3)]


def test_before_the_end_nobody_has_won() -> None:
    assert show(evaluated(9, {}, {"Ada": 50}))["winners"] == []
