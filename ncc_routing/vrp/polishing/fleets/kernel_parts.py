"""The kernels of the search for fleets, in parts that compile side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.polishing.fleets.search import RichSearch, anneal_fleet
from ncc_routing.vrp.polishing.ruin_recreate_params import RuinRecreateParams

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def compile_insertion(instance: Instance) -> None:
    """Compile the insertion of all customers."""
    RichSearch(instance, 1).insert_all(Deadline(0.0))


def compile_annealing(instance: Instance) -> None:
    """Compile ruin and recreate, by a few iterations of it."""
    customers = range(1, instance.num_customers + 1)
    start = Solution.from_routes(instance, [(k,) for k in customers])
    params = RuinRecreateParams()
    anneal_fleet(instance, start, MaxIterations(5), 1, params)


def compile_placing(instance: Instance) -> None:
    """Compile the search for places for absent customers."""
    RichSearch(instance, 1).place_absent(Deadline())


def call_placing(instance: Instance) -> None:
    """Call every kernel that comes before a polish."""
    compile_insertion(instance)
    compile_placing(instance)
