"""The kernels of ruin and recreate, in parts that compile side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.compilation import compile_for
from ncc_routing.problems.graph import knn_graph
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.polishing import _layout
from ncc_routing.vrp.polishing._annealing_kernels import commit, undo
from ncc_routing.vrp.polishing._recreate_kernels import recreate, sort_removed
from ncc_routing.vrp.polishing._ruin_kernels import ruin
from ncc_routing.vrp.polishing._state import SearchSpace
from ncc_routing.vrp.polishing._tail_kernels import move_tails
from ncc_routing.vrp.polishing.ruin_recreate import ruin_and_recreate
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.preferences.consistency import ConsistentRoutes

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.preferences.zones import Preference

_PARAMS: Final = _layout.KernelParams(3.0, 3.0, 0.3, 0.01, 4.0, 0.0, 2.0)
"""Only the types of its numbers count."""

PREFERENCES: Final[dict[str, Preference]] = {
    CompactRoutes.name: CompactRoutes(1.0),
    ConsistentRoutes.name: ConsistentRoutes({1: "zone"}, 1.0),
}
"""One of each kind that the kernels are compiled for."""


def compile_tail_moves(instance: Instance, preference: str | None) -> None:
    """Compile 2-opt, 2-opt* and segment relocation."""
    problem, state = _arguments(instance, preference)
    compile_for(move_tails, problem, state, _PARAMS, 1.0)


def compile_ruins(instance: Instance, preference: str | None) -> None:
    """Compile one ruin and recreate, kept or taken back."""
    problem, state = _arguments(instance, preference)
    compile_for(ruin, problem, state, _PARAMS)
    compile_for(sort_removed, problem, state)
    compile_for(recreate, problem, state, _PARAMS, 1.0)
    compile_for(undo, problem, state)
    compile_for(commit, state)


def call_ruin_recreate(instance: Instance, preference: str | None) -> None:
    """Polish the routes of one customer each, for a moment."""
    ruin_and_recreate(
        instance,
        _single_routes(instance),
        max_iterations=5,
        preference=None if preference is None else PREFERENCES[preference],
    )


def _arguments(
    instance: Instance, preference: str | None
) -> tuple[_layout.RoutingProblem, _layout.Routes]:
    """Return what every kernel of the search takes."""
    space = SearchSpace.of(instance, knn_graph(instance, 3), 2)
    single = _single_routes(instance)
    if preference is not None:
        routes = PackedRoutes.of(single.routes)
        penalties = PREFERENCES[preference].priced(instance, single)
        space = space.with_zones(penalties.zones(routes))
    packed = space.pack(PackedRoutes.of(single.routes))
    return space.problem, space.make_state(packed, 10, [1])


def _single_routes(instance: Instance) -> Solution:
    customers = range(1, instance.num_customers + 1)
    return Solution.from_routes(instance, [(k,) for k in customers])
