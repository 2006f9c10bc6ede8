"""Point sets from the raw telecommunication data of the paper.

The data may not be redistributed: the functions read what the user has
downloaded.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

WEIGHT_SLACK = 1.1
SHANGHAI_CLUSTERS, MILAN_CLUSTERS = 40, 25
SHANGHAI_BOX = ((120.75, 122.0), (30.5, 31.75))
"""Longitudes and latitudes that are kept."""

_SHANGHAI_COLUMNS = ("start time", "end time", "latitude", "longitude")


def prepare_shanghai(
    paths: Iterable[str | os.PathLike[str]],
    num_clusters: int = SHANGHAI_CLUSTERS,
) -> PointSet:
    """Return the base stations of the Shanghai Telecom data set.

    The weight of a station is the sum of the minutes of its sessions, each
    rounded up. Stations outside of ``SHANGHAI_BOX``, of a single user, or
    with less than five minutes are left out.

    Parameters
    ----------
    paths
        CSV files with the columns "start time", "end time", "latitude",
        "longitude" and "user id", in any order and case; times as
        ``YYYY-MM-DD hh:mm:ss``.
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
    from datetime import datetime

    minutes: dict[tuple[float, float], int] = defaultdict(int)
    users: dict[tuple[float, float], set[str]] = defaultdict(set)
    for path in paths:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            names = {
                (name or "").strip().lower(): name
                for name in reader.fieldnames or ()
            }
            for column in (*_SHANGHAI_COLUMNS, "user id"):
                if column not in names:
                    raise InstanceError(path, column, "column is missing")
            for number, row in enumerate(reader, start=2):
                try:
                    start, end = (
                        datetime.fromisoformat(row[names[c]].strip())
                        for c in _SHANGHAI_COLUMNS[:2]
                    )
                    place = (
                        float(row[names["longitude"]]),
                        float(row[names["latitude"]]),
                    )
                except (ValueError, AttributeError, TypeError):
                    rule = "must hold times and coordinates"
                    raise InstanceError(path, f"line {number}", rule) from None
                seconds = (end - start).total_seconds()
                minutes[place] += max(0, math.ceil(seconds / 60))
                users[place].add(row[names["user id"]])
    (west, east), (south, north) = SHANGHAI_BOX
    kept = [
        place
        for place in sorted(minutes)
        if west <= place[0] <= east
        and south <= place[1] <= north
        and len(users[place]) > 1
        and minutes[place] >= 5
    ]
    weights = [float(minutes[place]) for place in kept]
    return _normalise("shanghai-telecom", kept, weights, num_clusters)


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
    from scipy.spatial import cKDTree

    totals: dict[int, float] = defaultdict(float)
    with Path(activity_path).open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            parts = line.rstrip("\n").split("\t")
            try:
                internet = parts[7] if len(parts) > 7 else ""
                totals[int(parts[0])] += float(internet or 0.0)
            except ValueError:
                rule = "must hold a square and numbers"
                raise InstanceError(
                    activity_path, f"line {number}", rule
                ) from None
    squares = _columns(squares_path, ("square", "lon", "lat"))
    towers = np.unique(_columns(towers_path, ("lon", "lat")), axis=0)
    _, nearest = cKDTree(towers).query(squares[:, 1:])
    amounts = [totals.get(int(square), 0.0) for square in squares[:, 0]]
    weights = np.bincount(nearest, amounts, len(towers))
    kept = weights > 0
    return _normalise(
        "telecom-italia-milan",
        towers[kept].tolist(),
        weights[kept].tolist(),
        num_clusters,
    )


def _columns(
    path: str | os.PathLike[str], columns: tuple[str, ...]
) -> np.ndarray:
    """Return the named columns of a CSV file as numbers."""
    with Path(path).open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        for column in columns:
            if column not in (reader.fieldnames or ()):
                raise InstanceError(path, column, "column is missing")
        try:
            rows = [[float(row[c]) for c in columns] for row in reader]
        except (ValueError, TypeError):
            raise InstanceError(path, "file", "must hold numbers") from None
    return np.array(rows).reshape(-1, len(columns))


def _normalise(
    name: str,
    places: list[tuple[float, float]],
    amounts: list[float],
    num_clusters: int,
) -> PointSet:
    if len(places) < num_clusters:
        rule = f"must leave at least {num_clusters} points"
        raise InstanceError(name, "points", rule, len(places))
    coords = np.array(places, dtype=np.float64)
    coords -= coords.min(axis=0)
    coords /= max(float(coords.max()), 1e-300)
    weights = np.array(amounts)
    weights /= math.ceil(weights.sum() / num_clusters * WEIGHT_SLACK)
    return PointSet(coords, weights, 1.0, name, num_clusters=num_clusters)
