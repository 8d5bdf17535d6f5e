"""What players ask the table about the museum and their turn."""

from __future__ import annotations

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.base import Refused
from companion.games.pergamon.advice import Gallery, evaluation, exhibiting, storing, suggestions, three_oldest
from companion.games.pergamon.state import State
from tests.companion.games.given import do, museum, new_game, show, turn

BRACELET_VASE_MASK = "J11B5 B22V3 V33M4 M44J1"
"""A row worth 5 + 3 + 4."""


def refused(state: State, player: str, finds: str, polish: int = 0, break_up: str | None = None) -> str:
    with pytest.raises(Refused) as refusal:
        exhibiting(state, player, finds.split(), polish, break_up)
    return refusal.value.code


# What would exhibiting do?


def test_5_3_and_4_would_lie_on_12_for_a_point_and_push_9_and_12_down_but_not_16() -> None:
    state = turn(finds=BRACELET_VASE_MASK, museum={"Ben": {"I": 9, "II": 12}, "Cleo": {"I": 16}})

    preview = exhibiting(state, "Ada", BRACELET_VASE_MASK.split())

    assert (preview.value, preview.space, preview.points, preview.marker) == (12, 12, 1, "I")
    assert preview.objects == ("B522", "V333", "M444")
    assert [(move.player, move.marker, move.start, move.end) for move in preview.moved] == [
        ("Ben", "I", 9, 8),
        ("Ben", "II", 12, 11),
    ]
    assert preview.fallen == ()


def test_asking_changes_nothing() -> None:
    state = turn(finds=BRACELET_VASE_MASK, museum={"Ben": {"I": 9}})
    before = show(state)

    exhibiting(state, "Ada", BRACELET_VASE_MASK.split())

    assert show(state) == before


def test_polish_raises_the_value_and_leaves_fewer_coins() -> None:
    preview = exhibiting(turn(coins=3, finds=BRACELET_VASE_MASK), "Ada", BRACELET_VASE_MASK.split(), polish=2)

    assert (preview.value, preview.coins_left) == (14, 1)


def test_a_collection_worth_more_than_24_would_lie_on_24() -> None:
    preview = exhibiting(
        turn(round=12, coins=20, finds=BRACELET_VASE_MASK), "Ada", BRACELET_VASE_MASK.split(), polish=20
    )

    assert (preview.value, preview.space) == (32, 24)


def test_a_marker_on_space_1_would_fall_out_ones_own_too() -> None:
    state = turn(finds="V10J2 J20V1", museum={"Ada": {"I": 2}, "Ben": {"III": 1}})

    preview = exhibiting(state, "Ada", ["V10J2", "J20V1"])

    assert [(fall.player, fall.marker) for fall in preview.fallen] == [("Ben", "III")]
    assert [(move.player, move.end) for move in preview.moved] == [("Ada", 1)]


def test_a_fourth_collection_says_which_one_would_be_broken_up_for_it() -> None:
    state = turn(finds="V10J5 J20V1", museum={"Ada": {"I": 20, "II": 3, "III": 10}})

    preview = exhibiting(state, "Ada", ["V10J5", "J20V1"], break_up="II")

    assert preview.broken_up is not None
    assert (preview.broken_up.marker, preview.broken_up.space, preview.marker) == ("II", 3, "II")
    assert preview.moved == ()


@pytest.mark.parametrize(
    ("code", "finds", "polish", "break_up"),
    [
        ("row_does_not_fit", "V10J5 V11J5", 0, None),
        ("row_does_not_fit", "V10J5", 0, None),
        ("unknown_find", "V10J5 J99M5", 0, None),
        ("too_much_polish", "V10J5 J20V1", 4, None),
        ("not_enough_coins", "V10J5 J20V1", 3, None),
        ("malformed", "V10J5 J20V1", -1, None),
        ("break_up_not_needed", "V10J5 J20V1", 0, "I"),
        ("malformed", "V10J5 J20V1", 0, "IV"),
    ],
)
def test_what_the_rules_refuse_is_refused_when_asked_for(
    code: str, finds: str, polish: int, break_up: str | None
) -> None:
    state = turn(coins=2, finds="V10J5 V11J5 J20V1", museum={"Ada": {"I": 3}})

    assert refused(state, "Ada", finds, polish, break_up) == code


def test_with_three_collections_out_the_one_to_break_up_must_be_named() -> None:
    state = turn(finds="V10J5 J20V1", museum={"Ada": {"I": 20, "II": 3, "III": 10}})

    assert refused(state, "Ada", "V10J5 J20V1") == "no_free_marker"


def test_who_is_not_at_turn_may_ask_ahead() -> None:
    state = do(turn(finds="V10J5 J20V1", coins=2), "end_turn")

    assert refused(state, "Ada", "V10J5 J20V1") == "not_your_turn"
    assert exhibiting(state, "Ada", ["V10J5", "J20V1"], polish=2, ahead=True).space == 7


def test_after_the_game_nothing_can_be_exhibited_not_even_ahead() -> None:
    over = do(turn(then=(), round=12, finds="V10J5 J20V1"), "end_turn")

    with pytest.raises(Refused) as refusal:
        exhibiting(over, "Ada", ["V10J5", "J20V1"], ahead=True)
    assert refusal.value.code == "wrong_phase"


def test_a_stranger_is_told_so() -> None:
    assert refused(turn(), "Zoe", "V10J5 J20V1") == "unknown_player"


def test_exhibiting_may_take_the_lead_for_the_next_prize() -> None:
    state = turn(round=4, finds="J01V4 V63M1", museum={"Ben": {"I": (20, "J02V4 V62M1")}})
    now = evaluation(state)
    assert now is not None
    assert now.prize is not None
    assert now.prize.player == "Ben"

    then = exhibiting(state, "Ada", ["J01V4", "V63M1"]).next_evaluation

    assert then is not None
    assert then.prize is not None
    assert (then.prize.player, then.prize.object) == ("Ada", "V463")


# Who leads?


@pytest.mark.parametrize(
    ("round", "next_evaluation", "kind"),
    [(1, 5, "V"), (5, 5, "V"), (6, 7, "J"), (7, 7, "J"), (8, 9, "M"), (10, 12, "B"), (12, 12, "B")],
)
def test_the_next_evaluation_comes_after_rounds_5_7_9_and_12(round: int, next_evaluation: int, kind: str) -> None:
    ahead = evaluation(turn(round=round))

    assert ahead is not None
    assert (ahead.round, ahead.kind) == (next_evaluation, kind)


def test_the_oldest_jug_leads_for_round_7_and_a_vase_does_not_count_there() -> None:
    state = turn(round=6, museum={"Ben": {"I": (4, "M01J3 J63M1")}, "Cleo": {"I": (3, "M02J3 J62V5 V10B1")}})

    ahead = evaluation(state)

    assert ahead is not None
    assert ahead.prize is not None
    assert (ahead.prize.player, ahead.prize.object, ahead.prize.points) == ("Ben", "J363", 2)


def test_nobody_leads_where_nobody_has_that_kind() -> None:
    ahead = evaluation(turn(round=5, museum={"Ben": {"I": (4, "M01J3 J63M1")}}))

    assert ahead is not None
    assert ahead.prize is None


def test_every_marker_is_told_its_points_and_whether_it_then_falls_out() -> None:
    state = turn(round=5, museum={"Ada": {"I": 16, "II": 3}, "Ben": {"I": 4}})

    ahead = evaluation(state)

    assert ahead is not None
    assert [(score.player, score.space, score.points) for score in ahead.markers] == [
        ("Ada", 16, 4),
        ("Ben", 4, 1),
        ("Ada", 3, 1),
    ]
    assert ahead.points == {"Ada": 5, "Ben": 1, "Cleo": 0}
    assert [(move.player, move.end) for move in ahead.moved] == [("Ada", 13), ("Ben", 1)]
    assert [(fall.player, fall.marker) for fall in ahead.fallen] == [("Ada", "II")]


def test_the_three_oldest_objects_are_known_all_along_but_score_only_at_the_end() -> None:
    rows = {"Ada": {"I": (4, "M01J5 J63M3 M10B1")}, "Ben": {"I": (3, "B02J4 J62V1")}, "Cleo": {"I": (2, "V20B1 B30V1")}}
    early, late = turn(round=1, museum=rows), turn(round=12, museum=rows)

    leaders = [(score.player, score.points, score.object) for score in three_oldest(early)]

    assert leaders == [("Ada", 3, "J563"), ("Ben", 2, "J462"), ("Ada", 1, "M310")]
    before, at_the_end = evaluation(early), evaluation(late)
    assert before is not None
    assert at_the_end is not None
    assert before.oldest == tuple(replace(score, round=12) for score in before.oldest) == at_the_end.oldest
    assert before.points["Ada"] == 1
    assert at_the_end.points["Ada"] == 1 + 3 + 1


def test_after_the_game_there_is_no_next_evaluation() -> None:
    assert evaluation(do(turn(then=(), round=12), "end_turn")) is None


# What does storing cost?


def test_three_finds_are_stored_for_nothing() -> None:
    (way,) = storing(turn(finds="V10J1 V11J1 V12J1"), "Ada")

    assert (way.fee, way.affordable, way.discard) == (0, True, ())


def test_five_finds_cost_1_coin_and_what_makes_no_good_row_is_thrown_away_to_save_it() -> None:
    keep_all, save_one = storing(turn(coins=1, finds="V10J5 B90M5 J20V4 B91M4 V30J1"), "Ada")

    assert (keep_all.fee, keep_all.affordable, keep_all.discard) == (1, True, ())
    assert (save_one.fee, save_one.discard) == (0, ("B90M5", "B91M4"))
    assert save_one.kept == ("V10J5", "J20V4", "V30J1")
    assert save_one.best is not None
    assert save_one.best.value == 9


def test_each_coin_saved_is_a_way_of_its_own_and_what_cannot_be_paid_is_marked() -> None:
    state = turn(coins=1, finds="V10J5 J20V4 V30J3 J40V2 V50J1 M60B5 B70M5")

    ways = storing(state, "Ada")

    assert [(way.fee, way.affordable, len(way.kept)) for way in ways] == [(2, False, 7), (1, True, 6), (0, True, 3)]
    assert ways[1].discard == ("M60B5",)
    assert ways[2].kept == ("V10J5", "J20V4", "V30J3")


def test_beside_the_best_row_the_best_of_the_rest_is_kept() -> None:
    state = turn(finds="V10J5 J20V5 V30J1 V40J1 M60B4 B70M3 M61B1")

    assert storing(state, "Ada")[1].discard == ("V30J1",)


def test_where_a_row_is_as_good_with_the_younger_find_the_older_one_is_kept_for_later() -> None:
    state = turn(finds="V10J5 J20M1 J30M4 B11V1")

    assert storing(state, "Ada")[1].discard == ("J20M1",)


def test_the_way_proposed_is_one_that_the_rules_take() -> None:
    state = turn(coins=1, finds="V10J5 J20V4 V30J3 J40V2 V50J1 M60B5 B70M5")
    for way in storing(state, "Ada")[1:]:
        stored = do(state, "end_turn", discard=way.discard)
        assert stored.players[0].finds == way.kept
        assert stored.players[0].coins == 1 - way.fee


# What can this turn be?


def reasons(galleries: tuple[Gallery, ...]) -> list[str]:
    return [gallery.refusal for gallery in galleries]


def test_each_gallery_is_offered_with_its_price_or_the_reason_why_not() -> None:
    galleries = ("V01J1", "", "V03J1 J04V1", "V05J1", "V06J1")
    advice = suggestions(turn(space=5, coins=3, galleries=galleries), "Ada")

    assert [gallery.price for gallery in advice.galleries] == [1, 2, 3, 4, 5]
    assert reasons(advice.galleries) == ["", "gallery_empty", "", "not_enough_coins", "gallery_too_deep"]
    assert [bool(gallery.reason) for gallery in advice.galleries] == [False, True, False, True, True]
    assert advice.galleries[2].finds == ("V03J1", "J04V1")


def test_with_each_gallery_come_the_best_rows_that_its_finds_would_make_with_ones_own() -> None:
    state = turn(coins=3, finds="V10J5 M20B1", galleries=("J30M4", "J40V1", "", "", ""))

    advice = suggestions(state, "Ada")

    assert advice.rows == ()
    assert [row.finds for row in advice.galleries[0].rows] == [("V10J5", "J30M4"), ("V10J5", "J30M4", "M20B1")]
    assert [row.value for row in advice.galleries[0].rows] == [5, 9]
    assert [row.finds for row in advice.galleries[1].rows] == [("V10J5", "J40V1")]
    assert advice.galleries[2].rows == ()


def test_after_digging_no_gallery_is_offered() -> None:
    dug = do(turn(coins=3, galleries=("V01J1", "V02J1", "", "", "")), "dig", gallery=1)

    assert set(reasons(suggestions(dug, "Ada").galleries)) == {"wrong_phase"}


def test_who_waits_for_the_turn_may_look_ahead() -> None:
    state = turn(of="Ben", then=("Ada",), galleries=("V01J1", "", "", "", ""), coins=0)
    state = replace(state, players=(replace(state.players[0], coins=1), *state.players[1:]), has_dug=True)

    assert reasons(suggestions(state, "Ada").galleries)[0] == "not_your_turn"
    assert reasons(suggestions(state, "Ada", ahead=True).galleries)[:2] == ["", "gallery_empty"]


def test_before_the_turns_begin_nothing_can_be_dug_ahead() -> None:
    assert set(reasons(suggestions(new_game(), "Ada", ahead=True).galleries)) == {"wrong_phase"}


# For the page


def test_every_answer_can_be_sent_to_a_page() -> None:
    state = turn(round=5, coins=4, finds="V10J5 J20V4 V30J1 M40B2", galleries=("V01J1",) * 5, museum={"Ben": {"I": 3}})
    preview = exhibiting(state, "Ada", ["V10J5", "J20V4"])

    sent = msgspec.json.decode(msgspec.json.encode([preview, suggestions(state, "Ada"), storing(state, "Ada")]))

    assert sent[0]["moved"][0] == {"what": "moved", "player": "Ben", "marker": "I", "start": 3, "end": 2}
    assert sent[1]["galleries"][0]["rows"][0]["finds"]
    assert sent[2][0]["best"]["value"] == 9
    assert museum(state) == {"Ben I": 3}
