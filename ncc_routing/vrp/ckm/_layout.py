"""The arrays that the re-clustering kernels share, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    from ncc_routing.clustering.priority import PriorityFormula
    from ncc_routing.problems.distances import Metric
    from ncc_routing.vrp.preferences.clusters import ClusterPenalties


class Problem(NamedTuple):
    """The instance as the kernels see it.

    Attributes
    ----------
    metric
        Distances.
    coords
        Float64 coordinates of shape (n + 1, 2).
    demands
        Int64 demands of shape (n + 1,).
    capacity
        Capacity of a vehicle.
    neighbours
        Int32 array of shape (n + 1, k), nearest customers first.
    keys
        Random uint64 of each customer; their xor identifies a cluster.
    formula
        The priority of the assignment.
    is_symmetric
        Whether distances are the same in both directions.
    penalties
        What clusters cost beside their routes.
    """

    metric: Metric
    coords: np.ndarray
    demands: np.ndarray
    capacity: int
    neighbours: np.ndarray
    keys: np.ndarray
    formula: PriorityFormula
    is_symmetric: bool
    penalties: ClusterPenalties


class Plan(NamedTuple):
    """Clusters of customers with the cost of their routes and penalties.

    Attributes
    ----------
    members
        Int32 array of shape (num_slots, max_size), filled from the left.
    sizes, loads
        Int64 arrays of shape (num_slots,); size 0 marks a free slot.
    costs
        Float64 cost of the route of each slot.
    slot_of
        Int32 slot of each customer, shape (n + 1,).
    """

    members: np.ndarray
    sizes: np.ndarray
    loads: np.ndarray
    costs: np.ndarray
    slot_of: np.ndarray


class Region(NamedTuple):
    """Buffers for the customers of a few neighbouring clusters.

    Attributes
    ----------
    nodes, slots
        Int64 customers and slots of the region.
    place
        Int32 position of each customer in the region, -1 outside,
        shape (n + 1,).
    coords, weights
        Places and demands of the points of the region.
    labels, loads, capacities, centers, medoids, counts
        The clustering of the region.
    scores
        Float64 array of shape (max_clusters, max_points).
    mass, queue
        Float64 and int64 buffers of length max_points.
    tour, position, active, dist
        Int64 buffers, flags and square float64 matrix for one route.
    cluster, costs
        Int64 customers of one cluster; cost of the route of each cluster.
    depot, no_depot
        The depot, for the priorities, and its absence, for the centers.
    """

    nodes: np.ndarray
    slots: np.ndarray
    place: np.ndarray
    coords: np.ndarray
    weights: np.ndarray
    labels: np.ndarray
    loads: np.ndarray
    capacities: np.ndarray
    centers: np.ndarray
    medoids: np.ndarray
    counts: np.ndarray
    scores: np.ndarray
    mass: np.ndarray
    queue: np.ndarray
    tour: np.ndarray
    position: np.ndarray
    active: np.ndarray
    dist: np.ndarray
    cluster: np.ndarray
    costs: np.ndarray
    depot: np.ndarray
    no_depot: np.ndarray


class Knobs(NamedTuple):
    """How a trial is drawn; see ``ckm.search.CkmParams`` for the meaning.

    Attributes
    ----------
    max_clusters, max_rounds
        Largest number of clusters of a region and rounds of k-means.
    fewer_share, more_share
        Probability of the least possible number of clusters, and of one
        more than there are.
    max_detour_share, max_weight_power
        Upper ends of the uniform draws.
    fullness_bonus
        Temperatures that a gain in fullness is worth.
    """

    max_clusters: int
    max_rounds: int
    fewer_share: float
    more_share: float
    max_detour_share: float
    max_weight_power: float
    fullness_bonus: float


class Block(NamedTuple):
    """Nodes of a region that have no cluster, and how to start.

    All are numbers from Python: a literal in a kernel would make numba
    compile what it is passed to a second time.

    Attributes
    ----------
    size, num_clusters
        Number of customers, 0 for none, and of clusters for them.
    seeding, num_rounds, weight_power
        Seeding rule, rounds of k-means, power of the demand in the regret.
    num_old
        Number of clusters that the new ones replace: 0.
    """

    size: int
    num_clusters: int
    seeding: int
    num_rounds: int
    weight_power: float
    num_old: int


class Memo(NamedTuple):
    """Costs of clusters seen before, in a direct-mapped table.

    Attributes
    ----------
    hashes
        Uint64 identity in each place; the length is a power of two.
    costs
        Float64 cost of the route of that cluster.
    """

    hashes: np.ndarray
    costs: np.ndarray
