"""What a run of ``solve`` may call, compiled before its clock starts."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from ncc_routing.core.deadline import Deadline
from ncc_routing.core.preparation import KernelBuild, make_ready
from ncc_routing.problems.fleet import Fleet, VehicleType
from ncc_routing.problems.instance import Instance
from ncc_routing.scoring.vocabulary import CVRP, GEOMETRY
from ncc_routing.vrp.defaults import default_seconds
from ncc_routing.vrp.methods import CLUSTERERS, METHODS
from ncc_routing.vrp.polishing.fleets.limits import is_searched_plainly
from ncc_routing.vrp.polishing.phases import annealed_share

_SIZE: Final = 12
"""Customers of the tiny instance."""

_RUIN_PARTS: Final = (
    ("ncc_routing.vrp.polishing.kernel_parts:compile_tail_moves", 4.5),
    ("ncc_routing.vrp.polishing.kernel_parts:compile_ruins", 4.0),
)
"""Functions that compile parts of a polish, and the seconds they take."""

_OFFSPRING_PARTS: Final = (
    ("ncc_routing.vrp.polishing.genetic.kernel_parts:compile_moves", 3.5),
    ("ncc_routing.vrp.polishing.genetic.kernel_parts:compile_exchanges", 2.0),
    ("ncc_routing.vrp.polishing.genetic.kernel_parts:compile_members", 3.0),
)
"""The same for a search that evolves the annealed routes."""

_PLACING_PARTS: Final = (
    ("ncc_routing.vrp.polishing.fleets.kernel_parts:compile_placing", 9.0),
    ("ncc_routing.vrp.polishing.fleets.kernel_parts:compile_insertion", 4.0),
)
"""The same for a problem beyond the CVRP, whatever the polish."""

_FLEET_PARTS: Final = (
    ("ncc_routing.vrp.polishing.fleets.kernel_parts:compile_annealing", 9.0),
)
"""The same for its polish, unless only the number of vehicles is limited."""

_FLEETS: Final = {
    "none": None,
    "limited": Fleet((VehicleType(8, _SIZE),)),
    "any": Fleet((VehicleType(8, _SIZE, fixed_cost=1),)),
}
"""Fleets of the tiny instance, by the kind of problem that they make."""

_BY_CENTERS: Final = frozenset({"ncc-paper", "ncc-paper-sampling"})
"""Methods that a network of zeros is good enough to compile for."""

_WITHOUT_KERNELS: Final = frozenset({"none", "pyvrp"})
"""Polishes that compile nothing."""


def prepare_kernels(
    instance: Instance,
    method: str,
    polish: str,
    deadline: Deadline,
    *,
    is_routed: bool = True,
    preference: str | None = None,
) -> None:
    """Compile what a run may call, and postpone its deadline by that time.

    Only the kind of ``instance`` counts. ``deadline`` has the default time
    where there is no limit; ``preference`` names one with penalties.
    """
    begun = deadline.now()
    seconds = default_seconds(instance.num_customers)
    if deadline.is_limited():
        seconds = deadline.remaining()
    evolves = (
        is_searched_plainly(instance)
        and preference is None
        and annealed_share(instance, seconds) < 1.0
    )
    kinds = (
        instance.coords is None,
        instance.matrix is None,
        instance.is_geographic,
        _kind_of_fleet(instance),
    )
    tiny = tiny_instance(*kinds)
    run = (method, polish, is_routed, preference, evolves)
    make_ready(
        ("solve", *run, *kinds),
        partial(run_tiny, tiny, *run),
        solve_parts(tiny, *run),
    )
    deadline.postpone(deadline.now() - begun)


def _kind_of_fleet(instance: Instance) -> str:
    """Return the key of ``_FLEETS`` for a problem of the same kind."""
    if instance.is_plain:
        return "none"
    return "limited" if is_searched_plainly(instance) else "any"


def tiny_instance(
    lacks_coords: bool,
    lacks_matrix: bool,
    is_geographic: bool = False,
    fleet: str = "none",
) -> Instance:
    """Return an instance that any method solves at once; see ``_FLEETS``."""
    angles = np.linspace(0.0, 5.0, _SIZE + 1)
    coords = 9.0 * np.column_stack([np.cos(angles), np.sin(2.0 * angles)])
    gaps = coords[:, None] - coords
    demands = np.array([0, *(1 + np.arange(_SIZE) % 3)])
    return Instance(
        "tiny",
        demands,
        8,
        coords=None if lacks_coords else coords,
        matrix=None if lacks_matrix else np.sqrt((gaps**2).sum(axis=2)),
        is_geographic=is_geographic,
        fleet=_FLEETS[fleet],
    )


def solve_parts(
    tiny: Instance,
    method: str,
    polish: str,
    is_routed: bool = True,
    preference: str | None = None,
    evolves: bool = False,
) -> list[KernelBuild]:
    """Return the kernels of a run, in parts that compile side by side.

    ``evolves`` says whether its time is enough for a genetic search.
    """
    parts = []
    if method not in CLUSTERERS or method in _BY_CENTERS:
        call = (tiny, method, is_routed)
        parts.append(KernelBuild(f"{__name__}:call_method", call, 1.5))
    if not tiny.is_plain:
        parts += [
            KernelBuild(name, (tiny,), cost) for name, cost in _PLACING_PARTS
        ]
    if polish in _WITHOUT_KERNELS:
        return parts
    if not is_searched_plainly(tiny):
        parts += [
            KernelBuild(name, (tiny,), cost) for name, cost in _FLEET_PARTS
        ]
    else:
        search = (tiny, preference)
        parts += [
            KernelBuild(name, search, cost) for name, cost in _RUIN_PARTS
        ]
        if evolves:
            own = (tiny,)
            parts += [
                KernelBuild(name, own, cost) for name, cost in _OFFSPRING_PARTS
            ]
    return parts


def run_tiny(
    tiny: Instance,
    method: str,
    polish: str,
    is_routed: bool = True,
    preference: str | None = None,
    evolves: bool = False,
) -> None:
    """Call every kernel of a run."""
    call_method(tiny, method, is_routed, preference)
    if not tiny.is_plain:
        from ncc_routing.vrp.polishing.fleets.kernel_parts import call_placing

        call_placing(tiny)
    if polish not in _WITHOUT_KERNELS:
        from ncc_routing.vrp.polishing.kernel_parts import (
            call_ruin_recreate,
        )

        call_ruin_recreate(tiny, preference)
        if evolves:
            from ncc_routing.vrp.polishing.genetic.kernel_parts import (
                call_genetic_search,
            )

            call_genetic_search(tiny)


def call_method(
    tiny: Instance,
    method: str,
    is_routed: bool = True,
    preference: str | None = None,
) -> None:
    """Run a construction, and the one that runs where it cannot."""
    chosen = METHODS[method]
    if chosen.instead is not None:
        call_method(tiny, chosen.instead[0], preference=preference)
    if method == "savings":
        from ncc_routing.vrp.construction.savings import solve_savings

        # The lists of neighbours that large instances take.
        solve_savings(tiny, num_neighbours=2, shapes=(1.0,), router=None)
    known = {
        **dict.fromkeys(chosen.params.values()),
        "priority": None,
        "preference": None,
        "scorer": None,
        "router": "local-search" if is_routed else None,
        "seed": 1,
        "deadline": Deadline(),
    }
    if preference is not None:
        from ncc_routing.vrp.polishing.kernel_parts import PREFERENCES

        known["preference"] = PREFERENCES[preference]
    if method in _BY_CENTERS:
        from ncc_routing.scoring.center_predictor import blank_predictor

        known["scorer"] = blank_predictor(CVRP, GEOMETRY)
    chosen(tiny, run=known)
