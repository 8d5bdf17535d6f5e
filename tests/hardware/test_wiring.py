"""The wiring diagram: drawn from the panel's own pins, and no other than the one in the build guide."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.games.pergamon.commands import COLOURS
from companion.games.pergamon.notation import ROMAN
from companion.settings import SAMPLE
from hardware import wiring
from hardware.pins import HEADER, Pins

DRAWN = Path(__file__).parents[2] / "docs" / "pictures" / "wiring.svg"
OTHER = Pins(places=(2, 3, 4, 14, 15), players=(17, 18, 27, 22), status=(5, 6, 12), scan=26, next=20, undo=21, buzzer=7)


def test_the_diagram_in_the_guide_is_the_one_that_the_pins_give() -> None:
    assert DRAWN.read_text("utf-8") == wiring.draw(Pins()), "python -m hardware.wiring docs/pictures/wiring.svg"


@pytest.mark.parametrize("pins", [Pins(), OTHER], ids=["as shipped", "an owner's own"])
def test_every_pin_is_drawn_once_with_its_place_on_the_header(pins: Pins) -> None:
    drawn = re.findall(r">GPIO (\d+), pin (\d+)<", wiring.draw(pins))
    wanted = [pin for _, pin in pins.named()] + ([] if pins.buzzer else [wiring.OPTIONAL_BUZZER])
    assert sorted((int(pin), int(place)) for pin, place in drawn) == sorted((pin, HEADER[pin]) for pin in wanted)


@pytest.mark.parametrize("pins", [Pins(), OTHER], ids=["as shipped", "an owner's own"])
def test_no_wire_crosses_another(pins: Pins) -> None:
    for side in (-1, 1):
        rows = [
            (part.place, float(y))
            for part in wiring.parts(pins)
            if part.side == side
            for y in re.findall(rf'y="([\d.]+)" font-size="13.5"[^>]*>GPIO {part.pin}, ', wiring.draw(pins))
        ]
        heights = [y for _, y in sorted(rows)]
        assert all(above < below for above, below in pairwise(heights))


def test_a_pin_that_is_taken_is_not_offered_for_a_buzzer() -> None:
    assert [part.sort for part in wiring.parts(Pins(scan=18))].count("buzzer") == 0


def test_the_lights_are_called_as_in_the_game() -> None:
    assert tuple(ROMAN) == wiring.PLACES
    assert tuple(COLOURS) == wiring.PLAYERS


def test_the_configuration_offers_the_same_pin_for_a_buzzer() -> None:
    assert f"# buzzer = {wiring.OPTIONAL_BUZZER}" in SAMPLE


def test_the_diagram_is_a_drawing_without_scripts_or_outside_references() -> None:
    kinds = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(wiring.draw(Pins())).iter()}
    assert kinds == {"svg", "title", "rect", "text", "path", "circle"}
