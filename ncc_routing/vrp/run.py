"""What the methods for routes are given."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ncc_routing.core.run import Run
from ncc_routing.vrp.preferences.preferences import Preferences
from ncc_routing.vrp.search.fleets.spaces import FleetSpaces
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.clustering.scorers import Scorer
    from ncc_routing.vrp.ckm.search import CkmParams
    from ncc_routing.vrp.search.phases import Phases
    from ncc_routing.vrp.search.ruin_recreate_params import RuinRecreateParams


@dataclass(frozen=True)
class SolveRun(Run):
    """A run for routes; its further fields are those of ``SolveParams``.

    Parameters
    ----------
    preferences
        What routes are to be besides short. Default: nothing.
    labels
        District of each node in the reference, ``FREE`` for none. Default: no
        reference.
    phases
        Phases of ruin and recreate. Default: its own choice.
    spaces
        Search spaces beyond the CVRP, for the next stages.
    """

    router: str = DEFAULT_ROUTER
    preferences: Preferences = Preferences()
    labels: tuple[int, ...] = ()
    priority: Priority | None = None
    scorer: Scorer | None = None
    phases: Phases | None = None
    ckm: CkmParams | None = None
    ncc: object = None
    ncc_paper: object = None
    ruin_recreate: RuinRecreateParams | None = None
    spaces: FleetSpaces = field(
        default_factory=FleetSpaces, repr=False, compare=False
    )
