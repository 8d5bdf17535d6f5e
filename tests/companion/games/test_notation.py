"""Finds, objects and rows in their text forms."""

from __future__ import annotations

import itertools

import pytest

from companion.games.base import Refused
from companion.games.pergamon.notation import Whole, objects_in, parse_find, parse_object, value_of


def test_a_find_reads_left_half_number_right_half_century() -> None:
    find = parse_find("V50J3")

    assert (find.left, find.number, find.right, find.century) == ("V", 50, "J", 3)


def test_every_legal_find_goes_in_and_out_unchanged() -> None:
    codes = [
        f"{left}{number:02d}{right}{century}"
        for left, right in itertools.permutations("VJMB", 2)
        for number in range(100)
        for century in range(1, 6)
    ]

    assert [str(parse_find(code)) for code in codes] == codes


@pytest.mark.parametrize(
    "code",
    ["", "V50J", "V50J33", "V50V3", "X50J3", "V50X3", "V5 J3", "V50J0", "V50J6", "v50j3", " V50J3", "V50J3\n", "V٥٠J3"],
)
def test_what_is_no_find_is_refused(code: str) -> None:
    with pytest.raises(Refused) as refused:
        parse_find(code)

    assert refused.value.code == "unknown_find"


def test_a_refusal_quotes_a_long_word_shortly() -> None:
    with pytest.raises(Refused) as refused:
        parse_find("V" * 60_000)

    assert len(refused.value.message) < 150


def test_an_object_goes_in_and_out_unchanged() -> None:
    assert parse_object("J312") == Whole("J", 312)
    assert str(Whole("J", 312)) == "J312"
    assert str(Whole("B", 500)) == "B500"


def test_a_number_below_ten_keeps_its_nought_in_the_year() -> None:
    assert objects_in(["V10M4", "M03B2"]) == (Whole("M", 403),)


def test_a_row_makes_one_object_a_seam_and_its_open_ends_count_nothing() -> None:
    objects = objects_in(["V10M4", "M63B2", "B05J5"])

    assert [str(whole) for whole in objects] == ["M463", "B205"]
    assert value_of(objects) == 4 + 2


def test_a_row_breaks_where_halves_of_two_kinds_meet() -> None:
    with pytest.raises(Refused) as refused:
        objects_in(["V10M4", "B05J5"])

    assert refused.value.code == "row_does_not_fit"
    assert "mask" in refused.value.message
    assert "bracelet" in refused.value.message


def test_a_row_reads_from_left_to_right_only() -> None:
    with pytest.raises(Refused):
        objects_in(["M63B2", "V10M4"])


def test_an_object_is_worth_its_century_whatever_its_number() -> None:
    assert [value_of([Whole("V", year)]) for year in (100, 199, 400, 403, 499, 500, 599)] == [1, 1, 4, 4, 4, 5, 5]
