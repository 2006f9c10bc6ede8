"""The parameters of a solve."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Final, TypedDict, cast

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import (
    MAX_SEED,
    bounded,
    check_bounds,
    require_type,
    resolve_groups,
    shell_option,
)
from ncc_routing.problems.constraints import MIN_MAX
from ncc_routing.vrp.methods import (
    AUTOMATIC,
    DEFAULT_IMPROVEMENT,
    DEFAULT_METHOD,
    IMPROVEMENT_NAMES,
    IMPROVEMENTS,
    METHOD_NAMES,
    METHODS,
    PARAMS,
)
from ncc_routing.vrp.tours.routers import (
    DEFAULT_ROUTER,
    ROUTERS,
    require_router,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.clustering.priority import Priority
    from ncc_routing.clustering.scorers import PairScorer, Scorer
    from ncc_routing.core.budget import Budget
    from ncc_routing.core.events import Monitor
    from ncc_routing.vrp.ckm.search import CkmParams
    from ncc_routing.vrp.methods import Construction
    from ncc_routing.vrp.preferences.preferences import Preferences
    from ncc_routing.vrp.run import SolveRun
    from ncc_routing.vrp.search.ruin_recreate import RuinRecreateParams


class OneCoreOptions(TypedDict, total=False):
    """Those of ``SolveOptions`` but the number of cores."""

    method: str | None
    polish: str | None
    router: str | None
    time_limit: float | None
    seed: int | None
    objective: str | None
    allow_unserved: bool | None
    compactness: float | None
    reference: object
    consistency: float | None
    max_extra_cost: float | None
    priority: Priority | None
    scorer: Scorer | None
    affinity: float | None
    ckm: CkmParams | Mapping[str, object] | None
    ncc: object
    ncc_paper: object
    ruin_recreate: RuinRecreateParams | Mapping[str, object] | None


class SolveOptions(OneCoreOptions, total=False):
    """The fields of ``SolveParams`` as keywords; ``None`` is not given."""

    jobs: int | None


WEIGHTS: Final = (1e-6, 1e6, 0.0)
"""Bounds of the weight of a preference, and that of none: beyond them sums of
penalties and lengths lose their last digits."""

FEWEST_VEHICLES: Final = "fewest-vehicles"
OBJECTIVES: Final = ("cost", FEWEST_VEHICLES, *MIN_MAX)
"""What a solution has least of."""

PREFERENCES: Final = ("compactness", "consistency", "affinity")
"""Parameters that are such weights."""


@dataclass(frozen=True)
class SolveParams:
    """Parameters of :func:`ncc_routing.solve`.

    Parameters
    ----------
    method
        Name of the construction, a key of ``vrp.methods.METHODS``. Default
        "auto": "insertion" beyond the CVRP, "savings" before an improvement,
        and "ckm" without one.
    polish
        Improvement of the routes: "none", "ruin-recreate", "pyvrp", or "auto"
        (default), which is "ruin-recreate". Before "pyvrp", "ruin-recreate"
        makes the start, unless a construction or the first routes are given.
    router
        Solver for the tour of each cluster: "lkh" (default where elkai is
        installed) or "local-search".
    time_limit
        Wall-clock seconds for the whole run. Default: without an improvement,
        what the construction takes; else a hundredth of a second per customer,
        from 2 (fewer than 20 customers: less) to 60 seconds.
    seed
        Seed of every random choice, >= 0. Default 1. It determines the
        solution unless a time limit ends the run; HiGHS, in "petal" and "gap",
        has a separate seed.
    jobs
        Cores for ruin and recreate; everything else runs on one. -1 for all.
        Default 1. The solution depends on their number.
    objective
        "cost" (default); "fewest-vehicles": the cost decides between plans
        with equally many vehicles; or "min-max-duration", "min-max-distance",
        "min-max-stops": the largest duration, distance or number of customers
        of a route counts first, and the cost decides between plans where that
        is equal. All vehicles may be used. They need the polish "auto" or
        "ruin-recreate", and refuse optional customers; "min-max-duration"
        refuses preferred windows as well.
    allow_unserved
        Whether customers may be left out if not all can be served: as few as
        possible of the highest priority (``Selection.priorities``), then of
        the next one. The result names them. Default no.
    compactness
        Weight of compact routes: 0, or from 1e-6 to 1e6; 1 costs about one
        percent. The search adds a penalty for the distance of each customer to
        the center of its route and, beyond the CVRP, for each customer inside
        the hull of another route; the reported cost excludes both. Default 0.
        A positive weight needs the polish "auto" or "ruin-recreate", or the
        polish "none" with the method "ckm", "ncc" or "ncc-sampling".
    reference
        Routes of another day, or districts, as for ``reference_labels`` of
        ``problems.routes.references``, or the path of a file for
        :func:`desk.references.read_reference`. ``Result.consistency`` compares
        the routes with it. Default: none.
    consistency
        Weight of keeping customers together that share a route of the
        reference, bounded like ``compactness``; 1 costs about half a percent,
        or one percent with windows or fleets. The search adds a penalty for
        each pair that is on two routes; new customers have none. Default 0. It
        needs an improvement or method like ``compactness``.
    max_extra_cost
        With an initial solution, which is kept otherwise: the share of its
        cost, from 0 to 1e6, by which more compact or consistent routes may
        cost more.
        It is kept exactly. The first weight is that of ``compactness`` or
        ``consistency``, of which one must be positive; it is raised and
        lowered to use the share. ``solve_days`` reads it as the share for all
        days, 0.03 by default. Default: the cost is minimised.
    priority
        Score of a customer for a cluster, for the method "ckm". Default: that
        of the method.
    scorer
        Trained weights for the methods of the network: a file of
        ``ncc-route train``, or a ``PairScorer`` or ``CenterScorer`` of
        ``clustering.scorers``. Default: those of the package.
    affinity
        Weight of the affinity that a scorer of pairs has learned, bounded like
        ``compactness``. The search lengthens the distance of two customers
        that the scorer finds less related than their locations suggest.
        Default 0. It needs a ``scorer``, coordinates, at most 3,000 nodes,
        distance costs, no maximum distances, and an improvement or method like
        ``compactness``. The three weights can be combined.
    ckm, ncc, ncc_paper, ruin_recreate
        ``CkmParams``, ``NccParams``, ``NccPaperParams``,
        ``RuinRecreateParams``, or a mapping with some of their fields:
        ``ruin_recreate={"mean_removed": 12}``. Default: theirs.

    Raises
    ------
    ParameterError
        If parameters are of an algorithm that does not run, or a name is
        unknown or a number out of range.
    """

    method: str = field(
        default=DEFAULT_METHOD,
        metadata=shell_option(
            "Construction of the first routes: auto (savings, insertion or "
            f"ckm), {', '.join(METHODS)}.",
            "NAME",
            METHOD_NAMES,
        ),
    )
    polish: str = field(
        default=DEFAULT_IMPROVEMENT,
        metadata=shell_option(
            f"Improvement of the routes: {', '.join(IMPROVEMENT_NAMES)}; "
            "auto is ruin-recreate.",
            "NAME",
            IMPROVEMENT_NAMES,
        ),
    )
    router: str = field(
        default=DEFAULT_ROUTER,
        metadata=shell_option(
            f"Solver of the tour of a cluster: {', '.join(ROUTERS)}; lkh is "
            "for non-commercial use.",
            "NAME",
            ROUTERS,
            shown="lkh where it is installed, else local-search",
        ),
    )
    time_limit: float | None = bounded(
        None,
        1e-6,
        inf,
        metadata=shell_option(
            "Seconds from reading the instance to the written answer; a limit "
            "below 0.5 may be exceeded.",
            "S",
            shown="with an improvement n / 100, but 2 to 60 (below 20 "
            "customers n / 10)",
        ),
    )
    seed: int = bounded(1, 0, MAX_SEED, metadata=shell_option("Random seed."))
    jobs: int = bounded(
        *(1, 1, 4096),
        also=-1,
        metadata=shell_option(
            "Cores that the improvement may use; -1 for all."
        ),
    )
    objective: str = field(
        default=OBJECTIVES[0],
        metadata=shell_option(
            "Minimise the cost, or first the number of vehicles, or the "
            "largest duration, distance or number of stops of a route.",
            "NAME",
            OBJECTIVES,
        ),
    )
    allow_unserved: bool = field(
        default=False,
        metadata=shell_option(
            "If not all orders fit, leave some out, name them and exit with "
            "3, or fail.",
            shown="allowed for tables",
        ),
    )
    compactness: float = bounded(
        *(0.0, *WEIGHTS),
        metadata=shell_option(
            "Weight of compact routes; 1 costs about one percent.",
            "W",
        ),
    )
    reference: object = field(
        default=None,
        metadata=shell_option(
            "Routes of another day, or districts: .sol (or - for standard "
            "input), a table with id and route or district (.csv, .xlsx), or "
            ".json of --output.",
            "FILE",
        ),
    )
    consistency: float = bounded(
        *(0.0, *WEIGHTS),
        metadata=shell_option(
            "Weight of keeping customers of the reference together; 1 costs "
            "half a percent, or one percent with windows or fleets.",
            "W",
        ),
    )
    max_extra_cost: float | None = bounded(
        None,
        0.0,
        1e6,
        metadata=shell_option(
            "With --start: only make its routes compact or consistent, for at "
            "most this share of its cost more.",
            "SHARE",
            shown="the cost is minimised",
        ),
    )
    priority: Priority | None = None
    scorer: Scorer | None = field(
        default=None,
        metadata=shell_option(
            "Trained weights from ncc-route train.",
            "FILE",
            shown="those of the package",
        ),
    )
    affinity: float = bounded(
        *(0.0, *WEIGHTS),
        metadata=shell_option(
            "Weight of the affinity that --scorer has learned.",
            "W",
        ),
    )
    ckm: CkmParams | Mapping[str, object] | None = None
    ncc: object = None
    ncc_paper: object = None
    ruin_recreate: RuinRecreateParams | Mapping[str, object] | None = None

    def __post_init__(self) -> None:
        require_name("method", self.method, METHOD_NAMES)
        require_name("polish", self.polish, IMPROVEMENT_NAMES)
        require_router(self.router)
        require_name("objective", self.objective, OBJECTIVES)
        require_type("allow_unserved", self.allow_unserved, bool)
        check_bounds(self)
        if self.objective in MIN_MAX:
            self._require_min_max()
        self._make_plain()
        self._require_what_preferences_need()
        self._require_reader_of_scorer()
        if self.priority is not None:
            self._method_reading("priority").require_priority(self.priority)
        resolve_groups(self, PARAMS)
        self._require_readers_of_groups()

    def _require_min_max(self) -> None:
        """Refuse what searches for the largest amount do not go with."""
        improvement = IMPROVEMENTS.get(self.polish)
        if improvement is None or "phases" not in improvement.reads:
            able = [n for n, m in IMPROVEMENTS.items() if "phases" in m.reads]
            raise ParameterError(
                f"objective {self.objective} needs an improvement by "
                f"{' or '.join(able)}, got {self.polish}."
            )
        if self.max_extra_cost is not None:
            raise ParameterError(
                f"max_extra_cost does not go with objective {self.objective}."
            )

    def _make_plain(self) -> None:
        """Make texts of paths, and a tuple of an array of labels."""
        for name in ("scorer", "reference"):
            value = getattr(self, name)
            if isinstance(value, os.PathLike):
                object.__setattr__(self, name, os.fspath(value))
        if self.reference is not None:
            import numpy as np

            if isinstance(self.reference, np.ndarray):
                labels = tuple(self.reference.tolist())
                object.__setattr__(self, "reference", labels)

    def _require_what_preferences_need(self) -> None:
        """Refuse weights without a reference, a scorer, or a search."""
        if self.consistency > 0.0 and self.reference is None:
            raise ParameterError(
                f"consistency {self.consistency} needs a reference."
            )
        if self.affinity > 0.0 and self.scorer is None:
            raise ParameterError(
                f"affinity {self.affinity} needs a scorer: scorer=, in the "
                "shell --scorer FILE."
            )
        for name in PREFERENCES:
            if getattr(self, name) > 0.0:
                self._require_search(name)

    def _require_search(self, name: str) -> None:
        """Refuse a preference for a run that ends without it."""
        improvement = IMPROVEMENTS.get(self.polish)
        last = METHODS.get(self.method) if improvement is None else improvement
        if last is None or "preferences" not in last.reads:
            able, alone = (
                [n for n, m in table.items() if "preferences" in m.reads]
                for table in (IMPROVEMENTS, METHODS)
            )
            raise ParameterError(
                f"{name} needs an improvement by {' or '.join(able)}, got "
                f"{self.polish}; without an improvement a method of "
                f"{', '.join(alone)}."
            )

    def _require_reader_of_scorer(self) -> None:
        if self.scorer is None or self.affinity > 0.0:
            return
        self._method_reading("scorer", " or an affinity")

    def _require_readers_of_groups(self) -> None:
        """Refuse the parameters of algorithms that do not run."""
        for group in PARAMS:
            is_given = getattr(self, group) is not None
            if is_given and group != "ruin_recreate":
                self._method_reading(group)
        improvement = IMPROVEMENTS.get(self.polish)
        if self.ruin_recreate is not None and (
            improvement is None or "ruin_recreate" not in improvement.reads
        ):
            raise ParameterError(
                f"polish {self.polish} does not use ruin_recreate."
            )

    def _method_reading(self, parameter: str, other: str = "") -> Construction:
        """Return the method, which must be named and read a parameter."""
        if self.method == AUTOMATIC:
            able = [n for n, m in METHODS.items() if parameter in m.reads]
            raise ParameterError(
                f"{parameter} needs a method by name ({', '.join(able)})"
                f"{other}."
            )
        method = METHODS[self.method]
        method.require_parameter(parameter)
        return method

    def require_all_served(self, function: str) -> None:
        """Refuse ``allow_unserved`` where complete plans are compared."""
        if self.allow_unserved:
            raise ParameterError(
                f"allow_unserved does not go with {function}."
            )

    @property
    def preferences(self) -> Preferences:
        """Preferences for routes besides their cost, with scorers read."""
        # Imported here: a help text needs the parameters alone.
        from ncc_routing.vrp.preferences.preferences import Preferences

        return Preferences(
            self.compactness,
            self.consistency,
            self.affinity,
            self.reference,
            cast("PairScorer | None", self.scorer),
        )

    @property
    def num_cores(self) -> int:
        """The number of cores that ``jobs`` stands for."""
        return self.jobs if self.jobs > 0 else os.cpu_count() or 1

    def run(
        self,
        budget: Budget,
        monitor: Monitor | None = None,
        labels: tuple[int, ...] = (),
    ) -> SolveRun:
        """Return the run of these parameters.

        ``labels`` are the districts of the reference, by nodes.
        """
        from ncc_routing.vrp.run import SolveRun

        return SolveRun(
            budget,
            self.seed,
            self.num_cores,
            monitor,
            router=self.router,
            preferences=self.preferences,
            labels=labels,
            priority=self.priority,
            scorer=self.scorer,
            # The groups are dataclasses since they were resolved.
            ckm=cast("CkmParams | None", self.ckm),
            ncc=self.ncc,
            ncc_paper=self.ncc_paper,
            ruin_recreate=cast(
                "RuinRecreateParams | None", self.ruin_recreate
            ),
        )
