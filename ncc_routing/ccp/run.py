"""What the clustering methods are given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncc_routing.core.run import Run
from ncc_routing.problems.objectives import OBJECTIVES

if TYPE_CHECKING:
    from ncc_routing.ccp.baselines.gb21 import Gb21Params
    from ncc_routing.ccp.local_search.search import SearchParams
    from ncc_routing.ccp.medians.annealing import AnnealingParams
    from ncc_routing.clustering.capacitated_kmeans import KMeansParams
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.clustering.scored_params import ScoredKMeansParams
    from ncc_routing.scoring.scorers import Scorer


@dataclass(frozen=True)
class ClusterRun(Run):
    """A run for clusters; it has further fields of ``ClusterParams``."""

    objective: str = OBJECTIVES[0]
    priority: Priority | None = None
    scorer: Scorer | None = None
    search: SearchParams | None = None
    annealing: AnnealingParams | None = None
    kmeans: KMeansParams | None = None
    ncc_paper: ScoredKMeansParams | None = None
    gb21: Gb21Params | None = None
