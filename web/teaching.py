"""Teaching a box over HTTP: pieces of a scan are kept under their names until all of them are known."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import Blueprint, Response

from web.answers import Denied, json_answer, read_body
from web.desk import Teacher
from web.languages import tell
from web.parts import parts
from web.permissions import check, seated

teaching = Blueprint("teaching", __name__)

Label = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
SET_NAME = r"^\w(?:[\w -]{0,38}\w)?$"


class Lesson(msgspec.Struct, frozen=True):
    """What pieces of a scan are, by their place in the reading."""

    scan: Annotated[str, msgspec.Meta(max_length=40)]
    labels: Annotated[dict[Annotated[int, msgspec.Meta(ge=0, le=200)], Label], msgspec.Meta(min_length=1)]


class Choice(msgspec.Struct, frozen=True):
    name: str


class _Name(msgspec.Struct, frozen=True):
    name: Annotated[str, msgspec.Meta(pattern=SET_NAME)]
    label: Label = "-"


@teaching.get("/api/sets")
def sets() -> Response:
    """Every taught set: how many pictures it has of each piece, and whether it is still being learned."""
    teacher = parts().teacher
    sets = [_told(one) for one in teacher.sets()] if teacher else []
    return json_answer({"sets": sets, "in_use": teacher.in_use if teacher else None})


@teaching.put("/api/sets/in-use")
def choose() -> Response:
    """Read by this set from now on; "" is the printable one."""
    check(seated(), parts().table.now, "teach")
    name = read_body(Choice).name
    _teacher().choose(_checked(name).name if name else "")
    return json_answer({"in_use": name})


@teaching.post("/api/sets/<name>/pieces")
def keep(name: str) -> Response:
    """Keep pieces of a scan as pictures of this set, and learn them."""
    check(seated(), parts().table.now, "teach")
    lesson = read_body(Lesson)
    return json_answer(_told(_teacher().keep(_checked(name).name, lesson.scan, lesson.labels)))


@teaching.delete("/api/sets/<name>/pieces/<label>")
def forget(name: str, label: str) -> Response:
    """Forget what was taught under a wrong name."""
    check(seated(), parts().table.now, "teach")
    checked = _checked(name, label)
    return json_answer(_told(_teacher().forget(checked.name, checked.label)))


def _told(taught: dict[str, Any]) -> dict[str, Any]:
    """A set with its trouble in the phone's language."""
    return {**taught, "trouble": tell(taught["trouble"])} if taught.get("trouble") else taught


def teacher_of(name: str) -> tuple[Teacher, str]:
    """Where this phone may teach a set of this name, and the name, or Denied."""
    check(seated(), parts().table.now, "teach")
    return _teacher(), _checked(name).name


def _teacher() -> Teacher:
    teacher = parts().teacher
    if teacher is None:
        raise Denied("no_camera", "This table has no eyes to be taught.")
    return teacher


def _checked(name: str, label: str = "-") -> _Name:
    """Names become folders: nothing that leads elsewhere."""
    try:
        return msgspec.convert({"name": name, "label": label}, _Name)
    except msgspec.ValidationError:
        raise Denied("malformed", "A name has up to 40 letters, digits and dashes.") from None
