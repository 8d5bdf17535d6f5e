"""The wiring: checked before anything is switched."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.panel import Panel, PanelTrouble, is_a_pi
from hardware.pins import HEADER, Pins, WrongPins, check


def test_the_default_wiring_is_right() -> None:
    check(Pins())


def test_the_header_has_26_pins_each_in_its_own_place() -> None:
    assert len(HEADER) == len(set(HEADER.values())) == 26


def test_a_pin_used_twice_is_refused_naming_both() -> None:
    with pytest.raises(WrongPins, match=r"scan: GPIO 5 is used twice, here and by places"):
        check(Pins(scan=5))


def test_a_pin_used_twice_within_one_row_is_refused() -> None:
    with pytest.raises(WrongPins, match=r"players: GPIO 17 is used twice"):
        check(Pins(players=(17, 17, 22, 10)))


def test_a_pin_that_is_not_on_the_header_is_refused() -> None:
    with pytest.raises(WrongPins, match=r"buzzer: GPIO 40 is not on the Pi's header"):
        check(Pins(buzzer=40))


def test_a_pin_that_another_programme_holds_is_a_clear_trouble_and_lets_the_others_go() -> None:
    class BusyPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
        def _set_function(self, value: str) -> None:
            if self.info.name == "GPIO22" and value == "output":
                raise RuntimeError("'GPIO busy'")
            super()._set_function(value)

    factory = MockFactory(pin_class=BusyPin)
    with pytest.raises(PanelTrouble, match=r"A pin is used by something else .*choose another one in \[panel.pins\]"):
        Panel(Pins(), lambda _press: None, factory=factory)
    other = Pins(players=(17, 27, 9, 10))
    Panel(other, lambda _press: None, factory=factory).close()


def test_a_pin_that_cannot_be_switched_is_a_trouble_of_the_panel_and_not_of_the_table() -> None:
    class DeadPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
        def _set_state(self, value: float) -> None:
            if self.info.name == "GPIO16" and value:
                raise OSError("no answer from the pin")
            super()._set_state(value)

    with pytest.raises(PanelTrouble, match="no answer from the pin"):
        Panel(Pins(), lambda _press: None, factory=MockFactory(pin_class=DeadPin))


def test_a_machine_without_pins_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    from gpiozero import Device

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "_default_pin_factory", staticmethod(_no_factory))
    with pytest.raises(PanelTrouble, match=r"pins cannot be reached: sudo apt install python3-lgpio"):
        Panel(Pins(), lambda _press: None)


def _no_factory() -> None:
    from gpiozero.exc import BadPinFactory

    raise BadPinFactory("Unable to load any default pin factory!")


def test_a_pi_is_known_by_its_model(tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert not is_a_pi(model)
    model.write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    assert is_a_pi(model)
