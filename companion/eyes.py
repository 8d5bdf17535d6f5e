"""Which eyes belong to which game: its reader, and the box that a simulated table deals from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.games.base import Expected, Refused
from companion.scan import Read

if TYPE_CHECKING:
    from vision.photo import Photo, Pixels
    from vision.reading import Reading
    from vision.taught import TaughtPieces

SIMULATED_SEED = 1


class Reader:
    """Reads photographs, by the printable set or by a taught one. Loaded when first needed: it is the heaviest part."""

    def __init__(self, data: Path, taught_set: str) -> None:
        self._data = data
        self._name = taught_set
        self._taught: TaughtPieces | None = None

    def __call__(self, photo: Photo, expect: str | None, expected: Expected | None) -> Reading:
        from vision.pergamon.reader import read_photograph

        return read_photograph(photo, expect, expected, self._set())

    def use(self, taught_set: str) -> None:
        """Read by this taught set, as it now is; "" is the printable one."""
        self._name, self._taught = taught_set, None

    def to_teach(self, taught_set: str) -> Read:
        """Reads photographs of pieces that are about to be taught to this set, by what it knows so far."""

        def read(photo: Photo, expect: str | None, _expected: Expected | None) -> Reading:
            from vision.pergamon.first_reading import read_to_teach
            from vision.sets import SetRefused, load_set

            try:
                known = load_set(taught_set, self._data)
            except SetRefused:  # it is new, or must be taught again
                known = None
            return read_to_teach(photo, expect, known)

        return read

    def warm_up(self) -> None:
        """Get ready now, so that the first photograph is read as quickly as the next."""
        from vision.pergamon.reader import warm_up

        try:
            taught = self._set()
        except Refused:  # whoever scans is told
            return
        if taught is None:
            warm_up()
        else:
            taught.album.prepare()

    def _set(self) -> TaughtPieces | None:
        from vision.sets import SetRefused, load_set

        if self._name and self._taught is None:
            try:
                self._taught = load_set(self._name, self._data)
            except SetRefused as refused:
                raise Refused("unknown_set", refused.message) from None
        return self._taught


class SimulatedTable:
    """The camera called `sim`, over a table that always has on it what the game waits for."""

    live = True

    def __init__(self, expected: Callable[[], Expected | None], size: tuple[int, int]) -> None:
        from vision.pergamon.box import SimulatedBox
        from vision.simulated_camera import SimulatedCamera

        self._expected = expected
        self._camera = SimulatedCamera(SimulatedBox(SIMULATED_SEED), SIMULATED_SEED, size)
        self.name = self._camera.name

    def look(self) -> Pixels:
        self._camera.expect(self._expected())
        return self._camera.look()

    def photograph(self) -> Pixels:
        self._camera.expect(self._expected())
        return self._camera.photograph()

    def close(self) -> None:
        self._camera.close()
