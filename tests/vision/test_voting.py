"""Several readings of one still scene become one, and no photograph may contradict what is sure."""

from __future__ import annotations

from vision.reading import Piece, Reading, Status
from vision.voting import vote


def piece(code: str | None, status: Status = "sure", at: float = 100.0) -> Piece:
    corners = ((at, 100.0), (at + 60, 100.0), (at + 60, 160.0), (at, 160.0))
    return Piece("find", code, status, {"sure": 0.99, "unsure": 0.6, "unknown": 0.1}[status], corners)


def voted(*photographs: tuple[Piece, ...]) -> list[tuple[str | None, str]]:
    reading = vote([Reading(pieces, 50) for pieces in photographs])
    return [(one.code, one.status) for one in reading.pieces]


def test_what_all_say_is_sure() -> None:
    assert voted((piece("V50J3"),), (piece("V50J3", at=102),)) == [("V50J3", "sure")]


def test_one_sure_photograph_helps_another_that_only_guesses_the_same() -> None:
    assert voted((piece("V50J3", "unsure"),), (piece("V50J3"),)) == [("V50J3", "sure")]


def test_a_photograph_that_says_another_code_makes_it_unsure() -> None:
    reading = vote([Reading((piece("V50J3"),), 50), Reading((piece("V56J3", "unsure"),), 50)])
    assert (reading.pieces[0].code, reading.pieces[0].status) == ("V50J3", "unsure")
    assert reading.pieces[0].alternatives == ("V56J3",)


def test_a_piece_that_no_other_photograph_shows_is_unsure() -> None:
    assert voted((piece("V50J3"), piece("J12M4", at=300)), (piece("V50J3"),)) == [
        ("V50J3", "sure"),
        ("J12M4", "unsure"),
    ]


def test_a_piece_that_the_first_photograph_missed_is_kept_as_a_question() -> None:
    late = piece("J12M4", at=300)
    assert voted((piece("V50J3"),), (piece("V50J3"), late), (piece("V50J3"), late)) == [
        ("V50J3", "sure"),
        ("J12M4", "unsure"),
    ]


def test_nothing_known_stays_unknown() -> None:
    assert voted((piece(None, "unknown"),), (piece(None, "unknown"),)) == [(None, "unknown")]


def test_one_photograph_alone_says_what_it_says() -> None:
    assert voted((piece("V50J3"), piece("J12M4", "unsure", 300))) == [("V50J3", "sure"), ("J12M4", "unsure")]
