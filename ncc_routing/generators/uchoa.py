"""Random CVRP instances after Uchoa et al. (2017)."""

from __future__ import annotations

import math
from numbers import Integral
from typing import TYPE_CHECKING, Final, Literal, TypeVar, get_args

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.text_files import describe_value
from ncc_routing.problems.instance import Instance

if TYPE_CHECKING:
    from collections.abc import Sequence

DepotClass = Literal["central", "eccentric", "random"]
"""Depot at (500, 500), at (0, 0), or anywhere."""

CustomerClass = Literal["random", "clustered", "half"]
"""Customers anywhere, near some seed customers, or half and half."""

DemandClass = Literal[
    "unitary", "1-10", "5-10", "1-100", "50-100", "quadrant", "many-small"
]
"""All 1; uniform in a range; by quadrant; or many small and few large."""

_GRID: Final = 1000
"""Side of the square of the X benchmark."""

_DECAY: Final = 40.0
"""Distance from a seed at which a customer is e times as rare."""

_MAX_CUSTOMERS_OF_GRID: Final = 10_000
"""Customers up to which the grid stays as it is."""

MOST_CUSTOMERS: Final = 10_000_000
"""Customers of the largest instance."""

_RANGES: Final = {
    "unitary": (1, 1),
    "1-10": (1, 10),
    "5-10": (5, 10),
    "1-100": (1, 100),
    "50-100": (50, 100),
}
"""Least and largest demand of the uniform classes."""

_Name = TypeVar("_Name", bound=str)
"""The names of a class: depot, customers or demands."""


def generate_uchoa(
    num_customers: int,
    seed: int,
    depot: DepotClass | None = None,
    customers: CustomerClass | None = None,
    demands: DemandClass | None = None,
    route_length: float | None = None,
    name: str | None = None,
) -> Instance:
    """Generate a random CVRP instance like those of the X benchmark.

    All nodes are distinct integer points of a 1000 x 1000 grid. Beyond
    10,000 customers side, depot and cluster radius grow by the same whole
    factor, so that the points stay distinct.

    Parameters
    ----------
    num_customers
        Number of customers n, the depot not counted; at most 10,000,000.
    seed
        Seed; the same arguments give the same instance.
    depot
        "central", "eccentric" or "random". Default: drawn.
    customers
        "random", "clustered" or "half". Default: drawn.
    demands
        "unitary", "1-10", "5-10", "1-100", "50-100", "quadrant" or
        "many-small". Default: drawn.
    route_length
        Mean number of customers that a full vehicle serves; at least 1. By
        default drawn from the triangular distribution (3, 6, 25).
    name
        Name of the instance. Default "NCC-n0101-s1" for 100 customers and
        seed 1; as in the X benchmark the number counts the depot.

    Returns
    -------
    Instance
        Distances are rounded to the nearest integer. The capacity is
        ceil(route_length * sum q / n), at least the largest demand.

    Raises
    ------
    ParameterError
        If an argument lies outside its range.

    References
    ----------
    Uchoa, E., Pecin, D., Pessoa, A., Poggi, M., Vidal, T., Subramanian, A.
    (2017). New benchmark instances for the Capacitated Vehicle Routing
    Problem. European Journal of Operational Research 257(3), 845-858.
    """
    require_sizes(num_customers, seed, route_length)
    rng = np.random.default_rng(seed)
    # Drawn in any case, so that fixing one class leaves the others alone.
    depot = _choose("depot", depot, get_args(DepotClass), rng)
    customers = _choose("customers", customers, get_args(CustomerClass), rng)
    demands = _choose("demands", demands, get_args(DemandClass), rng)
    drawn_length = float(rng.triangular(3, 6, 25))
    if route_length is None:
        route_length = drawn_length

    coords = _draw_coords(num_customers, depot, customers, rng)
    quantities = _draw_demands(demands, coords[1:], rng)
    mean = float(quantities.sum()) / num_customers
    capacity = max(math.ceil(route_length * mean), int(quantities.max()))
    return Instance(
        name=name or f"NCC-n{num_customers + 1:04d}-s{seed}",
        demands=np.concatenate([[0], quantities]),
        capacity=capacity,
        coords=coords,
    )


def require_whole(**values: object) -> None:
    """Refuse arguments that are no whole numbers."""
    for name, value in values.items():
        if not isinstance(value, Integral) or isinstance(value, bool):
            raise ParameterError(
                f"{name} must be a whole number, got {describe_value(value)}."
            )


def require_sizes(
    num_customers: int, seed: int, route_length: float | None = None
) -> None:
    """Refuse sizes of an instance outside their range."""
    require_whole(num_customers=num_customers, seed=seed)
    if num_customers < 1 or seed < 0:
        raise ParameterError(
            "num_customers must be at least 1 and seed at least 0, "
            f"got {num_customers} and {seed}."
        )
    if num_customers > MOST_CUSTOMERS:
        raise ParameterError(
            f"num_customers must be at most {MOST_CUSTOMERS}, "
            f"got {num_customers}."
        )
    most = MOST_CUSTOMERS
    if route_length is not None and route_length > most:
        raise ParameterError(
            f"route_length must be at most {most}, got {route_length}."
        )
    if route_length is not None and not route_length >= 1:
        raise ParameterError(
            f"route_length must be at least 1, got {route_length}."
        )


def _choose(
    parameter: str,
    value: _Name | None,
    names: Sequence[_Name],
    rng: np.random.Generator,
) -> _Name:
    drawn = names[int(rng.integers(len(names)))]
    if value is None:
        return drawn
    if value not in names:
        raise ParameterError(
            f"{parameter} must be one of {', '.join(names)}, got {value}."
        )
    return value


def _refinement(num_customers: int) -> int:
    """Return the number of grid steps in one unit of length."""
    return math.ceil(math.sqrt(num_customers / _MAX_CUSTOMERS_OF_GRID))


def _draw_coords(
    num_customers: int,
    depot: DepotClass,
    customers: CustomerClass,
    rng: np.random.Generator,
) -> np.ndarray:
    """Return distinct points, shape (n + 1, 2), the depot first."""
    factor = _refinement(num_customers)
    side = factor * _GRID
    place = {
        "central": np.array([side // 2, side // 2]),
        "eccentric": np.array([0, 0]),
        "random": rng.integers(0, side + 1, size=2),
    }[depot]
    num_random = {
        "random": num_customers,
        "clustered": 0,
        "half": num_customers // 2,
    }[customers]
    # The seeds of the clusters are customers themselves, placed at random.
    num_seeds = 0
    if customers != "random":
        num_seeds = int(rng.integers(3, 9))
        num_seeds = min(num_seeds, num_customers - num_random)
    points = _add_points(
        place[None, :], num_random + num_seeds, side, None, 1.0, rng
    )
    seeds = points[len(points) - num_seeds :]
    rest = num_customers - num_random - num_seeds
    return _add_points(points, rest, side, seeds, factor * _DECAY, rng)


def _add_points(
    points: np.ndarray,
    num_new: int,
    side: int,
    seeds: np.ndarray | None,
    decay: float,
    rng: np.random.Generator,
) -> np.ndarray:
    """Append distinct random points, drawn in batches.

    A point at the distances d from the seeds is kept with the probability
    sum exp(-d / decay); without seeds always.
    """
    wanted = len(points) + num_new
    rate = 1.0
    while len(points) < wanted:
        missing = wanted - len(points)
        size = min(200_000, int(1.2 * missing / rate) + 16)
        batch = rng.integers(0, side + 1, size=(size, 2))
        if seeds is not None:
            delta = batch[:, None, :] - seeds[None, :, :]
            lengths = np.sqrt((delta * delta).sum(axis=2))
            chance = np.exp(-lengths / decay).sum(axis=1)
            batch = batch[rng.random(size) < chance]
        known = len(points)
        points = _distinct(np.concatenate([points, batch]), side)[:wanted]
        rate = max((len(points) - known) / size, 0.001)
    return points


def _distinct(points: np.ndarray, side: int) -> np.ndarray:
    """Drop every point that equals an earlier one; keep the order."""
    keys = points[:, 0] * (side + 1) + points[:, 1]
    _, first = np.unique(keys, return_index=True)
    return points[np.sort(first)]


def _draw_demands(
    demands: DemandClass, places: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return the demand of each customer, shape (n,)."""
    size = len(places)
    if demands == "quadrant":
        # Large in the first and the third quadrant, as in the X instances.
        middle = _refinement(size) * _GRID / 2
        is_right, is_upper = (places >= middle).T
        is_large = is_right == is_upper
        small, large = (1, 50), (51, 100)
    elif demands == "many-small":
        num_large = size - round(size * rng.uniform(0.70, 0.95))
        is_large = rng.permutation(size) < num_large
        small, large = (1, 10), (50, 100)
    else:
        is_large = np.zeros(size, dtype=bool)
        small = large = _RANGES[demands]
    return np.where(
        is_large,
        rng.integers(large[0], large[1] + 1, size=size),
        rng.integers(small[0], small[1] + 1, size=size),
    )
