"""The kernels of the genetic search, in parts that compile side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.core.compilation import compile_for
from ncc_routing.core.stopping import MaxIterations
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.polishing.genetic import _state
from ncc_routing.vrp.polishing.genetic._descent_kernels import (
    exchange_customers,
    move_customers,
)
from ncc_routing.vrp.polishing.genetic._population_kernels import add_member
from ncc_routing.vrp.polishing.genetic._tour_kernels import cut_tour
from ncc_routing.vrp.polishing.genetic.search import GeneticSearch

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def compile_moves(instance: Instance) -> None:
    """Compile the moves of a customer next to a near one."""
    problem = _state.make_problem(instance)
    routes = _state.make_routes(problem, 3)
    compile_for(move_customers, problem, routes, 1.0, True)


def compile_exchanges(instance: Instance) -> None:
    """Compile SWAP*."""
    problem = _state.make_problem(instance)
    routes = _state.make_routes(problem, 3)
    compile_for(exchange_customers, problem, routes, 1.0, True)


def compile_members(instance: Instance) -> None:
    """Compile the cut of a tour and the population."""
    problem = _state.make_problem(instance)
    routes, tour = _state.make_routes(problem, 3), _state.make_tour(problem, 3)
    compile_for(cut_tour, problem, routes, tour, 1.0)
    compile_for(
        add_member, problem, routes, _state.make_population(problem, 1)
    )


def call_genetic_search(instance: Instance) -> None:
    """Evolve routes of one customer each, for a moment."""
    customers = range(1, instance.num_customers + 1)
    single = Solution.from_routes(instance, [(k,) for k in customers])
    GeneticSearch(instance, [single]).evolve(MaxIterations(3))
