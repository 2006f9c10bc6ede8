"""Point sets from the raw telecommunication data of the paper.

The data may not be redistributed: the functions read what the user has
downloaded.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.core.neighbours import nearest_points
from ncc_routing.core.text import counted, number_of
from ncc_routing.core.text_files import open_text
from ncc_routing.problems.ccp.points import PointSet

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

WEIGHT_SLACK: Final = 1.1
"""Capacity over total weight, before rounding."""

SHANGHAI_CLUSTERS: Final = 40
"""Number of clusters K of the Shanghai data."""

MILAN_CLUSTERS: Final = 25
"""Number of clusters K of the Milan data."""

SHANGHAI_BOX: Final = ((120.75, 122.0), (30.5, 31.75))
"""Longitudes and latitudes of Shanghai that are kept."""

MIN_MINUTES: Final = 5
"""Minutes of sessions that a station of Shanghai needs to be kept."""

_SHANGHAI_COLUMNS: Final = (
    "start time",
    "end time",
    "latitude",
    "longitude",
    "user id",
)
"""Columns that a file of sessions must have."""

_INTERNET: Final = 7
"""Column of the internet activity in the records of Milan."""

_Place = tuple[float, float]
"""Longitude and latitude."""


def prepare_shanghai(
    paths: Iterable[str | os.PathLike[str]],
    num_clusters: int = SHANGHAI_CLUSTERS,
) -> PointSet:
    """Return the base stations of the Shanghai Telecom data set.

    The weight of a station is the sum of the minutes of its sessions, each
    rounded up. Stations outside of ``SHANGHAI_BOX``, of a single user, or
    with less than ``MIN_MINUTES`` are left out.

    Parameters
    ----------
    paths
        CSV files ("-": standard input) with the columns "start time", "end
        time", "latitude", "longitude" and "user id", in any order and case;
        times as ``YYYY-MM-DD hh:mm:ss``.
    num_clusters
        K. Default 40.

    Returns
    -------
    PointSet
        Coordinates x = longitude, y = latitude, moved and scaled so that
        the longer side is 0 to 1; capacity 1.

    Raises
    ------
    InstanceError
        If a column is missing or a value cannot be read.
    """
    minutes: dict[_Place, int] = defaultdict(int)
    users: dict[_Place, set[str]] = defaultdict(set)
    for path in paths:
        for place, duration, user in _sessions(Path(path)):
            minutes[place] += duration
            users[place].add(user)
    (west, east), (south, north) = SHANGHAI_BOX
    kept = [
        place
        for place in sorted(minutes)
        if west <= place[0] <= east
        and south <= place[1] <= north
        and len(users[place]) > 1
        and minutes[place] >= MIN_MINUTES
    ]
    weights = [float(minutes[place]) for place in kept]
    return _normalise("shanghai-telecom", kept, weights, num_clusters)


def _sessions(path: Path) -> Iterator[tuple[_Place, int, str]]:
    with open_text(path) as file:
        reader = csv.reader(file)
        header = [name.strip().lower() for name in next(reader, [])]
        for column in _SHANGHAI_COLUMNS:
            if column not in header:
                raise InstanceError(path, column, "column is missing")
        columns = [header.index(column) for column in _SHANGHAI_COLUMNS]
        for row in filter(None, reader):
            try:
                start, end, north, east, user = (row[c] for c in columns)
                place = (_number(east), _number(north))
                length = _time(end) - _time(start)
            except (ValueError, IndexError):
                field = f"line {reader.line_num}"
                rule = "must hold times and coordinates"
                raise InstanceError(path, field, rule) from None
            yield place, max(0, math.ceil(length.total_seconds() / 60)), user


def _number(text: str) -> float:
    """Return a finite number; ``ValueError`` where a text spells none."""
    value = number_of(text)
    if not math.isfinite(value):
        raise ValueError
    return value


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text.strip())


def prepare_milan(
    activity_path: str | os.PathLike[str],
    squares_path: str | os.PathLike[str],
    towers_path: str | os.PathLike[str],
    num_clusters: int = MILAN_CLUSTERS,
) -> PointSet:
    """Return the towers of the Telecom Italia Milan data set.

    The internet activity of each square of the grid goes to the nearest
    tower; towers without any are left out.

    Parameters
    ----------
    activity_path
        One day of call detail records, separated by tabs: square, time,
        country, SMS in and out, calls in and out, internet; empty fields
        count as 0.
    squares_path
        CSV with the columns "square", "lon", "lat": centers of the squares.
    towers_path
        CSV with the columns "lon", "lat" (the LTE towers).
    num_clusters
        K. Default 25.

    Returns
    -------
    PointSet
        As ``prepare_shanghai``; x = longitude, y = latitude, without a
        projection.
    """
    totals = _internet_activity(Path(activity_path))
    squares = _columns(squares_path, ("square", "lon", "lat"))
    towers = np.unique(_columns(towers_path, ("lon", "lat")), axis=0)
    _, nearest = nearest_points(towers)(squares[:, 1:], 1)
    amounts = [totals.get(int(square), 0.0) for square in squares[:, 0]]
    weights = np.bincount(nearest[:, 0], amounts, len(towers))
    kept = weights > 0
    return _normalise(
        "telecom-italia-milan",
        towers[kept].tolist(),
        weights[kept].tolist(),
        num_clusters,
    )


def _internet_activity(path: Path) -> dict[int, float]:
    totals: dict[int, float] = defaultdict(float)
    with open_text(path) as file:
        for number, line in enumerate(file, start=1):
            parts = line.rstrip("\n").split("\t")
            internet = parts[_INTERNET] if len(parts) > _INTERNET else ""
            try:
                totals[int(_number(parts[0]))] += _number(internet or "0")
            except ValueError:
                rule = "must hold a square and numbers"
                raise InstanceError(path, f"line {number}", rule) from None
    return totals


def _columns(
    path: str | os.PathLike[str], columns: tuple[str, ...]
) -> np.ndarray:
    with open_text(Path(path)) as file:
        reader = csv.DictReader(file)
        for column in columns:
            if column not in (reader.fieldnames or ()):
                raise InstanceError(path, column, "column is missing")
        try:
            rows = [[_number(row[c] or "") for c in columns] for row in reader]
        except ValueError:
            raise InstanceError(path, "file", "must hold numbers") from None
    return np.array(rows).reshape(-1, len(columns))


def _normalise(
    name: str,
    places: list[tuple[float, float]],
    amounts: list[float],
    num_clusters: int,
) -> PointSet:
    if len(places) < num_clusters:
        rule = f"must leave at least {counted(num_clusters, 'point')}"
        raise InstanceError(name, "points", rule, len(places))
    coords = np.array(places, dtype=np.float64)
    coords -= coords.min(axis=0)
    coords /= max(float(coords.max()), 1e-300)
    weights = np.array(amounts)
    weights /= math.ceil(weights.sum() / num_clusters * WEIGHT_SLACK)
    return PointSet(coords, weights, 1.0, name, num_clusters=num_clusters)
