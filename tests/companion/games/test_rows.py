"""The best rows of a set of finds: compared with every row there is, and told by examples."""

from __future__ import annotations

import itertools
import random

import pytest

from companion.games.base import Refused
from companion.games.pergamon.notation import objects_in, value_of
from companion.games.pergamon.rows import best_row, best_rows
from tests.companion.games.every_row import best_values, draw
from tests.companion.games.players import RandomPlayer

ALL_SORTS = ["".join(kinds) for kinds in itertools.permutations("VJMB", 2)]


def values(finds: str) -> dict[int, int]:
    return {number: row.value for number, row in best_rows(finds.split()).items()}


# What a row is worth


def test_bracelet_5_vase_3_mask_4_make_a_row_worth_12() -> None:
    row = best_row(["M44J1", "V33M4", "J11B5", "B22V3"])

    assert row is not None
    assert row.finds == ("J11B5", "B22V3", "V33M4", "M44J1")
    assert (row.objects, row.value) == (("B522", "V333", "M444"), 12)


def test_the_last_find_counts_nothing_so_the_youngest_that_fits_goes_there() -> None:
    row = best_row(["V10J5", "J20V5", "V30J1"])

    assert row is not None
    assert row.finds == ("V10J5", "J20V5", "V30J1")
    assert row.value == 10


def test_a_row_ends_with_its_younger_find_and_saves_the_older_one_where_that_costs_nothing() -> None:
    assert best_rows(["V10J5", "J20M1", "J30M4"])[2].finds == ("V10J5", "J20M1")


def test_of_rows_worth_the_same_the_shortest_is_the_best() -> None:
    row = best_row(["V10J1", "J20V1", "M30B2", "B40M2"])

    assert row is not None
    assert (len(row.finds), row.value) == (2, 2)


def test_for_each_number_of_finds_there_is_a_best_row() -> None:
    assert values("J11B5 B22V3 V33M4 M44J1") == {2: 5, 3: 8, 4: 12}


# What makes no row


@pytest.mark.parametrize("finds", ["", "V50J3", "V50J3 V51J4", "V50J3 M51B4"])
def test_finds_that_do_not_fit_make_no_row(finds: str) -> None:
    assert best_rows(finds.split()) == {}
    assert best_row(finds.split()) is None


def test_two_round_trips_that_lie_apart_are_not_one_row() -> None:
    assert values("V10J5 J11V5 M12B5 B13M5") == {2: 5}


def test_one_find_can_join_what_lies_apart() -> None:
    assert values("V10J5 J11V5 M12B5 B13M5 V14M1")[5] == 5 + 5 + 1 + 5


def test_round_trips_may_hang_on_one_another() -> None:
    assert values("V10J5 J11V5 J12M5 M13J5 M14B5 B15M5 V16J1")[7] == 6 * 5


def test_a_triangle_that_the_last_find_does_not_touch_does_not_count() -> None:
    assert values("V10J5 J11M5 M12V5 B13J1") == {2: 5, 3: 10, 4: 1 + 10}


def test_a_find_named_twice_lies_only_once_in_the_row() -> None:
    assert values("V10J5 J20V4 V10J5") == {2: 5}


def test_what_is_no_find_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        best_rows(["V50J3", "V50V3"])
    assert refused.value.code == "unknown_find"


# What may be relied on


@pytest.mark.parametrize(
    ("sorts", "most"),
    [
        pytest.param(ALL_SORTS, 8, id="any finds"),
        pytest.param(["VJ", "JM", "MV", "JV"], 7, id="no bracelet"),
        pytest.param(["VJ", "JV"], 8, id="two kinds only"),
        pytest.param(["VJ", "JV", "MB", "BM"], 8, id="two pairs apart"),
        pytest.param(["VJ", "JV", "VJ", "JV", "MB", "BM", "JM"], 8, id="two pairs joined one way"),
        pytest.param(["VJ", "JM", "MV", "BV", "VB"], 8, id="a triangle and a round trip"),
        pytest.param(["VJ", "VJ", "JV", "JM", "MJ", "MB", "BM"], 8, id="round trips one after another"),
        pytest.param(["VJ", "VM", "VB", "JV", "MV", "BV"], 7, id="all by way of the vase"),
    ],
)
def test_no_row_of_any_length_is_better_than_the_one_found(sorts: list[str], most: int) -> None:
    rng = random.Random(str(sorts))
    for _ in range(800):
        finds = draw(rng, rng.randint(0, most), sorts)
        rows = best_rows(finds)

        assert {number: row.value for number, row in rows.items()} == best_values(finds), finds
        for number, row in rows.items():
            assert len(row.finds) == len(set(row.finds)) == number
            assert set(row.finds) <= set(finds)
            assert row.objects == tuple(map(str, objects_in(row.finds)))
            assert row.value == value_of(objects_in(row.finds))


def test_the_order_of_the_finds_does_not_matter() -> None:
    rng = random.Random("order")
    for _ in range(50):
        finds = draw(rng, 14, ALL_SORTS)
        assert best_rows(finds) == best_rows(sorted(finds))


def test_another_find_never_makes_the_best_row_worse() -> None:
    rng = random.Random("more")
    for _ in range(20):
        finds = draw(rng, 20, ALL_SORTS)
        best = [max((row.value for row in best_rows(finds[:n]).values()), default=0) for n in range(len(finds) + 1)]
        assert best == sorted(best)


def test_a_whole_box_makes_one_row_of_all_60_finds_and_only_a_youngest_one_does_not_count() -> None:
    row = best_rows(RandomPlayer(random.Random(1)).finds)[60]

    assert len(set(row.finds)) == 60
    assert row.value == 12 * (1 + 2 + 3 + 4 + 5) - 1
