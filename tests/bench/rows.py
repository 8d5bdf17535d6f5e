"""How long the best rows take: `python -m tests.bench.rows`.

Random draws from a box like the printable set, for each number of finds; beside it the same by laying every row
there is, where that ends in a bearable time, with a check that both agree.
"""

from __future__ import annotations

import random
import statistics
import sys
import time

from companion.games.pergamon.rows import best_rows
from tests.companion.games.every_row import best_values
from tests.companion.games.players import RandomPlayer

DRAWS = {6: 200, 12: 200, 18: 200, 24: 200, 36: 100, 60: 20}
"""How often so many finds are drawn."""
LAID = {6: 200, 12: 10}
"""In how many of these draws every row is laid, too."""
GOAL = {24: 50.0}
"""Within how many milliseconds every draw must be answered."""


def measure(number: int) -> tuple[list[float], list[float]]:
    """The milliseconds of each draw, and those of laying every row."""
    quick, slow = [], []
    for seed in range(DRAWS[number]):
        finds = RandomPlayer(random.Random(f"{number} {seed}")).finds[:number]
        began = time.perf_counter()
        rows = best_rows(finds)
        quick.append((time.perf_counter() - began) * 1000)
        if seed < LAID.get(number, 0):
            began = time.perf_counter()
            values = best_values(finds)
            slow.append((time.perf_counter() - began) * 1000)
            if values != {length: row.value for length, row in rows.items()}:
                sys.exit(f"Not the best rows: {' '.join(finds)}")
    return quick, slow


def main() -> None:
    best_rows(RandomPlayer(random.Random(0)).finds[:12])
    late = False
    print("finds  draws   median ms   worst ms   goal ms   every row laid: median ms   worst ms")
    for number in DRAWS:
        quick, slow = measure(number)
        goal = f"{GOAL[number]:.0f}" if number in GOAL else "-"
        laid = f"{statistics.median(slow):27.1f} {max(slow):10.1f}" if slow else f"{'-':>27} {'-':>10}"
        print(f"{number:5} {len(quick):6} {statistics.median(quick):11.2f} {max(quick):10.2f} {goal:>9} {laid}")
        late = late or max(quick) > GOAL.get(number, float("inf"))
    sys.exit("Too slow." if late else 0)


if __name__ == "__main__":
    main()
