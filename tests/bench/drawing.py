"""How soon every phone shows a command: `python -m tests.bench.drawing [PHONES]`. Real pages in a real browser."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.web.browser.conftest import CHROMIUM, CODE, Place
from tests.web.browser.phones import FLAGS, Phone
from tests.web.browser.quickly import Quickly

WATCH = """() => {
  window.shown = {};
  const page = document.getElementById('page');
  const note = () => { window.shown[page.dataset.version] ||= performance.timeOrigin + performance.now(); };
  new MutationObserver(note).observe(page, {attributes: true, attributeFilter: ['data-version']});
}"""
NAMES = ["Ada", "Ben", "Cleo", "Dora"]
COMMANDS = 60


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        place = Place(Path(folder))
        quick = Quickly(place.table, NAMES)
        phones = [Phone(browser, place.url) for _ in range(count)]
        for phone, name in zip(phones, NAMES * count, strict=False):
            phone.see("#code")
            phone.join(CODE, name)
            phone.page.evaluate(WATCH)
        accepted: dict[int, float] = {}
        for _ in range(COMMANDS):
            quick.step()
            accepted[place.table.now.version] = time.time() * 1000
            for phone in phones:
                phone.at(place.table.now.version)
        waits = []
        for phone in phones:
            shown = phone.page.evaluate("window.shown")
            waits += [shown[str(version)] - at for version, at in accepted.items()]
        browser.close()
        place.close()
    percentiles = statistics.quantiles(waits, n=100)
    print(f"{COMMANDS} commands on {count} phones, milliseconds from accepted to drawn:")
    print(f"p50 {percentiles[49]:.0f}, p95 {percentiles[94]:.0f}, p99 {percentiles[98]:.0f}, most {max(waits):.0f}")


if __name__ == "__main__":
    main()
