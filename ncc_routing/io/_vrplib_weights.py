"""Distances of a VRPLIB file that are a matrix, given or computed.

The functions of coordinates are those of G. Reinelt (1995), TSPLIB 95.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.problems.distances import LARGEST_MATRIX

_GEO_PI: Final = 3.141592
_GEO_RADIUS: Final = 6378.388
"""Numbers of TSPLIB's GEO; with others, distances differ by one."""

_TRIANGLES: Final = {
    "LOWER_ROW": (np.tril_indices, -1),
    "UPPER_COL": (np.tril_indices, -1),
    "LOWER_DIAG_ROW": (np.tril_indices, 0),
    "UPPER_DIAG_COL": (np.tril_indices, 0),
    "UPPER_ROW": (np.triu_indices, 1),
    "LOWER_COL": (np.triu_indices, 1),
    "UPPER_DIAG_ROW": (np.triu_indices, 0),
    "LOWER_DIAG_COL": (np.triu_indices, 0),
}
"""Places of the weights of half a matrix, row by row, and their diagonal; the
columns of one half are the rows of the other."""

LAYOUTS: Final = ("FULL_MATRIX", *_TRIANGLES)
"""What EDGE_WEIGHT_FORMAT may be for explicit weights."""


def num_weights(layout: str, size: int) -> int:
    if layout not in _TRIANGLES:
        return size * size
    with_diagonal = _TRIANGLES[layout][1] == 0
    return size * (size + 1 if with_diagonal else size - 1) // 2


def explicit_matrix(weights: np.ndarray, layout: str, size: int) -> np.ndarray:
    """Return the matrix of explicit weights, in the order of the file."""
    if layout not in _TRIANGLES:
        return weights.reshape(size, size)
    indices, diagonal = _TRIANGLES[layout]
    rows, columns = indices(size, diagonal)
    matrix = np.zeros((size, size))
    matrix[rows, columns] = matrix[columns, rows] = weights
    return matrix


def computed_matrix(
    source: object, kind: str, coords: np.ndarray
) -> np.ndarray:
    """Return the matrix of a function of coordinates, all at once.

    ``UnsupportedProblemError`` is raised above ``LARGEST_MATRIX`` nodes.
    """
    if len(coords) > LARGEST_MATRIX:
        rule = f"is supported up to {LARGEST_MATRIX} nodes"
        raise UnsupportedProblemError(source, "EDGE_WEIGHT_TYPE", rule, kind)
    matrix = np.array([FUNCTIONS[kind](place, coords) for place in coords])
    np.fill_diagonal(matrix, 0.0)
    return matrix


def map_coords(kind: str, coords: np.ndarray) -> np.ndarray:
    """Return places as x and y; of GEO longitude and latitude in degrees."""
    return _degrees(coords)[:, ::-1] if kind == "GEO" else coords


def _degrees(coords: np.ndarray) -> np.ndarray:
    """Return degrees of DDD.MM, whose decimals are minutes."""
    whole = np.trunc(coords)
    return np.asarray(whole + 5.0 * (coords - whole) / 3.0)


def _geo(place: np.ndarray, others: np.ndarray) -> np.ndarray:
    latitude, longitude = _GEO_PI * _degrees(place) / 180.0
    latitudes, longitudes = _GEO_PI * _degrees(others).T / 180.0
    q1 = np.cos(longitude - longitudes)
    q2 = np.cos(latitude - latitudes)
    q3 = np.cos(latitude + latitudes)
    cosine = 0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)
    arcs = np.arccos(np.clip(cosine, -1.0, 1.0))
    return np.asarray(np.floor(_GEO_RADIUS * arcs + 1.0))


def _att(place: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.asarray(np.ceil(np.sqrt(((others - place) ** 2).sum(1) / 10.0)))


def _manhattan(place: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.asarray(np.floor(np.abs(others - place).sum(axis=1) + 0.5))


def _maximum(place: np.ndarray, others: np.ndarray) -> np.ndarray:
    return np.asarray(np.floor(np.abs(others - place).max(axis=1) + 0.5))


FUNCTIONS: Final = {
    "GEO": _geo,
    "ATT": _att,
    "MAN_2D": _manhattan,
    "MAX_2D": _maximum,
}
"""Function of each EDGE_WEIGHT_TYPE that becomes a matrix."""
