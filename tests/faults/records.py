"""10,000 mutated recorded games through `companion replay --json`, each with its time and its peak of memory.

Each must be played as legal, or refused with its line and code: no traceback, no second, no 200 MB.
Run from the root: python -m tests.faults.records [files]
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from companion.cli import companion
from tests.companion.games import invariants
from tests.companion.games.players import random_game
from tests.faults.mutations import MUTATIONS, Mutated

FILES = 10_000
MOST_SECONDS = 1.0
MOST_MB = 200


class Outcome(NamedTuple):
    """How one file fared. `code` is empty where it was played; `broken` says what should never happen."""

    mutation: str
    code: str
    seconds: float
    """Of the processor: what a busy machine does meanwhile is not counted."""
    waited: float
    megabytes: float
    broken: str


def outcomes(files: int, seed: int = 1) -> list[Outcome]:
    """So many mutated games, every mutation as often as the others."""
    rng = random.Random(seed)
    games = [
        random_game(number, players=2 + number % 3, variants=("free_sorting",)[: number % 2]) for number in range(30)
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.txt"
        return [_replay(path, rng, games[rng.randrange(len(games))], number) for number in range(files)]


def _replay(path: Path, rng: random.Random, game: list[bytes], number: int) -> Outcome:
    mutation = MUTATIONS[number % len(MUTATIONS)]
    _write(path, mutation(rng, list(game)))
    _forget_peak()
    start, worked = time.perf_counter(), time.process_time()
    result = CliRunner().invoke(companion, ["replay", "--json", str(path)])
    seconds, waited = time.process_time() - worked, time.perf_counter() - start
    megabytes = _peak()
    code, broken = _judge(path, result.exit_code, result.exception, result.stdout, result.stderr)
    return Outcome(mutation.__name__, code, seconds, waited, megabytes, broken)


def _write(path: Path, mutated: Mutated) -> None:
    with path.open("wb") as file:
        file.write(mutated.content)
        if mutated.size:
            file.truncate(mutated.size)


def _judge(path: Path, exit_code: int, exception: BaseException | None, out: str, err: str) -> tuple[str, str]:
    """The refusal's code, and what is wrong with the answer, if anything is."""
    if exception is not None and not isinstance(exception, SystemExit):
        return "", f"traceback: {exception!r:.200}"
    if err or out.count("\n") != 1:
        return "", f"not one line of answer: {out!r:.100} {err!r:.100}"
    answer = json.loads(out)
    error = answer.get("error")
    if error is None:
        try:
            invariants.check(answer)
        except AssertionError as broken:
            return "", f"played, but not legal: {broken!r:.200}"
        return "", "" if exit_code == 0 else f"played with exit code {exit_code}"
    lines = path.read_bytes()[:4_000_000].count(b"\n") + 1 if path.stat().st_size < 50_000_000 else sys.maxsize
    if set(error) != {"file", "line", "code", "message"} or exit_code != 1 or error["file"] != str(path):
        return "", f"not a refusal as promised: {error!r:.200}"
    if not 0 <= error["line"] <= lines or len(error["message"]) > 1_000:
        return "", f"wrong line, or no sentence: {error!r:.200}"
    return str(error["code"]), ""


def _forget_peak() -> None:
    """Linux starts counting the peak of memory anew."""
    Path("/proc/self/clear_refs").write_text("5")


def _peak() -> float:
    """The peak of this process's memory since then, in MB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _print_table(found: list[Outcome]) -> None:
    print(f"{'mutation':<22}{'files':>7}{'played':>8}{'refused':>9}{'slowest':>10}{'peak':>9}  codes")
    for mutation in MUTATIONS:
        of_this = [outcome for outcome in found if outcome.mutation == mutation.__name__]
        codes = Counter(outcome.code for outcome in of_this if outcome.code)
        played = sum(not outcome.code and not outcome.broken for outcome in of_this)
        slowest = max((outcome.seconds for outcome in of_this), default=0) * 1000
        peak = max((outcome.megabytes for outcome in of_this), default=0)
        told = ", ".join(f"{code} {count}" for code, count in codes.most_common(4))
        counts = f"{len(of_this):>7}{played:>8}{codes.total():>9}"
        print(f"{mutation.__name__:<22}{counts}{slowest:>7.0f} ms{peak:>6.0f} MB  {told}")


def main(files: int) -> int:
    limit = 2 * 1024**3
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    os.environ.pop("COMPANION_DATA", None)
    found = outcomes(files)
    _print_table(found)
    broken = [outcome for outcome in found if outcome.broken]
    slow = [outcome for outcome in found if outcome.seconds > MOST_SECONDS]
    large = [outcome for outcome in found if outcome.megabytes > MOST_MB]
    for outcome in broken[:20]:
        print(f"{outcome.mutation}: {outcome.broken}")
    print(
        f"{len(found)} files: {len(broken)} broken, {len(slow)} over {MOST_SECONDS} s, {len(large)} over {MOST_MB} MB"
    )
    slowest, waited = max(outcome.seconds for outcome in found), max(outcome.waited for outcome in found)
    peak = max(outcome.megabytes for outcome in found)
    print(f"slowest {slowest:.2f} s of processor time ({waited:.2f} s by the clock), peak {peak:.0f} MB")
    return 1 if broken or slow or large else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else FILES))
