"""The simulated table: honest about what it shows, the same for the same seed, and never the same twice otherwise."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import cv2
import msgspec
import numpy as np
import pytest

from companion.games.base import Expected
from companion.games.pergamon import PERGAMON
from companion.games.pergamon.commands import NewGame
from companion.play import Moment, follow
from tests.bench.photographs import CLASSES, HIDDEN, READABLE, generate
from tests.companion.games.players import RandomPlayer, new_game
from vision.pergamon.box import SimulatedBox, piece
from vision.pergamon.faces import face
from vision.pergamon.printable import FINDS
from vision.simulated import Scene, Thing, photograph
from vision.simulated_camera import HANDS_IN, SimulatedCamera
from vision.simulated_light import Light, Sensor
from vision.simulated_tables import TABLES
from vision.simulated_things import coin, cup, hand
from vision.simulated_view import View

SMALL = View(size=(640, 360), wide_mm=200.0)


def find(code: str = "V13J1", at: tuple[float, float] = (0.0, 0.0), turn: float = 0.0) -> Thing:
    return Thing(face(code, 480), (40, 40), at, turn, code, "find", 1.0)


def squared(image: np.ndarray, corners: np.ndarray, side: int = 200) -> np.ndarray:
    target = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    return cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners.astype(np.float32), target), (side, side))


def likeness(a: np.ndarray, b: np.ndarray) -> float:
    one, other = (cv2.cvtColor(x, cv2.COLOR_BGR2GRAY).astype(float).ravel() for x in (a, b))
    return float(np.corrcoef(one, other)[0, 1])


@pytest.mark.parametrize("tilt", [0, 20, 40])
@pytest.mark.parametrize("turn", [0, 77, 180])
@pytest.mark.parametrize("bulge", [0.0, 0.05])
def test_the_corners_that_it_tells_are_where_the_piece_is_in_the_photograph(
    tilt: float, turn: float, bulge: float
) -> None:
    view = replace(SMALL, tilt=tilt, bulge=bulge, size=(960, 540))
    taken = photograph(Scene((find(at=(30, -10), turn=turn),), "white", view))
    seen = squared(taken.image, taken.truth[0].corners)
    assert likeness(seen, face("V13J1", 200)) > 0.93


def test_the_same_seed_gives_the_same_photograph_and_another_seed_another() -> None:
    scene = Scene((find(),), "oak", SMALL, seed=5)
    assert np.array_equal(photograph(scene).image, photograph(scene).image)
    assert not np.array_equal(photograph(scene).image, photograph(replace(scene, seed=6)).image)


def test_a_small_frame_shows_the_same_table_in_the_same_light_as_a_large_one() -> None:
    scene = Scene((find(),), "walnut", SMALL, Light(shades=2), seed=3)
    large = photograph(replace(scene, view=replace(SMALL, size=(1280, 720)))).image
    shrunk = cv2.resize(large, SMALL.size, interpolation=cv2.INTER_AREA)
    assert np.abs(cv2.blur(shrunk, (9, 9)).astype(int) - cv2.blur(photograph(scene).image, (9, 9))).mean() < 4


def test_what_lies_on_a_piece_counts_as_covering_it() -> None:
    rng = np.random.default_rng(1)
    free = photograph(Scene((find(), coin(rng, (60, 0))), view=SMALL)).truth[0]
    half_hidden = photograph(Scene((find(), find("J97B1", at=(20, 0))), view=SMALL)).truth[0]
    under_cup = photograph(Scene((find(), cup(rng, (0, 0))), view=SMALL)).truth[0]
    assert free.covered < READABLE
    assert half_hidden.covered == pytest.approx(0.5, abs=0.03)
    assert under_cup.covered > 0.95


def test_what_reaches_out_of_the_picture_counts_as_hidden() -> None:
    edge = photograph(Scene((find(at=(100, 0)),), view=SMALL)).truth[0]
    assert edge.covered == pytest.approx(0.5, abs=0.03)


def test_a_hand_covers_and_throws_a_shadow() -> None:
    rng = np.random.default_rng(2)
    scene = Scene((find(at=(-60, -20)),), "white", SMALL)
    reached = replace(scene, things=(*scene.things, hand(rng, (40, 0), 0)))
    assert photograph(reached).image[300:].mean() < photograph(scene).image[300:].mean() - 5


@pytest.mark.parametrize("table", TABLES)
def test_every_table_can_be_drawn_and_leaves_the_piece_to_be_seen(table: str) -> None:
    taken = photograph(Scene((find(),), table, SMALL, seed=8))
    assert likeness(squared(taken.image, taken.truth[0].corners), face("V13J1", 200)) > 0.9


def test_warm_light_is_redder_than_cold_light() -> None:
    warm, cold = (
        photograph(Scene((), "white", SMALL, Light(kelvin=kelvin, balance=0.2))).image.mean(axis=(0, 1))
        for kelvin in (2600, 9000)
    )
    assert warm[2] - warm[0] > 40
    assert cold[0] - cold[2] > 5


def test_a_blurred_photograph_is_less_sharp() -> None:
    def sharpness(sensor: Sensor) -> float:
        grey = cv2.cvtColor(photograph(Scene((find(),), "white", SMALL, sensor=sensor)).image, cv2.COLOR_BGR2GRAY)
        return float(cv2.Laplacian(grey, cv2.CV_64F).var())

    assert sharpness(Sensor(defocus=3)) < sharpness(Sensor()) / 3
    assert sharpness(Sensor(motion=9)) < sharpness(Sensor()) / 2


@pytest.mark.parametrize("cls", CLASSES)
def test_each_class_of_benchmark_photographs_keeps_its_promise(cls: str) -> None:
    image, truth = generate("tuning", cls, 1)
    own = [piece for piece in truth if piece.label is not None]
    hidden = [piece for piece in own if piece.covered > HIDDEN]
    assert image.shape[2] == 3
    assert all(piece.covered <= READABLE or piece.covered > HIDDEN for piece in own)
    assert bool(hidden) == (cls == "covered")
    assert bool(own) or cls in ("empty", "foreign")


def test_tuning_and_test_photographs_of_a_class_differ() -> None:
    assert [t.label for t in generate("tuning", "row", 1)[1]] != [t.label for t in generate("test", "row", 1)[1]]


class TestBox:
    def test_lays_as_many_finds_as_are_wanted_and_none_that_the_game_has_seen(self) -> None:
        box = SimulatedBox(3)
        seen = frozenset(FINDS[:50])
        laid = box.draw(Expected("finds", 5, seen))
        assert len(set(laid)) == 5
        assert not set(laid) & seen

    def test_a_whole_box_can_be_laid_out_without_a_find_coming_twice(self) -> None:
        box, seen = SimulatedBox(1), set[str]()
        for _ in range(12):
            laid = box.draw(Expected("finds", 5, frozenset(seen)))
            assert not seen & set(laid)
            seen |= set(laid)
        assert seen == set(FINDS)

    def test_a_new_box_with_the_same_seed_goes_on_where_the_old_one_was(self) -> None:
        expected = Expected("finds", 4, frozenset(FINDS[::3]))
        assert SimulatedBox(9).draw(expected) == SimulatedBox(9).draw(expected)
        assert SimulatedBox(9).draw(expected) != SimulatedBox(10).draw(expected)

    def test_backs_come_first_and_no_more_of_a_back_than_are_left(self) -> None:
        values = frozenset("12345678")
        drawn = [SimulatedBox(seed).draw(Expected("funds", 2, values, {"bag": 1, "chest": 3})) for seed in range(20)]
        assert {"bag", "chest"} == {back for pair in drawn for back in pair}
        assert all(pair.count("bag") <= 1 for pair in drawn)

    def test_one_bag_and_one_chest_turn_over_into_one_low_and_one_high_value(self) -> None:
        left = {"1": 0, "2": 1, "3": 2, "4": 0, "5": 3, "6": 0, "7": 0, "8": 1}
        impossible = frozenset({"bag", "chest", *(value for value, count in left.items() if not count)})
        for seed in range(20):
            low, high = sorted(SimulatedBox(seed).draw(Expected("funds", 2, impossible, left)))
            assert low in "23"
            assert high in "58"

    def test_the_last_two_cards_of_one_value_come_together(self) -> None:
        impossible = frozenset({"bag", "chest", *"1234578"})
        assert SimulatedBox(1).draw(Expected("funds", 2, impossible, {"6": 2})) == ["6", "6"]

    @pytest.mark.parametrize("players", [2, 4])
    def test_a_whole_game_can_be_played_from_a_box_that_is_opened_anew_for_every_scan(self, players: int) -> None:
        player = RandomPlayer(random.Random(players))
        moment = follow(Moment(), msgspec.json.encode(new_game(players)))
        both_alike = 0
        while moment.under_way:
            expected = PERGAMON.expected(moment.state)
            if expected is None:
                line = msgspec.json.encode(player.next_command(moment.state))
            else:
                codes = SimulatedBox(7).draw(expected)
                both_alike += codes in (["bag", "bag"], ["chest", "chest"])
                line = PERGAMON.encode(PERGAMON.from_pieces(moment.state, codes))
            moment = follow(moment, line)
        assert moment.state.winners
        assert 0 < both_alike < 12

    def test_pieces_are_laid_with_their_codes_and_kinds(self) -> None:
        rng = np.random.default_rng(0)
        laid = [piece(code, rng) for code in ("V13J1", "7", "bag")]
        assert [(thing.label, thing.kind) for thing in laid] == [
            ("V13J1", "find"),
            ("7", "funds"),
            ("bag", "funds_back"),
        ]


class TestCamera:
    def camera(self) -> SimulatedCamera:
        return SimulatedCamera(SimulatedBox(2), seed=2, size=(640, 360))

    def test_an_unused_table_is_empty(self) -> None:
        camera = self.camera()
        assert camera.lying == ()
        assert camera.look().shape == (360, 640, 3)

    def test_it_lays_down_what_a_new_game_waits_for(self) -> None:
        new_game = NewGame(game="pergamon", players=("Ada", "Ben"))
        camera = self.camera()
        camera.expect(PERGAMON.expected(PERGAMON.start(new_game)))
        assert len(camera.lying) == 5
        assert set(camera.lying) <= set(FINDS)

    def test_hands_are_seen_at_work_and_then_the_table_lies_still(self) -> None:
        camera = self.camera()
        camera.expect(Expected("finds", 3))
        frames = [camera.look().astype(int) for _ in range(HANDS_IN + 3)]
        moved = [np.abs(a - b).mean() for a, b in pairwise(frames)]
        assert min(moved[:HANDS_IN]) > 3
        assert max(moved[HANDS_IN:]) < 2

    def test_still_frames_differ_by_noise_alone(self) -> None:
        camera = self.camera()
        camera.expect(None)
        first, second = camera.look(), camera.look()
        assert not np.array_equal(first, second)
        assert np.abs(first.astype(int) - second).max() < 20

    def test_expecting_the_same_again_leaves_everything_where_it_lies(self) -> None:
        camera = self.camera()
        camera.expect(Expected("finds", 4))
        before, lying = camera.photograph(), camera.lying
        camera.expect(Expected("finds", 4))
        assert camera.lying == lying
        assert np.array_equal(camera.photograph(), before)

    def test_when_nothing_is_expected_the_table_is_cleared(self) -> None:
        camera = self.camera()
        camera.expect(Expected("finds", 4))
        camera.expect(None)
        assert camera.lying == ()

    def test_photographs_are_the_callers_own(self) -> None:
        camera = self.camera()
        camera.photograph()[:] = 0
        assert camera.photograph().mean() > 10
