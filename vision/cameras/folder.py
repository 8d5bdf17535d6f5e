"""A folder of photographs in the place of a camera, such as a recorded evening: each scan takes the next one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from vision.cameras.base import CameraTrouble, NoPictureNow, shrunk

if TYPE_CHECKING:
    from vision.photo import Pixels

ENDINGS = {".jpg", ".jpeg", ".png", ".webp"}


class FolderCamera:
    """Photographs in the order of their names. New ones may be put into the folder at any time."""

    live = False

    def __init__(self, folder: Path) -> None:
        self.name = f"photographs in {folder}"
        self._folder = folder
        self._last = ""
        self._small: tuple[str, Pixels] | None = None
        if not self._photographs():
            raise CameraTrouble(f"{folder} holds no photographs (JPEG or PNG): put some there.")

    def look(self) -> Pixels:
        photographs = self._photographs()
        if not photographs:
            raise CameraTrouble(f"{self._folder} holds no photographs any more: put some there.")
        path = next((path for path in photographs if path.name > self._last), photographs[-1])
        if self._small is None or self._small[0] != path.name:
            self._small = (path.name, shrunk(_open(path)))
        return self._small[1]

    def photograph(self) -> Pixels:
        following = next((path for path in self._photographs() if path.name > self._last), None)
        if following is None:
            raise NoPictureNow(f"All photographs in {self._folder} have been shown: put the next one there.")
        self._last = following.name
        return _open(following)

    def close(self) -> None:
        """Nothing is held open."""

    def _photographs(self) -> list[Path]:
        try:
            return sorted(path for path in self._folder.iterdir() if path.suffix.lower() in ENDINGS)
        except OSError as error:
            raise CameraTrouble(f"{self._folder} cannot be read: {error.strerror}.") from None


def _open(path: Path) -> Pixels:
    from vision.photo import PhotoRefused, open_photo

    try:
        return open_photo(path).pixels
    except PhotoRefused as refused:
        raise NoPictureNow(f"{path.name}: {refused}") from None
