"""The box on the table: buttons pressed and lights read, with the rest of the station behind them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.companion.box import Box, open_box, seen

FINDS = ("V10J1", "J20M2", "M30B3", "B40V4", "V50M5")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with open_box(tmp_path) as box:
        yield box


def placed(box: Box) -> None:
    """A game of three in which all have placed their figures: Ben on the right, then Ada, then Cleo."""
    box.new_game("Ada", "Ben", "Cleo")
    box.do("lay_out", finds=FINDS)
    box.do("draw_funds", backs=["bag", "chest"])
    for player, space in (("Ada", 7), ("Ben", 13), ("Cleo", 1)):
        box.do("place_figure", player=player, space=space)


def excavating(box: Box) -> None:
    placed(box)
    box.do("reveal_funds", values=[3, 7])


def test_without_a_game_the_light_is_green_and_buttons_do_nothing(box: Box) -> None:
    assert (box.situation, box.status) == ("ready", "green")
    box.press("next")
    box.hold_undo()
    assert box.table.now.version == 0


def test_scan_without_a_game_is_refused_and_says_so_for_a_moment(box: Box) -> None:
    box.press("scan")
    at_once = box.status
    box.wait(3)
    assert (at_once, box.status) == ("red", "green")


def test_scan_reads_next_confirms_and_the_finds_are_laid_out(box: Box) -> None:
    box.new_game()
    assert box.galleries == "I II III IV V"
    box.press("scan")
    assert (box.situation, box.phase) == ("confirm", "lay_out")
    box.press("next")
    assert (box.phase, box.situation) == ("draw_funds", "pieces")
    assert box.players == "yellow"


def test_a_question_is_not_confirmed_by_next(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS[:4]), seen("V50M5", "unsure")]
    box.press("scan")
    assert box.situation == "question"
    box.press("next")
    assert (box.situation, box.phase) == ("question", "lay_out")


def test_scanning_again_replaces_what_was_read(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS[:4]), seen("V50M5", "unsure")]
    box.press("scan")
    box.press("scan")
    assert box.situation == "confirm"


def test_while_finds_are_missing_it_goes_on_waiting_for_them(box: Box) -> None:
    box.new_game()
    box.eyes.next = [*map(seen, FINDS[:3])]
    box.press("scan")
    assert (box.situation, box.galleries) == ("pieces", "I II III IV V")


def test_the_camera_watches_only_while_pieces_are_awaited_and_no_light_blinks(box: Box) -> None:
    box.new_game()
    assert (box.situation, box.status, box.watching) == ("pieces", "cyan", [True])
    seen_lights = set()
    for _ in range(8):
        box.wait(0.25)
        seen_lights.add((box.status, box.galleries, box.players))
    assert seen_lights == {("cyan", "I II III IV V", "yellow")}
    box.press("scan")
    assert (box.situation, box.watching) == ("confirm", [True, False])
    box.press("next")
    assert (box.situation, box.watching) == ("pieces", [True, False, True])


def test_pieces_that_lie_still_are_read_without_a_button(box: Box) -> None:
    box.new_game()
    box.station.attendant.read_by_itself()
    box.station.attendant.finish()
    box.wait(0)
    assert box.situation == "confirm"
    box.station.attendant.read_by_itself()
    box.station.attendant.finish()
    assert box.eyes.readings == 1


def test_what_is_seen_by_itself_while_nothing_is_awaited_is_not_even_read(box: Box) -> None:
    box.station.attendant.read_by_itself()
    box.station.attendant.finish()
    box.wait(0)
    assert (box.eyes.readings, box.situation) == (0, "ready")


def test_undo_throws_an_unconfirmed_scan_away_and_takes_nothing_else_back(box: Box) -> None:
    box.new_game()
    box.press("scan")
    version = box.table.now.version
    box.hold_undo()
    assert (box.situation, box.table.now.version) == ("pieces", version)


def test_undo_held_takes_the_last_command_back(box: Box) -> None:
    box.new_game()
    box.press("scan")
    box.press("next")
    box.hold_undo()
    assert box.phase == "lay_out"
    assert box.galleries == "I II III IV V"


def test_undo_of_the_beginning_is_refused_and_changes_nothing(box: Box) -> None:
    box.new_game()
    version = box.table.now.version
    box.hold_undo()
    assert (box.status, box.table.now.version) == ("red", version)


def test_an_undo_whose_hold_began_before_another_s_command_is_refused(box: Box) -> None:
    box.new_game()
    box.do("lay_out", finds=FINDS)
    box.wait(5)
    box.down("undo")
    box.wait(1)
    box.do("draw_funds", backs=["bag", "chest"])
    box.wait(1.1)
    box.up("undo")
    box.wait(0.1)
    box.station.attendant.finish()
    assert box.phase == "place_figures"


def test_the_lights_show_who_places_a_figure(box: Box) -> None:
    box.new_game("Ada", "Ben", "Cleo")
    box.do("lay_out", finds=FINDS)
    box.do("draw_funds", backs=["bag", "chest"])
    seen_players = []
    for player, space in (("Ada", 7), ("Ben", 13), ("Cleo", 1)):
        seen_players.append(box.players)
        box.do("place_figure", player=player, space=space)
    assert seen_players == ["yellow", "blue", "red"]


def test_the_lights_show_who_acts_and_where_they_may_dig(box: Box) -> None:
    excavating(box)
    assert (box.players, box.galleries, box.status) == ("blue", "", "green")
    box.do("end_turn")
    assert (box.players, box.galleries) == ("yellow", "I II III")
    box.do("dig", gallery=3)
    assert (box.players, box.galleries) == ("yellow", "")


def test_next_asks_before_it_ends_a_turn(box: Box) -> None:
    excavating(box)
    box.press("next")
    assert (box.situation, box.table.now.show()["to_act"]) == ("proposal", "Ben")
    box.press("next")
    assert (box.situation, box.table.now.show()["to_act"]) == ("turn", "Ada")


def test_the_question_whether_a_turn_ends_goes_away_by_itself(box: Box) -> None:
    excavating(box)
    box.press("next")
    box.wait(16)
    assert box.situation == "turn"
    box.press("next")
    assert box.table.now.show()["to_act"] == "Ben"


def test_undo_leaves_the_turn_as_it_was(box: Box) -> None:
    excavating(box)
    version = box.table.now.version
    box.press("next")
    box.hold_undo()
    assert (box.situation, box.table.now.version) == ("turn", version)


def test_a_turn_that_cannot_end_yet_is_refused(box: Box) -> None:
    """Ada has stored more than she can pay for."""
    excavating(box)
    box.do("end_turn")
    state = box.table.now.state
    from msgspec.structs import replace

    poor = replace(state.players[0], finds=("V11J1", "V12J1", "V13J1", "V14J1"), coins=0)
    box.table._moment = box.table.now._replace(state=replace(state, players=(poor, *state.players[1:])))
    box.press("next")
    box.press("next")
    assert box.status == "red"
    assert box.station.attendant.refusal is not None
    assert box.station.attendant.refusal.code == "not_enough_coins"
    assert box.table.now.show()["to_act"] == "Ada"


def test_a_press_too_quick_to_be_an_answer_is_not_taken_for_one(box: Box) -> None:
    """Somebody presses Next for the turn just as a phone asks to join: nobody is let in by that."""
    excavating(box)
    box.wait(5)
    box.station.seats.ask("Ada", "10.0.0.5", None)
    box.wait(0.1)
    assert box.situation == "asking"
    box.down("next")
    box.wait(0.1)
    box.up("next")
    box.wait(0.1)
    box.station.attendant.finish()
    assert len(box.station.seats.asking) == 1


def test_a_phone_that_asks_is_let_in_by_next(box: Box) -> None:
    box.new_game("Ada", "Ben")
    token, seat = box.station.seats.ask("Ada", "10.0.0.5", None)
    box.wait(0.5)
    assert (seat, box.situation) == (None, "asking")
    box.press("next")
    _, seat = box.station.seats.ask("Ada", "10.0.0.5", token)
    assert seat is not None
    assert seat.player == "Ada"
    assert box.situation == "pieces"


def test_what_a_player_just_began_comes_before_a_phone_that_asks(box: Box) -> None:
    box.new_game("Ada", "Ben")
    box.press("scan")
    box.station.seats.ask("Ada", "10.0.0.5", None)
    box.press("next")
    assert (box.phase, box.situation, len(box.station.seats.asking)) == ("draw_funds", "asking", 1)


def test_a_phone_is_let_in_before_a_question_that_only_a_phone_can_answer(box: Box) -> None:
    box.new_game("Ada", "Ben")
    box.eyes.next = [*map(seen, FINDS[:4]), seen("V50M5", "unsure")]
    box.press("scan")
    box.station.seats.ask("Ada", "10.0.0.5", None)
    box.press("next")
    assert (box.situation, box.station.seats.asking) == ("question", ())


def test_the_lights_hold_still_while_the_photograph_is_taken(box: Box) -> None:
    box.new_game()
    assert box.station.panel is not None
    panel, photograph = box.station.panel, box.camera.photograph
    held = []

    def watched() -> object:
        held.append(panel._still)
        return photograph()

    box.camera.photograph = watched  # type: ignore[method-assign, assignment]  # the fake is watched
    box.press("scan")
    assert held == [1, 1]
    assert panel._still == 0


def test_the_status_light_is_blue_while_it_reads(box: Box) -> None:
    box.new_game()
    shown = []
    read = box.desk._read

    def watched(*args: object) -> object:
        shown.append(box.situation)
        return read(*args)  # type: ignore[arg-type]  # passed on as they came

    box.desk._read = watched  # type: ignore[assignment]  # the fake is watched
    box.press("scan")
    assert shown == ["reading"]


def test_scan_and_undo_held_switch_the_table_off(box: Box) -> None:
    box.wait(3)
    box.down("undo")
    box.wait(0.1)
    box.down("scan")
    box.wait(0.1)
    box.wait(5.1)
    box.station.attendant.finish()
    assert box.situation == "stopping"
    assert box.station._stop.is_set()


def test_buttons_pressed_by_a_child_at_random_never_break_a_game(box: Box) -> None:
    import random

    excavating(box)
    rng = random.Random(4)
    for _ in range(60):
        key = rng.choice(("scan", "next", "undo"))
        box.press(key, seconds=rng.choice((0.01, 0.1, 2.2)))  # type: ignore[arg-type]  # one of the keys
    lines = box.table.journal.lines(1)
    assert all(b'"do":"undo"' in line or b'"do":"end_turn"' in line or b"lay_out" in line for line in lines[7:])


def test_a_round_of_three_with_buttons_wherever_a_button_can_do_it(box: Box) -> None:
    box.new_game("Ada", "Ben", "Cleo")
    for phase in ("lay_out", "draw_funds"):
        assert box.phase == phase
        box.press("scan")
        box.press("next")
    for player, space in (("Ada", 7), ("Ben", 13), ("Cleo", 1)):
        box.do("place_figure", player=player, space=space)
    box.press("scan")
    box.press("next")
    order = []
    while box.phase == "excavate":
        order.append(box.players)
        box.press("next")
        box.press("next")
    assert order == ["blue", "yellow", "red"]
    assert (box.phase, box.table.now.show()["round"]) == ("lay_out", 2)
    assert box.players == "red"
