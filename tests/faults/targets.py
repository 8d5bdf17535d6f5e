"""Everything that reads foreign bytes, each as a function that takes any bytes and may not stumble.

Fuzzing calls them; so does the corpus of what fuzzing has found. A target returns when it has read or refused what it
was given as it should; any other exception is a finding.
"""

from __future__ import annotations

import asyncio
import atexit
import http.client
import io
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import msgspec
from werkzeug.routing import Rule

from companion.desk import Desk
from companion.games import GAMES
from companion.games.base import Expected, Refused, WrongData
from companion.journal import Journal
from companion.owner import OwnerFiles
from companion.play import Moment, follow
from companion.records import RecordRefused, replay
from companion.settings import WrongSettings, load
from companion.table import Table
from tests.companion.games import invariants
from tests.companion.games.players import random_game
from vision.photo import WORKING_PIXELS, Photo, PhotoRefused, open_photo
from vision.reading import Piece, Reading
from web import create_app
from web.connection import Connection, Patience
from web.limits import Page
from web.permissions import COOKIE
from web.seats import Seats
from web.security import HEADERS
from web.wsgi import Answer, Environ, ask

Target = Callable[[bytes], None]
GAME = random_game(4, players=3)


@cache
def folder() -> Path:
    path = Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


def must_tell(*what: str | int) -> None:
    """A refusal says where and why, and not at length."""
    assert all(what)
    assert all(len(text) < 1000 for text in what if isinstance(text, str))


def recorded_game(data: bytes) -> None:
    """The reader of recorded games."""
    path = folder() / "game.jsonl"
    path.write_bytes(data)
    try:
        invariants.check(replay(str(path)).show())
    except RecordRefused as refused:
        must_tell(refused.code, refused.message)


@cache
def moments() -> tuple[Moment, ...]:
    """The table before each of the commands of a game."""
    found = [Moment()]
    for line in GAME:
        found.append(follow(found[-1], line))
    return tuple(found)


def command(data: bytes) -> None:
    """The decoder of commands and the rules behind it; the first byte says at which moment of a game."""
    if not data:
        return
    moment = moments()[data[0] % len(moments())]
    try:
        after = follow(moment, data[1:])
    except Refused as refused:
        must_tell(refused.code, refused.message)
        return
    shown = after.show()
    msgspec.json.encode(shown)
    invariants.check(shown)
    if after.line != b'{"do":"undo"}':
        assert follow(moment._replace(game=None) if after.begins_game else moment, after.line).state == after.state


def configuration(data: bytes) -> None:
    """The reader of the configuration file."""
    path = folder() / "companion.toml"
    path.write_bytes(data)
    try:
        load(path)
    except WrongSettings as wrong:
        must_tell(wrong.line, wrong.reason)


def board_file(data: bytes) -> None:
    """The reader of the owner's board file."""
    game = GAMES["pergamon"]
    owner = OwnerFiles(folder())
    owner.path(game).write_bytes(data)
    try:
        owner.read(game)
    except WrongData as wrong:
        must_tell(wrong.line, wrong.reason)
    finally:
        owner.path(game).unlink()


def seats_file(data: bytes) -> None:
    """The reader of the file with the seats."""
    path = folder() / "seats-fuzzed.json"
    path.write_bytes(data)
    assert Seats(path, "TESTED").seat_of("no token") is None
    for left in folder().glob("seats-fuzzed.*"):
        left.unlink()


def photograph(data: bytes) -> None:
    """The decoder of photographs."""
    try:
        photo = open_photo(data)
    except PhotoRefused as refused:
        must_tell(str(refused))
        return
    height, width, colours = photo.pixels.shape
    assert colours == 3
    assert 0 < height * width <= WORKING_PIXELS
    assert photo.scale >= 1


class Eyes:
    """Sees one piece in every photograph."""

    def __call__(self, _photo: Photo, _game: str | None, _expected: Expected | None, /) -> Reading:
        corners = ((1.0, 1.0), (9.0, 1.0), (9.0, 9.0), (1.0, 9.0))
        return Reading((Piece("find", "V50J3", "sure", 0.99, corners),), 1)


class House:
    """A table with its page, at which one phone sits; every round begins as the last one ended."""

    def __init__(self) -> None:
        data = Path(tempfile.mkdtemp(dir=folder()))
        self.table = Table(Journal(data / "journal.sqlite", now=lambda: 1_800_000_000.0))
        for line in GAME[:40]:
            self.table.submit(line)
        self.seats = Seats(data / "seats.json", "TESTED", clock=lambda: 0.0)
        desk = Desk(self.table, None, Eyes())
        self.app: Page = create_app(self.table, self.seats, desk, OwnerFiles(data))
        self.token, self.seat = self.seats.claim("TESTED", None, "192.0.2.1")

    @property
    def rules(self) -> list[Rule]:
        return sorted(self.app.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ())))

    def keep_seated(self) -> None:
        """A call may have cleared the table or got up: the phone sits down again."""
        if self.seats.seat_of(self.token) is None:
            self.seats.start_afresh()
            self.token, self.seat = self.seats.claim("TESTED", None, "192.0.2.1")


@cache
def house() -> House:
    return House()


def check_answer(answer: Answer, path: str) -> None:
    """What every answer must be, whatever was asked."""
    assert answer.status != http.client.INTERNAL_SERVER_ERROR, (path, answer.body)
    headers = dict(answer.headers)
    for name, value in HEADERS.items():
        assert headers.get(name) == value, (path, name)
    if answer.status >= http.client.BAD_REQUEST and path.startswith("/api/") and answer.body:
        error = msgspec.json.decode(answer.body)["error"]
        assert error["code"]
        assert error["message"]


PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
KINDS = ("application/json", "multipart/form-data; boundary=b", "text/plain", "application/x-www-form-urlencoded", "")


def http_call(data: bytes) -> None:
    """Every call of the page: two bytes choose the call and how it is made, the rest fills its path and its body."""
    if len(data) < 3:
        return
    at = house()
    at.keep_seated()
    rule = at.rules[data[0] % len(at.rules)]
    methods = sorted(rule.methods or ())
    how = data[1]
    rest, _, body = data[2:].partition(b"\0")
    path = rule.rule
    filled = iter(rest.split(b"\xff"))
    for name, converter in rule._converters.items():
        value = next(filled, b"1") or b"1"
        text = str(int.from_bytes(value[:9], "big")) if "Integer" in type(converter).__name__ else None
        kind = "int:" if text is not None else "path:" if "Path" in type(converter).__name__ else ""
        path = path.replace(f"<{kind}{name}>", text if text is not None else quote(value))
    query = quote(next(filled, b""), safe=PRINTABLE)  # the reader of HTTP lets nothing else through
    kind = KINDS[how % len(KINDS)]
    environ: Environ = {
        "REQUEST_METHOD": methods[how // 8 % len(methods)],
        "SCRIPT_NAME": "",
        "PATH_INFO": path.encode().decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1",
        "REMOTE_ADDR": "192.0.2.1",
        "CONTENT_TYPE": kind,
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.errors": io.StringIO(),
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
        "wsgi.input_terminated": True,
        "HTTP_COOKIE": f"{COOKIE}={at.token}" if how % 2 else next(filled, b"").decode("latin-1"),
    }
    before = at.table.now.version
    answer = ask(at.app, environ, body)
    if answer.feed is None:
        check_answer(answer, path)
        assert answer.body or environ["REQUEST_METHOD"] in ("HEAD", "OPTIONS"), path
    if answer.status != http.client.OK:
        assert at.table.now.version == before, "a refused call changed the table"


class NoSocket:
    """Takes every option."""

    def setsockopt(self, *_option: int) -> None: ...


class Wire(asyncio.Transport):
    """A connection on which nothing but what the server says is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.closing = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"sockname": ("127.0.0.1", 80), "peername": ("192.0.2.1", 9), "socket": NoSocket()}.get(name, default)

    def write(self, data: Any) -> None:
        self.said += bytes(data)

    def get_write_buffer_size(self) -> int:
        return 0

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...

    def is_closing(self) -> bool:
        return self.closing

    def close(self) -> None:
        self.closing = True

    def can_write_eof(self) -> bool:
        return False

    abort = close

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


class Porch:
    """As much of a server as a connection needs; it answers at once."""

    def __init__(self, app: Page) -> None:
        self.app = app
        self.loop = cast(asyncio.AbstractEventLoop, self)
        self.patience = Patience()
        self.connections: set[Connection] = set()
        self.listening: set[Connection] = set()

    def time(self) -> float:
        return 0.0

    def largest_body(self, environ: Environ) -> int:
        return self.app.largest_body(environ)

    def room_for_body(self, _size: int) -> bool:
        return True

    def room_for_connection(self) -> bool:
        return True

    def answer(self, environ: Environ, body: bytes, connection: Connection) -> None:
        answer = ask(self.app, environ, body)
        if answer.feed is None:
            check_answer(answer, environ["PATH_INFO"])
        connection.answered(answer)


def on_the_wire(data: bytes) -> None:
    """The reader of HTTP itself: bytes as a stranger sends them, in pieces."""
    wire, connection = Wire(), Connection(Porch(house().app))
    connection.connection_made(wire)
    for piece in data.split(b"\xfe\xff"):
        if not wire.closing:
            connection.data_received(piece)
    if not wire.closing:
        connection.eof_received()
    assert not wire.said or wire.said.startswith(b"HTTP/1.1 ")
    assert b"HTTP/1.1 500" not in wire.said


TARGETS: dict[str, Target] = {
    "recorded_game": recorded_game,
    "command": command,
    "configuration": configuration,
    "board_file": board_file,
    "seats_file": seats_file,
    "photograph": photograph,
    "http_call": http_call,
    "on_the_wire": on_the_wire,
}


def seeds(name: str) -> Iterator[bytes]:
    """Good examples to begin with: what is right is the way to what is nearly right."""
    with _seed_makers() as makers:
        yield from makers[name]()


@contextmanager
def _seed_makers() -> Iterator[dict[str, Callable[[], Iterator[bytes]]]]:
    yield {
        "recorded_game": lambda: iter([b"\n".join(GAME[:count]) + b"\n" for count in (1, 5, 20, 60)]),
        "command": lambda: (bytes([number]) + line for number, line in enumerate(GAME[:60])),
        "configuration": _configurations,
        "board_file": lambda: iter([GAMES["pergamon"].data_text.encode()]),
        "seats_file": lambda: iter(
            [b'{"code":"ABC","seats":[{"seat":{"id":1,"player":null},"token":"x"}],"last_id":1}']
        ),
        "photograph": _photographs,
        "http_call": _calls,
        "on_the_wire": _requests,
    }


def _configurations() -> Iterator[bytes]:
    from companion.settings import SAMPLE

    yield SAMPLE.encode()
    yield b'[network]\nport = 80\nnames = ["pi.local"]\n[camera]\nuse = "usb:1"\n[panel.pins]\nscan = 5\n'


def _photographs() -> Iterator[bytes]:
    from PIL import Image

    picture = Image.linear_gradient("L").resize((40, 30)).convert("RGB")
    for kind in ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM"):
        out = io.BytesIO()
        picture.save(out, kind)
        yield out.getvalue()


def _calls() -> Iterator[bytes]:
    photo = next(_photographs())
    form = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n' + photo + b"\r\n--b--\r\n"
    bodies = [
        b'{"do":"undo"}',
        GAME[40],
        b'{"code":"TESTED","player":"Ada"}',
        b'{"ask":true}',
        b'{"source":"camera","expect":"finds"}',
        b'{"record":"{\\"do\\":\\"new_game\\",\\"game\\":\\"pergamon\\",\\"players\\":[\\"A\\",\\"B\\"]}"}',
        b'{"data":{"confirmed":true}}',
        b'{"name":"my box"}',
        b'{"scan":"x","labels":{"0":"V50J3"}}',
        form,
    ]
    for number in range(len(house().rules)):
        for how in (1, 9, 17, 25):
            yield bytes([number, how]) + b"1\0" + bodies[number % len(bodies)]
        yield bytes([number, 1]) + b"pergamon\xffV50J3\xffplayer=Ada\0" + bodies[(number * 7 + 3) % len(bodies)]


def _requests() -> Iterator[bytes]:
    yield b"GET /api/table HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    yield b"GET / HTTP/1.0\r\n\r\n"
    yield b"POST /api/seats HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    yield b"POST /api/seats HTTP/1.1\r\nHost: ::\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\xfe\xff\r\n0\r\n\r\n"
    yield b"GET /api/table/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HTTP/1.1\r\n\r\n"
    yield b"POST /api/scans HTTP/1.1\r\nHost: [::1]\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n"
