"""Great circles, maps, and instances in longitude and latitude."""

import logging
import math

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.ccp.graph import ALL_PAIRS_LIMIT, knn_graph
from ncc_routing.problems.distances import (
    EARTH_RADIUS,
    great_circle,
    middle_of,
    place_numbers,
    project,
)
from ncc_routing.vrp.methods import METHODS

QUARTER = EARTH_RADIUS * math.pi / 2
POLE, CONGO, GABON = [0.0, 90.0], [30.0, 0.0], [10.0, 0.0]


def places_about(
    lon: float, lat: float, size: int, spread: float = 0.2
) -> np.ndarray:
    """Return random places in a box of so many degrees."""
    rng = np.random.default_rng(size)
    offsets = rng.uniform(-spread, spread, (size, 2))
    lons = (lon + offsets[:, 0] + 180.0) % 360.0 - 180.0
    return np.column_stack([lons, lat + offsets[:, 1]])


def geographic(coords: np.ndarray, rounding: str = "nearest") -> nr.Instance:
    """Return customers of demand 1, six to a vehicle, behind a depot."""
    demands = np.ones(len(coords), dtype=np.int64)
    demands[0] = 0
    return nr.Instance(
        "earth", demands, 6, coords, rounding, is_geographic=True
    )


def test_places_within_a_metre_are_one() -> None:
    """One metre to the north is 9e-6 degrees, and the date line is one line.

    0.99 m away is one place and 1.01 m is two. At 60 degrees a degree of
    longitude is half as long, and at the pole all are one place.
    """
    metre = 360.0 / (2.0 * math.pi * EARTH_RADIUS)
    places = [
        [8.0, 50.0], [8.0, 50.0 + 0.99 * metre], [8.0, 50.0 - 1.01 * metre],
        [180.0, 60.0], [-180.0, 60.0], [-180.0 + 1.98 * metre, 60.0],
        [179.0, 60.0], [0.0, 90.0], [90.0, 90.0],
    ]  # fmt: skip
    numbers = place_numbers(np.array(places))
    firsts = [numbers.tolist().index(number) for number in numbers]
    assert firsts == [0, 0, 2, 3, 3, 3, 6, 7, 7]


def test_equal_places_need_no_comparison() -> None:
    """So many at one place would be 5 * 10**9 pairs."""
    assert set(place_numbers(np.full((100_000, 2), 8.0))) == {0}


@pytest.mark.numeric
def test_maps_keep_lengths_nearby() -> None:
    """Its error is tan(60) times 0.2 degrees: 0.6 %; at the date line."""
    coords = places_about(-179.95, 60.0, 40)
    plane = project(coords, middle_of(coords))
    gaps = plane[:, None] - plane
    arcs = great_circle(coords[:, None], coords)
    lengths = np.hypot(gaps[..., 0], gaps[..., 1])
    assert lengths == pytest.approx(arcs, rel=6.1e-3)


@pytest.mark.numeric
@pytest.mark.parametrize("size", [60, ALL_PAIRS_LIMIT + 50])
def test_neighbours_are_those_on_the_sphere(size: int) -> None:
    """All pairs and the tree; degrees themselves would mislead at 70 N."""
    instance = geographic(places_about(179.9, 70.0, size + 1))
    graph = knn_graph(instance, 5)
    nodes = np.arange(1, size + 1)
    coords = instance.require_coords("test")
    arcs = great_circle(coords[[1, 7]][:, None], coords[1:])
    for own, row in zip((1, 7), arcs, strict=True):
        nearest = nodes[np.argsort(row)]
        expected = nearest[nearest != own][:5].tolist()
        assert graph.neighbours[own].tolist() == expected


@pytest.mark.parametrize("method", METHODS)
def test_every_method_takes_longitude_and_latitude(method: str) -> None:
    """Across the date line, with costs on the sphere."""
    instance = geographic(places_about(179.95, -17.0, 31))
    result = nr.solve(
        instance,
        method=method,
        polish="none",
        params=nr.SolveParams(router="local-search"),
    )
    assert nr.check_solution(instance, result.best) == []
    # A map torn at the date line would send vehicles round the Earth.
    assert result.best.cost < 1e6


@pytest.mark.parametrize("polish", ["ruin-recreate", "pyvrp"])
def test_polishes_take_longitude_and_latitude(polish: str) -> None:
    """No worse than where they start from."""
    instance = geographic(places_about(2.35, 48.85, 31))
    start = nr.solve(instance, method="sweep", polish="none")
    found = nr.solve(instance, method="sweep", polish=polish, time_limit=0.3)
    assert nr.check_solution(instance, found.best) == []
    assert found.best.cost <= start.best.cost


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ([181.0, 0.0], "longitude of entry 2 must lie in -180..180"),
        ([2.0, 91.0], "latitude of entry 2 must lie in -90..90"),
    ],
)
def test_coordinates_out_of_range_are_refused(
    place: list[float], message: str
) -> None:
    """One degree beyond; the bounds themselves are places."""
    geographic(np.array([[180.0, -90.0], [-180.0, 90.0]]))
    with pytest.raises(nr.InstanceError, match=message):
        geographic(np.array([[0.0, 0.0], place]))


def test_points_become_a_map(caplog: pytest.LogCaptureFixture) -> None:
    """In metres, with a warning where the map is wide."""
    lonlat = np.array([[10.0, 0.1], [10.0, -0.1]])
    points = nr.PointSet.from_lonlat(lonlat, np.ones(2), 2.0, ids=["a", "b"])
    assert np.ptp(points.coords[:, 1]) == pytest.approx(0.2 * QUARTER / 90)
    assert points.lonlat is not None
    assert points.lonlat.tolist() == lonlat.tolist()
    assert points.ids == ("a", "b")
    assert caplog.records == []
    wide = np.array([[10.0, 40.0], [10.0, 60.0]])
    with caplog.at_level(logging.WARNING):
        nr.PointSet.from_lonlat(wide, np.ones(2), 2.0)
    assert "lengths on their map are up to 22 % wrong" in caplog.text
