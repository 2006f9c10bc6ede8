"""From which time on the children of annealed routes help."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from ncc_routing.benchmarking.cases import SMALL_ROUTES
from ncc_routing.benchmarking.experiment import Experiment, Page, vary
from ncc_routing.benchmarking.experiments.choices import (
    of_all_lengths,
    with_length,
)
from ncc_routing.benchmarking.runs import (
    processor_deadline,
    search_from_savings,
)
from ncc_routing.benchmarking.tables import Differences
from ncc_routing.vrp.polishing.genetic.search import (
    evolve_solutions,
    is_time_for_children,
)
from ncc_routing.vrp.polishing.ruin_recreate import anneal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.benchmarking.tables import Rows
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


def with_children(
    instance: Instance, seed: int, budget: Budget, *, share: float
) -> Solution:
    """Anneal for a share of the time, and raise children in the rest.

    The limit counts processor time.
    """
    whole = processor_deadline(budget)
    search = search_from_savings(instance, seed)
    first = whole.within(share * whole.remaining())
    found = anneal(search, instance, first)
    if share < 1.0:
        found = evolve_solutions(instance, [found], whole, seed=seed)
    return found


def with_rule(rows: Rows) -> Rows:
    """Return rows with what the default does in their time."""
    return [
        {**row, "default": "children" if _has_children(row) else "annealing"}
        for row in with_length(rows)
    ]


def _has_children(row: Mapping[str, str]) -> bool:
    num_customers = int(row["num_customers"])
    num_routes = math.ceil(num_customers / int(row["length"]))
    return is_time_for_children(
        num_customers, num_routes, float(row["seconds"])
    )


def _halves(
    name: str,
    sizes: tuple[int, ...],
    lengths: tuple[int, ...],
    seconds: tuple[float, ...],
    seeds: tuple[int, ...] = (1,),
) -> Experiment:
    """Return children for half of the time against none."""
    against = "annealed_share", "1.0", "cost"
    return Experiment(
        name,
        cases=partial(of_all_lengths, sizes, lengths),
        variants=vary(with_children, "share", (1.0, 0.5)),
        columns="instance num_customers seed seconds=budget "
        "annealed_share=share cost",
        key="instance share seed budget",
        budgets=seconds,
        seeds=seeds,
        jobs=2,
        warm=SMALL_ROUTES,
        views=tuple(
            Differences(
                *(*against, columns),
                pair="instance seed seconds",
                relative=True,
                derive=with_rule,
            )
            for columns in ("default", "seconds", "num_customers seconds")
        ),
    )


PAGES = (
    Page(
        "children_choice",
        "Children of annealed routes",
        "What it gains to anneal for half of the time, and to raise children "
        "of the annealed routes in the other half, in processor time.",
        experiments=(
            _halves(
                "children_choice",
                (100, 150, 250, 400, 600, 900),
                (4, 9, 20, 40),
                (2.0, 10.0, 60.0),
            ),
            _halves(
                "children_choice_long",
                (150, 200, 300, 400),
                (15, 18, 25),
                (2.0, 10.0),
                seeds=(1, 2),
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
