"""`companion teach` and `companion identify`: odd folders are refused in a sentence, nothing ends in a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion import cli_eyes
from companion.cli import companion
from tests.vision import piece_shop as shop

FACES = shop.letter_tiles("AKM")


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    """A folder as an owner would make it; labels may hold what file names can."""
    folder = tmp_path / "pictures"
    for label, face in zip(("Ä", "two words", "🏺"), FACES.values(), strict=True):
        (folder / label).mkdir(parents=True)
        cv2.imwrite(str(folder / label / "1.png"), shop.photographed(face, 4, turn=0))
    return folder


def call(*arguments: object) -> Result:
    return CliRunner().invoke(companion, [str(argument) for argument in arguments])


def teach(folder: Path, data: Path, name: str = "box") -> Result:
    return call("teach", name, folder, "--data", data)


def test_a_set_is_taught_and_asked(pictures: Path, tmp_path: Path) -> None:
    taught = teach(pictures, tmp_path / "data")
    assert (taught.exit_code, taught.stdout.splitlines()[0]) == (0, "box: 3 pieces learned from 3 pictures.")
    shown = pictures / "🏺" / "1.png"
    asked = call("identify", "box", shown, "--json", "--data", tmp_path / "data")
    answer = json.loads(asked.stdout)
    assert asked.exit_code == 0
    assert (answer["picture"], answer["label"]) == (str(shown), "🏺")


def test_what_is_wrong_with_a_folder_is_said_in_a_sentence(pictures: Path, tmp_path: Path) -> None:
    (pictures / "empty").mkdir()
    empty = teach(pictures, tmp_path / "data")
    (pictures / "empty" / "broken.png").write_bytes(b"no picture")
    broken = teach(pictures, tmp_path / "data")
    assert [(one.exit_code, type(one.exception)) for one in (empty, broken)] == [(1, SystemExit)] * 2
    assert "holds no picture" in empty.output
    assert "broken.png" in broken.output
    assert not (tmp_path / "data" / "sets").exists()


@pytest.mark.parametrize("name", ["a/b", "../up", " "])
def test_a_name_that_cannot_be_a_folder_is_refused(pictures: Path, tmp_path: Path, name: str) -> None:
    refused = teach(pictures, tmp_path / "data", name)
    assert refused.exit_code == 1
    assert "cannot be a set's name" in refused.output


def test_one_label_is_no_set_and_no_folder_is_wrong_usage(pictures: Path, tmp_path: Path) -> None:
    for label in ("Ä", "two words"):
        (pictures / label / "1.png").unlink()
        (pictures / label).rmdir()
    assert teach(pictures, tmp_path / "data").exit_code == 1
    assert call("teach", "box").exit_code == 2


def test_a_picture_that_cannot_be_read_leaves_the_others_asked(pictures: Path, tmp_path: Path) -> None:
    teach(pictures, tmp_path / "data")
    asked = call("identify", "box", pictures, pictures / "Ä" / "1.png", "--json", "--data", tmp_path / "data")
    first, second = map(json.loads, asked.stdout.splitlines())
    assert asked.exit_code == 1
    assert "error" in first
    assert second["label"] == "Ä"


def test_a_long_teaching_tells_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter(np.arange(0.0, 60.0, 4.0))
    monkeypatch.setattr("companion.cli_eyes.time.monotonic", lambda: float(next(now)))
    progress = cli_eyes._Progress()
    for done in range(5):
        progress(done, 4, "A")
    assert capsys.readouterr().err.splitlines() == ["learning: 25 %", "learning: 75 %", "learning: 100 %"]
