"""Twenty strangers ask a table for its dearest pages as fast as they can, while one player goes on playing.

Run as `python -m tests.faults.strangers`. Prints, for each page, how many answers a second the strangers got and how
long the player's commands took; exit code 1 if a command had to wait for more than two seconds.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from tests.faults.disk import Player
from tests.faults.real_station import Phone, running

PAGES = ("/", "/api/table", "/api/games/1", "/api/games/1/record", "/api/statistics", "/pergamon/art.json",
         "/api/pergamon/advice?player=Ada", "/api/seats", "/api/none")  # fmt: skip
LONGEST_WAIT = 2.0


def hammer(player: Player, path: str, strangers: int, seconds: float) -> tuple[float, list[float]]:
    """Answers a second for the strangers, and how long each of the player's commands took."""
    over, answers = threading.Event(), [0] * strangers

    def ask(number: int) -> None:
        phone = Phone(player.station.port)
        while not over.is_set():
            phone.call("GET", path)
            answers[number] += 1
        phone.hang_up()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(strangers)]
    for thread in threads:
        thread.start()
    waits, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        asked = time.monotonic()
        player.play(1)
        waits.append(time.monotonic() - asked)
    over.set()
    for thread in threads:
        thread.join()
    return sum(answers) / seconds, waits


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--strangers", type=int, default=20)
    options.add_argument("--seconds", type=float, default=3, help="for each page")
    given = options.parse_args()
    longest = 0.0
    print(f"{'page':34}{'answers/s':>12}{'command, median':>18}{'longest':>12}")
    with tempfile.TemporaryDirectory() as name, running(Path(name)) as station:
        player = Player(station, 1)
        player.play(90)
        for path in PAGES:
            answers, waits = hammer(player, path, given.strangers, given.seconds)
            longest = max(longest, *waits)
            print(f"{path:34}{answers:12.0f}{1000 * statistics.median(waits):15.0f} ms{1000 * max(waits):9.0f} ms")
    reached = longest < LONGEST_WAIT
    print(f"{'reached' if reached else 'MISSED'}: no command waits for more than {LONGEST_WAIT:.0f} s")
    sys.exit(0 if reached else 1)


if __name__ == "__main__":
    main()
