"""The search space beyond the CVRP, made once for all stages of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.search.fleets._state import FleetSpace
    from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams

SIDES: Final = 2
"""Twice as many neighbours as in the plain problem are tried, since often only
one side is in time."""


class FleetSpaces:
    """Keeps the last space that was asked for: it is large."""

    def __init__(self) -> None:
        self._last: tuple[tuple[int, int], FleetSpace] | None = None

    def of(self, instance: Instance, params: RuinRecreateParams) -> FleetSpace:
        """Return the space of an instance, the last one where it is the same.

        A space keeps its instance, whose identity so remains its own.
        """
        sizes = params.degree, SIDES * params.num_candidates
        if self._last is not None:
            known, space = self._last
            if known == sizes and space.instance is instance:
                return space
        # Imported here: a CVRP needs none.
        from ncc_routing.vrp.search.fleets._state import FleetSpace

        self._last = None
        space = FleetSpace.of(instance, *sizes)
        self._last = sizes, space
        return space
