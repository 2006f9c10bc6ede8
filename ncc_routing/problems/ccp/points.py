"""Weighted points with cluster capacities as read-only data."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.text import counted, printable, with_id
from ncc_routing.problems.ccp.cluster_rules import ClusterRules
from ncc_routing.problems.ccp.rule_reader import resolve
from ncc_routing.problems.declared import part
from ncc_routing.problems.distances import (
    DEGREE,
    middle_of,
    project,
    require_degrees,
    unproject,
)
from ncc_routing.problems.features import (
    CENTER_PLACES,
    CLUSTER_CAPACITIES,
    FORBIDDEN_CENTERS,
    MATRIX,
    MORE_LIMITS,
    OTHER_DIMENSIONS,
    POINT_CAPACITIES,
    ROUNDED_DOWN,
    RULES,
)
from ncc_routing.problems.values import (
    LARGEST_SIZE,
    LOAD_TOLERANCE,
    NO_LIMIT,
    ReadOnlyArrays,
    finite_numbers,
    numbers,
    one_number,
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


def limits_by_weight(
    name: str, weights: np.ndarray, capacity: Any, min_load: Any
) -> dict[str, Any]:
    """Return the fields of ``PointSet`` for W limits, one for each weight."""
    facts: dict[str, Any] = {}
    for limit, other, given in (
        ("capacity", "other_capacities", capacity),
        ("min_load", "other_min_loads", min_load),
    ):
        if given is None:
            continue
        values = numbers(name, limit, given)
        if values.shape != weights.shape[1:]:
            rule = f"must be {counted(weights.shape[1], 'number')}"
            raise InstanceError(name, limit, rule, values.tolist())
        facts[other] = values[1:]
        if values[0] < np.inf:
            facts[limit] = values[0].item()
    return facts


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
        ``None``: as much as all points weigh, which is no limit.
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
    min_load
        Least load of every cluster, or of each, shape (K,). Default: none.
    min_size, max_size
        Least and largest number of points of every cluster, or of each, shape
        (K,). Default: none.
    tolerance
        Share by which the load of each cluster may differ from the mean, by
        every weight. Default: any.
    other_weights
        Further weights, shape (num_points, V), >= 0. Default: none.
    other_capacities, other_min_loads
        Largest (inf for none) and least load of every cluster by each of them,
        shape (V,). Default: no least load.
    rules
        Links, fixed points and centers, a graph, and prices. Default: none.

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
    min_load: np.ndarray | float | None = None
    min_size: np.ndarray | int | None = None
    max_size: np.ndarray | int | None = None
    tolerance: float | None = None
    other_weights: np.ndarray | None = None
    other_capacities: np.ndarray | None = None
    other_min_loads: np.ndarray | None = None
    rules: ClusterRules = part(ClusterRules, ClusterRules())

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", printable(str(self.name)))
        coords = numbers(self.name, "coords", self.coords)
        if coords.ndim != 2 or 0 in coords.shape:
            rule = "must have shape (num_points, num_dims), both >= 1"
            raise InstanceError(self.name, "coords", rule, coords.shape)
        weights = numbers(self.name, "weights", self.weights)
        if weights.ndim == 2:
            rule = "must be one for each point; from_arrays takes several"
            raise InstanceError(self.name, "weights", rule, weights.shape)
        self._require_shape("weights", weights, (len(coords),))
        self._require_finite("coords", coords)
        self._require_finite("weights", weights)
        self._require_not_negative("weights", weights)
        require_size(self.name, "coords", coords)
        require_size(self.name, "weights", weights)
        if np.asarray(self.weights).dtype.kind in "iu":
            require_sum(self.name, "weights", float(weights.sum()))
            weights = weights.astype(np.int64)
        if self.capacity is None:
            object.__setattr__(self, "capacity", weights.sum().item())
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
        self._check_limits(len(coords))
        for idx in np.flatnonzero(weights > self.largest_load())[:1].tolist():
            rule = f"the weight of {self.describe_point(idx)} must not exceed "
            rule += f"the capacity {self.capacity}"
            raise InstanceError(self.name, "weights", rule, weights[idx])
        rules = resolve(self.rules, self.name, self.coords, self.ids)
        object.__setattr__(self, "rules", rules)

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

    def _check_limits(self, size: int) -> None:
        for name in ("min_load", "min_size", "max_size"):
            given = getattr(self, name)
            if given is None:
                continue
            values = numbers(self.name, name, given)
            if name != "min_load":
                values = whole_numbers(self.name, name, given)
            if values.ndim > 1:
                rule = "must be one number, or one for each cluster"
                raise InstanceError(self.name, name, rule, values.shape)
            if values.ndim == 1:
                self._take_count(name, len(values), size)
            self._require_amounts(name, values)
            if values.ndim == 0:
                object.__setattr__(self, name, values.item())
        if (
            self.min_size is not None
            and self.max_size is not None
            and (np.greater(self.min_size, self.max_size).any())
        ):
            rule = "must not exceed max_size"
            raise InstanceError(self.name, "min_size", rule, self.min_size)
        if self.tolerance is not None:
            share = one_number(
                self.name, "tolerance", self.tolerance, whole=False
            )
            object.__setattr__(self, "tolerance", share)
        self._check_other_weights(size)

    def _check_other_weights(self, size: int) -> None:
        if self.other_weights is None:
            for name in ("other_capacities", "other_min_loads"):
                if getattr(self, name) is not None:
                    rule = "goes with other_weights"
                    raise InstanceError(self.name, name, rule)
            return
        weights = numbers(self.name, "other_weights", self.other_weights)
        if np.asarray(self.other_weights).dtype.kind in "iu":
            weights = weights.astype(np.int64)
        count = weights.shape[1] if weights.ndim == 2 else 0
        self._require_shape("other_weights", weights, (size, max(count, 1)))
        self._require_amounts("other_weights", weights)
        for name in ("other_capacities", "other_min_loads"):
            if getattr(self, name) is None:
                continue
            values = numbers(self.name, name, getattr(self, name))
            self._require_shape(name, values, (count,))
            finite = np.where(np.isposinf(values), 0.0, values)
            self._require_amounts(name, finite)
            self._freeze(name, values)

    def _require_amounts(self, name: str, values: np.ndarray) -> None:
        self._require_finite(name, values)
        self._require_not_negative(name, values)
        require_size(self.name, name, values)
        self._freeze(name, values)

    def _take_count(self, name: str, count: int, size: int) -> None:
        """Let as many limits as there are clusters say their number."""
        if self.num_clusters is None and 1 <= count <= size:
            object.__setattr__(self, "num_clusters", count)
        if count != self.num_clusters:
            rule = f"must be one number, or {self.num_clusters or size}"
            raise InstanceError(self.name, name, rule, f"{count} numbers")

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

    @classmethod
    def from_arrays(
        cls,
        coords: np.ndarray,
        weights: np.ndarray | None = None,
        capacity: Any = None,
        name: str = "points",
        **limits: Any,
    ) -> PointSet:
        """Return points with weights and limits as :func:`cluster` takes them.

        Parameters
        ----------
        coords
            Coordinates, shape (num_points, num_dims).
        weights
            Weight of each point, or W weights, shape (num_points, W). Default
            1 each.
        capacity
            Largest load of every cluster, or of each. With W weights: the
            largest load by each of them, ``inf`` for none. Default: no limit.
        name
            As for the class.
        limits
            ``min_load``, as ``capacity``; ``min_size``, ``max_size`` and
            ``tolerance``, as for the class.

        Raises
        ------
        InstanceError
            As for the class.
        """
        if weights is None:
            weights = np.ones(len(coords), dtype=np.int64)
        weights = np.asarray(weights)
        if weights.ndim != 2:
            unlimited: Any = None
            points = cls(coords, weights, unlimited, name)
            return points.limited(capacity, **limits)
        least = limits.pop("min_load", None)
        facts = limits_by_weight(name, weights, capacity, least)
        facts["other_weights"] = weights[:, 1:]
        if weights.shape[1] == 1:
            facts = {n: v for n, v in facts.items() if "other" not in n}
        first: Any = facts.pop("capacity", None)
        points = cls(coords, weights[:, 0], first, name, **facts)
        return points.limited(**limits)

    def limited(
        self,
        capacity: Any = None,
        **limits: Any,
    ) -> PointSet:
        """Return the points with other limits.

        Parameters
        ----------
        capacity
            Largest load of every cluster, or of each; with several weights,
            by each of them. It replaces every capacity. Default: those that
            there are.
        limits
            Fields of the class, such as ``min_size``, or of ``rules``.
            ``min_load`` is as ``capacity``.

        Raises
        ------
        InstanceError
            As for the class.
        """
        none = dict.fromkeys(("capacity", "capacities", "point_capacities"))
        if self.other_weights is not None:
            weights = np.column_stack([self.weights, self.other_weights])
            least = limits.pop("min_load", None)
            facts = limits_by_weight(self.name, weights, capacity, least)
            limits |= facts if capacity is None else {**none, **facts}
        elif capacity is not None:
            name = "capacities" if np.ndim(capacity) == 1 else "capacity"
            limits = {**none, name: capacity, **limits}
        names = {each.name for each in fields(ClusterRules)} & limits.keys()
        if names:
            rules = {name: limits.pop(name) for name in sorted(names)}
            limits["rules"] = replace(self.rules, **rules)
        return replace(self, **limits) if limits else self

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
            MORE_LIMITS: len(self.more_limits) > len(self.rules.given),
            CENTER_PLACES: np.ndim(self.rules.centers) == 2,
            FORBIDDEN_CENTERS: bool(self.rules.forbidden_centers),
            RULES: bool(self.rules.given),
        }
        return tuple(
            feature for feature, is_there in is_used.items() if is_there
        )

    @property
    def more_limits(self) -> tuple[str, ...]:
        """Names of the limits of clusters beyond a capacity."""
        limits = ("min_load", "min_size", "max_size", "tolerance")
        names = (*limits, "other_weights")
        named = tuple(n for n in names if getattr(self, n) is not None)
        return named + self.rules.given

    @property
    def masses(self) -> np.ndarray:
        """Factor of the distance of each point in the objective, float64."""
        if self.rules.weights_in_objective:
            return self.weights.astype(np.float64)
        return np.ones(self.num_points)

    @property
    def other_limits(self) -> list[tuple[np.ndarray, float, float]]:
        """The other weights, with least and largest load by each."""
        if self.other_weights is None:
            return []
        count = self.other_weights.shape[1]
        least, most = self.other_min_loads, self.other_capacities
        least = np.full(count, -np.inf) if least is None else least
        most = np.full(count, np.inf) if most is None else most
        return list(zip(self.other_weights.T, least, most, strict=True))

    def other_loads(self, labels: np.ndarray, num_clusters: int) -> np.ndarray:
        """Return totals of ``other_weights``, shape (num_clusters, V)."""
        if self.other_weights is None:
            return np.empty((num_clusters, 0))
        totals = [
            np.bincount(labels, column, num_clusters)
            for column in self.other_weights.T
        ]
        return np.column_stack(totals).astype(self.other_weights.dtype)

    @property
    def has_limits_by_cluster(self) -> bool:
        """Whether a limit differs by cluster, which fixes their number."""
        limits = (self.min_load, self.min_size, self.max_size)
        return self.capacities is not None or any(
            np.ndim(limit) == 1 for limit in limits if limit is not None
        )

    @property
    def has_whole_weights(self) -> bool:
        """Whether the weights are integers, so that loads are exact."""
        return np.issubdtype(self.weights.dtype, np.integer)

    @property
    def min_num_clusters(self) -> int:
        """Lower bound on the number of clusters: ceil(sum q / Q)."""
        fewest = 1
        if self.has_whole_weights and self.capacity > 0:
            total = int(self.weights.sum())
            fewest = max(1, int(-(-total // self.capacity)))
        elif self.capacity > 0:
            ratio = float(self.weights.sum()) / float(self.capacity)
            fewest = max(1, int(np.ceil(ratio - LOAD_TOLERANCE)))
        rules = self.rules
        for labels in (rules.fixed, rules.reference):
            if labels is not None:
                fewest = max(fewest, int(labels.max()) + 1)
        if rules.centers is not None:
            fewest = max(fewest, len(rules.centers))
        if np.ndim(self.max_size or 0) == 0 and self.max_size:
            fewest = max(fewest, -(-self.num_points // int(self.max_size)))
        return min(fewest, self.num_points)

    @property
    def max_num_clusters(self) -> int:
        """Upper bound on the number of clusters, by what each one needs."""
        most = float(self.num_points)
        for least, total in (
            (self.min_load, float(self.weights.sum())),
            (self.min_size, float(self.num_points)),
        ):
            if least is not None and np.ndim(least) == 0 and least > 0:
                most = min(most, total / float(least) + LOAD_TOLERANCE)
        return max(1, int(most))

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
