"""The desk: photographs are read, shown, confirmed or forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from msgspec.structs import replace

from companion.games.base import Refused
from tests.companion.box import PATIENCE, Box, open_box, seen
from vision.reading import Piece, Reading

FINDS = ("V10J1", "J20M2", "M30B3", "B40V4", "V50M5")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with open_box(tmp_path) as box:
        yield box


def corners_at(place: int) -> tuple[tuple[float, float], ...]:
    """A square of its own for each piece."""
    left = 100.0 * place
    return ((left, 10.0), (left + 80, 10.0), (left + 80, 90.0), (left, 90.0))


def seen_at(code: str, place: int, kind: str = "find") -> Piece:
    return replace(seen(code, kind=kind), corners=corners_at(place))


def photograph() -> bytes:
    done, encoded = cv2.imencode(".jpg", np.full((300, 400, 3), 90, np.uint8))
    assert done
    return encoded.tobytes()


def refusal(code: str) -> pytest.RaisesExc[Refused]:
    return pytest.raises(Refused, check=lambda refused: refused.code == code)


def test_five_sure_finds_can_be_confirmed_and_are_laid_out(box: Box) -> None:
    box.new_game()
    box.eyes.next = [seen(code) for code in FINDS]
    scan = box.desk.scan_camera()
    assert (scan.verdict, scan.where) == ("ready", ("I", "II", "III", "IV", "V"))
    assert box.phase == "lay_out"
    box.desk.confirm(scan.id)
    assert box.table.now.show()["galleries"] == [["V10J1"], ["J20M2"], ["M30B3"], ["B40V4"], ["V50M5"]]


def test_a_reading_tells_the_page_where_each_piece_goes_and_whether_it_can_be_confirmed(box: Box) -> None:
    moment = box.new_game()
    box.eyes.next = [seen(code) for code in FINDS]
    told = box.desk.scan_camera("finds").to_json()
    assert (told["verdict"], told["problem"], told["version"]) == ("ready", None, moment.version)
    piece = told["pieces"][1]
    assert (piece["kind"], piece["code"], piece["status"], piece["where"]) == ("find", "J20M2", "sure", "II")
    assert box.desk.get(told["id"]).to_json() == told


def test_an_unsure_piece_cannot_be_confirmed(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS[:4]), seen("V50M5", "unsure", alternatives=["V56M5"])]
    scan = box.desk.scan_camera()
    assert scan.verdict == "question"
    with refusal("not_sure"):
        box.desk.confirm()
    assert box.phase == "lay_out"


def test_an_unsure_piece_is_looked_at_on_a_second_photograph(box: Box) -> None:
    box.new_game()
    glances = iter([seen("V50M5", "unsure"), seen("V50M5")])
    read = box.desk._read

    def twice(*args: Any) -> Reading:
        box.eyes.next = [*map(seen_at, FINDS[:4], range(4)), replace(next(glances), corners=corners_at(4))]
        return read(*args)

    box.desk._read = twice
    assert box.desk.scan_camera().verdict == "ready"
    assert box.eyes.readings == 2


def test_pieces_of_another_kind_beside_them_do_not_matter(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen_at, FINDS, range(5)), seen_at("bag", 5, kind="funds_back")]
    assert box.desk.scan_camera().verdict == "ready"


def test_finds_left_lying_are_not_taken_for_an_answer_while_cards_are_awaited(box: Box) -> None:
    box.new_game()
    box.do("lay_out", finds=FINDS)
    box.eyes.next = [*map(seen_at, FINDS[:4], range(4))]
    box.desk.scan_camera(source="watch")
    assert box.desk.current is None


def test_a_dark_photograph_says_what_to_do(box: Box) -> None:
    box.new_game()
    box.eyes.next = []
    told = box.desk.scan_camera().to_json()
    assert [trouble["code"] for trouble in told["troubles"]] == ["camera_covered"]


def test_something_foreign_on_the_table_does_not_stand_in_the_way(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS), seen(None, "unknown", kind="unknown")]
    assert box.desk.scan_camera().verdict == "ready"


def test_a_find_that_cannot_be_read_stands_in_the_way(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS[:4]), seen(None, "unknown")]
    scan = box.desk.scan_camera()
    assert scan.verdict == "question"
    assert scan.problem is not None
    assert scan.problem.code == "wrong_number_of_finds"


def test_too_few_finds_are_missing_and_too_many_are_a_question(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS[:3])]
    assert box.desk.scan_camera().verdict == "missing"
    box.eyes.next = [*map(seen, FINDS), seen("V60M5")]
    assert box.desk.scan_camera().verdict == "question"


def test_a_find_seen_before_is_asked_about(box: Box) -> None:
    box.new_game()
    box.do("lay_out", finds=FINDS)
    box.hold_undo()
    box.eyes.next = [*map(seen, FINDS[:4]), seen("J20M2")]
    scan = box.desk.scan_camera()
    assert scan.verdict == "question"


def test_a_scan_is_forgotten_as_the_table_moves_on_but_its_photograph_is_kept_a_while(box: Box) -> None:
    box.new_game()
    scan = box.desk.scan_camera()
    assert box.desk.current is scan
    box.do("lay_out", finds=FINDS)
    assert box.desk.current is None
    with refusal("unknown_scan"):
        box.desk.confirm(scan.id)
    assert box.desk.get(scan.id) is scan


def test_only_the_last_scans_are_kept(box: Box) -> None:
    box.new_game()
    scans = [box.desk.scan_camera() for _ in range(7)]
    assert box.desk.kept == tuple(scans[-5:])
    with refusal("unknown_scan"):
        box.desk.get(scans[0].id)


def test_a_scan_that_another_one_replaced_is_not_confirmed(box: Box) -> None:
    box.new_game()
    first = box.desk.scan_camera()
    box.desk.scan_camera()
    with refusal("unknown_scan"):
        box.desk.confirm(first.id)


def test_a_phone_s_own_photograph_is_read_as_well(box: Box) -> None:
    box.new_game()
    scan = box.desk.scan_photo(photograph(), "finds")
    assert (scan.source, scan.verdict) == ("phone", "ready")
    assert scan.photo == photograph()


def test_what_is_no_photograph_is_refused(box: Box) -> None:
    with refusal("not_a_photo"):
        box.desk.scan_photo(b"<svg/>")


def test_without_a_game_pieces_are_read_and_mean_nothing(box: Box) -> None:
    box.eyes.next = [seen("V10J1")]
    scan = box.desk.scan_photo(photograph())
    assert (scan.verdict, scan.where) == ("question", ("",))
    with refusal("wrong_phase"):
        box.desk.confirm()


def test_pieces_that_the_game_does_not_wait_for_cannot_be_confirmed(box: Box) -> None:
    box.new_game()
    box.eyes.next = [seen("bag", kind="funds_back"), seen("chest", kind="funds_back")]
    assert box.desk.scan_camera("funds").verdict == "question"


def test_the_photograph_shows_each_piece_outlined(box: Box) -> None:
    box.new_game()
    box.eyes.next = [seen("V10J1"), seen(None, "unknown")]
    scan = box.desk.scan_photo(photograph())
    plain = cv2.imdecode(np.frombuffer(scan.photo, np.uint8), cv2.IMREAD_COLOR)
    drawn = cv2.imdecode(np.frombuffer(box.desk.outlined(scan.id), np.uint8), cv2.IMREAD_COLOR)
    assert drawn is not None
    assert plain is not None
    assert drawn.shape == plain.shape
    changed = np.abs(drawn.astype(int) - plain).max(axis=2) > 40
    assert changed[10, 10:90].mean() > 0.5
    assert not changed[150:].any()


def test_scanning_without_a_camera_says_so(box: Box) -> None:
    box.camera.there = False
    box.until_sight("away")
    assert not box.desk.camera
    with pytest.raises(Refused, match="unplugged"):
        box.desk.scan_camera()


def test_a_phone_s_photograph_is_read_while_the_camera_hangs(box: Box) -> None:
    box.new_game()
    box.camera.hang()
    box.wait(1)
    box.down("scan")
    box.wait(0.1)
    assert box.camera.hangs.wait(PATIENCE)
    assert box.desk.scan_photo(photograph()).verdict == "ready"
    box.up("scan")


def test_a_reader_that_fails_leaves_the_desk_usable(box: Box) -> None:
    box.new_game()

    def fail(*_args: object) -> None:
        raise RuntimeError("tesseract is not there")

    works, box.desk._read = box.desk._read, fail  # type: ignore[assignment]  # a reader that breaks
    with refusal("cannot_read"):
        box.desk.scan_camera()
    box.desk._read = works
    assert not box.desk.reading
    assert box.desk.scan_camera().verdict == "ready"


def test_a_watched_table_that_turns_out_empty_is_not_shown(box: Box) -> None:
    box.new_game()
    box.eyes.next = []
    box.desk.scan_camera(source="watch")
    assert box.desk.current is None


def test_listeners_hear_of_reading_scans_and_their_end_and_one_that_fails_stops_nobody(box: Box) -> None:
    box.new_game()
    heard: list[tuple[bool, bool]] = []

    def fails() -> None:
        raise RuntimeError

    box.desk.listen(fails)
    stop = box.desk.listen(lambda: heard.append((box.desk.reading, box.desk.current is not None)))
    box.desk.scan_camera()
    box.desk.dismiss()
    assert heard == [(True, False), (False, True), (False, False)]
    stop()
    box.desk.scan_camera()
    assert len(heard) == 3
