from collections.abc import Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

import ncc_routing._core.iterated
import ncc_routing._core.search
import ncc_routing._core.shapes

class PlaceLengths:
    def __init__(
        self,
        points: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        kind: int,
        scale: float,
        shift: float,
    ) -> None: ...
    def at_speed(self, speed: float) -> PlaceLengths: ...
    def priced(
        self, speed: float, of_length: float, of_time: float
    ) -> PlaceLengths: ...

def find_neighbours(
    *,
    distances: PlaceLengths,
    durations: PlaceLengths,
    places: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    unit: float,
    early: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    late: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    limit: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    service: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    release: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None,), order="C", device="cpu", writable=False),
    ],
    rates: Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", device="cpu", writable=False),
    ],
    weights: tuple[float, float],
    degree: int,
    most: int,
    num_nodes: int,
) -> tuple[
    Annotated[NDArray[numpy.uint32], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]: ...

class VehicleType:
    def __init__(
        self,
        *,
        capacity: int,
        fixed_cost: float,
        distance_cost: float,
        duration_cost: float,
        overtime_cost: float = 0.0,
        regular_duration: float = float("inf"),
        max_distance: float,
        max_duration: float,
        start_duration: float,
        start_early: float,
        start_late: float,
        end_duration: float,
        end_early: float,
        end_late: float,
        start: int,
        end: int,
        profile: int,
        first_route: int,
        end_route: int,
    ) -> None: ...
    @property
    def capacity(self) -> int: ...
    @property
    def fixed_cost(self) -> float: ...
    @fixed_cost.setter
    def fixed_cost(self, arg: float, /) -> None: ...
    @property
    def distance_cost(self) -> float: ...
    @distance_cost.setter
    def distance_cost(self, arg: float, /) -> None: ...
    @property
    def duration_cost(self) -> float: ...
    @property
    def overtime_cost(self) -> float: ...
    @property
    def max_distance(self) -> float: ...
    @max_distance.setter
    def max_distance(self, arg: float, /) -> None: ...
    @property
    def max_duration(self) -> float: ...
    @max_duration.setter
    def max_duration(self, arg: float, /) -> None: ...
    @property
    def regular_duration(self) -> float: ...
    @regular_duration.setter
    def regular_duration(self, arg: float, /) -> None: ...
    @property
    def has_begun(self) -> bool: ...
    @has_begun.setter
    def has_begun(self, arg: bool, /) -> None: ...
    @property
    def start_duration(self) -> float: ...
    @start_duration.setter
    def start_duration(self, arg: float, /) -> None: ...
    @property
    def start_early(self) -> float: ...
    @start_early.setter
    def start_early(self, arg: float, /) -> None: ...
    @property
    def start_late(self) -> float: ...
    @start_late.setter
    def start_late(self, arg: float, /) -> None: ...
    @property
    def end_late(self) -> float: ...
    @end_late.setter
    def end_late(self, arg: float, /) -> None: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def profile(self) -> int: ...
    @property
    def first_route(self) -> int: ...
    @property
    def end_route(self) -> int: ...

class Break:
    def __init__(
        self,
        *,
        duration: float,
        early: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        limit: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        most_load: Sequence[int],
    ) -> None: ...

class Hours:
    @overload
    def __init__(
        self,
        *,
        driving_block: float,
        rest: float,
        first_part: float,
        second_part: float,
        service_counts: bool,
        work_block: float,
        least_rest: float,
        work_of_rests: Sequence[float],
        rests_in_all: Sequence[float],
    ) -> None: ...
    @overload
    def __init__(self) -> None: ...

class HoursSoFar:
    def __init__(
        self,
        *,
        driven: float,
        worked: float,
        work: float,
        rested: float,
        has_first: bool,
    ) -> None: ...

class StopLoads:
    def __init__(
        self,
        *,
        deliveries: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        pickups: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        capacities: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        initial: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...

class Options:
    def __init__(
        self,
        *,
        prizes: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        is_required: Annotated[
            NDArray[numpy.bool_],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        groups: Sequence[Sequence[int]],
        groups_required: Sequence[bool],
    ) -> None: ...

class Pairs:
    def __init__(
        self,
        *,
        pickups: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        deliveries: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        num_nodes: int,
    ) -> None: ...

class Reloads:
    def __init__(
        self,
        *,
        first: int,
        depots: Sequence[int],
        most: Sequence[int],
        fits: Sequence[Sequence[bool]],
        on_board: Sequence[int],
    ) -> None: ...

class Rules:
    def __init__(
        self,
        *,
        may_serve: Annotated[
            NDArray[numpy.bool_],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        groups: Sequence[Sequence[int]],
        wholes: Sequence[Sequence[int]],
        sets: Sequence[Sequence[int]],
        district_of: Annotated[
            NDArray[numpy.int32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        num_districts: int,
        most_districts: int,
        districts_before: Sequence[Sequence[int]],
    ) -> None: ...

class RouteLimits:
    def __init__(
        self,
        *,
        max_length: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        max_driving: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        max_stops: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        min_stops: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        min_load: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        loads: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        lack_price: float,
    ) -> None: ...

class Work:
    def __init__(
        self,
        *,
        services: Sequence[float],
        setups: Sequence[float],
        places: Sequence[int],
    ) -> None: ...

class WaitingLimits:
    def __init__(
        self, *, in_all: Sequence[float], at_stops: Sequence[float]
    ) -> None: ...

class Shifts:
    def __init__(
        self,
        *,
        first_window: Sequence[int],
        early: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        limit: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        breaks: Sequence[Sequence[Break]],
        first_break: Sequence[int],
        hours: Sequence[Hours],
        so_far: Sequence[HoursSoFar | None],
    ) -> None: ...

class PreferredWindows:
    def __init__(
        self,
        *,
        early: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        late: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        early_cost: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        late_cost: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
    ) -> None: ...

class FleetProblem:
    def __init__(
        self,
        *,
        distances: Annotated[
            NDArray[numpy.float32],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | Annotated[
            NDArray[numpy.float64],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | PlaceLengths,
        distances_back: Annotated[
            NDArray[numpy.float32],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | Annotated[
            NDArray[numpy.float64],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | PlaceLengths,
        durations: Annotated[
            NDArray[numpy.float32],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | Annotated[
            NDArray[numpy.float64],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | PlaceLengths,
        durations_back: Annotated[
            NDArray[numpy.float32],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | Annotated[
            NDArray[numpy.float64],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | PlaceLengths,
        lengths: Annotated[
            NDArray[numpy.float32],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | Annotated[
            NDArray[numpy.float64],
            dict(
                shape=(None, None, None),
                order="C",
                device="cpu",
                writable=False,
            ),
        ]
        | PlaceLengths,
        demands: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        round_trip: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        neighbours: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        near: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None, None), order="C", device="cpu", writable=False),
        ],
        num_candidates: int,
        early: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        late: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        limit: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        service: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        release: Annotated[
            NDArray[numpy.float64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        vehicles: Sequence[VehicleType],
        features: list[object],
        in_progress: Sequence[Sequence[int]] = [],
        settled: Sequence[int] = [],
        is_metric: bool,
        has_short_cuts: bool = False,
        has_forbidden_arcs: bool = False,
        is_symmetric: bool,
        is_timed: bool,
        counts_duration: bool,
        limits_distance: bool,
        has_exact_lengths: bool,
    ) -> None: ...
    @property
    def has_optional(self) -> bool: ...
    @property
    def num_nodes(self) -> int: ...
    @property
    def num_routes(self) -> int: ...
    @property
    def type_of(
        self,
    ) -> Annotated[
        NDArray[numpy.uint32], dict(shape=(None,), order="C", writable=False)
    ]: ...
    @property
    def single_costs(
        self,
    ) -> Annotated[
        NDArray[numpy.float64],
        dict(shape=(None, None), order="C", writable=False),
    ]: ...
    def path_cost(
        self,
        customers: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        type: int,
    ) -> float: ...

class FleetSearch:
    def __init__(
        self,
        problem: FleetProblem,
        customers: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        starts: Annotated[
            NDArray[numpy.int64],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        members: Annotated[
            NDArray[numpy.uint32],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        closed: Annotated[
            NDArray[numpy.uint8],
            dict(shape=(None,), order="C", device="cpu", writable=False),
        ],
        max_removed: int,
        seed: int,
        centers: ncc_routing._core.search.CenterTable | None = None,
        pairs: ncc_routing._core.search.SameRouteTable | None = None,
        hulls: ncc_routing._core.shapes.HullTable | None = None,
    ) -> None: ...
    def anneal(
        self,
        params: ncc_routing._core.search.SearchParams,
        num_iterations: int,
        temperature: float,
        cooling: float,
        prize_rise: float = 0.0,
        end_temperature: float = 0.0,
    ) -> int: ...
    def place_absent(
        self,
        params: ncc_routing._core.search.SearchParams,
        num_iterations: int,
        mean_cost: float,
    ) -> int: ...
    def insert_all(
        self,
        params: ncc_routing._core.search.SearchParams,
        along_curve: bool = False,
        opened_type: int | None = None,
    ) -> int: ...
    def close_empty(self) -> None: ...
    def insertion_cost(self, customer: int, before: int) -> float: ...
    @property
    def cost(self) -> float: ...
    @property
    def penalty_cost(self) -> float: ...
    @property
    def best_cost(self) -> float: ...
    @property
    def num_absent(self) -> int: ...
    @property
    def num_iterations(self) -> int: ...
    @property
    def num_routes(self) -> int: ...
    @property
    def next(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def to_next(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def ready(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def latest(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def route_costs(
        self,
    ) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]: ...
    @property
    def route_of(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...
    @property
    def best_next(
        self,
    ) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,))]: ...

class IteratedSearch:
    def __init__(
        self,
        search: FleetSearch,
        search_params: ncc_routing._core.search.SearchParams,
        params: ncc_routing._core.iterated.Params,
    ) -> None: ...
    def iterate(
        self, num_iterations: int, begin: float, end: float
    ) -> None: ...
