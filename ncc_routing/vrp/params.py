"""The parameters of a solve."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import (
    MAX_SEED,
    bounded,
    check_bounds,
    resolve_groups,
)
from ncc_routing.core.seeds import stage_seed
from ncc_routing.scoring.vocabulary import CVRP
from ncc_routing.vrp.methods import (
    DEFAULT_METHOD,
    DEFAULT_POLISH,
    METHOD_NAMES,
    METHODS,
    PARAMS,
    POLISH_NAMES,
    POLISHES,
)
from ncc_routing.vrp.preferences.compactness import CompactRoutes
from ncc_routing.vrp.preferences.loyalty import LoyalRoutes
from ncc_routing.vrp.preferences.steadiness import SteadyRoutes
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER, require_router

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.clustering.priority import Priority
    from ncc_routing.core.deadline import Deadline
    from ncc_routing.scoring.scorers import PairScorer, Scorer
    from ncc_routing.vrp.ckm.search import CkmParams
    from ncc_routing.vrp.ncc import NccParams
    from ncc_routing.vrp.ncc_paper import NccPaperParams
    from ncc_routing.vrp.polishing.ruin_recreate import RuinRecreateParams
    from ncc_routing.vrp.preferences.zones import Preference

WEIGHTS: Final = (1e-6, 1e6, 0.0)
"""Bounds of the weight of a preference, and that of none: beyond them sums of
penalties and lengths lose their last digits."""


@dataclass(frozen=True)
class SolveParams:
    """What :func:`ncc_routing.solve` may be told.

    Parameters
    ----------
    method
        Name of the construction, a key of ``vrp.methods.METHODS``, or
        "auto" (default): what suits the rest of the parameters, savings
        before a polish and "ckm" without.
    polish
        Improvement after it: "none", "ruin-recreate", "pyvrp", or "auto"
        (default), the choice of the package: "ruin-recreate".
    router
        Solver for the tour of each cluster: "lkh" (default where elkai is
        installed) or "local-search".
    time_limit
        Wall-clock seconds for everything. Default: the construction takes
        what it asks for, a polish a hundredth of a second per customer, but
        at least 2 (fewer than 20 customers: less) and at most 60 seconds.
    seed
        Seed of every random choice, >= 0. Default 1. The same seed gives
        the same solution as long as no time limit cuts the work short;
        "petal" and "gap" set HiGHS one of their own.
    jobs
        Cores that the polish may use; -1 for all. Default 1. Ruin and
        recreate takes them, everything else runs on one. The solution
        depends on their number.
    compactness
        How much compact routes are worth: 0, or from 1e-6 to 1e6; 1 stands
        for about one percent of the cost. Customers then cost something for
        their distance to the center of their route, in the search alone: the
        cost of a solution is that of its routes. Default 0: the shortest
        routes. It needs a CVRP with coordinates, and a polish by ruin and
        recreate; or no polish and a method that weighs it, "ckm" or "ncc".
    reference
        Routes of another day, or districts: what
        :func:`problems.references.reference_labels` takes, or the path of a
        file of :func:`io.references.read_reference`. The result says how
        much of it the routes keep. Default: none.
    stay
        How much it is worth that customers stay with those with whom they
        are in the reference, bounded as ``compactness``; 1 costs about half
        a percent. A pair of them on two routes then costs something, in the
        search alone; new customers are free. Default 0. It needs a CVRP, a
        polish or method as for ``compactness``, and no compactness.
    priority
        How strongly a customer belongs to a cluster, for the method "ckm".
        Default: that of the method.
    scorer
        Trained weights for the methods of the network: a file of
        ``ncc-route train``, or an object with their one method:
        ``PairScorer`` or ``CenterScorer`` of ``scoring.scorers``. Default:
        those that the package ships.
    loyalty
        How much the search believes a scorer of pairs, bounded as
        ``compactness``. Ways between customers who belong together less than
        their places suggest then count as longer, in the search alone; 1
        suited a generated region. Default 0. It needs a ``scorer``, a CVRP
        with coordinates and at most 2,999 customers, a polish or method as
        for ``compactness``, and no other preference.
    ckm, ncc, ncc_paper, ruin_recreate
        Parameters of these algorithms: ``CkmParams``, ``NccParams``,
        ``NccPaperParams``, ``RuinRecreateParams``, or a mapping with some of
        their fields, ``ruin_recreate={"mean_removed": 12}``. Default: theirs.

    Raises
    ------
    ParameterError
        If a name is unknown or a number out of range.
    """

    method: str = DEFAULT_METHOD
    polish: str = DEFAULT_POLISH
    router: str = DEFAULT_ROUTER
    time_limit: float | None = bounded(None, 1e-6, inf)
    seed: int = bounded(1, 0, MAX_SEED)
    jobs: int = bounded(1, 1, 4096, also=-1)
    compactness: float = bounded(0.0, *WEIGHTS)
    reference: object = None
    stay: float = bounded(0.0, *WEIGHTS)
    priority: Priority | None = None
    scorer: Scorer | None = None
    loyalty: float = bounded(0.0, *WEIGHTS)
    ckm: CkmParams | Mapping[str, object] | None = None
    ncc: NccParams | Mapping[str, object] | None = None
    ncc_paper: NccPaperParams | Mapping[str, object] | None = None
    ruin_recreate: RuinRecreateParams | Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        require_name("method", self.method, METHOD_NAMES)
        require_name("polish", self.polish, POLISH_NAMES)
        require_router(self.router)
        check_bounds(self)
        self._require_one_preference()
        self._resolve_reference()
        if self.preference is not None:
            self._require_search(self.preference.name)
        if self.priority is not None:
            named = METHODS.get(self.method, METHODS["ckm"])
            named.require_priority(self.priority)
        self._require_reader_of_scorer()
        resolve_groups(self, PARAMS)

    def _require_reader_of_scorer(self) -> None:
        """Refuse a scorer that nothing reads."""
        if self.scorer is None or self.loyalty != 0.0:
            return
        if self.method in METHODS:
            METHODS[self.method].require_parameter("scorer")
        else:
            able = [n for n in METHODS if "scorer" in METHODS[n].takes]
            raise ParameterError(
                f"scorer needs a method by name ({', '.join(able)}) or a "
                "loyalty."
            )

    def _resolve_reference(self) -> None:
        """Read a reference that is a file; make plain values of objects."""
        if isinstance(self.scorer, os.PathLike):
            object.__setattr__(self, "scorer", os.fspath(self.scorer))
        value = self.reference
        if isinstance(value, (str, os.PathLike)):
            from ncc_routing.io.references import read_reference

            value = read_reference(value)
        elif isinstance(value, np.ndarray):
            value = tuple(value.tolist())
        object.__setattr__(self, "reference", value)

    def _require_one_preference(self) -> None:
        """Refuse weights that do not go together, or lack something."""
        if self.stay > 0.0 and self.reference is None:
            raise ParameterError(f"stay {self.stay} needs a reference.")
        if self.loyalty > 0.0 and self.scorer is None:
            raise ParameterError(f"loyalty {self.loyalty} needs a scorer.")
        weights = {
            "stay": self.stay,
            "compactness": self.compactness,
            "loyalty": self.loyalty,
        }
        chosen = [f"{n} {w}" for n, w in weights.items() if w > 0.0]
        if len(chosen) > 1:
            raise ParameterError(
                f"{' and '.join(chosen)} do not go together: a run has one "
                "preference."
            )

    def _require_search(self, name: str) -> None:
        """Refuse a preference for a run that ends without it."""
        polish = POLISHES.get(self.polish)
        last = METHODS.get(self.method) if self.polish == "none" else polish
        if last is None or "preference" not in last.takes:
            able, alone = (
                [n for n, m in table.items() if "preference" in m.takes]
                for table in (POLISHES, METHODS)
            )
            raise ParameterError(
                f"{name} needs a polish by {' or '.join(able)}, got "
                f"{self.polish}; without a polish a method of "
                f"{', '.join(alone)}."
            )

    @cached_property
    def preference(self) -> Preference | LoyalRoutes | None:
        """What routes are to be beside short; ``None`` for nothing."""
        if self.compactness > 0.0:
            return CompactRoutes(self.compactness)
        if self.loyalty > 0.0:
            return LoyalRoutes(_pairs_of_routes(self.scorer), self.loyalty)
        if self.stay > 0.0:
            return SteadyRoutes(self.reference, self.stay)
        return None

    @property
    def penalised(self) -> str | None:
        """The preference that the search has penalties for, by its name.

        Loyalty changes the distances instead.
        """
        if self.compactness > 0.0:
            return CompactRoutes.name
        return SteadyRoutes.name if self.stay > 0.0 else None

    @property
    def num_cores(self) -> int:
        """The number of cores that ``jobs`` stands for."""
        return self.jobs if self.jobs > 0 else os.cpu_count() or 1

    def run(self, stage: str, deadline: Deadline) -> dict[str, object]:
        """Return what the method of a stage takes, by name."""
        known = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            **known,
            "preference": self.preference,
            "seed": stage_seed(self.seed, stage),
            "jobs": self.num_cores,
            "deadline": deadline,
        }


def _pairs_of_routes(scorer: Scorer | None) -> PairScorer:
    """Return a scorer of routes, read where it is a file.

    Raises
    ------
    InstanceError
        If the file is missing, damaged, or of another kind.
    ParameterError
        If it holds a network that knows no routes.
    """
    from ncc_routing.scoring.predictor import PairPredictor, pair_scorer

    found = pair_scorer(scorer, "ncc-cvrp")
    if isinstance(found, PairPredictor) and found.params.problem != CVRP:
        raise ParameterError(
            f"scorer {scorer} was trained for the "
            f"{found.params.problem.upper()}, not for routes."
        )
    return found
