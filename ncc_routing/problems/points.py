"""Weighted points with cluster capacities as read-only data."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted, printable, with_id
from ncc_routing.problems.distances import (
    DEGREE,
    middle_of,
    project,
    require_degrees,
    unproject,
)
from ncc_routing.problems.features import (
    CLUSTER_CAPACITIES,
    MATRIX,
    OTHER_DIMENSIONS,
    POINT_CAPACITIES,
    ROUNDED_DOWN,
)
from ncc_routing.problems.values import (
    LARGEST_SIZE,
    LOAD_TOLERANCE,
    NO_LIMIT,
    ReadOnlyArrays,
    finite_numbers,
    numbers,
    require_size,
    require_sum,
    unique_texts,
    whole_numbers,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

DISTANCE_RULES: Final = ("none", "floor")
"""The entries of ``distances.ROUNDINGS`` that the methods for "cpmp" know."""

_FAIR_MAP: Final = 0.02
"""Error of a length on a map from which it is said."""


@dataclass(frozen=True, eq=False)
class PointSet(ReadOnlyArrays):
    """Points of a capacitated clustering problem (CCP).

    Parameters
    ----------
    coords
        Coordinates of shape (num_points, num_dims), num_dims >= 1.
    weights
        Weight of each point, shape (num_points,), >= 0. Whole numbers stay
        integers, so that capacities are exact.
    capacity
        Capacity of every cluster, >= 0, in the unit of the weights; the
        largest one if ``capacities`` or ``point_capacities`` are given.
    name
        Name used in messages. Control characters become escapes.
    num_clusters
        Number of clusters K of the data. Default: unspecified.
    capacities
        Capacity of each cluster, shape (K,), >= 0, if they differ.
    point_capacities
        Capacity of a cluster whose medoid is that point, shape (num_points,),
        >= 0, if it depends on the medoid (objective "cpmp").
    matrix
        Distances between all pairs of points, shape (num_points, num_points),
        >= 0, if they do not follow from the coordinates. The objective "cpmp"
        uses them from a point to its medoid: ``matrix[point, medoid]``. They
        may be asymmetric.
    rounding
        Rounding of the distances of the objective "cpmp": "none" (default) or
        "floor".
    ids
        Ids of the points, num_points different texts. Default: points have
        only their indices.
    lonlat
        Longitude and latitude of each point in degrees, shape (num_points, 2),
        if ``coords`` are their projection: see ``from_lonlat``.

    Raises
    ------
    InstanceError
        If shapes do not agree, a value is not finite, of an extreme size
        (``problems.values``) or negative, a weight is above the capacity (a
        capacity of 0 holds only points of no weight), or an id is not unique.
    """

    coords: np.ndarray
    weights: np.ndarray
    capacity: float
    name: str = "points"
    num_clusters: int | None = None
    capacities: np.ndarray | None = None
    point_capacities: np.ndarray | None = None
    matrix: np.ndarray | None = None
    rounding: str = "none"
    ids: tuple[str, ...] | None = field(default=None, repr=False)
    lonlat: np.ndarray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", printable(str(self.name)))
        coords = numbers(self.name, "coords", self.coords)
        if coords.ndim != 2 or 0 in coords.shape:
            rule = "must have shape (num_points, num_dims), both >= 1"
            raise InstanceError(self.name, "coords", rule, coords.shape)
        weights = numbers(self.name, "weights", self.weights)
        self._require_shape("weights", weights, (len(coords),))
        self._require_finite("coords", coords)
        self._require_finite("weights", weights)
        self._require_not_negative("weights", weights)
        require_size(self.name, "coords", coords)
        require_size(self.name, "weights", weights)
        if np.asarray(self.weights).dtype.kind in "iu":
            require_sum(self.name, "weights", float(weights.sum()))
            weights = weights.astype(np.int64)
        capacity = numbers(self.name, "capacity", self.capacity)
        if capacity.ndim != 0:
            rule = "must be one number"
            raise InstanceError(self.name, "capacity", rule, capacity.tolist())
        if not np.isfinite(capacity) or capacity < 0:
            rule = "must be finite and not negative"
            raise InstanceError(self.name, "capacity", rule, self.capacity)
        if capacity > LARGEST_SIZE:
            rule = f"must be at most {LARGEST_SIZE:g}"
            raise InstanceError(self.name, "capacity", rule, float(capacity))
        if self.rounding not in DISTANCE_RULES:
            rule = f"must be one of {', '.join(DISTANCE_RULES)}"
            raise InstanceError(self.name, "rounding", rule, self.rounding)
        if self.rounding != "none":
            longest = float(np.hypot.reduce(np.ptp(coords, axis=0)))
            require_sum(self.name, "distances", len(coords) * longest)
        self._freeze("coords", coords)
        self._freeze("weights", weights)
        self._check_optional(len(coords))
        for idx in np.flatnonzero(weights > self.largest_load())[:1].tolist():
            rule = f"the weight of {self.describe_point(idx)} must not exceed "
            rule += f"the capacity {self.capacity}"
            raise InstanceError(self.name, "weights", rule, weights[idx])

    def _check_optional(self, size: int) -> None:
        ids = unique_texts(self.name, self.ids, size)
        object.__setattr__(self, "ids", ids)
        if self.lonlat is not None:
            lonlat = finite_numbers(
                self.name, "lonlat", self.lonlat, (size, 2)
            )
            require_degrees(self.name, lonlat)
            self._freeze("lonlat", lonlat)
        count = self.num_clusters
        if count is not None and (
            isinstance(count, bool) or not isinstance(count, (int, np.integer))
        ):
            rule = "must be a whole number"
            raise InstanceError(self.name, "num_clusters", rule, count)
        if count is not None and not 1 <= count <= size:
            rule = f"must lie in 1..{size}"
            raise InstanceError(self.name, "num_clusters", rule, count)
        shapes = {
            "capacities": (count if count is not None else -1,),
            "point_capacities": (size,),
            "matrix": (size, size),
        }
        for attribute, shape in shapes.items():
            given = getattr(self, attribute)
            if given is None:
                continue
            values = numbers(self.name, attribute, given)
            if attribute != "matrix" and np.asarray(given).dtype.kind in "iu":
                values = whole_numbers(self.name, attribute, given)
            if attribute == "capacities" and count is None:
                shape = (len(np.atleast_1d(values)),)
                if not 1 <= shape[0] <= size:
                    rule = f"must be 1 to {size} numbers"
                    raise InstanceError(self.name, attribute, rule, shape[0])
                object.__setattr__(self, "num_clusters", shape[0])
            self._require_shape(attribute, values, shape)
            self._require_finite(attribute, values)
            self._require_not_negative(attribute, values)
            require_size(self.name, attribute, values)
            self._freeze(attribute, values)
            if attribute != "matrix":
                object.__setattr__(self, "capacity", values.max().item())

    def _require_shape(
        self, field: str, values: np.ndarray, shape: tuple[int, ...]
    ) -> None:
        if values.shape != shape:
            rule = f"must have shape {shape}"
            raise InstanceError(self.name, field, rule, values.shape)

    def _require_finite(self, field: str, values: np.ndarray) -> None:
        if not np.isfinite(values).all():
            raise InstanceError(self.name, field, "must be finite")

    def _require_not_negative(self, field: str, values: np.ndarray) -> None:
        if values.min() < 0:
            rule = "must not be negative"
            raise InstanceError(self.name, field, rule, values.min())

    def _freeze(self, field: str, values: np.ndarray) -> None:
        values.flags.writeable = False
        object.__setattr__(self, field, values)

    @classmethod
    def from_lonlat(
        cls,
        lonlat: np.ndarray,
        weights: np.ndarray,
        capacity: float,
        name: str = "points",
        num_clusters: int | None = None,
        ids: Iterable[str] | None = None,
    ) -> PointSet:
        """Return the points on a local map in metres.

        Centers and squared lengths need a plane: ``coords`` become the
        equirectangular projection about the mean place
        (``distances.project``). A warning says where the map is more than
        2 % wrong.

        Parameters
        ----------
        lonlat
            Longitude and latitude in degrees, shape (num_points, 2).
        weights, capacity, name, num_clusters, ids
            As for the class.

        Raises
        ------
        InstanceError
            As for the class, or if these are no longitudes and latitudes.
        """
        places = numbers(name, "lonlat", lonlat)
        size = len(np.atleast_1d(places))
        places = finite_numbers(name, "lonlat", places, (size, 2))
        require_degrees(name, places)
        middle = middle_of(places)
        widths = np.cos(places[:, 1] * DEGREE) / np.cos(middle[1] * DEGREE)
        error = float(np.abs(widths - 1.0).max())
        if error > _FAIR_MAP:
            logger.warning(
                "%s: the points span so many degrees of latitude that "
                "lengths on their map are up to %.0f %% wrong.",
                name,
                100.0 * error,
            )
        coords = project(places, middle)
        listed = None if ids is None else tuple(ids)
        return cls(
            coords,
            weights,
            capacity,
            name,
            num_clusters,
            ids=listed,
            lonlat=places,
        )

    @classmethod
    def from_instance(
        cls, instance: Instance, capacity: float | None = None
    ) -> PointSet:
        """Return the customers of a routing problem as points.

        Parameters
        ----------
        instance
            Its customers become points with their coordinates, demands and
            ids. Depots, distances and times are ignored.
        capacity
            Capacity of every cluster. Default: that of the vehicles.

        Raises
        ------
        InstanceError
            If there are no coordinates, or no capacity is given and the
            vehicles have none, or several.
        """
        nodes = slice(1, 1 + instance.num_customers)
        coords = instance.require_coords("clusters")[nodes]
        if capacity is None:
            capacities = {
                vehicle_type.capacity
                for vehicle_type in instance.vehicle_types
            }
            if len(capacities) > 1 or max(capacities) >= NO_LIMIT:
                rule = (
                    "vehicles have several capacities or none: give capacity="
                )
                raise InstanceError(instance.name, "capacity", rule)
            capacity = capacities.pop()
        ids = None if instance.ids is None else instance.ids[nodes]
        given = (instance.demands[nodes], capacity, instance.name)
        if instance.is_geographic:
            return cls.from_lonlat(coords, *given, ids=ids)
        return cls(coords, *given, ids=ids)

    @property
    def num_points(self) -> int:
        """Number of points."""
        return len(self.coords)

    @property
    def axes(self) -> dict[str, np.ndarray]:
        """Places as they were given, by name of the axis.

        The names are x and y, or x0, x1, ... where there are not two of them,
        or lon and lat.
        """
        names, places = ["x", "y"], self.coords
        if self.lonlat is not None:
            names, places = ["lon", "lat"], self.lonlat
        elif places.shape[1] != 2:
            names = [f"x{axis}" for axis in range(places.shape[1])]
        return dict(zip(names, places.T, strict=True))

    def to_plane(self, places: np.ndarray) -> np.ndarray:
        """Return places in the plane of ``coords``, given as the points are.

        Those of ``from_lonlat`` are given in degrees, others in the plane.
        """
        if self.lonlat is None:
            return places
        return project(places, middle_of(self.lonlat))

    def from_plane(self, places: np.ndarray) -> np.ndarray:
        """Return places in the plane of ``coords`` as the points are given."""
        if self.lonlat is None:
            return places
        return unproject(places, middle_of(self.lonlat))

    def describe_point(self, point: int) -> str:
        """Return a point in words: "point 5 (id Main St)", from point 0."""
        name = f"point {point}"
        return name if self.ids is None else with_id(name, self.ids[point])

    @property
    def features(self) -> tuple[str, ...]:
        """What it has beyond plain points in the plane, in words.

        A method accepts them or is refused (``core.methods.Method.accepts``).
        """
        is_used = {
            MATRIX: self.matrix is not None,
            POINT_CAPACITIES: self.point_capacities is not None,
            CLUSTER_CAPACITIES: self.capacities is not None,
            OTHER_DIMENSIONS: self.coords.shape[1] != 2,
            ROUNDED_DOWN: self.rounding == "floor",
        }
        return tuple(
            feature for feature, is_there in is_used.items() if is_there
        )

    @property
    def has_whole_weights(self) -> bool:
        """Whether the weights are integers, so that loads are exact."""
        return np.issubdtype(self.weights.dtype, np.integer)

    @property
    def min_num_clusters(self) -> int:
        """Lower bound on the number of clusters: ceil(sum q / Q)."""
        if self.capacity == 0:
            return 1
        if self.has_whole_weights:
            total = int(self.weights.sum())
            return max(1, int(-(-total // self.capacity)))
        ratio = float(self.weights.sum()) / float(self.capacity)
        return max(1, int(np.ceil(ratio - LOAD_TOLERANCE)))

    def largest_load(self, capacity: float | None = None) -> float:
        """Return the largest load that a capacity, by default its own, admits.

        Integer loads are exact. A sum of real weights may exceed the capacity
        by the share ``values.LOAD_TOLERANCE``, the rounding of a sum.
        """
        limit = self.capacity if capacity is None else capacity
        if self.has_whole_weights:
            return limit
        return limit * (1.0 + LOAD_TOLERANCE)

    def cluster_limits(self, num_clusters: int) -> np.ndarray:
        """Return the largest load of each cluster, float64 of shape (K,).

        ``InstanceError`` is raised if ``num_clusters`` does not fit the data.
        """
        if not 1 <= num_clusters <= self.num_points:
            rule = f"must lie in 1..{self.num_points}, the number of points"
            raise InstanceError(self.name, "num_clusters", rule, num_clusters)
        if self.capacities is None:
            limits = np.full(num_clusters, float(self.capacity))
        elif len(self.capacities) != num_clusters:
            rule = f"must be {len(self.capacities)}, one for each capacity"
            raise InstanceError(self.name, "num_clusters", rule, num_clusters)
        else:
            limits = self.capacities.astype(np.float64)
        room = self.largest_load(float(limits.sum()))
        if float(self.weights.sum()) > room:
            rule = f"must be enough for the total weight {self.weights.sum()}"
            value = (
                f"{counted(num_clusters, 'cluster')} of total capacity "
                f"{limits.sum():.10g}"
            )
            raise InstanceError(self.name, "num_clusters", rule, value)
        if not self.has_whole_weights:
            # A margin for the order in which a load is summed up.
            limits *= 1.0 + 0.5 * LOAD_TOLERANCE
        return limits
