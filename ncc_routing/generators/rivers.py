"""Regions with a river: what their coordinates do not show."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.generators.uchoa import MOST_CUSTOMERS, require_whole
from ncc_routing.problems.instance import Instance

SIDE: Final = 1000
"""Side of the square in which the addresses lie; the depot is its middle."""

_OFFSET: Final = 0.03 * SIDE
"""Distance of the river to the depot."""

_SECOND_BRIDGE: Final = 0.45 * SIDE
"""Distance between the two bridges; the first one is the point of the river
nearest to the depot."""

_LARGEST_DEMAND: Final = 100
_CAPACITY: Final = 600
"""Demands are uniform, so that a full vehicle serves about twelve."""


@dataclass(frozen=True, eq=False)
class RiverRegion:
    """Addresses on both sides of a straight river with two bridges.

    Arcs to the other side lead over one of the bridges. ``coords`` has the
    depot first; ``is_across`` says whether depot and place lie on different
    sides; ``seed`` is that of the days.
    """

    coords: np.ndarray
    bridges: np.ndarray
    is_across: np.ndarray
    seed: int
    name: str = field(default="NCC-river")

    @property
    def num_addresses(self) -> int:
        """Number of addresses, the depot not counted."""
        return len(self.coords) - 1

    def distances(self, nodes: np.ndarray) -> np.ndarray:
        """Return the true distances between nodes, rounded, shape (m, m)."""
        places, is_across = self.coords[nodes], self.is_across[nodes]
        straight = _lengths(places, places)
        legs = _lengths(places, self.bridges)
        over = (legs[:, None] + legs[None, :]).min(axis=2)
        is_same = is_across[:, None] == is_across[None, :]
        return np.asarray(np.rint(np.where(is_same, straight, over)))

    def day(self, number: int, num_customers: int = 150) -> Instance:
        """Return the orders of a day, with the true distances.

        Parameters
        ----------
        number
            Number of the day, at least 0.
        num_customers
            Addresses with an order, drawn from all. Default 150.

        Returns
        -------
        Instance
            Coordinates and the matrix of the true distances; the ids are
            the numbers of the addresses.

        Raises
        ------
        ParameterError
            If an argument lies outside its range.
        """
        if number < 0 or not 1 <= num_customers <= self.num_addresses:
            raise ParameterError(
                "number must be >= 0 and num_customers lie in 1.."
                f"{self.num_addresses}, got {number} and {num_customers}."
            )
        rng = np.random.default_rng([self.seed, 1, number])
        size = self.num_addresses
        drawn = np.sort(rng.choice(size, num_customers, replace=False)) + 1
        demands = rng.integers(1, _LARGEST_DEMAND + 1, size=num_customers)
        nodes = np.concatenate([[0], drawn])
        return Instance(
            name=f"{self.name}-s{self.seed}-d{number:04d}",
            demands=np.concatenate([[0], demands]),
            capacity=_CAPACITY,
            coords=self.coords[nodes],
            matrix=self.distances(nodes),
            ids=tuple(map(str, nodes)),
        )


def generate_river(num_addresses: int = 1000, seed: int = 1) -> RiverRegion:
    """Generate a region that a river cuts in two.

    The addresses are uniform in a square with the depot in its middle. The
    river passes the depot in a random direction. One bridge is near the
    depot, the other one near the edge of the region.

    Parameters
    ----------
    num_addresses
        Number of addresses, at least 1. Default 1000.
    seed
        Seed, at least 0. Default 1.

    Raises
    ------
    ParameterError
        If there is no address, or the seed is negative.
    """
    require_whole(num_addresses=num_addresses, seed=seed)
    if not 1 <= num_addresses <= MOST_CUSTOMERS or seed < 0:
        raise ParameterError(
            f"num_addresses must lie in 1..{MOST_CUSTOMERS} and seed be at "
            f"least 0, got {num_addresses} and {seed}."
        )
    rng = np.random.default_rng([seed, 0])
    angle = rng.uniform(0.0, 2.0 * math.pi)
    along = np.array([math.cos(angle), math.sin(angle)])
    across = np.array([-along[1], along[0]])
    depot = np.full(2, SIDE / 2.0)
    coords = np.rint(rng.uniform(0.0, SIDE, size=(num_addresses + 1, 2)))
    coords[0] = depot
    near = depot + _OFFSET * across
    return RiverRegion(
        coords,
        np.stack([near, near + _SECOND_BRIDGE * along]),
        (coords - near) @ across > 0.0,
        seed,
    )


def as_on_the_map(day: Instance) -> Instance:
    """Return a day with straight distances: what its coordinates show."""
    return replace(day, matrix=None)


def _lengths(rows: np.ndarray, cols: np.ndarray) -> np.ndarray:
    delta = rows[:, None] - cols[None, :]
    return np.asarray(np.hypot(delta[..., 0], delta[..., 1]))
