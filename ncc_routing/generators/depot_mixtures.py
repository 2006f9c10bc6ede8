"""The routing problems that the paper trains on: a depot and a mixture."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ncc_routing.generators.mixtures import WEIGHT_SLACK, draw_mixture
from ncc_routing.generators.uchoa import require_sizes
from ncc_routing.problems.instance import Instance

SIDE: Final = 1000
"""Side of the square; distances are rounded to whole units."""

NUM_COMPONENTS: Final = 3
"""Components of the Gaussian mixture."""

UNIFORM_SHARE: Final = 0.2
"""Share of the customers that lie anywhere in the square."""

LARGEST_DEMAND: Final = 23
"""Demands are uniform from 1 to this."""

FLEETS: Final = (3, 29)
"""Least and most vehicles that the total demand is divided among."""


def generate_depot_mixture(num_customers: int, seed: int) -> Instance:
    """Generate an instance of the paper's training data for the CVRP.

    A fifth of the customers is uniform in the square, the others are from a
    Gaussian mixture fitted into it. The depot is in the middle ninth of the
    square, or, as often, in one of the four ninths at its corners. The
    capacity is a tenth more than the total demand, divided by a random
    number of vehicles. The squares of the paper have the side 1, those here
    1000, and capacities are rounded down to a whole number, which excludes
    no clustering.

    Parameters
    ----------
    num_customers
        Number of customers n; the paper has 200.
    seed
        Seed; the same arguments give the same instance.

    Raises
    ------
    ParameterError
        If there is no customer, or the seed is negative.

    References
    ----------
    Falkner and Schmidt-Thieme (2023), Neural Capacitated Clustering; the
    data are described by the released generator alone.
    """
    require_sizes(num_customers, seed)
    rng = np.random.default_rng(seed)
    if rng.random() < 0.5:
        depot = rng.uniform(1.0 / 3.0, 2.0 / 3.0, size=2)
    else:
        depot = rng.uniform(0.0, 2.0 / 3.0, size=2)
        depot = np.where(depot > 1.0 / 3.0, depot + 1.0 / 3.0, depot)
    num_uniform = round(UNIFORM_SHARE * num_customers)
    uniform = rng.random((num_uniform, 2))
    cloud = draw_mixture(num_customers - num_uniform, NUM_COMPONENTS, rng)
    demands = rng.integers(1, LARGEST_DEMAND + 1, size=num_customers)
    num_vehicles = int(rng.integers(FLEETS[0], FLEETS[1] + 1))
    capacity = math.ceil(WEIGHT_SLACK * demands.sum()) // num_vehicles
    return Instance(
        name=f"mixture-n{num_customers + 1:04d}-s{seed}",
        demands=np.concatenate([[0], demands]),
        capacity=max(capacity, int(demands.max())),
        coords=SIDE * np.concatenate([depot[None], uniform, cloud]),
    )
