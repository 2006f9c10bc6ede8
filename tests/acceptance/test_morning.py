"""A dispatcher's morning: one command, and a script that trusts nothing."""

from __future__ import annotations

import random
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.acceptance.conftest import Type

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="types into bash"
)

SPANS = (
    *("07:00-09:00; 13:00-15:00", "08:00-10:00; 14:00-16:00"),
    *("09:00-11:30; 15:00-17:00", "07:30-10:30; 12:30-14:00"),
)

VANS = """van,payload,shift,break,max stops,end depot
Anna,800,06:30-17:30,30 min 11:30-13:30,20,
Bert,800,06:30-17:30,30 min 11:30-13:30,20,
Cleo,800,06:30-17:30,30 min 11:30-13:30,20,
Dirk,800,06:30-17:30,30 min 11:30-13:30,20,
Sub 1,600,07:00-16:30,45 min 11:00-14:00,20,none
Sub 2,600,07:00-16:30,45 min 11:00-14:00,20,none
"""

SOLVE = (
    "ncc-route solve orders.csv --vehicles vans.csv --speed 30km/h "
    "--time-limit 10 -o plan.csv"
)
CHECK = "python $REPO/tests/acceptance/morning.py orders.csv vans.csv plan.csv"


def test_a_morning(type_in: Type, tmp_path: Path) -> None:
    """80 orders with two windows, lunch breaks, 20 stops, subcontractors.

    The script finds nothing wrong, but a break that is moved by hours.
    """
    rng = random.Random(61)
    rows = ["id,lat,lon,weight,service,window", "depot,50.11,8.68,0,,"]
    rows += [
        f"A{number},{50.11 + rng.uniform(-0.08, 0.08):.5f},"
        f"{8.68 + rng.uniform(-0.12, 0.12):.5f},{rng.randint(5, 60)},"
        f"{rng.choice([5, 8, 10])} min,{rng.choice(SPANS)}"
        for number in range(1, 81)
    ]
    (tmp_path / "orders.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "vans.csv").write_text(VANS)
    shown = type_in(SOLVE).out
    assert "80 served" in shown
    assert "breaks" in shown
    assert type_in(CHECK).out.startswith("80 orders, ")
    plan = (tmp_path / "plan.csv").read_text().splitlines()
    at = next(row for row, line in enumerate(plan) if ",break," in line)
    plan[at] = plan[at].replace(",11:", ",8:").replace(",12:", ",8:")
    plan[at] = plan[at].replace(",13:", ",8:")
    (tmp_path / "plan.csv").write_text("\n".join(plan) + "\n")
    assert "a break from" in type_in(CHECK, code=1).out
