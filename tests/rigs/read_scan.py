"""Asks a running table for a scan by its camera, and compares it with what lies there.

python3 read_scan.py http://127.0.0.1:8080 JOIN-CODE LAID.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.rigs.play_round import Table

table = Table(*sys.argv[1:3])
laid: list[str] = json.loads(Path(sys.argv[3]).read_text())
table.do("new_game", game="pergamon", players=["Ada", "Ben"], replace=True)
reading = table.scan("finds")
sure = [piece["code"] for piece in reading["pieces"] if piece["status"] == "sure"]
print(f"== laid {sorted(laid)}, sure {sorted(sure)}, {reading['ms']} ms")
wrong = sorted(set(sure) - set(laid))
missing = sorted(set(laid) - set(sure))
sys.exit(f"read wrongly: {wrong}; not sure of: {missing}" if wrong or missing else 0)
