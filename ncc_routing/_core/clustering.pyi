from collections.abc import Sequence
import enum
from typing import Annotated

import numpy
import numpy.random
from numpy.typing import NDArray

import ncc_routing.clustering.priority

class Seeding(enum.Enum):
    """How first centers are chosen."""

    RANDOM = 0

    KMEANS = 1

    CKM = 2

    TOP_WEIGHTS = 3

def seed_centers(
    rule: Seeding,
    coords: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    weights: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    centers: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
    rng: numpy.random.Generator,
) -> None:
    """Choose points as first centers."""

def find_medoids(
    coords: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    centers: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    medoids: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None:
    """Set the point nearest to each center."""

def take_members(
    coords: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    centers: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    labels: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    medoids: Annotated[
        NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")
    ],
) -> None:
    """Set the member nearest to each center."""

def list_centers(
    coords: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    centers: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    listed: Annotated[
        NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu")
    ],
    lengths: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> None:
    """List the nearest centers of each point, nearest first."""

def update_centers(
    coords: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    depot: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ]
    | None,
    labels: Annotated[
        NDArray[numpy.int64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    centers: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> float:
    """Move centers to the means of their members; return how far."""

def score(
    formula: ncc_routing.clustering.priority.PriorityFormula,
    coords: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    weights: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    depot: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ]
    | None,
    centers: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    scores: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu"),
    ],
) -> None:
    """Set the priority of each point for each center."""

class Rules:
    """What goes together, apart, or where."""

    def __init__(self) -> None: ...
    @property
    def leaders(self) -> list[int]: ...
    @leaders.setter
    def leaders(self, arg: Sequence[int], /) -> None: ...
    @property
    def ring(self) -> list[int]: ...
    @ring.setter
    def ring(self, arg: Sequence[int], /) -> None: ...
    @property
    def homes(self) -> list[int]: ...
    @homes.setter
    def homes(self, arg: Sequence[int], /) -> None: ...
    @property
    def masses(self) -> list[float]: ...
    @masses.setter
    def masses(self, arg: Sequence[float], /) -> None: ...
    @property
    def quarrel(self) -> float: ...
    @quarrel.setter
    def quarrel(self, arg: float, /) -> None: ...
    @property
    def borders(self) -> list[float]: ...
    @borders.setter
    def borders(self, arg: Sequence[float], /) -> None: ...
    @property
    def is_contiguous(self) -> bool: ...
    @is_contiguous.setter
    def is_contiguous(self, arg: bool, /) -> None: ...
    @property
    def compactness(self) -> float: ...
    @compactness.setter
    def compactness(self, arg: float, /) -> None: ...
    @property
    def consistency(self) -> float: ...
    @consistency.setter
    def consistency(self, arg: float, /) -> None: ...
    @property
    def references(self) -> list[int]: ...
    @references.setter
    def references(self, arg: Sequence[int], /) -> None: ...
    @property
    def centers(self) -> list[float]: ...
    @centers.setter
    def centers(self, arg: Sequence[float], /) -> None: ...
    @property
    def medoids(self) -> list[int]: ...
    @medoids.setter
    def medoids(self, arg: Sequence[int], /) -> None: ...
    @property
    def num_fixed(self) -> int: ...
    @num_fixed.setter
    def num_fixed(self, arg: int, /) -> None: ...
    def set_apart(
        self, begins: Sequence[int], others: Sequence[int]
    ) -> None: ...
    def set_graph(
        self, begins: Sequence[int], others: Sequence[int]
    ) -> None: ...

class Limits:
    """What clusters may hold, by measures."""

    def __init__(
        self,
        weights: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        lower: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        upper: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        units: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        rules: Rules | None = None,
    ) -> None: ...
    @property
    def weights(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), writable=False)
    ]: ...
    @property
    def lower(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), writable=False)
    ]: ...
    @property
    def upper(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None, None), writable=False)
    ]: ...
    @property
    def units(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None,), writable=False)
    ]: ...
    @property
    def are_several(self) -> bool: ...
    def are_kept(
        self,
        labels: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> bool:
        """Whether the clusters keep all limits."""

class Clusters:
    """Points in clusters under capacities."""

    def __init__(
        self,
        weights: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        capacities: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    @property
    def labels(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]:
        """The cluster of each point, -1 for none."""

    @property
    def loads(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    def assign(
        self,
        labels: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None:
        """Put each point where its label says."""

    def assign_by_regret(
        self,
        scores: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        weight_power: float = 0.0,
        listed: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ]
        | None = None,
    ) -> int:
        """Assign those first that lose most without their best cluster."""

    def assign_cyclic(
        self,
        scores: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        num_left: int,
        rng: numpy.random.Generator,
    ) -> int:
        """Let the clusters take turns at their best point."""

    def complete(
        self,
        scores: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        coords: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        centers: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        num_samples: int,
        rng: numpy.random.Generator,
    ) -> int:
        """Place the points that are left in the nearest cluster with room."""

    def place_doubtful(
        self,
        scores: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        listed: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        coords: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        centers: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        *,
        num_left: int,
        num_samples: int,
        noise: float,
        rng: numpy.random.Generator,
    ) -> int:
        """Place the points of the least regrets again."""

    def place_by_exchange(
        self,
        scores: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> int:
        """Make room for points that fit nowhere."""

    def swap_members(
        self,
        scores: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        max_passes: int,
    ) -> None:
        """Move and swap members while the sum of their scores rises."""

class AssignmentRule(enum.Enum):
    """How points are assigned to centers."""

    SORTED = 0

    CYCLIC = 1

    REGRET = 2

class KMeansRules:
    """How capacitated k-means runs."""

    def __init__(
        self,
        *,
        seeding: Seeding = Seeding.CKM,
        assignment: AssignmentRule = AssignmentRule.REGRET,
        num_left: int = 0,
        num_samples: int = 1,
    ) -> None: ...

class KMeans:
    """Capacitated k-means on some points."""

    def __init__(
        self,
        coords: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        weights: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        capacities: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        depot: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ]
        | None,
        formula: ncc_routing.clustering.priority.PriorityFormula,
        rules: KMeansRules,
    ) -> None: ...
    def seed(self, rng: numpy.random.Generator) -> None:
        """Begin a start: choose first centers."""

    def run_rounds(self, num_rounds: int, rng: numpy.random.Generator) -> bool:
        """Assign and move centers; return whether none moved at last."""

    @property
    def best_inertia(self) -> float:
        """Infinite while no round has placed every point."""

    @property
    def best_labels(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...

class Pairs:
    """Which points belong together."""

    def __init__(
        self,
        starts: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        ends: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        log_odds: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        far_log_odds: float,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def starts(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """Where the pairs of each point start, and the end."""

    @property
    def ends(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """The other point of each pair."""

    @property
    def log_odds(
        self,
    ) -> Annotated[
        NDArray[numpy.float64], dict(shape=(None,), writable=False)
    ]:
        """Log-odds that the points of a pair share a cluster."""

    @property
    def far_log_odds(self) -> float:
        """Log-odds of pairs that are not listed."""

class CorrelationSearch:
    """Annealing of clusters by pairs."""

    def __init__(
        self,
        pairs: Pairs,
        weights: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        limits: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        labels: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...
    def anneal(
        self,
        num_moves: int,
        *,
        temperature: float,
        cooling: float,
        price: float,
        rng: numpy.random.Generator,
    ) -> float:
        """Try moves; return the change of the objective."""

    def agreement(self) -> float:
        """Sum the log-odds over all pairs that share a cluster."""

    def keeps_limits(self) -> bool: ...
    @property
    def labels(
        self,
    ) -> Annotated[NDArray[numpy.int64], dict(shape=(None,))]: ...
