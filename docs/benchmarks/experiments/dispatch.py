"""A dispatcher's day: beside VROOM, over-full days, questions to a plan."""

from __future__ import annotations

import gc
import json
import time
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

import ncc_routing as nr
from benchmarks.experiments.routes import OURS
from benchmarks.harness.cases import data_folder
from benchmarks.harness.experiment import Case, Experiment, Variant
from benchmarks.harness.runs import processor_deadline, seconds_of
from benchmarks.harness.views import Summary
from ncc_routing.bench.tables import grouped
from ncc_routing.core.params import build_params
from ncc_routing.desk.vroom import routes_of_steps
from ncc_routing.generators.time_windows import generate_time_windows
from ncc_routing.problems.breaks import Break
from ncc_routing.problems.draft import restrict
from ncc_routing.problems.routes.checking import check_solution
from ncc_routing.problems.routes.solution import Solution
from ncc_routing.pyvrp.adapter import to_problem_data
from ncc_routing.vrp.dispatch.what_if import warm_params
from ncc_routing.vrp.params import SolveParams

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.experiments.warm_starts import Places
    from benchmarks.harness.experiment import Allowance
    from ncc_routing.bench.tables import Row, Rows
    from ncc_routing.problems.changes import Change

Json = dict[str, Any]

VROOM = "VROOM"
"""What the tables call VROOM, run by the package ``pyvroom``."""

LEAST_SECONDS: Final = 0.5
MOST_SECONDS: Final = 20.0
"""Bounds on VROOM's own time, which is that of both. It needs minutes for 400
jobs with windows and breaks, and then stops by its own limit."""

EXPLORATION: Final = 5
"""VROOM's most thorough level of search."""

SIZES: Final = (100, 200, 300, 500, 700, 1000)
SEEDS: Final = (95_001, 95_002, 95_003, 95_004, 95_005)
"""Jobs and seeds of the problems in VROOM's model."""

OVERFULL: Final = 95_005
"""The seed whose fleets are too small for all jobs."""

_HOUR: Final = 3600
_SHIFT: Final = (7 * _HOUR, 17 * _HOUR)
_METRES_A_SECOND: Final = 40 / 3.6
_DETOUR: Final = 1.3
_SIDE: Final = 30_000
"""Metres of the side of a town with 400 orders."""


def town(
    rng: np.random.Generator, num_jobs: int, num_depots: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return seconds and metres between depots and jobs, in this order.

    Half of the jobs lie in villages; ways there and back differ a little.
    """
    side = _SIDE * np.sqrt(num_jobs / 400)
    places = rng.uniform(0, side, (num_depots + num_jobs, 2))
    places[:num_depots] = side / 2 + (places[:num_depots] - side / 2) / 2
    villages = rng.uniform(0, side, (max(2, num_jobs // 40), 2))
    is_in_one = rng.random(len(places)) < 0.5
    is_in_one[:num_depots] = False
    chosen = rng.integers(0, len(villages), is_in_one.sum())
    near = rng.normal(0.0, side / 40, (is_in_one.sum(), 2))
    places[is_in_one] = villages[chosen] + near
    straight = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))
    metres = straight * _DETOUR * rng.uniform(1.0, 1.1, straight.shape)
    np.fill_diagonal(metres, 0.0)
    return np.rint(metres / _METRES_A_SECOND), np.rint(metres)


def vroom_problem(num_jobs: int, seed: int) -> Json:
    """Return a problem in VROOM's model: three depots and several vehicles.

    Jobs have windows, skills, priorities and two kinds of amounts; vehicles
    a shift and a break at noon.
    """
    rng = np.random.default_rng([seed, num_jobs])
    num_depots = 3
    seconds, _ = town(rng, num_jobs, num_depots)
    jobs = [
        _job(rng, number, num_depots + number) for number in range(num_jobs)
    ]
    loads = np.array([job["delivery"] for job in jobs])
    share = 45 if seed == OVERFULL else 22
    count = max(3, round(num_jobs / share))
    room = np.ceil(1.25 * loads.sum(axis=0) / (num_jobs / 25)).astype(int)
    vehicles = [
        {
            "id": number,
            "start_index": number % num_depots,
            "end_index": number % num_depots,
            "capacity": (room * rng.choice([1, 1, 2])).tolist(),
            "skills": [1, 2, 3][: 1 + number % 3],
            "time_window": list(_SHIFT),
            "breaks": [
                {
                    "id": 1,
                    "service": 1800,
                    "time_windows": [[11 * _HOUR, 13 * _HOUR]],
                }
            ],
        }
        for number in range(count)
    ]
    matrix = {"durations": seconds.astype(int).tolist()}
    return {"jobs": jobs, "vehicles": vehicles, "matrices": {"car": matrix}}


def _job(rng: np.random.Generator, number: int, place: int) -> Json:
    """Return a job: three in five have a window, one in five a skill."""
    job: Json = {
        "id": number,
        "location_index": place,
        "service": 60 * int(rng.integers(2, 9)),
        "delivery": rng.integers(1, 21, 2).tolist(),
    }
    if rng.random() < 0.6:
        start = _SHIFT[0] + 1800 * int(rng.integers(0, 15))
        width = 1800 * int(rng.integers(2, 9))
        job["time_windows"] = [[start, min(start + width, _SHIFT[1])]]
    if rng.random() < 0.2:
        job["skills"] = [int(rng.integers(2, 4))]
    job["priority"] = int(rng.choice([0, 10, 100], p=[0.75, 0.2, 0.05]))
    return job


def orders_of_a_depot(num_jobs: int, seed: int) -> Json:
    """Return orders of one depot, with enough vans: seconds and metres."""
    rng = np.random.default_rng([seed, num_jobs])
    seconds, metres = town(rng, num_jobs, 1)
    jobs = [_job(rng, number, 1 + number) for number in range(num_jobs)]
    for job in jobs:
        job.pop("skills", None)
        del job["priority"]
    room = np.ceil(np.mean([job["delivery"] for job in jobs], axis=0) * 30)
    van = {
        "start_index": 0,
        "end_index": 0,
        "capacity": room.astype(int).tolist(),
        "time_window": list(_SHIFT),
    }
    matrix = {
        "durations": seconds.astype(int).tolist(),
        "distances": metres.astype(int).tolist(),
    }
    return {
        "jobs": jobs,
        "vehicles": [
            {"id": number, **van} for number in range(num_jobs // 10)
        ],
        "matrices": {"car": matrix},
    }


def li_lim_problem(file: Path) -> Json:
    """Return a file of Li and Lim as shipments, in hundredths of its unit."""
    rows = np.loadtxt(file, dtype=int, ndmin=2, skiprows=1)
    with file.open(encoding="utf-8") as lines:
        count, capacity, _ = map(int, next(lines).split())
    places = rows[:, 1:3].astype(float)
    far = np.sqrt(((places[:, None] - places[None]) ** 2).sum(axis=2))

    def stop(node: int) -> Json:
        _, _, _, _, early, late, service, _, _ = rows[node].tolist()
        return {
            "id": node,
            "location_index": node,
            "service": 100 * service,
            "time_windows": [[100 * early, 100 * late]],
        }

    van = {
        "start_index": 0,
        "end_index": 0,
        "capacity": [capacity],
        "time_window": [0, 100 * int(rows[0, 5])],
    }
    return {
        "shipments": [
            {
                "amount": [int(rows[node, 3])],
                "pickup": stop(node),
                "delivery": stop(int(rows[node, 8])),
            }
            for node in np.flatnonzero(rows[:, 8]).tolist()
        ],
        "vehicles": [{"id": number, **van} for number in range(count)],
        "matrices": {
            "car": {"durations": np.rint(100 * far).astype(int).tolist()}
        },
    }


def why_vroom_is_absent() -> str | None:
    """Return why VROOM cannot run here, ``None`` where it can."""
    try:
        import_module("vroom")
    except ImportError as error:
        return f"pyvroom is no part of this project: {error}."
    return None


def solve_by_vroom(
    problem: Json, most_seconds: float = MOST_SECONDS
) -> tuple[Json, float]:
    """Return VROOM's answer on one thread, and the seconds it took."""
    vroom = import_module("vroom")
    with TemporaryDirectory() as name:
        file = Path(name, "problem.json")
        file.write_text(json.dumps(problem), encoding="utf-8")
        read = vroom.Input.from_json(file)
        begun = time.perf_counter()
        found = read.solve(
            exploration_level=EXPLORATION,
            nb_threads=1,
            timeout=timedelta(seconds=most_seconds),
        )
        seconds = time.perf_counter() - begun
        answer = Path(name, "answer.json")
        found.to_json(answer)
        return json.loads(answer.read_text(encoding="utf-8")), seconds


def beside_vroom(
    problem: Json,
    seed: int,
    _budget: Allowance,
) -> list[Json]:
    """Solve by VROOM, and then by this package in the same time.

    Its time begins before the JSON is read, VROOM's after that.
    """
    theirs, taken = solve_by_vroom(problem)
    limit = max(LEAST_SECONDS, taken)
    begun = time.perf_counter()
    result = nr.solve(
        problem, seed=seed, time_limit=limit, allow_unserved=True
    )
    seconds = time.perf_counter() - begun
    instance = result.instance
    routes = routes_of_steps(VROOM, theirs, instance)
    plans = {
        OURS: (result.to_vroom(), result.best, seconds),
        VROOM: (theirs, Solution.from_routes(instance, *routes), taken),
    }
    return [
        {
            "solver": solver,
            "num_jobs": instance.num_customers,
            "taken": round(took, 3),
            "feasible": all(
                each.kind == "missing"
                for each in check_solution(instance, plan)
            ),
            **_measured(problem, answer),
        }
        for solver, (answer, plan, took) in plans.items()
    ]


def _measured(problem: Json, answer: Json) -> Json:
    """Return what an answer says, and what its steps say of metres."""
    totals = answer["summary"]
    matrix = problem["matrices"]["car"].get("distances")
    metres = None
    if matrix is not None:
        metres = sum(
            matrix[a][b]
            for route in answer["routes"]
            for a, b in _arcs_of(route["steps"])
        )
    hours = (
        totals[key] for key in ("duration", "setup", "service", "waiting_time")
    )
    return {
        "routes": len(answer["routes"]),
        "priority": totals.get("priority", 0),
        "unassigned": totals["unassigned"],
        "cost": totals["cost"],
        "kilometres": "" if metres is None else metres / 1000,
        "hours": round(sum(hours) / _HOUR, 3),
    }


def _arcs_of(steps: list[Json]) -> list[tuple[int, int]]:
    places = [one["location_index"] for one in steps if one["type"] != "break"]
    return list(pairwise(places))


def rank_of(row: Row) -> tuple[float, ...]:
    """Return what VROOM compares plans by; a wrong plan comes last.

    The priorities that are served come first, then the number of jobs.
    """
    if row["feasible"] != "True":
        return (float("inf"), 0.0, 0.0)
    return (
        -float(row["priority"]),
        float(row["unassigned"]),
        float(row["cost"]),
    )


def compared(rows: Rows) -> Rows:
    """Return our rows, with what they differ by from VROOM's.

    Costs and lengths are compared where both serve as much.
    """
    found = []
    for both in grouped(rows, ("instance", "seed")).values():
        by = {row["solver"]: row for row in both}
        if {OURS, VROOM} - by.keys():
            continue
        ours, theirs = by[OURS], by[VROOM]
        mine, other = rank_of(ours), rank_of(theirs)
        row = dict(ours)
        row["not_above"] = str(int(mine <= other))
        row["less_served"] = str(int(mine[:2] > other[:2]))
        row["more_served"] = str(int(mine[:2] < other[:2]))
        for name in ("cost", "kilometres", "hours"):
            is_known = bool(ours[name]) and mine[:2] == other[:2]
            row[f"{name}_more"] = ""
            if is_known:
                share = float(ours[name]) / float(theirs[name])
                row[f"{name}_more"] = str(100.0 * (share - 1.0))
        found.append(row)
    return found


def by_class(rows: Rows) -> Rows:
    """Return what ``compared`` does, with the hundreds of stops."""
    return [
        {**row, "group": str(round(int(row["num_jobs"]), -2))}
        for row in compared(rows)
    ]


_COMPARED = (
    "pairs: runs; not above: not_above .0f sum; "
    "more served: more_served .0f sum; less served: less_served .0f sum; "
    "cost %: cost_more +.2f; worst: cost_more +.2f max; s: taken .1f"
)

BY_JOBS = Summary("num_jobs", _COMPARED, total=True, derive=compared)

BY_STOPS = Summary("group", _COMPARED, total=True, derive=by_class)

_OF_PAIRS: Any = {
    "columns": "instance num_jobs seed solver taken routes priority "
    "unassigned cost kilometres hours feasible",
    "key": "instance seed",
    "setting": {
        "exploration": EXPLORATION,
        "threads": 1,
        "seconds": [LEAST_SECONDS, MOST_SECONDS],
    },
}

_PAIR = (Variant(OURS, beside_vroom, why_absent=why_vroom_is_absent),)


def in_vroom_model() -> list[Case]:
    """Return 30 generated problems of 100 to 1,000 jobs."""
    return [
        Case(f"jobs-{size}-s{seed}", partial(vroom_problem, size, seed))
        for size in SIZES
        for seed in SEEDS
    ]


def of_one_depot() -> list[Case]:
    """Return five days of 400 orders."""
    return [
        Case(f"depot-400-s{seed}", partial(orders_of_a_depot, 400, seed))
        for seed in range(95_101, 95_106)
    ]


def of_li_and_lim() -> list[Case]:
    """Return the files of Li and Lim: pickups and deliveries in windows."""
    files = data_folder("vrp", "PDPTW").glob("*.txt")
    return [
        Case(file.stem, partial(li_lim_problem, file))
        for file in sorted(files)
    ]


SMALL_JOBS = Case("warm-up", partial(vroom_problem, 30, 1))
"""Loads what both need."""

BESIDE_VROOM = (
    Experiment(
        "vroom",
        cases=in_vroom_model,
        variants=_PAIR,
        views=(BY_JOBS,),
        warm=SMALL_JOBS,
        **_OF_PAIRS,
    ),
    Experiment(
        "vroom_li_lim",
        cases=of_li_and_lim,
        variants=_PAIR,
        views=(BY_STOPS,),
        warm=SMALL_JOBS,
        **_OF_PAIRS,
    ),
    Experiment(
        "vroom_kilometres",
        cases=of_one_depot,
        variants=_PAIR,
        views=(
            Summary(
                "solver",
                "runs; km: kilometres .1f; hours: hours .1f; "
                "routes: routes .1f; s: taken .1f",
            ),
            Summary(
                "num_jobs",
                "pairs: runs; hours of driving %: cost_more +.2f; "
                "km %: kilometres_more +.2f; hours %: hours_more +.2f",
                derive=compared,
            ),
        ),
        warm=SMALL_JOBS,
        **_OF_PAIRS,
    ),
)
"""The same problems, in the time that VROOM takes."""

NUM_ORDERS: Final = 1000
NUM_NEW, NUM_CANCELLED, NUM_CHANGES = 10, 5, 5
"""Orders of a day, those that come and go after it is planned, and how often
others do."""

PLAN_SECONDS: Final = 10.0
"""Time of the plan in the morning, and of the one that is made anew."""

QUESTION_SEEDS: Final = range(96_001, 96_005)


class Day(NamedTuple):
    """Orders of a day, and rows of those who come later."""

    instance: nr.Instance
    later: list[Json]


@cache
def day(seed: int, num_later: int, kind: str = "plain") -> Day:
    """Return a day of 1,000 orders with windows, and orders that come later.

    Its vans have a break at noon with ``breaks``, and end at their last stop
    with ``open``.
    """
    count = NUM_ORDERS + num_later
    whole = generate_time_windows(count, seed)
    times, places = whole.windows, whole.require_coords("a day")
    assert times is not None
    closing = int(times.tw_late[0])
    noon = Break(closing // 20, ((closing // 3, closing // 2),))
    van = nr.VehicleType(
        capacity=whole.capacity,
        num_available=NUM_ORDERS // 5,
        breaks=(noon,) if kind == "breaks" else (),
        end_depot=None if kind == "open" else 0,
    )
    whole = replace(whole, fleet=nr.Fleet((van,)))
    later = [
        {
            "id": f"new {node}",
            "x": places[node, 0],
            "y": places[node, 1],
            "demand": int(whole.demands[node]),
            "open": int(times.tw_early[node]),
            "close": int(times.tw_late[node]),
            "service": int(times.service_durations[node]),
        }
        for node in range(NUM_ORDERS + 1, count + 1)
    ]
    return Day(restrict(whole, np.arange(1, NUM_ORDERS + 1)), later)


@cache
def morning(seed: int) -> nr.Result:
    """Return the plan of a day before its changes."""
    orders = day(seed, NUM_NEW * NUM_CHANGES).instance
    return nr.solve(orders, processor_deadline(PLAN_SECONDS), seed=seed)


@cache
def changes_of(seed: int, number: int) -> list[Change]:
    """Return orders that come, and some of a day that are cancelled."""
    rng = np.random.default_rng([seed, number])
    gone = rng.choice(NUM_ORDERS, NUM_CANCELLED, replace=False) + 1
    first = NUM_NEW * number
    new = day(seed, NUM_NEW * NUM_CHANGES).later[first : first + NUM_NEW]
    return [
        *map(nr.changes.AddOrder, new),
        *(nr.changes.Cancel(str(node)) for node in gone.tolist()),
    ]


@cache
def cost_anew(seed: int, number: int) -> float:
    """Return the cost of a changed day that is planned anew."""
    changes = changes_of(seed, number)
    changed = nr.what_if(
        morning(seed), changes, nr.stop.MaxIterations(1)
    ).result
    stop = processor_deadline(PLAN_SECONDS)
    return nr.solve(changed.instance, stop, seed=seed).cost


def changed_and_anew(number: int, seed: int, budget: Allowance) -> Json:
    """Ask what some changes cost, and plan the changed day anew."""
    old, changes = morning(seed), changes_of(seed, number)
    anew = cost_anew(seed, number)
    begun = time.process_time()
    found = nr.what_if(
        old,
        changes,
        processor_deadline(budget),
        params=build_params(
            SolveParams, warm_params(old, seconds_of(budget)), "params"
        ),
    )
    seconds = time.process_time() - begun
    after = found.result
    return {
        "cost_before": old.cost,
        "cost": after.cost,
        "cost_anew": anew,
        "unserved": len(after.unserved),
        "taken": round(seconds, 3),
        "feasible": not check_solution(after.instance, after.best),
    }


def against_anew(rows: Rows) -> Rows:
    """Return rows with what the answer costs more than a plan made anew."""
    found = []
    for row in rows:
        share = float(row["cost"]) / float(row["cost_anew"])
        not_worse = str(int(share <= 1.0))
        more = str(100.0 * (share - 1.0))
        found.append({**row, "more": more, "not_worse": not_worse})
    return found


def asked(case: Day, seed: int, _budget: Allowance) -> list[Json]:
    """Plan a day in two seconds, and time questions after a first one."""
    plan = nr.solve(case.instance, seed=seed, time_limit=2.0)
    ids = np.random.default_rng(seed).integers(1, NUM_ORDERS, NUM_ASKED)
    questions: dict[str, list[Callable[[], object]]] = {
        "offers": [partial(nr.offers, plan, row) for row in case.later],
        "explain": [partial(nr.explain, plan, str(k)) for k in ids.tolist()],
    }
    rows = []
    for name, calls in questions.items():
        calls[0]()
        gc.freeze()  # as the service does
        taken = []
        for call in calls[1:]:
            begun = time.perf_counter()
            call()
            taken.append(1000.0 * (time.perf_counter() - begun))
        rows.append(
            {
                "question": name,
                "cost": plan.cost,
                "feasible": plan.is_feasible,
                "calls": len(taken),
                "mean_ms": round(fmean(taken), 2),
                "most_ms": round(max(taken), 2),
            }
        )
    return rows


NUM_ASKED: Final = 21
"""Questions of each kind, the first one included."""


def days_to_change() -> list[Case]:
    """Return several changes of each day."""
    return [
        Case(f"day-s{seed}-{number}", partial(int, number), seeds=(seed,))
        for seed in QUESTION_SEEDS
        for number in range(NUM_CHANGES)
    ]


def days_to_ask() -> list[Case]:
    """Return three days of each kind."""
    return [
        Case(f"{kind}-s{seed}", partial(day, seed, NUM_ASKED, kind))
        for kind in ("plain", "breaks", "open")
        for seed in QUESTION_SEEDS[:3]
    ]


def with_kind(rows: Rows) -> Rows:
    """Return rows with the kind of their day."""
    return [{**row, "day": row["instance"].split("-")[0]} for row in rows]


QUESTIONS = (
    Experiment(
        "what_if",
        cases=days_to_change,
        variants=(Variant("what_if", changed_and_anew),),
        columns="instance seed seconds=budget cost_before cost cost_anew "
        "unserved taken feasible",
        key="instance seed budget",
        seeds=tuple(QUESTION_SEEDS),
        budgets=(1.0, 3.0, 10.0),
        views=(
            Summary(
                "seconds",
                "pairs: runs; not worse: not_worse .0f sum; "
                "cost %: more +.2f; worst: more +.2f max; "
                "unserved: unserved .0f sum; s: taken",
                derive=against_anew,
            ),
        ),
        setting={"clock": "processor time", "plan_seconds": PLAN_SECONDS},
    ),
    Experiment(
        "questions",
        cases=days_to_ask,
        variants=(Variant("questions", asked),),
        columns="instance seed question calls cost mean_ms most_ms feasible",
        key="instance seed",
        views=(
            Summary(
                "question day",
                "days: runs; mean, ms: mean_ms .1f; longest: most_ms .1f max",
                derive=with_kind,
            ),
        ),
        setting={"clock": "processor time"},
    ),
)
"""Changes and questions to a plan of 1,000 orders."""

SHARE_OF_VEHICLES: Final = 0.75
"""Vehicles of an over-full day, of those that its load fills."""

PRIZE: Final = 100_000
"""What PyVRP gets for each order: more than any detour."""

SOLVERS: Final = (OURS, "PyVRP")


def overfull(num_orders: int, seed: int) -> nr.Instance:
    """Return a day with windows, and vehicles for three quarters of it."""
    kinds: tuple[Places, ...] = ("half", "random", "clustered")
    whole = generate_time_windows(num_orders, seed, kinds[seed % 3])
    count = int(SHARE_OF_VEHICLES * whole.demands.sum() / whole.capacity)
    van = nr.VehicleType(capacity=whole.capacity, num_available=count)
    return replace(whole, fleet=nr.Fleet((van,)))


def serve_most(instance: nr.Instance, seed: int, budget: Allowance) -> Json:
    """Leave as few orders out as possible."""
    limit = seconds_of(budget)
    found = nr.solve(
        instance, seed=seed, time_limit=limit, allow_unserved=True
    )
    broken = check_solution(instance, found.best)
    return {
        "unserved": len(found.unserved),
        "cost": found.cost,
        "feasible": all(each.kind == "missing" for each in broken),
    }


def collect_prizes(
    instance: nr.Instance, seed: int, budget: Allowance
) -> Json:
    """Let PyVRP collect a prize for each order."""
    import pyvrp

    size = len(instance.demands)
    prizes = np.full(size, float(PRIZE))
    prizes[0] = 0.0
    selection = nr.Selection(prizes, np.zeros(size, dtype=bool))
    data = to_problem_data(replace(instance, selection=selection))
    stop = pyvrp.stop.MaxRuntime(seconds_of(budget) or 0.0)
    best = pyvrp.solve(data, stop, seed=seed, display=False).best
    return {
        "unserved": instance.num_customers - best.num_clients(),
        "cost": best.distance_cost(),
        "feasible": best.is_feasible(),
    }


def overfull_days() -> list[Case]:
    """Return twenty days of 100 to 400 orders."""
    return [
        Case(f"day-{size}-s{seed}", partial(overfull, size, seed))
        for seed in range(97_001, 97_006)
        for size in (100, 200, 300, 400)
    ]


def by_days(rows: Rows) -> Rows:
    """Return a row for each day that both have solved."""
    found = []
    for own in grouped(rows, ("instance",)).values():
        counts = [
            [float(row["unserved"]) for row in own if row["solver"] == solver]
            for solver in SOLVERS
        ]
        if all(counts):
            ours, theirs = map(fmean, counts)
            found.append(
                {
                    **own[0],
                    "ours": str(ours),
                    "theirs": str(theirs),
                    "not_more": str(int(ours <= theirs)),
                }
            )
    return found


OVERFULL_DAYS = Experiment(
    "overfull",
    cases=overfull_days,
    variants=(
        Variant(OURS, serve_most),
        Variant("PyVRP", collect_prizes),
    ),
    columns="instance seed seconds=budget solver=variant unserved cost "
    "feasible",
    key="instance variant seed budget",
    seeds=(1, 2, 3),
    budgets=(10.0,),
    views=(
        Summary(
            "seconds",
            "days: runs; unserved: ours .2f; by PyVRP: theirs .2f; "
            "not more: not_more .0f sum",
            derive=by_days,
        ),
    ),
    warm=Case("warm-up", partial(overfull, 40, 1)),
    setting={"clock": "processor time"},
)
"""More orders than the vehicles can carry."""

EXPERIMENTS = (*BESIDE_VROOM, OVERFULL_DAYS, *QUESTIONS)
