"""How few vehicles are found: published problems, and planted fleets."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.routes import OURS
from benchmarks.harness.cases import SMALL_ROUTES, data_folder
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Summary
from ncc_routing.core.exceptions import InfeasibleError

if TYPE_CHECKING:
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Row, Rows

OBJECTIVE: Final = "fewest-vehicles"

WINDOWS, PICKUPS = "VRPTW", "PDPTW"
"""Folders of the problems of Gehring and Homberger, and of Li and Lim."""

KNOWN: Final = {
    WINDOWS: {
        "C1_10_2": (90, 42222.96),
        "C1_10_8": (92, 42629.91),
        "C2_10_2": (29, 17126.39),
        "C2_10_8": (28, 16512.43),
        "R1_10_2": (91, 48232.67),
        "R1_10_8": (91, 42288.5),
        "R2_10_2": (19, 33411.21),
        "R2_10_8": (19, 17442.29),
        "RC1_10_2": (90, 43718.84),
        "RC1_10_8": (90, 43956.91),
        "RC2_10_2": (18, 26104.09),
        "RC2_10_8": (18, 23595.33),
    },
    PICKUPS: {
        "LC1_10_2": (94, 44548.51),
        "LC1_2_4": (17, 2693.41),
        "LC2_10_4": (29, 17926.24),
        "LC2_6_3": (17, 8570.14),
        "LR1_10_3": (54, 41670.17),
        "LR1_6_6": (31, 21518.46),
        "LR2_10_6": (11, 46614.99),
        "LR2_2_3": (4, 3098.36),
        "LRC1_10_5": (72, 50494.99),
        "LRC1_2_7": (14, 3666.34),
        "LRC2_10_7": (15, 33737.91),
        "LRC2_6_8": (9, 13331.23),
        "lc101": (10, 828.94),
        "lc104": (9, 860.01),
        "lr105": (14, 1377.11),
        "lr202": (3, 1197.67),
        "lrc103": (11, 1258.74),
        "lrc207": (3, 1062.05),
    },
}
"""Best known numbers of vehicles and distances, of SINTEF's lists."""

PLANTED_SEED: Final = 8_500_000
PLANTED: Final = (
    *(("random", 200, 20, 10), ("random", 400, 20, 3)),
    *(("clustered", 200, 20, 3), ("random", 200, 5, 3)),
    *(("random", 200, 20, 2), ("random", 1000, 80, 2)),
    *(("clustered", 400, 40, 2), ("random", 200, 5, 2)),
)
"""Places, customers, vehicles, and the room left on each is below that, of
planted fleets in turn."""

NUM_PLANTED: Final = 40
CAPACITY: Final = 200
WINDOW_SHARE: Final = 0.75
SERVICE, SIDE = 10, 1000


def of_windows() -> list[Case]:
    """Return 12 problems with windows of 1,000 customers."""
    return _cases(WINDOWS, ".vrp")


def of_pickups() -> list[Case]:
    """Return 18 problems with pickups of 100 to 1,050 stops."""
    return _cases(PICKUPS, ".txt")


def _cases(folder: str, ending: str) -> list[Case]:
    files = data_folder("vrp", folder)
    return [
        Case(name, partial(nr.read, files / f"{name}{ending}"))
        for name in sorted(KNOWN[folder])
    ]


def minimise(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Solve for the fewest vehicles."""
    cpu = time.process_time()
    stop = processor_deadline(budget)
    found = nr.solve(instance, stop, seed=seed, objective=OBJECTIVE)
    return {
        "vehicles": found.best.num_routes,
        "cost": found.cost,
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }


def beside_known(rows: Rows) -> list[Row]:
    """Return runs with the best known numbers, and distances if as few."""
    found: list[Row] = []
    for row in rows:
        vehicles, distance = KNOWN[row["set"]][row["instance"]]
        more = int(row["vehicles"]) - vehicles
        is_equal = more == 0 and row["set"] == PICKUPS
        gap = 100.0 * (float(row["cost"]) / distance - 1.0)
        found.append(
            {
                **row,
                "known": str(vehicles),
                "more": str(more),
                "gap": repr(gap) if is_equal else "",
            }
        )
    return found


def plant(number: int) -> nr.Instance:
    """Generate routes that fill a fleet, and forget them.

    The loads of one vehicle fewer would be less than all demands.
    """
    kind, size, vehicles, room = PLANTED[number % len(PLANTED)]
    rng = np.random.default_rng(PLANTED_SEED + number)
    places = rng.integers(0, SIDE, (size + 1, 2)).astype(float)
    places[0] = SIDE / 2
    if kind == "clustered":
        middles = rng.integers(0, SIDE, (vehicles, 2))
        places[1:] = middles[np.arange(size) % vehicles]
        places[1:] += rng.normal(0.0, SIDE / 40, (size, 2))
    places = np.rint(places)
    lengths = np.rint(
        np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    )
    angles = np.arctan2(*(places[1:] - places[0]).T)
    demands = np.zeros(size + 1, dtype=int)
    begins = np.zeros(size + 1)
    for route in np.array_split(1 + np.argsort(angles), vehicles):
        left = [*route]
        load = CAPACITY - int(rng.integers(room))
        shares = rng.dirichlet(np.full(len(left), 4.0))
        demands[route] = 1 + rng.multinomial(load - len(left), shares)
        last, now = 0, 0.0
        while left:
            node = min(left, key=lambda each: lengths[last, each])
            now += lengths[last, node]
            begins[node] = now
            now += SERVICE
            left.remove(node)
            last = node
    back = begins + SERVICE + lengths[0]
    horizon = int(np.ceil(back.max()))
    widths = rng.integers(horizon // 40, horizon // 8, size + 1)
    is_open = rng.random(size + 1) >= WINDOW_SHARE
    early = np.where(is_open, 0, np.maximum(0, begins - widths))
    late = np.where(is_open, horizon - back + begins, begins + widths)
    early[0], late[0] = 0, horizon
    return nr.Instance(
        f"{kind}-{size}-{vehicles}-{room}-s{PLANTED_SEED + number}",
        demands,
        matrix=lengths,
        coords=places,
        fleet=nr.Fleet(
            (nr.VehicleType(capacity=CAPACITY, num_available=vehicles),)
        ),
        windows=nr.TimeWindows.of(
            size + 1,
            early,
            np.maximum(early, late).astype(int),
            np.where(np.arange(size + 1) > 0, SERVICE, 0),
        ),
    )


def planted() -> list[Case]:
    """Return problems whose least numbers of vehicles are known."""
    return [
        Case(f"planted_{number}", partial(plant, number))
        for number in range(NUM_PLANTED)
    ]


def fill(
    instance: nr.Instance, seed: int, budget: Allowance
) -> dict[str, Any]:
    """Serve all customers with the planted number of vehicles."""
    cpu = time.process_time()
    stop = processor_deadline(budget)
    absent = 0
    try:
        cost = nr.solve(instance, stop, seed=seed).cost
    except InfeasibleError as error:
        cost, absent = error.solution.cost, len(error.absent)
    return {
        "cost": cost,
        "set": instance.name.rpartition("-s")[0],
        "absent": absent,
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }


def _filled(rows: Rows) -> list[Row]:
    return [{**row, "is_full": str(int(row["absent"] == "0"))} for row in rows]


EXPERIMENTS = (
    Experiment(
        "fewest_vehicles",
        cases=list,
        variants=(
            Variant(OURS, minimise, {"set": WINDOWS}, cases=of_windows),
            Variant(OURS, minimise, {"set": PICKUPS}, cases=of_pickups),
        ),
        columns="set instance num_customers seed budget vehicles cost "
        "cpu_seconds load_average error",
        key="set instance seed budget",
        budgets=(60.0,),
        views=(
            Summary(
                "set",
                "runs; failed; vehicles: vehicles .0f sum; best known: "
                "known .0f sum; most above: more .0f max; "
                "distance +%: gap",
                derive=beside_known,
            ),
            Summary(
                "set instance",
                "vehicles: vehicles .0f; best known: known .0f; "
                "distance +%: gap",
                derive=beside_known,
            ),
        ),
        warm=SMALL_ROUTES,
        setting={
            "objective": OBJECTIVE,
            "clock": "processor time",
            "threads": 1,
        },
    ),
    Experiment(
        "planted_fleets",
        cases=planted,
        variants=(Variant(OURS, fill),),
        columns="set instance num_customers seed budget absent cpu_seconds "
        "load_average error",
        key="instance seed budget",
        budgets=(20.0,),
        views=(
            Summary(
                "set",
                "problems: runs; served by the planted vehicles: is_full "
                ".0f sum; absent at most: absent .0f max",
                total=True,
                derive=_filled,
            ),
        ),
        warm=SMALL_ROUTES,
        setting={"clock": "processor time", "threads": 1},
    ),
)
"""Every experiment, by the page that shows its record."""
