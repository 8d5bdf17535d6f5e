"""Phones around a table, in a real browser: everything is done by tapping what can be seen."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Locator, Page, expect

from companion.games.pergamon.notation import KINDS
from companion.games.pergamon.rows import best_row
from vision.pergamon.printable import FINDS, FUNDS

WIDTH, HEIGHT = 360, 740
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
"""Chromium without a screen and without a wish to call home."""

PATIENCE = 30_000
"""Milliseconds for anything to come about: only a phone that never gets there waits so long."""
STILL = """async () => {
  const ends = (one) => one.playState === 'running' && one.effect.getComputedTiming().endTime < Infinity;
  for (let moving; (moving = document.getAnimations().filter(ends)).length; )
    await Promise.allSettled(moving.map((one) => one.finished));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
"""Until nothing moves that will ever stand still, and what was changed last has been drawn."""

PAIRS = [f"{left}{right}" for left, right in itertools.permutations(KINDS, 2)]


class Phone:
    """One phone's page. Waits for what it taps, never for time to pass."""

    def __init__(self, browser: Browser, url: str, language: str = "en", **options: Any) -> None:
        settings: dict[str, Any] = {
            "viewport": {"width": WIDTH, "height": HEIGHT},
            "has_touch": True,
            "is_mobile": True,
            "locale": language,
            "reduced_motion": "reduce",
        }
        self.context: BrowserContext = browser.new_context(**{**settings, **options})
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.troubles: list[str] = []
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("console", self._hear)
        self.url = url
        self.page.goto(url)

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error":
            self.troubles.append(said.text)

    def tap(self, selector: str, nth: int = 0) -> None:
        self.page.locator(selector).nth(nth).tap()

    def see(self, selector: str) -> Locator:
        """Wait until this is there."""
        found = self.page.locator(selector).first
        found.wait_for()
        return found

    def says(self, text: str) -> None:
        """Wait until the page shows this text."""
        expect(self.page.locator("body")).to_contain_text(text)

    def still(self) -> None:
        """Wait until nothing is half-way: no answer on its way, no movement, everything drawn."""
        self.page.locator("#page:not([data-busy])").wait_for()
        self.page.evaluate(STILL)

    def go(self, path: str) -> None:
        """Open another page of the companion by its address."""
        self.page.evaluate("path => { location.hash = `/${path}`; }", path)
        self.page.locator(f'#page[data-screen="{path.partition("/")[0]}"]').wait_for()

    def at(self, version: int) -> None:
        """Wait until the page shows this version of the table."""
        self.page.locator(f'#page[data-version="{version}"]').wait_for(state="attached")

    def join(self, code: str, player: str | None = None) -> None:
        """Type the table's code, and take a seat."""
        self.page.fill("#code", code)
        if player is None:
            self.tap(".seat-list .seat:last-child")
        else:
            self.page.locator(".seat", has=self.page.locator(".name").get_by_text(player, exact=True)).tap()
        self.page.locator("#code").wait_for(state="detached")

    def confirm(self) -> None:
        """Tap the one button that the screen is about."""
        self.tap(".bar .primary:enabled")

    def enter_find(self, code: str, printed: bool = True) -> None:
        """A find by hand: its two pictures, its century, its number."""
        self.tap(".places .blank")
        self.tap(".pairs button", PAIRS.index(code[0] + code[3]))
        self.tap(".keys button", int(code[4]) - 1)
        if printed:
            self.tap(".likely")
        else:
            for digit in code[1:3]:
                self.tap(".keys.digits button", (int(digit) - 1) % 10)

    def close(self) -> None:
        self.context.close()


class Tapping:
    """Plays a game of Pergamon on phones, with a shuffled box; whose phone it is comes from the table."""

    def __init__(self, phones: dict[str, Phone], table: Any, seed: int = 1) -> None:
        chance = random.Random(seed)
        self.finds = chance.sample(FINDS, len(FINDS))
        self.funds = chance.sample(FUNDS, len(FUNDS))
        self.chance = chance
        self.phones = phones
        self.table = table
        self._anyone: Iterator[Phone] = itertools.cycle(phones.values())
        self.values: tuple[int, int] = (0, 0)

    @property
    def state(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.table.now.show()
        return shown

    def phone_of(self, player: str | None) -> Phone:
        return next(self._anyone) if player is None else self.phones.get(player) or next(iter(self.phones.values()))

    def until(self, round_: int, phase: str) -> None:
        """Go on to this phase of this round."""
        while (self.state["round"], self.state["phase"]) != (round_, phase):
            self.step()

    def to_the_end(self) -> None:
        while self.state["phase"] != "over":
            self.step()

    def step(self) -> None:
        """What the table or a player must do now, by tapping."""
        state = self.state
        phone = self.phone_of(state["to_act"])
        phone.at(state["version"])
        phone.still()
        self.look_through_evaluation(phone)
        getattr(self, state["phase"])(phone, state)
        for other in self.phones.values():
            other.at(state["version"] + 1)

    def look_through_evaluation(self, phone: Phone) -> None:
        while phone.page.locator(".step-of").count():
            phone.confirm()

    def lay_out(self, phone: Phone, state: dict[str, Any]) -> None:
        for _ in [finds for finds in state["galleries"] if len(finds) < 4]:
            phone.enter_find(self.finds.pop())
        phone.confirm()

    def draw_funds(self, phone: Phone, _state: dict[str, Any]) -> None:
        self.values = (self.funds.pop(), self.funds.pop())
        phone.tap(".hand", sum(value > 4 for value in self.values))
        phone.confirm()

    def place_figures(self, phone: Phone, state: dict[str, Any]) -> None:
        free = [space for space in range(1, 14) if space not in state["figures"].values()]
        space = self.chance.choice(free)
        phone.tap(f'.spaces [data-space="{space}"]')
        phone.confirm()

    def reveal_funds(self, phone: Phone, _state: dict[str, Any]) -> None:
        first, second = sorted(self.values)
        for index, value in enumerate((first, second)):
            phone.page.locator(".values").nth(index).locator(".value").nth((value - 1) % 4).tap()
        phone.confirm()

    def excavate(self, phone: Phone, state: dict[str, Any]) -> None:
        player = next(one for one in state["players"] if one["name"] == state["to_act"])
        row = best_row(player["finds"])
        diggable = phone.page.locator(".gallery button")
        if not state["turn"]["dug"] and not state["turn"]["exhibited"] and diggable.count():
            diggable.last.tap()
            phone.confirm()
        elif row and (len(player["collections"]) < 3 or row.value > min(c["space"] for c in player["collections"])):
            self.exhibit(phone, player, list(row.finds))
        else:
            self.store(phone)

    def exhibit(self, phone: Phone, player: dict[str, Any], row: list[str]) -> None:
        phone.tap(".steps button", 1)
        for code in row:
            phone.page.locator(f'.tray [data-find="{code}"]').tap()
            phone.page.locator(f'.bench [data-find="{code}"]').wait_for()
        if len(player["collections"]) == 3:
            phone.tap(".choice button")
        phone.confirm()

    def store(self, phone: Phone) -> None:
        phone.tap(".steps button", 2)
        while phone.page.locator(".bar .primary:disabled").count():
            phone.tap(".keep:not(.thrown)")
        phone.confirm()
