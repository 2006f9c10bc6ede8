"""From which time on annealings in heats beat a single one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ncc_routing.benchmarking.cases import SMALL_ROUTES
from ncc_routing.benchmarking.experiment import page_of, vary
from ncc_routing.benchmarking.experiments.choices import (
    of_all_lengths,
    with_length,
)
from ncc_routing.benchmarking.runs import (
    processor_deadline,
    search_from_savings,
    seconds_of,
)
from ncc_routing.benchmarking.tables import Differences
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.vrp.polishing.heats import anneal_in_heats
from ncc_routing.vrp.polishing.rounds import anneal_in_rounds
from ncc_routing.vrp.polishing.search_size import search_size

if TYPE_CHECKING:
    from ncc_routing.benchmarking.experiment import Budget
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.solution import Solution


def anneal_either_way(
    instance: Instance, seed: int, budget: Budget, *, annealings: str
) -> Solution:
    """Anneal once, or in heats.

    Parameters
    ----------
    instance, seed
        The instance and the seed.
    budget
        Milliseconds of processor time for each unit of ``search_size``.
    annealings
        ``"one"`` or ``"heats"``.
    """
    size = search_size(instance.num_customers, instance.min_num_routes)
    deadline = processor_deadline(size * (seconds_of(budget) or 0.0) / 1000.0)
    search = search_from_savings(instance, seed)
    if annealings == "heats":
        anneal_in_heats(search, deadline)
    else:
        anneal_in_rounds(search, TimeLimit(deadline))
    return search.best()


_AGAINST_ONE = "annealings", "one", "cost"

PAGES = (
    page_of(
        "heat_choice",
        "Annealings in heats",
        "From which time on eight annealings, of which the better ones go "
        "on, end with shorter routes than one, in processor time.",
        cases=partial(
            of_all_lengths, (200, 300, 450, 600), (6, 9, 13, 18, 25)
        ),
        variants=vary(anneal_either_way, "annealings", ("one", "heats")),
        columns="instance num_customers seed milliseconds=budget annealings "
        "cost cpu_seconds",
        key="instance annealings seed budget",
        seeds=(1, 2),
        budgets=(0.15, 0.3, 0.6),
        jobs=2,
        warm=SMALL_ROUTES,
        views=(
            Differences(*_AGAINST_ONE, "milliseconds", relative=True),
            Differences(
                *_AGAINST_ONE, "num_customers milliseconds", relative=True
            ),
            Differences(
                *_AGAINST_ONE,
                "length milliseconds",
                relative=True,
                derive=with_length,
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
