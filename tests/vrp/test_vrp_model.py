"""The solver for vrp-model, beside all plans as its models judge them."""

from __future__ import annotations

from itertools import chain, combinations, permutations, product
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from vrp_model import (
    Feature,
    MappingError,
    Model,
    Route,
    Solution,
    SolverCapabilityError,
    SolveStatus,
    TravelEdgeAttrs,
    ValidationError,
)
from vrp_model.solvers.registry import get

from ncc_routing.vrp_model import NccRoutingSolver

if TYPE_CHECKING:
    from collections.abc import Iterator

SOLVER = NccRoutingSolver(
    {"max_iterations": 300, "time_limit": 10.0, "seed": 1}
)
NUM_VEHICLES = 2


def random_model(seed: int) -> Model:  # noqa: C901 (all features)
    """Return a model of up to five jobs, with some of all features."""
    rng = np.random.default_rng(seed)

    def has(share: float) -> bool:
        return bool(rng.random() < share)

    def whole(low: int, high: int) -> int:
        return int(rng.integers(low, high + 1))

    def spot() -> tuple[float, float]:
        return float(whole(0, 50)), float(whole(0, 50))

    def window() -> tuple[int, int] | None:
        early = whole(0, 100)
        return (early, early + whole(20, 200)) if has(0.4) else None

    model = Model()
    depots = [model.add_depot(location=spot()) for _ in range(1 + has(0.4))]
    size = 1 + has(0.2)
    has_capacity = has(0.8)
    shared: dict[str, Any] = {}
    for _ in range(NUM_VEHICLES):
        values: dict[str, Any] = {
            "skills": {1} if has(0.7) else None,
            "time_window": (whole(0, 30), whole(200, 500))
            if has(0.3)
            else None,
            "fixed_use_cost": whole(0, 30) if has(0.3) else 0,
            "max_route_distance": whole(60, 250) if has(0.3) else None,
        }
        if has(0.4):
            values["max_route_time"] = whole(60, 250)
            if has(0.5):
                values["max_route_overtime"] = whole(1, 80)
                values["route_overtime_unit_cost"] = whole(0, 3)
        shared = shared if has(0.3) and shared else values
        capacity = [whole(5, 12) for _ in range(size)] if has_capacity else []
        start = depots[whole(0, len(depots) - 1)]
        end = depots[whole(0, len(depots) - 1)] if has(0.3) else None
        model.add_vehicle(capacity, start, end, **shared)
    jobs = [
        model.add_job(
            [whole(0, 4) for _ in range(size)],
            location=spot(),
            service_time=whole(0, 10),
            time_window=window(),
            skills_required={1} if has(0.2) else None,
            prize=float(whole(0, 60)) if has(0.3) else None,
            job_type=whole(0, 2),
        )
        for _ in range(whole(2, 5))
    ]
    if has(0.3):
        model.add_job_type_incompatibility(0, 1)
    if has(0.3):
        jobs[1].demand = [-amount for amount in jobs[0].demand]
        model.add_pickup_delivery(jobs[0], jobs[1])
    elif has(0.4):
        for one in jobs[:2]:
            one.prize = None
        model.add_job_group(jobs[:2], skip_penalty=40 if has(0.5) else None)
    if has(0.2):
        places = range(len(depots) + len(jobs))
        model.set_travel_edges(
            {
                (tail, head): TravelEdgeAttrs(whole(1, 60), whole(1, 60))
                for tail, head in permutations(places, 2)
                if has(0.9)
            }
        )
    return model


def plans(model: Model) -> Iterator[Solution]:
    """Yield all plans, those that break rules as well."""
    jobs, vehicles = list(model.jobs), list(model.vehicles)
    sets = (combinations(jobs, count) for count in range(len(jobs) + 1))
    for served in chain.from_iterable(sets):
        for who in product(vehicles, repeat=len(served)):
            groups = [
                [job for job, by in zip(served, who, strict=True) if by is one]
                for one in vehicles
            ]
            for orders in product(*map(permutations, groups)):
                yield Solution(
                    [
                        Route(one, one.start_depot, one.end_depot, list(order))
                        for one, order in zip(vehicles, orders, strict=True)
                        if order
                    ]
                )


def least_cost(model: Model) -> float | None:
    """Return the least cost of all plans that the model calls feasible."""
    costs = []
    for one in plans(model):
        model._solution = one  # noqa: SLF001 - as a solver does
        if model.is_solution_feasible():
            costs.append(model.solution_cost())
    return min(costs, default=None)


@pytest.mark.parametrize("seed", range(60))
def test_the_cheapest_plan_is_found(seed: int) -> None:
    """And the model calls it feasible."""
    model = random_model(seed)
    try:
        model.validate()
    except ValidationError:
        pytest.skip("vrp-model refuses it")
    least = least_cost(model)
    status = SOLVER.solve(model)
    if least is None:
        unsolved = {SolveStatus.INFEASIBLE, SolveStatus.UNKNOWN}
        assert status.mapped_status in unsolved
        assert model.solution is None
        return
    assert model.is_solution_feasible()
    assert status.mapped_status is SolveStatus.FEASIBLE
    assert status.solver_reported_cost == model.solution_cost() == least


def test_it_is_registered() -> None:
    """By the name of the package."""
    assert get("ncc_routing") is NccRoutingSolver


def test_a_model_without_jobs_has_an_empty_solution() -> None:
    """As with other solvers."""
    model = Model()
    model.add_vehicle(1, model.add_depot())
    SOLVER.solve(model)
    assert model.solution == Solution([])


def test_what_is_refused() -> None:
    """By the feature, or by what cannot be said."""
    model = Model()
    depot = model.add_depot()
    vans = [model.add_vehicle(1, depot) for _ in range(2)]
    model.add_job(1, location=(1.0, 2.0))
    with pytest.raises(MappingError, match="a depot has no location"):
        SOLVER.solve(model)
    model.add_vehicle_group(vans)
    with pytest.raises(SolverCapabilityError, match="VEHICLE_GROUPS"):
        SOLVER.solve(model)
    assert len(set(Feature) - SOLVER.supported_features) == 2


def test_what_has_no_meaning_is_refused() -> None:
    """Each in the words of the model."""

    def model(**vehicle: Any) -> Model:
        made = Model()
        depot = made.add_depot(location=(0.0, 0.0))
        made.add_vehicle([9], depot, **vehicle)
        return made

    for demands, message in (
        ((3, 0, -3), "must be that of its pickup with a minus"),
        ((3, -3, -3), "one is in another pair too"),
    ):
        pairs = model()
        jobs = [pairs.add_job([d], location=(1.0, 2.0)) for d in demands]
        pairs.add_pickup_delivery(jobs[0], jobs[1])
        pairs.add_pickup_delivery(jobs[0], jobs[2])
        with pytest.raises(MappingError, match=message):
            SOLVER.solve(pairs)
    prized = model()
    prized.add_job([1], location=(1.0, 2.0), prize=float("inf"))
    with pytest.raises(MappingError, match="has a prize that is not finite"):
        SOLVER.solve(prized)
    late = model(time_window=(100, 500), max_route_time=50)
    late.add_job([1], location=(1.0, 2.0))
    with pytest.raises(MappingError, match="after its longest route time"):
        SOLVER.solve(late)
