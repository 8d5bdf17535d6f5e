"""Codes that people type and tokens that phones keep: made, compared, and kept so that no file gives them away."""

from __future__ import annotations

import hashlib
import hmac
import secrets

LETTERS = "ACDEFGHJKMNPQRTUVWXY34679"
"""No two of them look or sound alike on a box's label: no 0 and O, 1 and I, 2 and Z, 5 and S, 8 and B."""
CODE_LENGTH = 6


def new_code(length: int = CODE_LENGTH) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def plain(code: str) -> str:
    """A code as it counts: small letters, spaces and dashes make no difference."""
    return "".join(code.split()).replace("-", "").casefold()


def same(one: str, other: str) -> bool:
    """Whether they are equal; how long the answer takes tells nothing."""
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


def digest(token: str) -> str:
    """Whoever reads this cannot sit down with it."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
