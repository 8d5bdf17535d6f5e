"""What a set of pictures teaches: a good look at each piece, and how well one must fit to be sure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vision.families import Family, common_frame, gathered
from vision.framing import Corners, frames, whole
from vision.identifying import Bounds, Matcher
from vision.lesson import FLOOR, LOOSE_TINT, TIGHT_TINT, Lesson, Wrong, drop_needless, safe_turns, set_bounds
from vision.looks import INSET, Look, look_at
from vision.matching import Search, outline, turned
from vision.photo import Pixels
from vision.turning import quarters

Progress: TypeAlias = Callable[[int, int, str], None]
"""Called with how many steps are done, of how many, and what is being learned."""


def no_progress(_done: int, _total: int, _label: str) -> None:
    """For callers who do not want to know how far it is."""


MOST_PICTURES = 8
WITNESSES = 3
CONFIRMED = 0.70
"""How well another picture of the same piece must fit for the two to confirm each other."""
CLEARLY = 0.9
NEARLY = 0.05
TWINS_AT_A_GLANCE = 0.98


@dataclass(frozen=True)
class Picture:
    """One picture to learn from and the name to call it by when something is wrong with it."""

    name: str
    pixels: Pixels
    squared: bool = False
    """Whether the picture's own outline is the piece's."""

    def outlines(self) -> list[Corners]:
        return [whole(self.pixels)] if self.squared else frames(self.pixels)


def learn(pictures: Mapping[str, Sequence[Picture]], progress: Progress = no_progress) -> Lesson:
    """Looks and bounds for labelled pictures; the same pictures always teach the same."""
    lesson = Lesson()
    kept: list[tuple[Look, Picture]] = []
    total = 2 * len(pictures)
    for done, (label, shown) in enumerate(pictures.items()):
        progress(done, total, label)
        kept.extend(_looks_of(label, _spread(shown), lesson.left_out))
    lesson.looks = [look for look, _ in kept]
    tried: set[str] = set()

    def trying(label: str) -> None:
        tried.add(label)
        progress(len(pictures) + len(tried) - 1, total, label)

    wrong = _try_out(lesson, kept, trying)
    first_looks = {id(picture): index for index, (_, picture) in reversed(list(enumerate(kept)))}
    framed = sorted(first_looks.values())
    _gather_families(lesson, kept, wrong, framed)
    set_bounds(lesson, wrong, safe_turns(lesson, wrong, framed))
    drop_needless(lesson)
    progress(total, total, "")
    return lesson


def _spread(shown: Sequence[Picture]) -> list[Picture]:
    """At most as many pictures as help, spread over all that were given."""
    if len(shown) <= MOST_PICTURES:
        return list(shown)
    return [shown[round(index)] for index in np.linspace(0, len(shown) - 1, MOST_PICTURES)]


def _looks_of(label: str, shown: list[Picture], left_out: list[str]) -> list[tuple[Look, Picture]]:
    """The looks of one label: each picture in the frame that the label's other pictures confirm best."""
    outlines = [picture.outlines() for picture in shown]
    if len(shown) == 1:
        return _wholes(label, [(look_at(label, shown[0].pixels, outlines[0][0]), shown[0])])
    searches = [Search(picture.pixels, around) for picture, around in zip(shown, outlines, strict=True)]
    kept: list[tuple[Look, Picture]] = []
    doubtful: list[int] = []
    first: dict[int, Look] = {}
    for index, (picture, around) in enumerate(zip(shown, outlines, strict=True)):
        others = [searches[(index + step) % len(shown)] for step in range(1, min(len(shown), WITNESSES + 1))]
        look, score = _best_framed(label, picture, around, others)
        first[index] = look
        if score >= CONFIRMED:
            kept.append((look, picture))
        else:
            doubtful.append(index)
    if len(kept) < 2:
        return _wholes(label, [(first[index], picture) for index, picture in enumerate(shown)])
    confirmed = [look for look, _ in kept]
    for index in doubtful:
        framed = _framed_by(confirmed, searches[index])
        if framed is None:
            left_out.append(shown[index].name)
        else:
            kept.append((framed, shown[index]))
    one = look_at(label, shown[0].pixels, whole(shown[0].pixels))
    if _confirmed(one, searches[1 : 1 + WITNESSES]) >= CLEARLY:
        return _wholes(label, kept)
    return kept


def _wholes(label: str, kept: list[tuple[Look, Picture]]) -> list[tuple[Look, Picture]]:
    """The looks, and beside each the whole picture: nothing tells whether a table shows at its border or not."""
    more = [
        (look_at(label, picture.pixels, whole(picture.pixels)), picture) for _, picture in kept if not picture.squared
    ]
    return [*kept, *more]


def _best_framed(label: str, picture: Picture, around: list[Corners], others: list[Search]) -> tuple[Look, float]:
    """The picture's look in the frame that its witnesses confirm best; an earlier frame wins a near tie."""
    best = look_at(label, picture.pixels, around[0])
    score = _confirmed(best, others)
    for frame in around[1:]:
        if score >= CLEARLY:
            break
        look = look_at(label, picture.pixels, frame)
        tried = _confirmed(look, others)
        if tried > score + NEARLY:
            best, score = look, tried
    return best, score


def _framed_by(confirmed: list[Look], search: Search) -> Look | None:
    """A look at a picture whose own frames were wrong, framed as the label's other pictures fit it."""
    rows, _ = search.nearest(np.stack([outline(look) for look in confirmed]))
    matches = [search.align(look, int(row)) for look, row in zip(confirmed, rows, strict=True)]
    best = max((match for match in matches if match), key=lambda match: match.agreement.score, default=None)
    if best is None or best.agreement.score < CONFIRMED:
        return None
    middle = best.corners.mean(axis=0)
    corners = (middle + (best.corners - middle) / (1 - 2 * INSET)).astype(np.float32)
    return look_at(best.look.label, search.picture, corners)


def _confirmed(look: Look, others: list[Search]) -> float:
    """How well the look fits its witnesses: the middle one's word, so that one bad picture harms none."""
    coarse = outline(look)[None]
    scores = []
    for search in others:
        match = search.align(look, int(search.nearest(coarse)[0][0]))
        scores.append(match.agreement.score if match else 0.0)
    return sorted(scores)[len(scores) // 2]


def _try_out(lesson: Lesson, kept: list[tuple[Look, Picture]], progress: Callable[[str], None]) -> list[Wrong]:
    """Tries every picture on the set without it; the fits of wrong labels say how well a right one must fit."""
    matcher = Matcher(lesson.looks, Bounds.even(len(lesson.looks)))
    place = {id(look): index for index, look in enumerate(lesson.looks)}
    wrong: list[Wrong] = []
    tints: list[float] = []
    looks_of: dict[int, list[Look]] = {}
    for look, picture in kept:
        looks_of.setdefault(id(picture), []).append(look)
    for look, picture in kept:
        if look is not looks_of[id(picture)][0]:
            continue
        progress(look.label)
        for match in matcher.matches(Search(picture.pixels, picture.outlines()), without=looks_of[id(picture)]):
            alike = match.agreement
            if match.look.label != look.label:
                wrong.append(Wrong(look.label, place[id(match.look)], alike.score, alike.overall, alike.detail))
            elif alike.score >= FLOOR:
                tints.append(alike.tint)
                lesson.turned.setdefault(look.label, []).append(quarters(match.corners))
    usual = float(np.quantile(tints, 0.95)) if tints else 0.0
    lesson.tint = min(LOOSE_TINT, max(TIGHT_TINT, 1.5 * usual))
    return wrong


def _gather_families(
    lesson: Lesson, kept: list[tuple[Look, Picture]], wrong: list[Wrong], framed_well: list[int]
) -> None:
    """Lays near twins in one frame each, so that they are compared where they differ."""
    twins = {
        (entry.label, lesson.looks[entry.look].label) for entry in wrong if entry.twins and entry.look in framed_well
    }
    for labels in gathered(twins | _coarse_twins(lesson.looks, framed_well)):
        members = [index for index in framed_well if lesson.looks[index].label in labels]
        count = dict.fromkeys(members, 0)
        for entry in wrong:
            if entry.look in count and entry.twins:
                count[entry.look] += 1
        hub = lesson.looks[max(members, key=lambda index: count[index])]
        names = [lesson.looks[index].label for index in members]
        shown = [kept[index][1] for index in members]
        outlines = [picture.outlines() for picture in shown]
        framed = common_frame(hub, names, [picture.pixels for picture in shown], outlines)
        up: dict[str, int] = {}
        family: list[int] = []
        placed: set[int] = set()
        for index, found in zip(members, framed, strict=True):
            if found is not None and id(kept[index][1]) not in placed:
                placed.add(id(kept[index][1]))
                label = lesson.looks[index].label
                turn = up.setdefault(label, found[1])
                lesson.looks[index] = Look(label, found[0], np.full(found[0].shape[:2], 255, np.uint8), turn)
                family.append(index)
        if len(up) > 1:
            limit, alike = Family([lesson.looks[index] for index in family], lesson.tint).tried_on_itself()
            lesson.families.append((family, limit))
            lesson.alike.extend(sorted(alike))


def _coarse_twins(looks: Sequence[Look], places: Sequence[int]) -> set[tuple[str, str]]:
    """The labels that are hardly to be told apart at a glance, in some turn."""
    rows = np.stack([outline(looks[place]) for place in places])
    pairs: set[tuple[str, str]] = set()
    for turn in range(4):
        for one, other in np.argwhere(rows @ turned(rows, turn).T >= TWINS_AT_A_GLANCE):
            names = looks[places[one]].label, looks[places[other]].label
            if names[0] != names[1]:
                pairs.add(names)
    return pairs
