"""Costs recomputed by vrplib and by PyVRP, on set X, every construction."""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import pyvrp
import vrplib

import ncc_routing as nr
from ncc_routing.vrp.methods import METHODS, NO_POLISH
from tests.attack.outcomes import Counts, require

SHARED: Final = Path(__file__).parents[3] / "shared" / "data"
"""Where the data lie beside a checkout, if NCC_ROUTING_DATA says nothing."""

SECONDS: Final = 1.0
"""Time of a construction: some take whatever there is."""


def recompute_cost(number: int, *_: object) -> Counts:
    """Check a cost: each method meets a new instance at each turn."""
    files = set_x()
    if not files:
        return Counter({"not here": 1})
    names = list(METHODS)
    turn, idx = divmod(number, len(names))
    # Every pair once in 100 turns, small and large ones mixed.
    file = files[(37 * turn + 13 * idx) % len(files)]
    require_cost(file, names[idx])
    return Counter({"costs": 1})


@cache
def set_x() -> tuple[Path, ...]:
    """Return the files of set X; none where they are not here."""
    folder = Path(os.environ.get("NCC_ROUTING_DATA", SHARED))
    return tuple(sorted((folder / "cvrp" / "X").glob("*.vrp")))


def require_cost(file: Path, method: str) -> None:
    """Solve a file by one construction, and recompute its cost twice.

    Raises
    ------
    Found
        If vrplib's lengths, or PyVRP, give another cost, or PyVRP says that
        the routes are not feasible.
    """
    best = nr.solve(
        nr.read(file), method=method, polish=NO_POLISH, time_limit=SECONDS
    ).best
    what = f"{method} on {file.stem}: {best.cost}"
    lengths = np.rint(vrplib.read_instance(file)["edge_weight"])
    theirs = 0.0
    for route in best.routes:
        path = [0, *route, 0]
        theirs += lengths[path[:-1], path[1:]].sum()
    require(best.cost == theirs, f"{what}, by vrplib {theirs}")
    data = pyvrp.read(file, round_func="round")
    clients = [[node - 1 for node in route] for route in best.routes]
    found = pyvrp.Solution(data, clients)
    require(found.is_feasible(), f"{what}: not feasible by PyVRP")
    cost = found.distance_cost()
    require(best.cost == cost, f"{what}, by PyVRP {cost}")


def sample(size: int, seed: int) -> list[Path]:
    """Return files of set X from as many classes of size."""
    files = set_x()
    rng = random.Random(seed)
    bounds = [len(files) * k // size for k in range(size + 1)]
    return [
        files[rng.randrange(a, b)]
        for a, b in itertools.pairwise(bounds)
        if b > a
    ]
