"""Reading TSPLIB: one tour, its distances, and what is refused by name."""

from __future__ import annotations

import itertools
import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.distances import LARGEST_MATRIX
from tests.oracles.refusals import written

if TYPE_CHECKING:
    from pathlib import Path

save = partial(written, name="case.tsp")

MATRIX = [[0, 1, 2, 4], [1, 0, 3, 5], [2, 3, 0, 6], [4, 5, 6, 0]]
"""Six different lengths: every wrong order is seen."""

WEIGHTS = {
    "FULL_MATRIX": "0 1 2 4 1 0 3 5 2 3 0 6 4 5 6 0",
    "LOWER_ROW": "1 2 3 4 5 6",
    "LOWER_DIAG_ROW": "0 1 0 2 3 0 4 5 6 0",
    "UPPER_ROW": "1 2 4 3 5 6",
    "UPPER_DIAG_ROW": "0 1 2 4 0 3 5 0 6 0",
    "LOWER_COL": "1 2 4 3 5 6",
    "LOWER_DIAG_COL": "0 1 2 4 0 3 5 0 6 0",
    "UPPER_COL": "1 2 3 4 5 6",
    "UPPER_DIAG_COL": "0 1 0 2 3 0 4 5 6 0",
}
"""The same matrix in every layout."""

BURMA14 = """16.47 96.10
16.47 94.44
20.09 92.54
22.39 93.37
25.23 97.24
22.00 96.05
20.47 97.02
17.20 96.29
16.30 97.38
14.05 98.12
16.53 97.38
21.52 95.59
19.41 97.13
20.09 94.55
"""
"""Coordinates of TSPLIB's burma14, whose shortest tour is 3323 long."""


def explicit(
    layout: str, weights: str, size: int = 4, kind: str = "TSP"
) -> str:
    """Return the text of a problem with explicit weights."""
    return (
        f"NAME : case\nTYPE : {kind}\nDIMENSION : {size}\n"
        f"EDGE_WEIGHT_TYPE : EXPLICIT\nEDGE_WEIGHT_FORMAT : {layout}\n"
        f"EDGE_WEIGHT_SECTION\n{weights}\nEOF\n"
    )


def placed(kind: str, rows: str) -> str:
    """Return the text of a problem with places."""
    lines = [
        f"{number} {row}" for number, row in enumerate(rows.splitlines(), 1)
    ]
    head = f"NAME : case\nTYPE : TSP\nDIMENSION : {len(lines)}\n"
    head += f"EDGE_WEIGHT_TYPE : {kind}\nNODE_COORD_SECTION\n"
    return head + "\n".join(lines) + "\nEOF\n"


def shortest_tour(matrix: np.ndarray) -> float:
    """Return the length of the shortest tour, by trying all."""
    others = range(1, len(matrix))
    tours = [(0, *rest, 0) for rest in itertools.permutations(others)]
    return min(
        float(sum(matrix[arc] for arc in itertools.pairwise(tour)))
        for tour in tours
    )


def test_a_tour_has_one_vehicle(tmp_path: Path) -> None:
    """Two routes over the hub would be 4 long, the tour is 102."""
    weights = "0 1 1 1 0 100 1 100 0"
    instance = nr.read(save(tmp_path, explicit("FULL_MATRIX", weights, 3)))
    assert instance.vehicle_types == (
        nr.VehicleType(num_available=1),  # of any capacity
    )
    result = nr.solve(instance, stop=nr.stop.MaxIterations(20), seed=1)
    assert result.best.cost == 102
    assert result.best.num_routes == 1
    assert not nr.diagnose(instance).findings
    two = nr.Solution.from_routes(instance, [[1], [2]])
    found = nr.check_solution(instance, two)
    assert [violation.kind for violation in found] == ["vehicles"]


@pytest.mark.parametrize("kind", ["TSP", "ATSP"])
def test_tours_are_those_of_brute_force(tmp_path: Path, kind: str) -> None:
    """Also about a hub, where several routes would be shorter."""
    rng = np.random.default_rng(1)
    for size in (2, 3, 4, 5, 6):
        for hub in (1, 60):
            matrix = rng.integers(10, 100, (size, size))
            matrix[0] = matrix[:, 0] = hub
            np.fill_diagonal(matrix, 0)
            if kind == "TSP":
                matrix = np.maximum(matrix, matrix.T)
            weights = " ".join(map(str, matrix.ravel().tolist()))
            text = explicit("FULL_MATRIX", weights, size, kind)
            instance = nr.read(save(tmp_path, text))
            result = nr.solve(
                instance, stop=nr.stop.MaxIterations(200), seed=1
            )
            assert nr.check_solution(instance, result.best) == []
            assert result.best.num_routes == 1
            assert result.best.cost == shortest_tour(matrix)


def test_several_salesmen_are_said(tmp_path: Path) -> None:
    """VEHICLES counts, and so do demands with a capacity."""
    text = explicit("FULL_MATRIX", WEIGHTS["FULL_MATRIX"])
    text = text.replace("DIMENSION", "VEHICLES : 2\nDIMENSION")
    kind = nr.read(save(tmp_path, text)).vehicle_types[0]
    assert kind.num_available == 2
    demands = "DEMAND_SECTION\n1 0\n2 3\n3 3\n4 3\nEOF"
    text = explicit("FULL_MATRIX", WEIGHTS["FULL_MATRIX"])
    text = text.replace("EOF", demands)
    one = nr.read(save(tmp_path, text))
    result = nr.solve(one, stop=nr.stop.MaxIterations(20), seed=1)
    assert result.best.num_routes == 1
    text = text.replace("DIMENSION", "CAPACITY : 8\nDIMENSION")
    with pytest.raises(nr.InfeasibleError):
        nr.solve(nr.read(save(tmp_path, text)), stop=nr.stop.MaxIterations(20))


def test_a_tour_is_found_in_no_time(tmp_path: Path) -> None:
    """Savings leave four routes about a hub; one of them takes all."""
    matrix = np.full((5, 5), 9)
    matrix[0] = matrix[:, 0] = 2
    np.fill_diagonal(matrix, 0)
    weights = " ".join(map(str, matrix.ravel().tolist()))
    instance = nr.read(save(tmp_path, explicit("FULL_MATRIX", weights, 5)))
    result = nr.solve(instance, time_limit=1e-6, seed=1)
    assert result.best.num_routes == 1
    assert result.best.cost == 31


def test_a_written_tour_is_read_again(tmp_path: Path) -> None:
    """The vehicle and the lengths stay."""
    instance = nr.read(save(tmp_path, placed("GEO", BURMA14)))
    nr.write_instance(tmp_path / "again.vrp", instance)
    back = nr.read(tmp_path / "again.vrp")
    assert back.vehicle_types == instance.vehicle_types
    assert back.features == instance.features
    nodes = range(14)
    assert np.array_equal(
        back.distances(nodes, nodes), instance.distances(nodes, nodes)
    )
    assert np.array_equal(
        back.require_coords("a test"), instance.require_coords("a test")
    )


@pytest.mark.parametrize("layout", WEIGHTS)
def test_layouts_of_weights(tmp_path: Path, layout: str) -> None:
    """One matrix, however it is written and broken into lines."""
    weights = WEIGHTS[layout]
    for text in (weights, weights.replace(" ", "\n"), f" {weights} "):
        instance = nr.read(save(tmp_path, explicit(layout, text)))
        assert instance.matrix is not None
        assert instance.matrix.tolist() == MATRIX
    result = nr.solve(instance, stop=nr.stop.MaxIterations(50), seed=1)
    assert result.best.cost == 14 == shortest_tour(np.array(MATRIX))
    for wrong in (f"{weights} 1", weights[:-2]):
        with pytest.raises(nr.InstanceError, match="weights for 4 nodes"):
            nr.read(save(tmp_path, explicit(layout, wrong)))


def geo_length(one: tuple[float, float], other: tuple[float, float]) -> int:
    """Return TSPLIB's length between two places, by its paper."""
    pi = 3.141592
    radians = []
    for value in (*one, *other):
        degrees = int(value)
        radians.append(pi * (degrees + 5.0 * (value - degrees) / 3.0) / 180.0)
    lat1, lon1, lat2, lon2 = radians
    q1 = math.cos(lon1 - lon2)
    q2, q3 = math.cos(lat1 - lat2), math.cos(lat1 + lat2)
    arc = math.acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3))
    return int(6378.388 * arc + 1.0)


def test_geo(tmp_path: Path) -> None:
    """Degrees and minutes; burma14 has the optimum that TSPLIB states."""
    instance = nr.read(save(tmp_path, placed("GEO", BURMA14)))
    assert instance.distances([0], [1, 2]).tolist() == [[153, 510]]
    rows = (map(float, row.split()) for row in BURMA14.splitlines())
    places = [(latitude, longitude) for latitude, longitude in rows]
    for one, other in itertools.permutations(range(14), 2):
        length = geo_length(places[one], places[other])
        assert instance.distances([one], [other]).item() == length
    result = nr.solve(instance, stop=nr.stop.MaxIterations(2000), seed=1)
    assert result.best.cost == 3323
    # 16.47 N are 16 degrees and 47 minutes; x is the longitude.
    first = instance.require_coords("a test")[0]
    assert first == pytest.approx([96 + 10 / 60, 16 + 47 / 60])


def test_geo_of_the_south_and_west(tmp_path: Path) -> None:
    """Minutes have the sign of the degrees; one place is 1 from itself."""
    text = placed("GEO", "-33.30 -70.40\n-34.36 -58.22\n-34.36 -58.22")
    instance = nr.read(save(tmp_path, text))
    expected = geo_length((-33.30, -70.40), (-34.36, -58.22))
    assert instance.distances([0], [0, 1]).tolist() == [[0, expected]]
    assert instance.distances([1], [2]).item() == 1
    first = instance.require_coords("a test")[0]
    assert first == pytest.approx([-70 - 40 / 60, -33.5])


@pytest.mark.parametrize(
    ("kind", "lengths"),
    [
        # sqrt(40 / 10) is 2, sqrt(25 / 10) is 1.58, sqrt(100 / 10) is 3.16.
        ("ATT", [2, 2, 4]),
        ("MAN_2D", [8, 7, 10]),
        ("MAX_2D", [6, 4, 10]),
    ],
)
def test_other_functions(
    tmp_path: Path, kind: str, lengths: list[int]
) -> None:
    """Hand-computed lengths from (0, 0) to (6, 2), (3, 4) and (10, 0)."""
    text = placed(kind, "0 0\n6 2\n3 4\n10 0")
    for metric in ("cvrplib", "round", "trunc", "none"):
        instance = nr.read(save(tmp_path, text), metric=metric)
        assert instance.distances([0], [1, 2, 3]).tolist() == [lengths]
        assert instance.is_integral
        assert instance.is_symmetric
    for metric in ("dimacs", "exact", "paper"):
        with pytest.raises(nr.InstanceError, match="EDGE_WEIGHT_TYPE: "):
            nr.read(save(tmp_path, text), metric=metric)


def test_functions_have_a_largest_size(tmp_path: Path) -> None:
    """A matrix takes memory; the message says so before it is made."""
    rows = "\n".join(f"{x} 0" for x in range(LARGEST_MATRIX + 1))
    match = f"EDGE_WEIGHT_TYPE: is supported up to {LARGEST_MATRIX} nodes"
    with pytest.raises(nr.UnsupportedProblemError, match=match):
        nr.read(save(tmp_path, placed("ATT", rows)))


def test_a_remark_is_no_type(tmp_path: Path) -> None:
    """TSPLIB names a person behind the type; other words may be a rule."""
    text = placed("EUC_2D", "0 0\n3 4\n6 8")
    for remark in ("TSP (M.~Hofmeister)", "TSP(a)", "TSP ()"):
        instance = nr.read(
            save(tmp_path, text.replace(": TSP", f": {remark}"))
        )
        assert instance.vehicle_types[0].num_available == 1
    for other in ("TSP with windows", "TOUR (a)", "(TSP)"):
        with pytest.raises(
            nr.UnsupportedProblemError, match="TYPE: must be one"
        ):
            nr.read(save(tmp_path, text.replace(": TSP", f": {other}")))


def test_harmless_keys(tmp_path: Path) -> None:
    """What says nothing about the problem may say anything."""
    text = placed("EUC_2D", "0 0\n3 4\n6 8")
    for key in (
        *("BEST_KNOWN : 20", "OPTIMAL_VALUE: 20 (proven)", "URL: a://b:c"),
        *("DISPLAY_DATA_TYPE: COORD_DISPLAY", "AUTHOR : EOF"),
        "NODE_COORD_TYPE : TWOD_COORDS",
    ):
        assert nr.read(save(tmp_path, f"{key}\n{text}")).num_customers == 2
    for key in ("SALESMEN : 2", "SERVICE : 3"):
        with pytest.raises(nr.UnsupportedProblemError, match="not supported"):
            nr.read(save(tmp_path, f"{key}\n{text}"))


@pytest.mark.parametrize("head", ["FIXED_EDGES_SECTION", "FIXED_EDGES"])
def test_fixed_edges_are_refused_by_name(tmp_path: Path, head: str) -> None:
    """As a section of TSPLIB, with the word or without."""
    text = placed("EUC_2D", "0 0\n3 4\n6 8")
    text = text.replace("EOF", f"{head}\n1 2\n-1\nEOF")
    match = "FIXED_EDGES: edges that a tour must contain"
    with pytest.raises(nr.UnsupportedProblemError, match=match):
        nr.read(save(tmp_path, text))


def test_other_formats_are_refused_by_name(tmp_path: Path) -> None:
    """Cordeau's text and Pessoa's kinds of vehicles are known."""
    cordeau = "2 1 2 1\n0 80\n1 0 10 0 1 1 1 1\n2 10 0 0 1 1 1 1\n"
    match = r"is in Cordeau's text format \(MDVRP\), which is not read"
    with pytest.raises(nr.UnsupportedProblemError, match=match):
        nr.read(written(tmp_path, cordeau + "3 0 0 0 0 0 0\n", "p01"))
    for other in ("9 1 2 1\n0 80\n1 0 10", "2 1 2\n0 80\n1 0", "1 2 3 4\n"):
        with pytest.raises(nr.InstanceError, match="KEY : value"):
            nr.read(written(tmp_path, other, "p02"))
    pessoa = "TYPE : HFVRP\nDIMENSION : 2\nVEHICLE_KINDS : 2\nCAPACITIES\n1 2"
    match = "VEHICLE_KINDS: is of Pessoa's HFVRP format, which is not read"
    with pytest.raises(nr.UnsupportedProblemError, match=match):
        nr.read(save(tmp_path, pessoa))
