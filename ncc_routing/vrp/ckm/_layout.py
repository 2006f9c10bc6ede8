"""The arrays that the re-clustering kernels share, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.clustering.priority import PriorityFormula
    from ncc_routing.problems.distances import Metric
    from ncc_routing.vrp.preferences.clusters import ClusterPenalties


class RegionProblem(NamedTuple):
    """The instance as the kernels see it."""

    metric: Metric
    coords: np.ndarray  # float64 (n + 1, 2)
    demands: np.ndarray  # int64 (n + 1,)
    capacity: int
    neighbours: np.ndarray  # int32 (n + 1, k), nearest customers first
    keys: np.ndarray  # random uint64 (n + 1,); their xor names a cluster
    formula: PriorityFormula  # the priority of the assignment
    is_symmetric: bool
    penalties: ClusterPenalties  # what clusters cost beside their routes


class Plan(NamedTuple):
    """Clusters of customers with the cost of their routes and penalties."""

    members: np.ndarray  # int32 (slots, max_size), filled from the left
    sizes: np.ndarray  # int64 (slots,); 0 marks a free slot
    loads: np.ndarray  # int64 (slots,)
    costs: np.ndarray  # float64 (slots,)
    slot_of: np.ndarray  # int32 (n + 1,)


class Region(NamedTuple):
    """Buffers for the customers of a few neighbouring clusters."""

    nodes: np.ndarray  # int64 customers of the region
    slots: np.ndarray  # int64 slots of the region
    place: np.ndarray  # int32 (n + 1,): position in the region, -1 outside
    coords: np.ndarray  # of the points of the region
    weights: np.ndarray
    # The clustering of the region.
    labels: np.ndarray
    loads: np.ndarray
    capacities: np.ndarray
    centers: np.ndarray
    medoids: np.ndarray
    counts: np.ndarray
    scores: np.ndarray  # float64 (max_clusters, max_points)
    mass: np.ndarray  # float64 (max_points,)
    queue: np.ndarray  # int64 (max_points,)
    # Int64 buffers, flags and a square float64 matrix for one route.
    tour: np.ndarray
    position: np.ndarray
    active: np.ndarray
    dist: np.ndarray
    cluster: np.ndarray  # int64 customers of one cluster
    costs: np.ndarray  # cost of the route of each cluster
    depot: np.ndarray  # for the priorities
    no_depot: np.ndarray  # for the centers


class Knobs(NamedTuple):
    """How a trial is drawn; see ``ckm.search.CkmParams`` for the meaning."""

    max_clusters: int
    max_rounds: int
    fewer_share: float
    more_share: float
    max_detour_share: float
    max_weight_power: float
    fullness_bonus: float


class Block(NamedTuple):
    """Nodes of a region without a cluster, and how to start.

    All come from Python: numba compiles a second time for a literal.
    """

    size: int  # number of customers, 0 for none
    num_clusters: int
    seeding: int
    num_rounds: int
    weight_power: float  # power of the demand in the regret
    num_old: int  # number of clusters that the new ones replace: 0


class Memo(NamedTuple):
    """Costs of clusters priced before, in a direct-mapped table."""

    hashes: np.ndarray  # uint64 identities; the length is a power of two
    costs: np.ndarray  # float64 cost of the route of that cluster
