"""What the clustering methods are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncc_routing.core.run import Run
from ncc_routing.problems.features import OBJECTIVES

if TYPE_CHECKING:
    from ncc_routing.ccp.phases import Phases
    from ncc_routing.ccp.search_params import AnnealingParams, SearchParams
    from ncc_routing.clustering.capacitated_kmeans import KMeansParams
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.clustering.scorers import Scorer


@dataclass(frozen=True)
class ClusterRun(Run):
    """A run for clusters; its further fields are those of ``ClusterParams``.

    Parameters
    ----------
    phases
        Phases of the search of "ckm". Default: its own choice.
    """

    objective: str = OBJECTIVES[0]
    priority: Priority | None = None
    scorer: Scorer | None = None
    search: SearchParams | None = None
    annealing: AnnealingParams | None = None
    kmeans: KMeansParams | None = None
    ncc_paper: object = None
    gb21: object = None
    phases: Phases | None = None

    @property
    def effort(self) -> SearchParams | AnnealingParams | None:
        """How much the search for the objective tries."""
        is_inertia = self.objective == OBJECTIVES[0]
        return self.search if is_inertia else self.annealing
