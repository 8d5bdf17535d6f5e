"""The board's numbers as a file that an owner edits: a wrong one is refused with the line and the reason."""

from __future__ import annotations

import pytest

from companion.games.base import WrongData
from companion.games.pergamon.board import SHIPPED, Board, read_board

COINS = "coins = [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0]"
COINS_LINE = SHIPPED.splitlines().index(COINS) + 1


def wrong(text: str) -> tuple[int, str]:
    with pytest.raises(WrongData) as refused:
        read_board(text)
    return refused.value.line, refused.value.reason


def test_the_shipped_file_is_the_board_of_the_rules_and_not_confirmed() -> None:
    board = read_board(SHIPPED)

    assert board == Board()
    assert not board.confirmed
    assert board.coins == (6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0)
    assert board.deepest_gallery == (5, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 1, 1)
    assert board.museum_points == tuple(1 + at // 4 for at in range(24))
    assert (board.raider.two_chests, board.raider.bag_and_chest, board.raider.two_bags) == (5, 7, 9)


def test_an_owner_confirms_it() -> None:
    assert read_board(SHIPPED.replace("confirmed = false", "confirmed = true")).confirmed


def test_what_is_left_out_is_as_shipped() -> None:
    board = read_board("confirmed = true\n[raider]\ntwo_bags = 8\n")

    assert board.coins == Board().coins
    assert (board.raider.two_bags, board.raider.two_chests) == (8, 5)


@pytest.mark.parametrize(
    ("wrong_line", "reason"),
    [
        ("coins = [6, 6]", "length >= 13"),
        ("coins = [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, -1]", "int` >= 0"),
        ("coins = [6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 0.5]", "got `float`"),
        ('coins = "many"', "got `str`"),
        ("coinz = 1", "unknown field `coinz`"),
        ("coins = [6, 6", ""),
        ("coins == 3", ""),
        ("coins = " + "9" * 5000, ""),
    ],
)
def test_a_wrong_line_is_named_with_its_reason(wrong_line: str, reason: str) -> None:
    line, said = wrong(SHIPPED.replace(COINS, wrong_line))

    assert reason in said
    assert said
    if wrong_line != "coins = [6, 6":
        assert line == COINS_LINE


def test_a_wrong_number_in_the_raiders_table_is_named() -> None:
    line, reason = wrong(SHIPPED.replace("two_bags = 9", "two_bags = 14"))

    assert SHIPPED.splitlines()[line - 1] == "two_bags = 9"
    assert "two_bags" in reason


def test_a_key_given_twice_is_refused() -> None:
    assert wrong(SHIPPED + "two_bags = 8\n")[0] == SHIPPED.count("\n") + 1


def test_a_file_nested_without_end_is_refused() -> None:
    assert wrong("coins = " + "[" * 50_000)[1]
