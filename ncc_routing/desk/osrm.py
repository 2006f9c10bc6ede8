"""Distances and durations of roads, by the public table API of OSRM."""

from __future__ import annotations

import json
from itertools import product
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import numpy as np

from ncc_routing.core.exceptions import ParameterError, RoutingError

_SECONDS: Final = 30.0
"""Time for one answer."""

_MOST_PLACES: Final = 100
"""Places of a request that each OSRM takes unless told otherwise."""


class RoadMatrices(NamedTuple):
    """Whole metres and whole seconds; infinite where there is no road."""

    distances: np.ndarray
    durations: np.ndarray


def checked_address(address: object) -> str:
    """Return the address of OSRM; ``ParameterError`` where it is none."""
    if not isinstance(address, str) or not address.startswith(
        ("http://", "https://")
    ):
        raise ParameterError(
            "osrm must be an address such as http://localhost:5000, got "
            f"{address!r}."
        )
    return address.rstrip("/")


def read_roads(
    address: str, coords: np.ndarray, profile: str = "car"
) -> RoadMatrices:
    """Return distances and durations between all places.

    Parameters
    ----------
    address
        That of OSRM, such as http://localhost:5000. It is asked for 100 places
        at a time, the most that it takes by default.
    coords
        Longitudes and latitudes, shape (n, 2).
    profile
        Profile in the address of the request. Default "car".

    Raises
    ------
    RoutingError
        If OSRM does not answer, or not with a table.
    """
    size = len(coords)
    roads = RoadMatrices(np.zeros((size, size)), np.zeros((size, size)))
    step = size if size <= _MOST_PLACES else _MOST_PLACES // 2
    starts = range(0, size, step)
    for row, column in product(starts, starts):
        tails = np.arange(row, min(row + step, size))
        heads = np.arange(column, min(column + step, size))
        block = _read_block(address, profile, coords, tails, heads)
        for matrix, part in zip(roads, block, strict=True):
            matrix[np.ix_(tails, heads)] = part
    return roads


def _read_block(
    address: str,
    profile: str,
    coords: np.ndarray,
    tails: np.ndarray,
    heads: np.ndarray,
) -> list[np.ndarray]:
    nodes = np.unique(np.concatenate([tails, heads]))
    places = ";".join(f"{lon:.6f},{lat:.6f}" for lon, lat in coords[nodes])
    url = f"{address}/table/v1/{quote(profile)}/{places}"
    url += "?annotations=duration,distance"
    if len(nodes) > len(tails):
        for key, each in (("sources", tails), ("destinations", heads)):
            numbers = np.searchsorted(nodes, each).tolist()
            url += f"&{key}={';'.join(map(str, numbers))}"
    content = _ask(address, url)
    shape = (len(tails), len(heads))
    return [
        _matrix_of(address, content, key, shape)
        for key in ("distances", "durations")
    ]


def _ask(address: str, url: str) -> Any:
    # Imported here: most problems are read without a server.
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import urlopen

    try:
        with urlopen(url, timeout=_SECONDS) as answer:
            text = answer.read()
    except HTTPError as error:
        text = error.read()
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise RoutingError(f"{address}: no answer ({reason}).") from None
    try:
        content = json.loads(text)
    except ValueError:
        raise RoutingError(f"{address}: the answer is not JSON.") from None
    code = content.get("code") if isinstance(content, dict) else None
    if code != "Ok":
        reason = content.get("message", code) if code else "no table"
        raise RoutingError(f"{address}: {reason}.")
    return content


def _matrix_of(
    address: str, content: Any, key: str, shape: tuple[int, int]
) -> np.ndarray:
    try:
        matrix = np.array(content.get(key), dtype=float)
    except (TypeError, ValueError):
        matrix = np.zeros(0)
    if matrix.shape != shape:
        raise RoutingError(f"{address}: the answer has no table of {key}.")
    return np.where(np.isnan(matrix), np.inf, np.rint(matrix))
