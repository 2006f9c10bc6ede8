"""What the annealings and the iterated searches of a plan are worth."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

import ncc_routing as nr
from benchmarks.harness.cases import SMALL_ROUTES
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline
from benchmarks.harness.views import Differences
from ncc_routing.core.budget import Budget
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import (
    WindowClass,
    generate_depots,
    generate_shipments,
    generate_time_windows,
)
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.problems.routes.searched_form import Objective, SearchedForm
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.search.fewest import best_of_starts
from ncc_routing.vrp.search.fleets.limits import with_fewer_vehicles
from ncc_routing.vrp.search.phases import (
    ANNEALED_SHARE,
    COOLED,
    RACE_MAX_CUSTOMERS,
    WARM,
    Phase,
    Phases,
    Step,
    choose_phases,
    race_phases,
    rich_phases,
)
from ncc_routing.vrp.search.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.stages import FEWEST_SHARE

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.harness.experiment import Allowance
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.solution import Solution

SIZES = (150, 250, 400, 650, 1000)
LENGTHS = (4, 8, 14, 24)
"""Customers, and those of a route."""

PLANS = ("plan", "annealing", "iterated", "one of each")

SEED = 7_000_000
"""Of the first instance; the choices of the plan were made on others."""


def plan_of(instance: Instance, seconds: float, name: str) -> Phases:
    """Return the phases of a variant."""
    if name == "annealing":
        return (Phase(Step.ANNEAL),)
    if name == "iterated":
        return (Phase(Step.ITERATE),)
    if name == "one of each":
        return race_phases(RACE_MAX_CUSTOMERS + 1, seconds)
    return choose_phases(instance, seconds)


def improve(
    instance: Instance, seed: int, budget: Allowance, *, plan: str
) -> Solution:
    """Improve savings routes by a plan."""
    start = solve_savings(instance, router=None)
    deadline = processor_deadline(budget)
    phases = plan_of(instance, deadline.remaining(), plan)
    run = Run(Budget(deadline), seed=seed)
    return ruin_and_recreate(instance, start, run, phases=phases)


def _cases() -> list[Case]:
    return [
        Case(
            f"n{size}-r{length}",
            partial(
                generate_uchoa,
                size,
                SEED + idx,
                route_length=length,
            ),
        )
        for idx, (size, length) in enumerate(product(SIZES, LENGTHS))
    ]


RICH_SEED = 7_100_000
NUM_RICH = 20
RICH_SIZE = 200
PLACES: tuple[Literal["random", "clustered", "half"], ...]
PLACES = ("random", "clustered", "half")
RICH_PLANS: dict[str, Phases] = {
    "annealing": (Phase(Step.ANNEAL),),
    "iterated": (
        Phase(Step.ANNEAL, ANNEALED_SHARE, progress=(0.0, COOLED)),
        Phase(Step.ITERATE, progress=(WARM, 1.0)),
    ),
}
"""Phases of problems beyond the CVRP."""


def rich_plan_of(instance: Instance, seconds: float, name: str) -> Phases:
    """Return the phases of a variant; those that are chosen, or fewer."""
    if name in RICH_PLANS:
        return RICH_PLANS[name]
    if name == "one run" and not instance.is_cvrp:
        return rich_phases(
            *(RACE_MAX_CUSTOMERS + 1, math.inf, 1),
            iterates=True,
            eliminates=True,
        )
    phases = choose_phases(instance, seconds)
    if name == "without":
        return tuple(p for p in phases if p.step is not Step.ELIMINATE)
    return phases


def improve_rich(
    instance: Instance, seed: int, budget: Allowance, *, plan: str
) -> Solution:
    """Improve a first solution by a plan."""
    form = SearchedForm.of(instance)
    given = nr.solve(instance, nr.stop.MaxIterations(1), seed=seed).best
    start = form.from_given(given).costed(form.searched)
    deadline = processor_deadline(budget)
    phases = rich_plan_of(form.searched, deadline.remaining(), plan)
    run = Run(Budget(deadline), seed=seed)
    return form.given_solution(
        ruin_and_recreate(form.searched, start, run, phases=phases)
    )


def _windows() -> list[Case]:
    kinds = [*product(PLACES, get_args(WindowClass))]
    return [
        Case(
            f"windows-{idx}",
            partial(
                generate_time_windows,
                RICH_SIZE,
                RICH_SEED + idx,
                *kinds[idx % len(kinds)],
            ),
        )
        for idx in range(2 * NUM_RICH)
    ]


def _depots() -> list[Case]:
    return [
        Case(
            f"depots-{idx}",
            partial(generate_depots, RICH_SIZE, RICH_SEED + idx),
        )
        for idx in range(NUM_RICH)
    ]


BACKHAULS_SEED = 7_500_000
SHARES = (0.2, 0.34, 0.5)
"""Shares of the customers who give, of a set of instances."""


def with_backhauls(
    num_customers: int, seed: int, share: float, route_length: float
) -> nr.Instance:
    """Generate a problem whose vehicles first deliver, then collect."""
    base = generate_uchoa(num_customers, seed, route_length=route_length)
    gives = np.random.default_rng([seed, 5]).random(num_customers + 1) < share
    gives[0] = False
    nodes = np.arange(num_customers + 1)
    matrix = np.array(base.distances(nodes, nodes), float)
    matrix[np.ix_(gives, ~gives)] = np.inf
    matrix[gives, 0] = matrix[0, gives]
    matrix[0, gives] = np.inf
    getting = np.where(gives, 0, base.demands)
    giving = base.demands - getting
    return base.derived(
        demands=getting,
        matrix=matrix,
        loads=nr.Loads(getting[:, None], giving[:, None]),
    )


def _backhauls(num_customers: int) -> list[Case]:
    kinds = [*product(LENGTHS, SHARES)]
    return [
        Case(
            f"backhauls-{idx}",
            partial(
                with_backhauls,
                *(num_customers, BACKHAULS_SEED + idx),
                *reversed(kinds[idx % len(kinds)]),
            ),
        )
        for idx in range(NUM_RICH)
    ]


ELIMINATION_SEED = 7_200_000
NUM_ELIMINATED = 20
ELIMINATION_SIZE = 400
NUM_LARGE = 10
LARGE_SIZE = 1000
CLUSTER_SIZE = 10
"""Customers of a cluster, of which a vehicle takes eleven."""


def full_clusters(
    count: int, seed: int, widths: tuple[float, float]
) -> nr.Instance:
    """Generate clusters each of which nearly fills a vehicle.

    ``count`` are the customers. Windows follow a tour through the cluster.
    ``widths`` are their least and largest width in units of the horizon; of
    narrow ones three quarters of the customers have one.
    """
    rng = np.random.default_rng(seed)
    service, capacity = 900, 200
    side = 5000 * math.sqrt(count / 1000)
    cluster = np.arange(count) % (count // CLUSTER_SIZE)
    middles = rng.uniform(0, side, (count // CLUSTER_SIZE, 2))
    places = middles[cluster] + 35 * rng.standard_normal((count, 2))
    places = np.rint(np.clip(places, 0, side))
    demands = 10 * rng.choice([1, 2, 3, 4], count, p=[0.41, 0.41, 0.15, 0.03])
    there = np.linalg.norm(places - side / 2, axis=1)
    horizon = math.ceil(2 * there.max() + 11 * (service + there.mean() / 4))
    closes = np.floor(horizon - there - service)
    times = np.empty(count)
    for number in range(count // CLUSTER_SIZE):
        left = np.flatnonzero(cluster == number)
        while demands[left].sum() > capacity:
            demands[left[demands[left].argmax()]] -= 10
        node = int(rng.choice(left))
        spare = horizon - 2 * there[node] - (len(left) + 1) * service
        now = there[node] + rng.uniform(0, max(1, spare))
        while len(left) > 0:
            times[node] = min(now, closes[node])
            left = left[left != node]
            lengths = np.linalg.norm(places[left] - places[node], axis=1)
            if len(left) > 0:
                node = int(left[lengths.argmin()])
                now += service + lengths.min()
    halves = 0.5 * horizon * rng.uniform(*widths, count)
    has_window = rng.random(count) < (0.75 if widths[1] < 0.1 else 1.0)
    early = np.where(has_window, np.maximum(0, times - halves), 0)
    late = np.where(has_window, np.minimum(closes, times + halves), closes)
    return nr.Instance(
        f"clusters_{seed}",
        np.append(0, demands),
        capacity,
        coords=np.vstack([[side / 2, side / 2], places]),
        windows=nr.TimeWindows.of(
            count + 1,
            tw_early=np.floor(np.append(0, np.minimum(early, late))),
            tw_late=np.floor(np.append(horizon, late)),
            service_durations=np.append(0, np.full(count, service)),
        ),
    )


def _clusters(count: int, number: int) -> list[Case]:
    widths = (0.025, 0.035), (0.1, 0.14)
    return [
        Case(
            f"clusters-{idx}",
            partial(
                full_clusters,
                *(count, ELIMINATION_SEED + idx, widths[idx % len(widths)]),
            ),
        )
        for idx in range(number)
    ]


def _places() -> list[Case]:
    kinds = [*product(PLACES[::2], get_args(WindowClass))]
    return [
        Case(
            f"windows-{idx}",
            partial(
                generate_time_windows,
                ELIMINATION_SIZE,
                ELIMINATION_SEED + idx,
                *kinds[idx % len(kinds)],
            ),
        )
        for idx in range(NUM_ELIMINATED)
    ]


RACE_SEED = 7_300_000
SKILLS = "ABC"


def sites(num_customers: int, seed: int) -> nr.Instance:
    """Generate windows, and vehicles not all of which may go everywhere.

    Of four types three have one skill each, and one has all; three quarters of
    the customers need one of them. A fifth of the vehicles can be spared.
    """
    base = generate_time_windows(num_customers, seed, "half", "short")
    rng = np.random.default_rng([seed, 4])
    needs = rng.integers(0, len(SKILLS) + 1, num_customers + 1)
    needs[0] = len(SKILLS)
    skills = [(each,) for each in SKILLS]
    number = math.ceil(1.2 * base.min_num_routes / (len(SKILLS) + 1)) + 2
    types = tuple(
        nr.VehicleType(
            capacity=base.capacity, num_available=number, skills=each
        )
        for each in [*skills, tuple(SKILLS)]
    )
    return base.derived(
        fleet=nr.Fleet(types),
        constraints=nr.RouteConstraints(
            skills=tuple([*skills, ()][each] for each in needs)
        ),
    )


def _raced(
    kind: str, generate: Callable[[int, int], nr.Instance]
) -> list[Case]:
    return [
        Case(f"{kind}-{idx}", partial(generate, RICH_SIZE, RACE_SEED + idx))
        for idx in range(NUM_RICH)
    ]


RACED: dict[str, Callable[[int, int], nr.Instance]] = {
    "windows": generate_time_windows,
    "depots": generate_depots,
    "sites": sites,
}

STARTS_SEED = 7_400_000


def _pickups(num_customers: int) -> list[Case]:
    kinds = [*product(PLACES, get_args(WindowClass))]
    return [
        Case(
            f"pickups-{idx}",
            partial(
                generate_shipments,
                *(num_customers // 2, STARTS_SEED + idx),
                *kinds[idx % len(kinds)],
            ),
        )
        for idx in range(NUM_RICH)
    ]


def solve_fewest(
    instance: Instance, seed: int, budget: Allowance, *, is_raced: bool
) -> Solution:
    """Search for the fewest vehicles, then the least cost of so many."""
    form = SearchedForm.of(instance)
    form = replace(form, objective=Objective(counts_vehicles=True))
    plain, stop = form.searched, nr.stop.MaxIterations(1)
    given = nr.solve(instance, stop, seed=seed).best
    first = form.from_given(given).costed(plain)
    run = Run(Budget(processor_deadline(budget)), seed=seed)
    part = run.within(FEWEST_SHARE * run.budget.remaining())
    fewest = with_fewer_vehicles(plain, first, part)
    priced = form.with_vehicles().searched
    found = fewest.costed(priced)
    if is_raced:
        found = best_of_starts(priced, found, run, plain=plain, first=first)
    return form.given_solution(ruin_and_recreate(priced, found, run))


FEWEST: tuple[tuple[str, Callable[[], list[Case]], float], ...] = (
    ("windows", lambda: _windows()[:NUM_RICH], 20.0),
    ("pickups", partial(_pickups, RICH_SIZE), 20.0),
    ("large pickups", partial(_pickups, 2 * RICH_SIZE), 40.0),
)

PHASES: tuple[
    tuple[str, Callable[[], list[Case]], tuple[float, ...], str], ...
] = (
    ("windows", _windows, (5.0, 12.0), "iterated"),
    ("depots", _depots, (5.0, 12.0), "iterated"),
    ("backhauls", partial(_backhauls, RICH_SIZE), (12.0,), "plan"),
    ("large backhauls", partial(_backhauls, 2 * RICH_SIZE), (24.0,), "plan"),
)

ELIMINATIONS = (
    ("clusters", partial(_clusters, ELIMINATION_SIZE, NUM_ELIMINATED), 24.0),
    ("large clusters", partial(_clusters, LARGE_SIZE, NUM_LARGE), 60.0),
    ("others", _places, 24.0),
)


def _beyond_the_cvrp(
    name: str,
    base: str,
    variants: tuple[Variant, ...],
    results: str = "cost num_routes",
    views: tuple[Differences, ...] = (),
    **more: Any,
) -> Experiment:
    """Describe variants on sets of problems; the last view compares costs."""
    costs = Differences("plan", base, "cost", by="set seconds", relative=True)
    return Experiment(
        name,
        cases=list,
        variants=variants,
        columns="set instance num_customers plan=variant seconds=budget "
        f"{results} cpu_seconds",
        key="set instance variant budget",
        warm=SMALL_ROUTES,
        views=(*views, costs),
        setting={"clock": "processor time"},
        **more,
    )


EXPERIMENTS = (
    Experiment(
        "phases",
        cases=_cases,
        variants=tuple(
            Variant(name, partial(improve, plan=name)) for name in PLANS
        ),
        columns="instance num_customers plan=variant seconds=budget "
        "cost num_routes cpu_seconds",
        key="instance variant budget",
        budgets=(1.0, 10.0),
        warm=SMALL_ROUTES,
        views=(
            Differences("plan", "plan", "cost", by="seconds", relative=True),
            Differences(
                "plan",
                "plan",
                "cost",
                by="num_customers seconds",
                relative=True,
            ),
        ),
        setting={"clock": "processor time"},
    ),
    _beyond_the_cvrp(
        "phases_rich",
        "annealing",
        tuple(
            Variant(
                name,
                partial(improve_rich, plan=name),
                {"set": kind},
                cases=cases,
                budgets=budgets,
            )
            for kind, cases, budgets, other in PHASES
            for name in ("annealing", other)
        ),
    ),
    _beyond_the_cvrp(
        "elimination",
        "without",
        tuple(
            Variant(
                name,
                partial(improve_rich, plan=name),
                {"set": kind},
                cases=cases,
                budgets=(budget,),
            )
            for kind, cases, budget in ELIMINATIONS
            for name in ("without", "plan")
        ),
    ),
    _beyond_the_cvrp(
        "fewest_starts",
        "one start",
        tuple(
            Variant(
                name,
                partial(solve_fewest, is_raced=is_raced),
                {"set": kind},
                cases=cases,
                budgets=(budget,),
            )
            for kind, cases, budget in FEWEST
            for name, is_raced in (("one start", False), ("several", True))
        ),
        results="num_routes cost",
        views=(
            Differences("plan", "one start", "num_routes", by="set seconds"),
        ),
    ),
    _beyond_the_cvrp(
        "rich_race",
        "one run",
        tuple(
            Variant(
                name,
                partial(improve_rich, plan=name),
                {"set": kind},
                cases=partial(_raced, kind, generate),
            )
            for kind, generate in RACED.items()
            for name in ("one run", "plan")
        ),
        budgets=(12.0, 20.0),
    ),
)
