"""Who may talk to the table at all: hosts, origins, sizes, and what every answer tells the browser."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from werkzeug.datastructures import Headers

HEADERS: dict[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; font-src 'self'; "
        "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
"""Nothing from outside, nothing inline, in nobody's frame, and no address given away."""

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def own_names(more: tuple[str, ...] = ()) -> frozenset[str]:
    """The names under which this machine is called at home, besides its bare addresses."""
    host = socket.gethostname().lower()
    short = host.partition(".")[0]
    return frozenset({"localhost", host, short, f"{short}.local", *(name.lower() for name in more)})


def is_own_host(host: str, names: frozenset[str]) -> bool:
    """Whether a Host header means this table. A foreign name that points here is how web pages break in
    (DNS rebinding); a bare address cannot be such a name."""
    name = _without_port(host.strip().lower()).rstrip(".")
    if name in names:
        return True
    try:
        if name.startswith("[") and name.endswith("]"):
            ipaddress.IPv6Address(name[1:-1])
        else:
            ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_from_elsewhere(headers: Headers, host: str) -> bool:
    """Whether a browser says that another site's page made this request."""
    if headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return True
    origin = headers.get("Origin")
    return origin is not None and urlsplit(origin).netloc.lower() != host.strip().lower()


def _without_port(host: str) -> str:
    if host.startswith("["):
        inside, closed, _ = host.partition("]")
        return inside + closed
    return host.rpartition(":")[0] if host.count(":") == 1 else host
