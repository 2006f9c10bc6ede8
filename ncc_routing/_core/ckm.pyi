from typing import Annotated

import numpy
import numpy.random
import numpy.typing
from numpy.typing import NDArray

import ncc_routing.clustering.priority
import ncc_routing.problems.distances
import ncc_routing.vrp.preferences.penalties

class Problem:
    def __init__(
        self,
        metric: ncc_routing.problems.distances.Metric,
        coords: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        demands: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        capacity: int,
        neighbours: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        keys: Annotated[
            NDArray[numpy.uint64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        formula: ncc_routing.clustering.priority.PriorityFormula,
        is_symmetric: bool,
    ) -> None: ...

class Plan:
    def __init__(self, num_slots: int, num_nodes: int) -> None: ...
    def set_cluster(
        self,
        slot: int,
        members: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        load: int,
        cost: float,
    ) -> None: ...
    def add_penalties(
        self, penalties: ncc_routing.vrp.preferences.penalties.ClusterPenalties
    ) -> None: ...
    @property
    def clusters(self) -> list[numpy.typing.NDArray[numpy.int64]]: ...
    @property
    def costs(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...

class RoutePricer:
    def __init__(
        self,
        problem: Problem,
        penalties: ncc_routing.vrp.preferences.penalties.ClusterPenalties,
        max_customers: int,
    ) -> None: ...

class Region:
    def __init__(
        self, problem: Problem, max_points: int, max_clusters: int
    ) -> None: ...

def cluster_block(
    plan: Plan,
    pricer: RoutePricer,
    region: Region,
    customers: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    num_rounds: int,
    rng: numpy.random.Generator,
    num_clusters: int,
    weight_power: float,
) -> int: ...

class TrialParams:
    def __init__(
        self,
        *,
        max_clusters: int,
        max_rounds: int,
        fewer_share: float,
        more_share: float,
        max_detour_share: float,
        max_weight_power: float,
        fullness_bonus: float,
    ) -> None: ...

class RegionSearch:
    def __init__(
        self,
        plan: Plan,
        pricer: RoutePricer,
        params: TrialParams,
        max_points: int,
        cost: float,
    ) -> None: ...
    def run(
        self, temperature: float, num_trials: int, rng: numpy.random.Generator
    ) -> None: ...
    @property
    def cost(self) -> float: ...
    @property
    def best_cost(self) -> float: ...
    @property
    def best(self) -> Plan: ...
