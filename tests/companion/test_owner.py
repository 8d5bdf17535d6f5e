"""What an owner has checked against the real box: a file in the data folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.base import Refused, WrongData
from companion.games.pergamon import PERGAMON
from companion.owner import OwnerFiles

CONFIRMED = PERGAMON.data_text.replace("confirmed = false", "confirmed = true")


def test_without_a_file_the_board_is_as_shipped(tmp_path: Path) -> None:
    assert OwnerFiles(tmp_path)(PERGAMON) == PERGAMON.read_data(PERGAMON.data_text)


def test_the_owners_file_counts_as_soon_as_it_is_there(tmp_path: Path) -> None:
    files = OwnerFiles(tmp_path)
    assert not files.read(PERGAMON).confirmed

    files.write(PERGAMON, CONFIRMED)

    assert files.read(PERGAMON).confirmed


@pytest.mark.parametrize("text", ["﻿" + CONFIRMED, CONFIRMED.replace("\n", "\r\n")], ids=["BOM", "CRLF"])
def test_what_editors_do_to_the_file_does_not_matter(text: str, tmp_path: Path) -> None:
    files = OwnerFiles(tmp_path)
    files.path(PERGAMON).write_bytes(text.encode())

    assert files.read(PERGAMON).confirmed


def test_a_wrong_file_refuses_a_new_game_with_file_line_and_reason(tmp_path: Path) -> None:
    files = OwnerFiles(tmp_path)
    files.path(PERGAMON).write_text("confirmed = true\n\ncoins = [1]\n")

    with pytest.raises(Refused) as refused:
        files(PERGAMON)

    assert refused.value.code == "wrong_data_file"
    assert refused.value.message.startswith("pergamon-board.toml, line 3: ")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00", b"confirmed", b"[" * 5000, b"coins = " + b"1" * 5000])
def test_rubbish_is_refused_never_raised(content: bytes, tmp_path: Path) -> None:
    files = OwnerFiles(tmp_path)
    files.path(PERGAMON).write_bytes(content)

    with pytest.raises(WrongData):
        files.read(PERGAMON)


def test_a_folder_in_its_place_is_refused(tmp_path: Path) -> None:
    files = OwnerFiles(tmp_path)
    files.path(PERGAMON).mkdir()

    with pytest.raises(WrongData, match="cannot be read"):
        files.read(PERGAMON)


def test_a_wrong_text_is_not_written(tmp_path: Path) -> None:
    files = OwnerFiles(tmp_path)
    files.write(PERGAMON, CONFIRMED)

    with pytest.raises(WrongData):
        files.write(PERGAMON, "coins = []")

    assert files.path(PERGAMON).read_text("utf-8") == CONFIRMED
    assert [path.name for path in tmp_path.iterdir()] == ["pergamon-board.toml"]
