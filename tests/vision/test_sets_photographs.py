"""Real photographs of another game, where they are at hand: never part of the project, so skipped where absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from vision.photo import open_photo
from vision.sets import load_set, teach

HERE = Path(__file__).resolve().parents[2]
LETTERS = Path(os.environ.get("COMPANION_PHOTOS", HERE.parent / "shared" / "photos")) / "scrabble"

pytestmark = pytest.mark.skipif(not (LETTERS / "teach").is_dir(), reason="the photographs are not on this machine")


def test_wooden_letters_of_another_evening_are_sure_and_right_or_asked_about(tmp_path: Path) -> None:
    taught = {place.name for place in sorted((LETTERS / "teach").iterdir())} - {"B", "N", "Q", "Ä"}
    for label in taught:
        (tmp_path / "teach" / label).mkdir(parents=True)
        for file in sorted((LETTERS / "teach" / label).iterdir())[:4]:
            (tmp_path / "teach" / label / file.name).symlink_to(file)
    teach("letters", tmp_path / "teach", tmp_path)
    letters = load_set("letters", tmp_path)
    shown = right = 0
    mistaken = []
    for place in sorted((LETTERS / "test").iterdir()):
        for file in sorted(place.iterdir())[:2]:
            answer = letters.identify(open_photo(file).pixels)
            shown += place.name in taught
            right += answer.status == "sure" and answer.label == place.name
            if answer.status == "sure" and answer.label != place.name:
                mistaken.append((file.name, answer.label))
    assert mistaken == []
    assert right >= 0.85 * shown
