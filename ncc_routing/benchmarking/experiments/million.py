"""A million customers on two cores, and parts on other machines."""

from __future__ import annotations

import pickle
import resource
import time
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from statistics import mean
from typing import TYPE_CHECKING, Any, Final

import numpy as np

import ncc_routing as nr
from ncc_routing.benchmarking.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
    page_of,
)
from ncc_routing.benchmarking.processes import generate_file
from ncc_routing.benchmarking.tables import Summary
from ncc_routing.core.deadline import Deadline
from ncc_routing.vrp.polishing.rounds import cut_in_parts
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch
from ncc_routing.vrp.solve import CONSTRUCTION_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.benchmarking.tables import Rows
    from ncc_routing.vrp.polishing.annealing import Subproblem

SEED: Final = 3_000_002
"""Seed of the instances, that of the page ``large``."""

CORES: Final = 2

ROUTE_LENGTH: Final = 100.0
"""Customers a route, as in the long half of AGS."""

SIZES: Final = (100_000, 1_000_000)

SECONDS_A_CUSTOMER: Final = 3e-4
"""On two cores: 300 seconds for a million customers."""

AT_ONCE: Final = 0.001
"""A limit that has passed at once: the first feasible solution is it."""

PARTS: Final = (0, 20, 40, 60, 80)
PART_SECONDS: Final = (5.0, 20.0, 100.0)
"""Parts of ten thousand customers: the time each has in ``SIZES[-1]``, and
twenty times as much."""

DASK_CUSTOMERS: Final = 200_000
DASK_ITERATIONS: Final = 10_000_000


def solve_on_cores(file: Path, seed: int, budget: Budget) -> dict[str, Any]:
    """Solve as ``ncc-route solve`` does, by the clock of the processor.

    The budget is that of ``CORES`` cores without other work: reading and
    construction take their seconds of one core, ruin and recreate the rest
    of all.
    """
    limit = max(AT_ONCE, float(budget or 0.0))
    clock = time.process_time
    begun = clock()
    instance = nr.read(file)
    reading = clock() - begun
    first = nr.solve(
        instance,
        method="savings",
        polish="none",
        seed=seed,
        deadline=Deadline(CONSTRUCTION_SHARE * limit, clock=clock),
    )
    construction = clock() - begun - reading
    left = max(0.0, limit - reading - construction)
    found = ruin_and_recreate(
        instance,
        first.best,
        deadline=Deadline(CORES * left, clock=clock),
        seed=seed,
        jobs=CORES,
    )
    return {
        "reading_seconds": round(reading, 2),
        "construction_seconds": round(construction, 2),
        "construction_cost": first.best.cost,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "feasible": not nr.check_solution(instance, found),
        "bound": round(radial_bound(instance)),
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def radial_bound(instance: nr.Instance) -> float:
    """Return what no solution is shorter than: 2 d q / Q of each customer.

    References
    ----------
    Haimovich and Rinnooy Kan (1985), Bounds and heuristics for capacitated
    routing problems. Mathematics of Operations Research 10(4).
    """
    customers = np.arange(1, instance.num_customers + 1)
    ways = instance.lengths(np.zeros_like(customers), customers)
    return float(2.0 * (ways @ instance.demands[1:]) / instance.capacity)


@cache
def parts_of_million() -> list[Subproblem]:
    """Return the routes of the savings method as ruin and recreate cuts them.

    Each part has ten thousand customers.
    """
    instance = nr.read(generate_file(SIZES[-1], SEED, ROUTE_LENGTH))
    start = nr.solve(instance, method="savings", time_limit=AT_ONCE).best
    search = RuinRecreateSearch(instance, start, seed=1, jobs=CORES)
    return cut_in_parts(search)


def part_of_million(number: int) -> Subproblem:
    """Return one of them, with an instance of its own."""
    return parts_of_million()[number].cut_out()


def polish_longer(
    part: Subproblem, seed: int, budget: Budget
) -> dict[str, Any]:
    """Polish a part for some seconds of processor time."""
    instance = part.instance
    start = part.routes.to_solution(instance)
    deadline = Deadline(float(budget or AT_ONCE), clock=time.process_time)
    found = ruin_and_recreate(instance, start, deadline=deadline, seed=seed)
    return {
        "num_customers": instance.num_customers,
        "construction_cost": start.cost,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "feasible": not nr.check_solution(instance, found),
        "bound": round(radial_bound(instance)),
    }


def polish_parts(
    file: Path, seed: int, _budget: Budget, *, is_dask: bool
) -> dict[str, Any]:
    """Polish on two threads, or on two workers of a local Dask cluster.

    The same iterations give the same routes.
    """
    instance = nr.read(file)
    start = nr.solve(instance, method="savings", time_limit=AT_ONCE).best
    search = RuinRecreateSearch(instance, start, seed=seed, jobs=CORES)
    parts = cut_in_parts(search)[:CORES]
    carried = [len(pickle.dumps(part)) for part in parts]
    sizes = [part.num_customers for part in parts]
    with local_cluster() if is_dask else nullcontext():
        begun = time.perf_counter()
        found = ruin_and_recreate(
            instance,
            start,
            max_iterations=DASK_ITERATIONS,
            seed=seed,
            jobs=CORES,
        )
        seconds = time.perf_counter() - begun
    return {
        "num_customers": instance.num_customers,
        "part_customers": round(mean(sizes)),
        "part_bytes": round(mean(carried)),
        "bytes_a_customer": round(sum(carried) / sum(sizes), 1),
        "construction_cost": start.cost,
        "cost": found.cost,
        "num_routes": found.num_routes,
        "feasible": not nr.check_solution(instance, found),
        "polish_seconds": round(seconds, 2),
    }


@contextmanager
def local_cluster() -> Iterator[None]:
    """Start two processes that know the kernels, as joblib's backend."""
    import joblib
    from distributed import Client, LocalCluster

    small = nr.read(generate_file(2000, 1))
    start = nr.solve(small, method="savings", time_limit=AT_ONCE).best
    with (
        LocalCluster(
            n_workers=CORES, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        Client(cluster),
        joblib.parallel_config(backend="dask"),
    ):
        ruin_and_recreate(small, start, max_iterations=1000, jobs=CORES)
        yield


def with_gain(rows: Rows) -> list[dict[str, str]]:
    """Add by how much each is below the first solution, and could be."""
    firsts = {
        row["instance"]: float(row["cost"])
        for row in rows
        if row["run"] == "first"
    }
    found = []
    for row in rows:
        first = firsts[row["instance"]]
        count = int(row["num_customers"])
        begin = float(row["reading_seconds"])
        begin += float(row["construction_seconds"])
        found.append(
            {
                **row,
                "size": f"{count:,}",
                "gain": repr(100.0 * (1.0 - float(row["cost"]) / first)),
                "most": repr(100.0 * (1.0 - float(row["bound"]) / first)),
                "begin": repr(begin),
            }
        )
    return found


def polish_gain(rows: Rows) -> list[dict[str, str]]:
    """Add by how much the polish shortened the routes, and could at most."""
    found = []
    for row in rows:
        first = float(row["construction_cost"])
        added = {
            name: repr(100.0 * (1.0 - float(row[column]) / first))
            for name, column in (("gain", "cost"), ("most", "bound"))
            if column in row
        }
        found.append({**row, **added})
    return found


def _files(
    sizes: tuple[int, ...], route_length: float | None = None
) -> list[Case]:
    """Return generated instances, with routes of some length or any."""
    mark = "" if route_length is None else f"-r{route_length:g}"
    return [
        Case(
            f"NCC-n{n + 1:04d}-s{SEED}{mark}",
            partial(generate_file, n, SEED, route_length),
        )
        for n in sizes
    ]


def _parts() -> list[Case]:
    """Return some parts, near the depot and far from it."""
    size = SIZES[-1] + 1
    return [
        Case(
            f"NCC-n{size}-s{SEED}-r{ROUTE_LENGTH:g}, part {number}",
            partial(part_of_million, number),
        )
        for number in PARTS
    ]


def _variants(
    name: str, seconds_a_customer: float, sizes: tuple[int, ...]
) -> list[Variant]:
    """Return a run on each size."""
    return [
        Variant(
            name,
            solve_on_cores,
            {"num_customers": size},
            budgets=(seconds_a_customer * size,),
            cases=partial(_files, (size,), ROUTE_LENGTH),
        )
        for size in sizes
    ]


PAGES = (
    Page(
        "million",
        "A million customers",
        "Time and memory of a million customers on two cores.",
        (
            Experiment(
                "million",
                cases=partial(_files, SIZES, ROUTE_LENGTH),
                variants=(
                    *_variants("first", 0.0, SIZES),
                    *_variants("polished", SECONDS_A_CUSTOMER, SIZES),
                ),
                columns="instance num_customers run=variant limit=budget "
                "reading_seconds construction_seconds construction_cost "
                "cost num_routes feasible bound cpu_seconds seconds peak_mib "
                "load_average",
                key="num_customers variant",
                is_fresh=True,
                warm=Case("warm-up", partial(generate_file, 2000, 1)),
                warm_budget=2.0,
                views=(
                    Summary(
                        "run size",
                        "first, s: begin .0f; cost: cost .0f; better by %: "
                        "gain; at most %: most; CPU s: cpu_seconds .0f; "
                        "MiB: peak_mib .0f",
                        "run customers",
                        derive=with_gain,
                    ),
                ),
            ),
            Experiment(
                "million_parts",
                cases=_parts,
                variants=(Variant("ruin and recreate", polish_longer),),
                columns="instance num_customers limit=budget "
                "construction_cost cost num_routes feasible bound "
                "cpu_seconds seconds load_average",
                key="instance budget",
                budgets=PART_SECONDS,
                views=(
                    Summary(
                        "limit",
                        "parts: runs; better by %: gain; at most %: most",
                        "seconds",
                        derive=polish_gain,
                    ),
                ),
            ),
        ),
    ),
    page_of(
        "dask_cluster",
        "Parts on other machines",
        "What a task carries to a worker of Dask, and what it gains.",
        cases=partial(_files, (DASK_CUSTOMERS,)),
        variants=(
            Variant("threads", partial(polish_parts, is_dask=False)),
            Variant("dask", partial(polish_parts, is_dask=True)),
        ),
        columns="instance num_customers workers=variant part_customers "
        "part_bytes bytes_a_customer construction_cost cost num_routes "
        "feasible polish_seconds load_average",
        key="instance variant",
        is_fresh=True,
        views=(
            Summary(
                "workers",
                "customers a part: part_customers .0f; "
                "bytes a part: part_bytes .0f; "
                "a customer: bytes_a_customer .0f; cost: cost .0f; "
                "better by %: gain; s: polish_seconds .0f",
                derive=polish_gain,
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
