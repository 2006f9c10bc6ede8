"""How the parameters of ckm and of ruin and recreate were chosen."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from ncc_routing.benchmarking.cases import SMALL_ROUTES, generated
from ncc_routing.benchmarking.experiment import (
    Case,
    Experiment,
    Page,
    Variant,
    page_of,
    vary,
)
from ncc_routing.benchmarking.runs import (
    processor_deadline,
    route_by_lkh,
    search_from_savings,
    seconds_of,
)
from ncc_routing.benchmarking.tables import Differences
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators.uchoa import generate_uchoa
from ncc_routing.vrp.ckm.search import CkmParams, cluster_ckm
from ncc_routing.vrp.construction.savings import solve_savings
from ncc_routing.vrp.polishing.pyvrp_search import polish_pyvrp
from ncc_routing.vrp.polishing.restarts import solve_from_starts
from ncc_routing.vrp.polishing.rounds import anneal_in_rounds
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.polishing.ruin_recreate_params import RuinRecreateParams
from ncc_routing.vrp.polishing.ruin_recreate_search import RuinRecreateSearch

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.benchmarking.tables import Rows
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution

LOOSE = tuple(
    (size, 1000 + size)
    for size in (100, 150, 200, 250, 300, 350, 400, 500, 600, 800)
)
"""Number of customers and seed of the instances of the ckm choices."""

TIGHT = (
    (669, 7000001), (763, 7000002), (599, 7000013), (291, 7000015),
    (899, 7000020), (725, 7000023), (397, 7000025), (828, 7000030),
    (664, 7000039), (461, 7000049),
)  # fmt: skip
"""More of them: with the least possible number of routes, less than one
percent of the capacity is left."""

CKM: dict[str, dict[str, Any]] = {
    "default": {},
    "regions of up to 3": {"max_clusters": 3},
    "regions of up to 8": {"max_clusters": 8},
    "rounds up to 1": {"max_rounds": 1},
    "rounds up to 3": {"max_rounds": 3},
    "rounds up to 6": {"max_rounds": 6},
    "detour share up to 0.6": {"max_detour_share": 0.6},
    "weight power 0": {"max_weight_power": 0.0},
    "first temperature 0.1": {"start_temperature": 0.1},
    "first temperature 0.3": {"start_temperature": 0.3},
    "first temperature 2.5": {"start_temperature": 2.5},
    "no additional cluster": {"more_share": 0.0},
    "least clusters 10 %": {"fewer_share": 0.1},
    "least clusters 60 %": {"fewer_share": 0.6},
    "fullness bonus 0": {"fullness_bonus": 0.0},
    "fullness bonus 5": {"fullness_bonus": 5.0},
    "fullness bonus 100": {"fullness_bonus": 100.0},
    "80 trials": {"trials_per_customer": 80},
    "160 trials": {"trials_per_customer": 160},
}
"""Changes of ``CkmParams``."""

REACH = tuple(
    (n, 8800 + i)
    for i, n in enumerate(
        (120, 150, 180, 220, 260, 300, 350, 400, 480, 560, 640, 720, 800, 900)
    )
)
"""The same for a choice of ruin and recreate."""


ROUTE_LENGTHS = (4, 6, 9, 13, 19, 30, 60, 100)
"""Customers of a route in the instances for the moves of tails."""


def with_ckm(
    instance: Instance, seed: int, _budget: Budget, *, params: CkmParams
) -> list[np.ndarray]:
    """Cluster with changed parameters."""
    return cluster_ckm(instance, params=params, seed=seed)


def with_share(
    instance: Instance, seed: int, budget: Budget, *, share: float
) -> Solution:
    """Give a share of the time to ruin and recreate, the rest to PyVRP.

    The limit counts processor time.
    """
    whole = processor_deadline(budget)
    found = solve_savings(instance, router=None)
    if share > 0.0:
        part = whole.within(share * whole.remaining())
        found = ruin_and_recreate(instance, found, deadline=part, seed=seed)
    if share < 1.0:
        found = polish_pyvrp(instance, found, whole, seed)
    return found


def anneal_once(
    instance: Instance, seed: int, budget: Budget, **changes: Any
) -> Solution:
    """Anneal once with changed parameters, in processor time."""
    deadline = processor_deadline(budget)
    params = RuinRecreateParams(**changes)
    search = search_from_savings(instance, seed, params=params)
    anneal_in_rounds(search, TimeLimit(deadline))
    return search.best()


def with_starts(
    instance: Instance, seed: int, budget: Budget, *, starts: int
) -> Solution:
    """Anneal once, or several times and combine the routes.

    The budget is in milliseconds of processor time for each customer.
    """
    seconds = instance.num_customers * (seconds_of(budget) or 0.0) / 1000.0
    deadline = processor_deadline(seconds)
    start = solve_savings(instance)
    search = RuinRecreateSearch(instance, start, seed=seed)
    if starts > 1:
        return solve_from_starts(instance, search, starts, deadline)
    anneal_in_rounds(search, TimeLimit(deadline))
    return search.best()


def of_all_lengths(
    sizes: tuple[int, ...] = (200, 450, 1000),
    lengths: tuple[int, ...] = ROUTE_LENGTHS,
) -> list[Case]:
    """Return instances from short routes to very long ones."""
    return [
        Case(
            f"NCC-n{size + 1:04d}-r{length}",
            partial(
                generate_uchoa, size, 556_000 + size + length,
                route_length=float(length),
            ),
        )
        for size in sizes
        for length in lengths
    ]  # fmt: skip


def with_length(rows: Rows) -> Rows:
    """Return rows with the length of routes that the name says."""
    return [
        {**row, "length": row["instance"].rpartition("-r")[2]} for row in rows
    ]


def _page(name: str, title: str, question: str, **parts: Any) -> Page:
    parts = {"warm": SMALL_ROUTES, **parts}
    return page_of(name, title, question, **parts)


def _polish_choice(
    name: str,
    budgets: tuple[float, ...],
    shares: tuple[float, ...] = (1.0, 0.95, 0.0),
    seeds: tuple[int, ...] = (1, 2),
    sizes: tuple[int, ...] = (50, 100, 200, 400, 800),
    lengths: tuple[int, ...] = (4, 9, 20, 40),
) -> Experiment:
    """Return ruin and recreate and PyVRP for some limits in seconds."""
    by_seconds = ("ruin_recreate_share", "1.0", "cost", "seconds")
    by_size = ("ruin_recreate_share", "1.0", "cost", "num_customers seconds")
    return Experiment(
        name,
        cases=partial(of_all_lengths, sizes, lengths),
        variants=vary(with_share, "share", shares),
        columns="instance num_customers seed seconds=budget "
        "ruin_recreate_share=share cost",
        key="instance share seed budget",
        budgets=budgets,
        seeds=seeds,
        jobs=2,
        warm=SMALL_ROUTES,
        warm_budget=1.0,
        views=(
            Differences(*by_seconds, relative=True),
            Differences(*by_size, relative=True),
        ),
    )


PAGES = (
    _page(
        "ckm_choices",
        "Choices inside ckm",
        "What each parameter of `ckm` changes, on generated instances.",
        cases=partial(generated, LOOSE + TIGHT),
        variants=tuple(
            Variant(name, partial(with_ckm, params=CkmParams(**changes)))
            for name, changes in CKM.items()
        ),
        columns="choice=variant instance seed cost routes=num_routes "
        "seconds=cpu_seconds",
        key="instance variant seed",
        seeds=(1, 2),
        finish=route_by_lkh,
        views=(
            Differences(
                *("choice", "default", "cost"),
                relative=True,
                shown="routes: routes .1f; CPU s: seconds seconds",
            ),
        ),
    ),
    Page(
        "polish_choice",
        "Ruin and recreate, PyVRP, or both",
        "Which share of the time ruin and recreate should get before PyVRP, "
        "in processor time.",
        experiments=(
            _polish_choice("polish_choice", (0.5, 2.0, 10.0)),
            _polish_choice("polish_choice_60s", (60.0,), (1.0, 0.0), (1,)),
            _polish_choice(
                *("polish_choice_600s", (600.0,), (1.0, 0.0), (1,)),
                *((200, 800), (9, 40)),
            ),
        ),
    ),
    _page(
        "reach_choice",
        "How far an insertion looks",
        "The reach of ruin and recreate: 2 or 4, in 3 s of processor time.",
        cases=partial(generated, REACH),
        variants=vary(anneal_once, "reach", (2.0, 4.0)),
        columns="instance num_customers seed seconds=budget reach cost",
        key="instance reach seed budget",
        budgets=(3.0,),
        views=(Differences("reach", "4.0", "cost", relative=True),),
    ),
    _page(
        "tail_choice",
        "Moves of tails and segments",
        "How many customers moves of tails and segments should join to others "
        "after each ruin and recreate, per customer of a mean route, in 5 s "
        "of processor time.",
        cases=partial(of_all_lengths, (200, 450, 1000, 4000)),
        variants=vary(anneal_once, "tail_moves", (0.0, 0.025, 0.05, 0.1)),
        columns="instance num_customers seed seconds=budget tail_moves cost",
        key="instance tail_moves seed budget",
        seeds=(1, 2, 3),
        budgets=(5.0,),
        jobs=2,
        views=(
            Differences("tail_moves", "0.0", "cost", relative=True),
            Differences(
                *("tail_moves", "0.0", "cost", "num_customers"), relative=True
            ),
            Differences(
                *("tail_moves", "0.0", "cost", "length"),
                relative=True,
                derive=with_length,
            ),
        ),
    ),
    _page(
        "temperature_choice",
        "Start temperatures",
        "How hot the annealing should begin, in mean edges between two "
        "customers of the start, in processor time.",
        cases=of_all_lengths,
        variants=vary(anneal_once, "start_temperature", (0.65, 1.3, 2.6)),
        columns="instance num_customers seed seconds=budget "
        "start_temperature cost",
        key="instance start_temperature seed budget",
        seeds=(1, 2),
        budgets=(1.0, 4.0),
        jobs=2,
        views=(
            Differences(
                *("start_temperature", "1.3", "cost", "seconds"),
                relative=True,
            ),
            Differences(
                *("start_temperature", "1.3", "cost", "length seconds"),
                relative=True,
                derive=with_length,
            ),
        ),
    ),
    _page(
        "restart_choice",
        "One long annealing or three short ones",
        "From which time for each customer on a pool of routes of three "
        "annealings beats one annealing.",
        cases=partial(of_all_lengths, (120, 200, 300, 500, 800), (4, 9, 20)),
        variants=vary(with_starts, "starts", (1, 3)),
        columns="instance num_customers seed starts milliseconds=budget cost",
        key="instance starts seed budget",
        seeds=(1, 2),
        budgets=(40.0, 80.0),
        jobs=2,
        views=(
            Differences(
                *("starts", "1", "cost", "milliseconds"), relative=True
            ),
            Differences(
                *("starts", "1", "cost", "num_customers milliseconds"),
                relative=True,
            ),
            Differences(
                *("starts", "1", "cost", "length milliseconds"),
                relative=True,
                derive=with_length,
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
