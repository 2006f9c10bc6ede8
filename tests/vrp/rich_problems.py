"""Random problems with every feature, as an instance, a file and PyVRP's data.

``rich_problem`` has those that every search knows, ``full_problem`` all of
PyVRP's, by switches; ``full_routes`` visits some of its stops at random.

``python -m tests.vrp.rich_problems --count 6000`` solves that many in all
three forms and holds each answer against all plans and against PyVRP.
"""

from __future__ import annotations

import argparse
import math
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
import pyvrp

import ncc_routing as nr
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.pyvrp.adapter import objective_of, to_pyvrp
from tests.brute_force import cheapest_plan
from tests.random_problems import random_problem

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


FORMS = ("instance", "file", "pyvrp")

MOST_CLIENTS = 6
"""Clients of the largest problems: brute force looks at all their plans."""

MOST_VEHICLES = 6
"""Vehicles that are listed one by one."""

VEHICLE_FIELDS = (
    *("num_available", "start_depot", "end_depot", "profile"),
    *("fixed_cost", "unit_distance_cost", "unit_duration_cost"),
    *("tw_early", "tw_late", "start_late"),
    *("max_distance", "shift_duration"),
)
"""Fields of a vehicle type that mean the same here as in PyVRP."""

ITERATIONS = 300
"""Iterations of ruin and recreate for each answer."""

SECONDS = 0.4
"""Processor time after which no plan is looked for any more."""


def rich_problem(seed: int) -> pyvrp.ProblemData:
    """Return a problem; combinations of features take turns by the seed."""
    data = random_problem(seed, MOST_CLIENTS)
    rng = np.random.default_rng([seed, 1])
    if rng.random() < 0.5:
        data = data.replace(vehicle_types=_single_vehicles(data))
    if rng.random() < 0.3:
        data = _without_some_edges(data, rng)
    return data


PARTS = (
    *("dimensions", "pickups", "initial", "optional", "groups"),
    *("shipments", "reloads", "overtime", "negative"),
)
"""What a full problem may have beyond a rich one."""


def full_problem(
    seed: int,
    parts: Collection[str] | None = None,
    num_clients: int = MOST_CLIENTS,
) -> pyvrp.ProblemData:
    """Return a problem with some of all that PyVRP knows.

    Parameters
    ----------
    seed
        Number of the problem. That of ``random_problem`` below it takes turns.
    parts
        Which of ``PARTS`` it has. Default: any, drawn by the seed.
    num_clients
        Most clients. Default ``MOST_CLIENTS``.
    """
    data = random_problem(seed, num_clients)
    rng = np.random.default_rng([seed, 2])
    drawn = [part for part in PARTS if rng.random() < 0.4]
    has = set(drawn if parts is None else parts).__contains__
    num_dims = int(rng.integers(2, 4)) if has("dimensions") else 1

    def amount(most: int, first: int | None = None) -> list[int]:
        drawn = rng.integers(0, most + 1, num_dims).tolist()
        return drawn if first is None else [first, *drawn[1:]]

    def is_chosen(part: str, share: float = 0.5) -> bool:
        return has(part) and bool(rng.random() < share)

    clients, groups = list(data.clients()), []
    if has("groups"):
        cuts = sorted(rng.integers(0, len(clients) + 1, 2).tolist())
        members = [range(cuts[0]), range(cuts[0], cuts[1])]
        groups = [
            pyvrp.ClientGroup(list(own), is_chosen("groups", 0.7))
            for own in members
            if own
        ]
    group_of = {
        client: idx for idx, own in enumerate(groups) for client in own.clients
    }
    made = [
        pyvrp.Client(
            one.location,
            delivery=amount(5, 0 if is_chosen("pickups") else one.delivery[0]),
            pickup=amount(5) if is_chosen("pickups") else [],
            service_duration=one.service_duration,
            tw_early=one.tw_early,
            tw_late=one.tw_late,
            release_time=one.release_time,
            prize=20 * one.prize if has("optional") else one.prize,
            required=idx not in group_of and not is_chosen("optional"),
            group=group_of.get(idx),
        )
        for idx, one in enumerate(clients)
    ]
    depots = data.num_depots
    types = [
        kind.replace(
            capacity=(
                own := [kind.capacity[0], *rng.integers(6, 20, num_dims - 1)]
            ),
            initial_load=[
                min(load, most)
                for load, most in zip(amount(6), own, strict=True)
            ]
            if is_chosen("initial")
            else [0] * num_dims,
            reload_depots=rng.permutation(depots)[
                : int(rng.integers(1, depots + 1))
            ].tolist()
            if is_chosen("reloads", 0.8)
            else [],
            max_reloads=int(rng.integers(0, 4)),
            shift_duration=int(rng.integers(60, 250))
            if is_chosen("overtime")
            else kind.shift_duration,
            max_overtime=int(rng.integers(0, 90)) if has("overtime") else 0,
            unit_overtime_cost=int(rng.integers(0, 4))
            if has("overtime")
            else 0,
            fixed_cost=int(rng.integers(-60, 20))
            if has("negative")
            else kind.fixed_cost,
        )
        for kind in data.vehicle_types()
    ]
    shipments = []
    if has("shipments"):
        for idx in range(int(rng.integers(1, 3))):
            first = data.num_locations + 2 * idx
            early = int(rng.integers(0, 60)) if rng.random() < 0.3 else 0
            shipments.append(
                pyvrp.Shipment(
                    first,
                    first + 1,
                    pickup_tw_early=early,
                    pickup_service_duration=int(rng.integers(0, 9)),
                    delivery_tw_late=early + int(rng.integers(60, 400)),
                    delivery_service_duration=int(rng.integers(0, 9)),
                    amount=amount(6),
                    prize=int(rng.integers(0, 90)),
                    required=not is_chosen("optional"),
                )
            )
    locations = data.locations()
    locations += [pyvrp.Location(0, 0)] * (2 * len(shipments))
    changes: Any = {
        "distance_matrices": [
            _larger(own, len(locations), rng)
            for own in data.distance_matrices()
        ],
        "duration_matrices": [
            _larger(own, len(locations), rng)
            for own in data.duration_matrices()
        ],
    }
    return data.replace(
        locations=locations,
        clients=made,
        vehicle_types=types,
        groups=groups,
        shipments=shipments,
        **changes,
    )


def _larger(matrix: Any, size: int, rng: np.random.Generator) -> Any:
    """Return lengths between more places."""
    larger = rng.integers(0, 50, (size, size))
    larger[: len(matrix), : len(matrix)] = matrix
    np.fill_diagonal(larger, 0)
    return larger


def full_routes(
    instance: nr.Instance, seed: int
) -> tuple[list[list[int]], list[int]]:
    """Return routes over some customers, and a vehicle type for each.

    Mostly one of a group, the stops of a shipment in order, and reloads where
    they may be; sometimes not.
    """
    rng = np.random.default_rng([seed, 3])
    is_wild = bool(rng.random() < 0.2)
    chosen = {
        node
        for node in range(1, instance.num_customers + 1)
        if instance.required[node] or rng.random() < 0.5
    }
    if instance.selection is not None and not is_wild:
        for group in instance.selection.groups:
            chosen -= set(group.customers)
            if group.required or rng.random() < 0.5:
                chosen.add(int(rng.choice(group.customers)))
    pairs = {one.pickup: one.delivery for one in instance.shipments}
    if not is_wild:
        chosen -= set(pairs.values())
    order = rng.permutation(sorted(chosen)).tolist()
    cuts = np.flatnonzero(rng.random(max(0, len(order) - 1)) < 0.4) + 1
    vehicles = [
        idx
        for idx, kind in enumerate(instance.vehicle_types)
        for _ in range(kind.num_available or 1 + len(order))
    ]
    cuts = cuts[: len(vehicles) - 1]
    routes = [part.tolist() for part in np.split(np.array(order, int), cuts)]
    kinds = rng.permutation(vehicles)[: len(routes)].tolist()
    for route, idx in zip(routes, kinds, strict=True):
        kind = instance.vehicle_types[idx]
        for pickup in [node for node in route if node in pairs]:
            if not is_wild:
                place = route.index(pickup) + 1
                route.insert(
                    int(rng.integers(place, len(route) + 1)), pairs[pickup]
                )
        allowed = range(instance.num_depots) if is_wild else kind.reload_depots
        while allowed and rng.random() < 0.4:
            depot = instance.depots[int(rng.choice(list(allowed)))]
            route.insert(int(rng.integers(0, len(route) + 1)), depot)
    return routes, kinds


def _single_vehicles(data: pyvrp.ProblemData) -> list[pyvrp.VehicleType]:
    """Return a type for each vehicle."""
    return [
        kind.replace(num_available=1)
        for kind in data.vehicle_types()
        for _ in range(kind.num_available)
    ][:MOST_VEHICLES]


def _without_some_edges(
    data: pyvrp.ProblemData, rng: np.random.Generator
) -> pyvrp.ProblemData:
    """Take edges away, other ones in each profile."""
    distances: list[Any] = []
    durations: list[Any] = []
    for profile in range(data.num_profiles):
        shape = (data.num_locations, data.num_locations)
        is_missing = rng.random(shape) < 0.15
        np.fill_diagonal(is_missing, False)
        for matrices, own in (
            (distances, data.distance_matrix(profile)),
            (durations, data.duration_matrix(profile)),
        ):
            largest = pyvrp.constants.MAX_VALUE
            matrices.append(np.where(is_missing, largest, own))
    changes: Any = {
        "distance_matrices": distances,
        "duration_matrices": durations,
    }
    return data.replace(**changes)


def as_instance(data: pyvrp.ProblemData) -> nr.Instance:
    """Return the data as an instance, part by part.

    Profiles and depots keep their order: a profile in use need not be first.
    """
    stops: list[Any] = [data.depot(0), *data.clients(), *data.depots()[1:]]
    places = [stop.location for stop in stops]
    size, clients = len(stops), data.clients()
    demands = np.zeros(size, dtype=np.int64)
    demands[1 : len(clients) + 1] = [c.delivery[0] for c in clients]
    lengths = [
        tuple(
            np.where(own >= pyvrp.constants.MAX_VALUE, np.inf, own)
            for own in (
                np.asarray(matrix)[np.ix_(places, places)]
                for matrix in (
                    data.distance_matrix(profile),
                    data.duration_matrix(profile),
                )
            )
        )
        for profile in range(data.num_profiles)
    ]
    fields = ("tw_early", "tw_late", "service_duration", "release_time")
    times = (
        np.array([getattr(stop, field, 0) for stop in stops])
        for field in fields
    )
    types = []
    for kind in data.vehicle_types():
        values = {name: getattr(kind, name) for name in VEHICLE_FIELDS}
        types.append(nr.VehicleType(capacity=kind.capacity[0], **values))
    return nr.Instance(
        "case",
        demands,
        max(kind.capacity for kind in types),
        matrix=lengths[0][0],
        durations=lengths[0][1],
        num_depots=data.num_depots,
        fleet=nr.Fleet(tuple(types)),
        windows=nr.TimeWindows(*times),
        profiles=tuple(nr.Profile(*own) for own in lengths[1:]),
    )


def forms_of(
    data: pyvrp.ProblemData, folder: Path
) -> Iterator[tuple[str, Any]]:
    """Yield name and problem of each form that can hold the data."""
    instance = as_instance(data)
    yield "instance", instance
    is_same = np.array_equal(
        np.asarray(instance.matrix), np.asarray(instance.durations)
    )
    plain = replace(instance, durations=None) if is_same else instance
    file = folder / "case.vrp"
    try:
        nr.write_instance(file, plain)
    except nr.ParameterError:
        pass  # it has no place in a file
    else:
        yield "file", file
    yield "pyvrp", data


def judge(data: pyvrp.ProblemData, problem: object, optimum: float) -> str:
    """Solve a problem in some form, and say what is wrong with the answer.

    It is "cheapest", "dearer" or "infeasible" where nothing is wrong, else
    "false refusal", "wrong plan" or "wrong cost". An infinite ``optimum`` says
    that there is no plan.
    """
    try:
        result: nr.Result = nr.solve(
            problem,  # type: ignore[arg-type]
            stop=nr.first_of(
                nr.MaxIterations(ITERATIONS),
                TimeLimit(SECONDS, clock=time.process_time),
            ),
        )
    except nr.InfeasibleError:
        return "false refusal" if math.isfinite(optimum) else "infeasible"
    best = result.best
    if isinstance(problem, Path):
        # The types of a file are those of vehicles that are alike.
        theirs = to_pyvrp(best, pyvrp.read(problem, round_func="round"))
    else:
        theirs = to_pyvrp(best, data)
    if not (theirs.is_feasible() and theirs.is_complete()):
        return "wrong plan"
    if objective_of(theirs) != best.cost or best.cost < optimum:
        return "wrong cost"
    return "cheapest" if best.cost == optimum else "dearer"


def count_verdicts(seeds: range) -> Counter[tuple[str, str]]:
    """Solve problems in all forms, print what goes wrong, count verdicts."""
    verdicts: Counter[tuple[str, str]] = Counter()
    with TemporaryDirectory() as folder:
        for seed in seeds:
            data = rich_problem(seed)
            optimum = cheapest_plan(as_instance(data))
            for form, problem in forms_of(data, Path(folder)):
                verdict = judge(data, problem, optimum)
                verdicts[form, verdict] += 1
                if verdict.startswith(("false", "wrong")):
                    print(f"{seed} as {form}: {verdict}, {optimum}")
    return verdicts


def main() -> None:
    """Solve as many problems as wanted, and print the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=6000)
    wanted = parser.parse_args()
    seeds = range(wanted.first, wanted.first + wanted.count)
    for (form, verdict), count in sorted(count_verdicts(seeds).items()):
        print(f"{form:<10}{verdict:<15}{count}")


if __name__ == "__main__":
    main()
