"""Files that tests of readers write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.io.matrices import read_travel

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.io.matrices import NamedMatrix


def written(folder: Path, text: str, name: str = "a.csv") -> Path:
    """Return a file with that text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


DAYS = """NAME: CVRP_BENCHMARK
TYPE: CVRP
DIMENSION: 4
NUM_DAYS: 2
CAPACITY: 10
DISTANCE: 50
EDGE_WEIGHT_TYPE: FUNCTION
EDGE_WEIGHT_FORMAT: EUC_2D
NODE_COORD_SECTION
1 3.0 4.0
2 0 10
3 6 8
DEMAND_SECTION
1 7 -1
2 -1 5
3 2 1
SVC_TIME_SECTION
1 1.0 0
2 0 2
3 1 2
DEPOT_SECTION
0.0 0.0
-1
EOF
"""
"""Two days of three customers, as in the ConVRP sets."""


def read_matrix(source: object, size: int | None = None) -> NamedMatrix:
    """Return the distances of a source that says no durations."""
    found = read_travel(source, size)
    assert found.distances is not None
    assert found.durations is None
    return found.distances
