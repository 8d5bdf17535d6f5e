"""How well and how quickly photographs are read, beside two readers of text, on photographs nothing was tuned on.

Run `python -m tests.bench.reading` (some ten minutes), or with `--quick` (a minute). The exit code is 1 where an aim
is missed. RapidOCR is measured if it is installed (`pip install rapidocr onnxruntime`). `--rivals-every 1` asks the
other readers on every photograph instead of every seventh.
"""

from __future__ import annotations

import argparse
import logging
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import numpy as np

from tests.bench.photographs import CLASSES, HIDDEN, READABLE, generate
from vision import digits
from vision.pergamon.faces import BACKS
from vision.pergamon.judging import digits_of
from vision.pergamon.reader import read_photograph, warm_up
from vision.pergamon.reader_book import Book, is_find
from vision.photo import Pixels, open_photo
from vision.reading import Piece, Reading
from vision.register import Layers, placing_of
from vision.simulated import Truth

COUNT, QUICK_COUNT = 28, 3
RIVALS_EVERY = 7
MOST_MEMORY_MB = 300
RIVAL_TIME = 5.0
TESSERACT = "pytesseract, a crop at a time"
WHOLE = "RapidOCR, whole photograph"
CROPS = "RapidOCR, recognition of crops"
TESSERACT_SETTINGS = "--psm 7 -c tessedit_char_whitelist=0123456789"


Asked: TypeAlias = Callable[[Pixels, Sequence[Truth]], dict[int, str]]
"""What a reader says of the digits of every piece, by the piece's place in the truth."""


@dataclass
class Rival:
    """Another reader of digits: how many it read right, and how long it took for each photograph."""

    name: str
    right: int = 0
    asked: int = 0
    times: list[tuple[int, float]] = field(default_factory=list)

    def ms(self, fewest: int = 0, most: int = 99) -> float:
        """Milliseconds for a photograph with so many pieces."""
        times = [ms for pieces, ms in self.times if fewest <= pieces <= most]
        return float(np.mean(times)) if times else float("nan")


@dataclass
class Tally:
    """One class of photographs."""

    counts: Counter[str] = field(default_factory=Counter)
    times: list[tuple[int, float]] = field(default_factory=list)
    corners: list[float] = field(default_factory=list)


def main() -> int:
    """Measures, prints, and says by the exit code whether every aim was met."""
    options = _options()
    count = QUICK_COUNT if options.quick else options.count
    warm_up()
    rivals = [] if options.alone else _rivals()
    ours = Rival("the companion")
    tallies = {cls: Tally() for cls in (options.classes or CLASSES)}
    for cls, tally in tallies.items():
        for index in range(options.first, options.first + count):
            image, truth = generate(options.family, cls, index)
            reading, ms = _timed(partial(read_photograph, image))
            _count(tally, reading, truth, f"{cls} {index}", ms)
            if rivals and index % options.rivals_every == 0:
                _compete(image, truth, reading, ms, ours, rivals)
        _print_row(cls, tally)
    missed = _summary(tallies)
    if rivals:
        missed += _print_rivals(ours, [rival for rival, _ in rivals])
    missed += _print_memory()
    for aim in missed:
        print(f"MISSED: {aim}")
    print("all aims met" if not missed else f"{len(missed)} aims missed")
    return 1 if missed else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three photographs a class")
    parser.add_argument("--count", type=int, default=COUNT, help="photographs a class")
    parser.add_argument("--first", type=int, default=0, help="number of the first photograph of each class")
    parser.add_argument("--family", choices=("test", "tuning"), default="test")
    parser.add_argument("--rivals-every", type=int, default=RIVALS_EVERY, help="ask the others on one in so many")
    parser.add_argument("--alone", action="store_true", help="without the other readers")
    parser.add_argument("classes", nargs="*", help="only these classes")
    return parser.parse_args()


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result and its milliseconds of one core, which a busy machine does not stretch as it does a clock's."""
    started = os.times()
    result = work()
    ended = os.times()
    return result, 1000 * sum(end - start for end, start in zip(ended[:4], started[:4], strict=True))


def _count(tally: Tally, reading: Reading, truth: Sequence[Truth], where: str, ms: float) -> None:
    """Adds one photograph; every piece is held against what really lies there."""
    seen: set[int] = set()
    tally.counts["photographs"] += 1
    tally.times.append((sum(true.label is not None for true in truth), ms))
    for piece in reading.pieces:
        index = _true_index(piece, truth)
        if index is not None:
            seen.add(index)
        true = truth[index] if index is not None else None
        _judge(tally, piece, true, where)
    for index, true in enumerate(truth):
        if true.label is not None and true.covered <= READABLE:
            tally.counts["readable"] += 1
            tally.counts["missed"] += index not in seen


def _judge(tally: Tally, piece: Piece, true: Truth | None, where: str) -> None:
    ours = true is not None and true.label is not None
    if piece.status == "sure" and (true is None or true.label != piece.code or true.covered > HIDDEN):
        tally.counts["WRONG"] += 1
        print(f"  sure and WRONG: {where}, {piece.code} instead of {true.label if true else 'nothing'}")
    elif true is not None and ours and true.covered <= READABLE:
        tally.counts["right" if piece.status == "sure" else "unsure"] += 1
        if piece.status == "sure":
            side = float(np.linalg.norm(true.corners[1] - true.corners[0]))
            far = float(np.linalg.norm(np.array(piece.corners) - true.corners, axis=1).max()) / side
            tally.corners.append(far)
        else:
            print(f"  {piece.status}: {where}, {true.label} read as {piece.code}: {piece.trouble}")
    else:
        tally.counts["strangers not sure"] += 1


def _true_index(piece: Piece, truth: Sequence[Truth]) -> int | None:
    middle = np.array(piece.corners).mean(axis=0)
    for index, true in enumerate(truth):
        across = np.linalg.norm(true.corners[2] - true.corners[0])
        if np.linalg.norm(true.corners.mean(axis=0) - middle) < 0.25 * across:
            return index
    return None


def _print_row(cls: str, tally: Tally) -> None:
    counts, times = tally.counts, [ms for _, ms in tally.times]
    if cls == CLASSES[0]:
        print(f"{'class':10}{'photos':>7}{'pieces':>8}{'sure+right':>11}{'sure+WRONG':>11}{'unsure':>7}{'missed':>7}"
              f"{'strange':>8}{'corner %':>9}{'ms':>6}{'most':>6}")  # fmt: skip
    print(f"{cls:10}{counts['photographs']:7}{counts['readable']:8}{counts['right']:11}{counts['WRONG']:11}"
          f"{counts['unsure']:7}{counts['missed']:7}{counts['strangers not sure']:8}"
          f"{100 * max(tally.corners, default=0):9.2f}{np.mean(times):6.0f}{max(times):6.0f}", flush=True)  # fmt: skip


def _summary(tallies: dict[str, Tally]) -> list[str]:
    total: Counter[str] = Counter()
    times: list[tuple[int, float]] = []
    corners: list[float] = []
    for tally in tallies.values():
        total += tally.counts
        times += tally.times
        corners += tally.corners
    share = total["right"] / max(1, total["readable"])
    more, base = np.polyfit([pieces for pieces, _ in times], [ms for _, ms in times], 1) if len(times) > 2 else (0, 0)
    print(f"\n{total['photographs']} photographs, {total['readable']} readable pieces")
    print(f"{100 * share:.2f} % sure and right, {total['WRONG']} sure and wrong, {total['unsure']} unsure, "
          f"{total['missed']} missed")  # fmt: skip
    print(f"corners: {100 * float(np.mean(np.array(corners) < 0.02)):.1f} % within 2 % of the side" if corners else "")
    print(f"one more piece costs {more:.0f} ms; none take {base:.0f} ms, five {base + 5 * more:.0f} ms")
    missed = []
    if total["WRONG"]:
        missed.append(f"{total['WRONG']} pieces are sure and wrong, or sure though covered or foreign")
    if share < 0.99:
        missed.append(f"{100 * share:.2f} % of the readable pieces are sure and right, not 99 %")
    if corners and max(corners) > 0.02:
        missed.append(f"a corner is off by {100 * max(corners):.1f} % of the side")
    return missed


def _rivals() -> list[tuple[Rival, Asked]]:
    """The other readers, each on one core as ours is, and each given the fairest input we know of."""
    book = Book()
    rivals: list[tuple[Rival, Asked]] = [(Rival(TESSERACT), partial(_by_crops, book, _tesseract()))]
    if find_spec("rapidocr") is None:
        print("RapidOCR is not installed and is left out")
        return rivals
    logging.disable(logging.CRITICAL)
    engine = import_module("rapidocr").RapidOCR(params={"EngineConfig.onnxruntime.intra_op_num_threads": 1})
    rivals.append((Rival(WHOLE), partial(_by_rapidocr, engine)))
    rivals.append((Rival(CROPS), partial(_by_crops, book, partial(_recognised, engine))))
    return rivals


def _compete(
    image: Pixels,
    truth: Sequence[Truth],
    reading: Reading,
    ms: float,
    ours: Rival,
    rivals: Sequence[tuple[Rival, Asked]],
) -> None:
    wanted = {
        index: digits_of(true.label)
        for index, true in enumerate(truth)
        if true.label is not None and true.label not in BACKS and true.covered <= READABLE
    }
    if not wanted:
        return
    said: dict[int, str] = {}
    for piece in reading.pieces:
        index = _true_index(piece, truth)
        if index is not None and piece.code is not None:
            said[index] = digits_of(piece.code)
    _score(ours, wanted, said, ms)
    for rival, ask in rivals:
        answers, took = _timed(partial(ask, image, truth))
        _score(rival, wanted, answers, took)


def _score(rival: Rival, wanted: dict[int, str], said: dict[int, str], ms: float) -> None:
    """Digit by digit: a digit is right if it stands in its place."""
    rival.times.append((len(wanted), ms))
    for index, printed in wanted.items():
        rival.asked += len(printed)
        answer = said.get(index, "")
        if len(answer) == len(printed):
            rival.right += sum(a == b for a, b in zip(answer, printed, strict=True))


def _by_crops(book: Book, read: Callable[[Pixels], str], image: Pixels, truth: Sequence[Truth]) -> dict[int, str]:
    """Straightened, upright crops at the true places, each with a call of its own."""
    layers, said = Layers(image), {}
    for index, true in enumerate(truth):
        if true.label is None or true.label in BACKS:
            continue
        crops = book.number_crops(layers, placing_of(true.corners.astype(np.float32)), is_find(true.label))
        texts = [read(_prepared(crop)) for crop in crops]
        lengths = (2, 1) if is_find(true.label) else (1,)
        said[index] = "".join(text.ljust(length, "?")[:length] for text, length in zip(texts, lengths, strict=True))
    return said


def _prepared(crop: Pixels) -> Pixels:
    """A crop as readers of text like it: 48 pixels high, from black to white, with a white border."""
    width = max(8, round(crop.shape[1] * digits.LINE / crop.shape[0]))
    line = cv2.resize(crop, (width, digits.LINE), interpolation=cv2.INTER_CUBIC).astype(np.float32)
    line = (line - line.min()) * (255 / max(float(line.max() - line.min()), 1.0))
    gap = digits.GAP
    border = cv2.copyMakeBorder(line, gap, gap, gap, gap, cv2.BORDER_CONSTANT, value=255)
    return np.asarray(np.clip(border, 0, 255), np.uint8)


def _tesseract() -> Callable[[Pixels], str]:
    pytesseract = import_module("pytesseract")
    os.environ["OMP_THREAD_LIMIT"] = "1"

    def read(line: Pixels) -> str:
        return str(pytesseract.image_to_string(line, config=TESSERACT_SETTINGS)).strip()

    return read


def _recognised(engine: Any, line: Pixels) -> str:
    """RapidOCR's recognition alone: the crop is already found and upright."""
    found = engine(cv2.cvtColor(line, cv2.COLOR_GRAY2BGR), use_det=False, use_cls=False, use_rec=True)
    return "".join(sign for text in found.txts or () for sign in text if sign.isdigit())


def _by_rapidocr(engine: Any, image: Pixels, truth: Sequence[Truth]) -> dict[int, str]:
    """What it finds by itself in the whole photograph, given to the number or the century it stands on."""
    found = engine(image, use_det=True, use_cls=True, use_rec=True)
    boxes = [] if found.boxes is None else [np.array(box).mean(axis=0) for box in found.boxes]
    said: dict[int, str] = {}
    for index, true in enumerate(truth):
        if true.label is None or true.label in BACKS:
            continue
        placing = np.linalg.inv(placing_of(true.corners.astype(np.float32)))
        fields = [""] * (2 if is_find(true.label) else 1)
        for middle, text in zip(boxes, found.txts or (), strict=True):
            at = placing @ np.array([*middle, 1.0])
            x, y = at[:2] / at[2]
            if abs(x) < 1 and abs(y) < 1:
                fields[int(x > 0 and len(fields) == 2)] += "".join(sign for sign in text if sign.isdigit())
        lengths = (2, 1) if is_find(true.label) else (1,)
        said[index] = "".join(text.ljust(length, "?")[:length] for text, length in zip(fields, lengths, strict=True))
    return said


def _print_rivals(ours: Rival, rivals: Sequence[Rival]) -> list[str]:
    print("\ndigits right, and milliseconds of one core, on the same photographs in the same run; the companion and")
    print("RapidOCR on the whole photograph find the pieces themselves, those on crops are told where each number is")
    print(f"{'reader':34}{'digits right':>22}{'ms a photograph':>17}{'with 4-6 pieces':>17}")
    for rival in (ours, *rivals):
        share = f"{rival.right} of {rival.asked} ({100 * rival.right / max(1, rival.asked):.1f} %)"
        print(f"{rival.name:34}{share:>22}{rival.ms():17.0f}{rival.ms(4, 6):17.0f}")
    missed = []
    for rival in rivals:
        if rival.name != CROPS and rival.right >= ours.right:
            missed.append(f"{rival.name} reads as many digits or more")
        if rival.name == WHOLE:
            share_of_time = ours.ms(4, 6) / rival.ms(4, 6)
            print(f"\nfour to six pieces take {share_of_time:.2f} of RapidOCR's time")
            if share_of_time * RIVAL_TIME > 1:
                missed.append(f"five pieces take {share_of_time:.2f} of RapidOCR's time, not a fifth")
    return missed


def _print_memory() -> list[str]:
    """The most memory that a fresh process holds while it reads one photograph of full size."""
    image, _ = generate("test", "many", 0)  # always of full size
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        cv2.imwrite(str(path), image)
        command = [sys.executable, "-m", "tests.bench.reading", "--one", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    used = int(done.stdout.split()[-1])
    print(f"\nmemory of one reading at {image.shape[1]} x {image.shape[0]}: {used} MB")
    return [f"a reading takes {used} MB"] if used > MOST_MEMORY_MB else []


def _read_one(path: str) -> None:
    read_photograph(open_photo(path))
    # Not getrusage: a child's figure there begins with its parent's.
    peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(int(peak.split()[1]) // 1024)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        _read_one(sys.argv[2])
        sys.exit(0)
    sys.exit(main())
