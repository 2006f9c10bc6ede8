"""Distances of coordinates: rounding, great circles, maps of the sphere.

Longitudes and latitudes are arrays of shape (n, 2), the longitude first, in
degrees.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.values import refuse

FLOORED: Final = 0
"""Kind of the rule floor(scale * length + shift)."""

CEILED: Final = 1
"""Kind of the rule ceil(scale * length)."""

UNROUNDED: Final = 2
"""Kind of the rule scale * length."""

ARC_FLOORED: Final = 3
"""As ``FLOORED``, but of the great circle between longitudes and latitudes."""

ARC_UNROUNDED: Final = 4
"""As ``UNROUNDED``, but of the great circle."""


class LengthRule(NamedTuple):
    """How a length is scaled and rounded; a floored one is shifted before."""

    kind: int
    scale: float = 1.0
    shift: float = 0.0


ROUNDINGS: Final = {
    "nearest": LengthRule(FLOORED, shift=0.5),
    "ceil": LengthRule(CEILED),
    "floor": LengthRule(FLOORED),
    "exact": LengthRule(FLOORED, scale=1000.0, shift=0.5),
    "dimacs": LengthRule(FLOORED, scale=10.0),
    "none": LengthRule(UNROUNDED),
}
"""Rule of each name; in VRPLIB terms EUC_2D, CEIL_2D, FLOOR_2D, EXACT_2D
(nearest integer to 1000 times the length); ten times the length, cut to a
whole number; and the unrounded length."""

ARC_ROUNDINGS: Final = {
    "nearest": LengthRule(ARC_FLOORED, shift=0.5),
    "none": LengthRule(ARC_UNROUNDED),
}
"""Rule of each name for longitude and latitude: whole metres, or metres."""


def length_rule(
    source: str, rounding: object, is_geographic: bool
) -> LengthRule:
    """Return the rule of a name."""
    known = ARC_ROUNDINGS if is_geographic else ROUNDINGS
    if not isinstance(rounding, str) or rounding not in known:
        rule = f"must be one of {', '.join(known)}"
        if is_geographic:
            rule += " for longitude and latitude"
        raise InstanceError(source, "rounding", rule, rounding)
    return known[rounding]


def round_lengths(rule: LengthRule, lengths: np.ndarray) -> np.ndarray:
    """Return the distances that lengths stand for, whole ones in float64."""
    scaled = lengths if rule.scale == 1.0 else rule.scale * lengths
    if rule.kind in (FLOORED, ARC_FLOORED):
        return np.asarray(np.floor(scaled + rule.shift))
    return np.ceil(scaled) if rule.kind == CEILED else scaled


LARGEST_MATRIX: Final = 3000
"""Nodes up to which a search computes all distances: 72 MB."""


class Metric(NamedTuple):
    """What compiled code needs to compute a distance.

    ``coords`` is (n + 1, 2), zeros where only a matrix is known; ``matrix`` is
    (0, 0) where distances follow from the coordinates. ``rounding`` is an
    entry of ``ROUNDINGS``, or of ``ARC_ROUNDINGS`` for longitude and
    latitude.
    """

    coords: np.ndarray
    matrix: np.ndarray
    rounding: LengthRule


EARTH_RADIUS: Final = 6_371_008.8
"""Mean radius of the Earth in metres (R1 of the IUGG)."""

DEGREE: Final = np.pi / 180.0
"""One degree in radians."""

SAME_PLACE: Final = 1.0
"""Metres within which two places are one."""


def require_degrees(source: str, coords: np.ndarray) -> None:
    """Refuse longitudes outside -180..180 and latitudes outside -90..90."""
    for axis, name, limit in ((0, "longitude", 180), (1, "latitude", 90)):
        values = coords[:, axis]
        rule = (
            f"the {name} of entry {{}} must lie in -{limit}..{limit} degrees; "
            "the longitude comes first"
        )
        refuse(np.abs(values) > limit, source, "coords", rule, values)


def great_circle(tails: np.ndarray, heads: np.ndarray) -> np.ndarray:
    """Return the length in metres of the shortest line on the sphere.

    The haversine formula (Sinnott 1984, Sky and Telescope 68(2), 159) on a
    sphere of ``EARTH_RADIUS``: up to 0.6 % from the length on the ellipsoid.
    """
    lon, lat = tails[..., 0] * DEGREE, tails[..., 1] * DEGREE
    other_lon, other_lat = heads[..., 0] * DEGREE, heads[..., 1] * DEGREE
    rise = np.sin(0.5 * (other_lat - lat))
    turn = np.sin(0.5 * (other_lon - lon))
    square = rise * rise + np.cos(lat) * np.cos(other_lat) * turn * turn
    half = np.arcsin(np.minimum(1.0, np.sqrt(square)))
    return np.asarray(2.0 * EARTH_RADIUS * half)


def unit_vectors(coords: np.ndarray) -> np.ndarray:
    """Return the points on the unit sphere, (n, 3).

    Straight lines grow with great circles: neighbours are the same.
    """
    lon, lat = coords.T * DEGREE
    across = np.cos(lat)
    return np.column_stack(
        [across * np.cos(lon), across * np.sin(lon), np.sin(lat)]
    )


def place_numbers(coords: np.ndarray) -> np.ndarray:
    """Return the first place within a metre of each, as a number of it."""
    places, number = np.unique(coords, axis=0, return_inverse=True)
    # By latitude, which differs by no more than the places do.
    order = np.argsort(places[:, 1])
    first = np.arange(len(places))
    tails, step, apart = first, 0, SAME_PLACE / (EARTH_RADIUS * DEGREE)
    while len(tails) > 0:
        step += 1
        tails = tails[tails + step < len(places)]
        rise = places[order[tails + step], 1] - places[order[tails], 1]
        tails = tails[rise <= apart]
        pair = order[tails], order[tails + step]
        is_near = great_circle(places[pair[0]], places[pair[1]]) <= SAME_PLACE
        one, other = (ends[is_near] for ends in pair)
        np.minimum.at(first, one, other)
        np.minimum.at(first, other, one)
    return np.asarray(first[np.ravel(number)])


def project(coords: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Return places on a local map in metres with ``middle`` as its origin.

    The equirectangular projection is true to length from north to south, and
    from east to west at that latitude. Points on both sides of the 180th
    meridian stay together.
    """
    east = (coords[:, 0] - middle[0] + 180.0) % 360.0 - 180.0
    north = coords[:, 1] - middle[1]
    scale = EARTH_RADIUS * DEGREE
    return np.column_stack(
        [scale * np.cos(middle[1] * DEGREE) * east, scale * north]
    )


def unproject(places: np.ndarray, middle: np.ndarray) -> np.ndarray:
    """Return the longitudes and latitudes of places on that map."""
    scale = EARTH_RADIUS * DEGREE
    east = places[:, 0] / (scale * np.cos(middle[1] * DEGREE))
    lon = (middle[0] + east + 180.0) % 360.0 - 180.0
    return np.column_stack([lon, middle[1] + places[:, 1] / scale])


def local_map(coords: np.ndarray) -> np.ndarray:
    """Return places on a read-only map whose origin is the first one."""
    middle = np.array([coords[0, 0], coords[:, 1].mean()])
    places = project(coords, middle)
    places -= places[0]
    places.flags.writeable = False
    return places


def middle_of(coords: np.ndarray) -> np.ndarray:
    """Return the longitude and latitude of the mean place, shape (2,)."""
    x, y, z = unit_vectors(coords).mean(axis=0)
    return np.array(
        [np.arctan2(y, x) / DEGREE, np.arctan2(z, np.hypot(x, y)) / DEGREE]
    )
