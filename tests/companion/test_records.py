"""Recorded games as text: what is passed over, what is refused, and with which line."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import records
from companion.play import Moment, follow
from companion.records import RecordRefused
from tests.companion.games.players import random_game

GAME = random_game(seed=2, players=3)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "game.txt"


def refusal(path: Path) -> tuple[int, str]:
    with pytest.raises(RecordRefused) as refused:
        records.replay(str(path))
    assert refused.value.file == str(path)
    assert refused.value.message.endswith(".")
    return refused.value.line, refused.value.code


def expected() -> Moment:
    moment = Moment()
    for line in GAME:
        moment = follow(moment, line)
    return moment


def test_a_whole_game_is_played(record: Path) -> None:
    record.write_bytes(b"\n".join(GAME))

    assert records.replay(str(record)).show() == expected().show()
    assert len(list(records.moments(str(record)))) == len(GAME)


@pytest.mark.parametrize(
    "text",
    [
        b"\n".join(GAME) + b"\n",
        b"\r\n".join(GAME) + b"\r\n",
        b"\xef\xbb\xbf" + b"\n".join(GAME),
        b"# a game\n\n" + b"\n\n# next\n".join(GAME),
        b"\n   \n\t\n" + b"\n  ".join(GAME) + b"\n\n\n",
        b"\xef\xbb\xbf# \xe2\x82\xac\r\n" + b" \r\n".join(GAME),
    ],
    ids=["a last newline", "CRLF", "a BOM", "comments and blank lines", "spaces around", "all of them"],
)
def test_what_editors_do_to_a_file_does_not_matter(text: bytes, record: Path) -> None:
    record.write_bytes(text)

    assert records.replay(str(record)).show() == expected().show()


def test_an_unfinished_game_is_played_as_far_as_it_goes(record: Path) -> None:
    record.write_bytes(b"\n".join(GAME[:30]))

    assert records.replay(str(record)).version == 30


def test_several_games_may_follow_one_another(record: Path) -> None:
    record.write_bytes(b"\n".join([*GAME, *GAME[:5]]))

    assert records.replay(str(record)).version == len(GAME) + 5


def test_the_refused_line_is_counted_with_blank_lines_and_comments(record: Path) -> None:
    record.write_bytes(b"# one\n\n" + b"\n".join(GAME[:3]) + b'\n\n{"do":"dig","gallery":9}\n')

    assert refusal(record) == (7, "malformed")


def test_a_rule_that_says_no_is_told_with_its_code(record: Path) -> None:
    record.write_bytes(b"\n".join([*GAME[:3], b'{"do":"end_turn"}', *GAME[3:]]))

    assert refusal(record) == (4, "wrong_phase")


def test_a_line_that_is_not_utf_8_is_refused(record: Path) -> None:
    record.write_bytes(b"\n".join([*GAME[:3], b"# caf\xe9", *GAME[3:]]))

    assert refusal(record) == (4, "malformed")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_other_encodings_are_refused(encoding: str, record: Path) -> None:
    record.write_bytes(b"\n".join(GAME).decode().encode(encoding))

    assert refusal(record) == (1, "malformed")


@pytest.mark.parametrize("text", [b"", b"\n\n", b"# nothing\n", b"\xef\xbb\xbf"])
def test_a_file_without_a_game_is_refused(text: bytes, record: Path) -> None:
    record.write_bytes(text)

    assert refusal(record) == (0, "malformed")


def test_a_line_without_end_is_refused_without_reading_it_all(record: Path) -> None:
    with record.open("wb") as file:
        file.write(b"\n".join(GAME[:3]) + b'\n{"do":"')
        file.truncate(3_000_000_000)

    assert refusal(record) == (4, "malformed")


def test_a_file_without_end_is_refused(record: Path) -> None:
    record.write_bytes(b"\n".join(GAME) + b"\n" + b"# and so on\n" * 500_000)

    line, code = refusal(record)

    assert line > len(GAME)
    assert code == "malformed"


def test_a_missing_file_and_a_folder_are_unreadable(tmp_path: Path) -> None:
    assert refusal(tmp_path / "missing.txt") == (0, "unreadable")
    assert refusal(tmp_path) == (0, "unreadable")
    assert refusal(tmp_path / ("long" * 100)) == (0, "unreadable")
    assert refusal(Path("a\0name")) == (0, "unreadable")


def test_a_written_game_is_read_again_as_it_was(record: Path) -> None:
    record.write_bytes(records.write(GAME, heading="one evening\nat the table"))

    assert record.read_bytes().startswith(b"# one evening\n# at the table\n{")
    again = records.write([moment.line for moment in records.moments(str(record))])
    record.write_bytes(again)
    assert records.write([moment.line for moment in records.moments(str(record))]) == again
    assert records.replay(str(record)).show() == expected().show()
