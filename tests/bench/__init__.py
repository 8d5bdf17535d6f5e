"""Benches; what they measure loads its libraries first, as it does at a table."""

import vision  # noqa: F401 - says how many cores numpy may use, before anybody loads it
