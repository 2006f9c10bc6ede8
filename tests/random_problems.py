"""Random small problems of PyVRP with any combination of features.

Importing this module imports pyvrp.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from ncc_routing.pyvrp.adapter import pyvrp

PARTS = (
    "depots",
    "types",
    "windows",
    "services",
    "releases",
    "shifts",
    "costs",
    "matrices",
)
"""What a problem may have; each combination comes up."""

COMBINATIONS = tuple(
    frozenset(name for name, is_in in zip(PARTS, row, strict=True) if is_in)
    for row in product([False, True], repeat=len(PARTS))
)


class _Draw:
    """Draws of numbers for the parts that a problem has."""

    def __init__(self, parts: frozenset[str], seed: int) -> None:
        self._parts = parts
        self._rng = np.random.default_rng(seed)

    def has(self, part: str) -> bool:
        """Whether this problem has a part, in this place of it."""
        return part in self._parts and self._rng.random() < 0.6

    def number(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return int(self._rng.integers(low, high + 1))

    def if_has(self, part: str, most: int, otherwise: int = 0) -> int:
        """Return a number up to ``most`` where there is the part."""
        return self.number(0, most) if self.has(part) else otherwise

    def window(self) -> dict[str, Any]:
        """Return a time window, or none."""
        if not self.has("windows"):
            return {}
        early = self.number(0, 120)
        return {"tw_early": early, "tw_late": early + self.number(60, 200)}

    def matrix(self, size: int) -> Any:
        """Return lengths that need not be symmetric."""
        matrix = self._rng.integers(0, 50, (size, size))
        np.fill_diagonal(matrix, 0)
        return matrix

    def vehicle(
        self, num_clients: int, num_depots: int, num_profiles: int
    ) -> pyvrp.VehicleType:
        """Return a vehicle type."""
        changes: dict[str, Any] = self.window()
        early = changes.get("tw_early", 0)
        if self.has("windows"):
            late = min(changes.get("tw_late", 500), early + 90)
            changes["start_late"] = self.number(early, late)
        if self.has("shifts"):
            changes["shift_duration"] = self.number(60, 300)
        if self.has("shifts"):
            changes["max_distance"] = self.number(60, 300)
        available = num_clients
        if self.has("types"):
            available = self.number(1, num_clients)
        return pyvrp.VehicleType(
            num_available=available,
            capacity=[self.number(9, 30)],
            start_depot=self.number(0, num_depots - 1),
            end_depot=self.number(0, num_depots - 1),
            fixed_cost=self.if_has("costs", 50),
            unit_distance_cost=self.if_has("costs", 4, otherwise=1),
            unit_duration_cost=self.if_has("costs", 4),
            profile=self.number(0, num_profiles - 1),
            **changes,
        )


def random_problem(seed: int, num_clients: int = 6) -> pyvrp.ProblemData:
    """Return a problem with the combination of features of that number.

    Parameters
    ----------
    seed
        Number of the problem; combinations take turns.
    num_clients
        Most clients. Default 6.
    """
    draw = _Draw(COMBINATIONS[seed % len(COMBINATIONS)], seed)
    while True:
        try:
            return _build(draw, draw.number(1, num_clients))
        except ValueError:  # a vehicle whose window misses that of its depot
            continue


def _build(draw: _Draw, num_clients: int) -> pyvrp.ProblemData:
    num_depots = draw.number(1, 3) if draw.has("depots") else 1
    num_types = draw.number(1, 3) if draw.has("types") else 1
    num_profiles = draw.number(1, 2) if draw.has("matrices") else 1
    size = num_depots + num_clients
    distances = [draw.matrix(size) for _ in range(num_profiles)]
    durations = [
        draw.matrix(size) if draw.has("matrices") else matrix
        for matrix in distances
    ]
    return pyvrp.ProblemData(
        [pyvrp.Location(draw.number(0, 9), 0) for _ in range(size)],
        [
            pyvrp.Client(
                num_depots + idx,
                delivery=[draw.number(0, 9)],
                service_duration=draw.if_has("services", 20),
                release_time=draw.if_has("releases", 60),
                prize=draw.number(0, 5),
                **draw.window(),
            )
            for idx in range(num_clients)
        ],
        [
            pyvrp.Depot(
                idx,
                service_duration=draw.if_has("services", 20),
                **draw.window(),
            )
            for idx in range(num_depots)
        ],
        [
            draw.vehicle(num_clients, num_depots, num_profiles)
            for _ in range(num_types)
        ],
        distances,
        durations,
    )


def random_routes(
    data: pyvrp.ProblemData, seed: int
) -> tuple[list[list[int]], list[int]]:
    """Return routes over all customers 1..n, and a vehicle type for each.

    Types may be used more often than there are vehicles.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(data.num_clients) + 1
    cuts = np.flatnonzero(rng.random(data.num_clients - 1) < 0.5) + 1
    routes = [part.tolist() for part in np.split(order, cuts)]
    kinds = rng.integers(0, data.num_vehicle_types, len(routes)).tolist()
    return routes, kinds
