"""The parameters of a clustering."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, TypedDict, cast

from ncc_routing.ccp.methods import DEFAULT_METHOD, METHODS, PARAMS
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import (
    MAX_SEED,
    bounded,
    check_bounds,
    resolve_groups,
    shell_option,
)
from ncc_routing.problems.features import OBJECTIVES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from ncc_routing.ccp.run import ClusterRun
    from ncc_routing.ccp.search_params import AnnealingParams, SearchParams
    from ncc_routing.clustering.capacitated_kmeans import KMeansParams
    from ncc_routing.clustering.priority import Priority
    from ncc_routing.clustering.scorers import Scorer
    from ncc_routing.core.budget import Budget
    from ncc_routing.core.events import Monitor


class ClusterLimits(TypedDict, total=False):
    """Limits and rules of clusters as keywords; ``None`` is not given."""

    min_load: float | Sequence[float] | np.ndarray | None
    min_size: int | Sequence[int] | np.ndarray | None
    max_size: int | Sequence[int] | np.ndarray | None
    tolerance: float | None
    must_link: Any
    cannot_link: Any
    fixed: Any
    centers: Any
    forbidden_centers: Any
    graph: Any
    weights_in_objective: bool | None
    compactness: float | None
    reference: Any
    consistency: float | None


class ClusterOptions(ClusterLimits, total=False):
    """The fields of ``ClusterParams`` as keywords; ``None`` is not given."""

    method: str | None
    objective: str | None
    time_limit: float | None
    seed: int | None
    priority: Priority | None
    scorer: Scorer | None
    search: SearchParams | Mapping[str, object] | None
    annealing: AnnealingParams | Mapping[str, object] | None
    kmeans: KMeansParams | Mapping[str, object] | None
    ncc_paper: object
    gb21: object


@dataclass(frozen=True)
class ClusterParams:
    """Parameters of :func:`cluster`.

    Parameters
    ----------
    method
        A key of ``ccp.methods.METHODS``. Default "ckm".
    objective
        Sum of the squared distances to the means ("inertia", default), of the
        distances to the means ("cccp"), or to the medoids ("cpmp").
    time_limit
        Wall-clock seconds. Default: no limit; "gb21" and "pack" take up to 60
        seconds.
    seed
        Seed of every random choice, >= 0. Default 1.
    priority
        Score of a point for a cluster in the first clustering of "ckm".
        Default: that of the search.
    scorer
        Trained weights for the methods of the network: a file of
        ``ncc-route train``, or an object with their one method:
        ``PairScorer`` or ``CenterScorer`` of ``clustering.scorers``. Default:
        those that the package ships.
    search, annealing, kmeans, ncc_paper, gb21
        Parameters of these algorithms: ``SearchParams`` (objective
        "inertia"), ``AnnealingParams`` ("cccp", "cpmp"), ``KMeansParams``
        ("capkmeans"), ``ScoredKMeansParams``, ``Gb21Params``, or a mapping
        with some of their fields, ``search={"num_kicks": 500}``. Default:
        theirs.

    Raises
    ------
    ParameterError
        If a name is unknown or a number out of range, or parameters are of an
        algorithm that does not run.
    """

    method: str = field(
        default=DEFAULT_METHOD,
        metadata=shell_option(
            f"One of {', '.join(METHODS)}.", "NAME", METHODS
        ),
    )
    objective: str = field(
        default=OBJECTIVES[0],
        metadata=shell_option(
            "Sum of squared distances to means (inertia), of distances to "
            "means (cccp), or to medoids (cpmp).",
            "NAME",
            OBJECTIVES,
        ),
    )
    time_limit: float | None = bounded(
        None,
        1e-6,
        inf,
        metadata=shell_option(
            "Seconds from reading the input to the written answer; a limit "
            "below 0.5 may be exceeded.",
            "S",
            shown="no limit",
        ),
    )
    seed: int = bounded(1, 0, MAX_SEED, metadata=shell_option("Random seed."))
    priority: Priority | None = None
    scorer: Scorer | None = field(
        default=None,
        metadata=shell_option(
            "Trained weights from ncc-route train.",
            "FILE",
            shown="those of the package",
        ),
    )
    search: SearchParams | Mapping[str, object] | None = None
    annealing: AnnealingParams | Mapping[str, object] | None = None
    kmeans: KMeansParams | Mapping[str, object] | None = None
    ncc_paper: object = None
    gb21: object = None

    def __post_init__(self) -> None:
        require_name("method", self.method, METHODS)
        require_name("objective", self.objective, OBJECTIVES)
        check_bounds(self)
        if self.priority is not None:
            METHODS[self.method].require_priority(self.priority)
        if self.scorer is not None:
            METHODS[self.method].require_parameter("scorer")
        if isinstance(self.scorer, os.PathLike):
            object.__setattr__(self, "scorer", os.fspath(self.scorer))
        resolve_groups(self, PARAMS)
        for group in PARAMS:
            if getattr(self, group) is not None:
                METHODS[self.method].require_parameter(group)
        unread = "annealing" if self.objective == OBJECTIVES[0] else "search"
        if getattr(self, unread) is not None:
            raise ParameterError(
                f"objective {self.objective} takes no {unread}."
            )

    def run(
        self, budget: Budget, monitor: Monitor | None = None
    ) -> ClusterRun:
        """Return the run of these parameters."""
        from ncc_routing.ccp.run import ClusterRun

        return ClusterRun(
            budget,
            self.seed,
            monitor=monitor,
            objective=self.objective,
            priority=self.priority,
            scorer=self.scorer,
            # The groups are dataclasses since they were resolved.
            search=cast("SearchParams | None", self.search),
            annealing=cast("AnnealingParams | None", self.annealing),
            kmeans=cast("KMeansParams | None", self.kmeans),
            ncc_paper=self.ncc_paper,
            gb21=self.gb21,
        )
