"""Solutions as GeoJSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.io.geojson import write_geojson
from ncc_routing.problems.routes.timetable import list_stops

if TYPE_CHECKING:
    from pathlib import Path


def written(
    folder: Path, instance: nr.Instance, solution: nr.Solution
) -> list[dict[str, Any]]:
    """Write a file, and return its features."""
    file = folder / "routes.geojson"
    write_geojson(file, instance, solution)
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["type"] == "FeatureCollection"
    return list(content["features"])


def test_ids_are_kept(square: nr.Instance, tmp_path: Path) -> None:
    """Those of customers and of the depot."""
    named = replace(square, ids=("home", "a", "b", "c", "d"))
    solution = nr.Solution.from_routes(named, [[4, 1], [2]])
    features = written(tmp_path, named, solution)
    facts = [feature["properties"] for feature in features]
    ids = [fact["id"] for fact in facts if fact["kind"] != "route"]
    assert ids == ["home", "a", "b", "c", "d"]


def test_routes_customers_and_depot_are_features(
    square: nr.Instance, tmp_path: Path
) -> None:
    """Lines go from the depot and back; a customer of no route says so."""
    solution = nr.Solution.from_routes(square, [[4, 1], [2]])
    depot, first, second, *customers = written(tmp_path, square, solution)
    assert depot == {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": [50, 50]},
        "properties": {"kind": "depot"},
    }
    line = [[50, 50], [0, 100], [0, 0], [50, 50]]
    facts = {"route": 1, "title": "Route 1", "max_load": 5, "cost": 242}
    facts |= {"distance": 242, "num_customers": 2}
    assert first == {
        "type": "Feature",
        "geometry": {"type": "LineString", "coordinates": line},
        "properties": {"kind": "route", **facts},
    }
    assert second["properties"]["route"] == 2
    names = ("customer", "delivered", "route", "position")
    found = [[f["properties"].get(n) for n in names] for f in customers]
    expected = [[1, 1, 1, 2], [2, 2, 2, 1], [3, *[None] * 3], [4, 4, 1, 1]]
    assert found == expected
    places = [f["geometry"]["coordinates"] for f in customers]
    assert places == [[0, 0], [100, 0], [100, 100], [0, 100]]


def test_coordinates_are_needed(tmp_path: Path) -> None:
    """A matrix has no places, and no file is left."""
    matrix = nr.Instance("m", np.array([0, 1]), 1, matrix=np.zeros((2, 2)))
    with pytest.raises(nr.InstanceError, match="GeoJSON"):
        write_geojson(
            tmp_path / "m.geojson", matrix, nr.Solution(((1,),), 0.0)
        )
    assert list(tmp_path.iterdir()) == []


def test_depots_and_vehicle_types(
    two_depots: nr.Instance, two_depots_plan: nr.Solution, tmp_path: Path
) -> None:
    """A point for each depot, and a line from the one of the type."""
    features = written(tmp_path, two_depots, two_depots_plan)
    depots = [f for f in features if f["properties"]["kind"] == "depot"]
    assert [f["geometry"]["coordinates"] for f in depots] == [[0, 0], [100, 0]]
    routes = [f for f in features if f["properties"]["kind"] == "route"]
    assert [f["properties"]["vehicle_type"] for f in routes] == [0, 1]
    line = routes[1]["geometry"]["coordinates"]
    assert line == [[100, 0], [90, 0], [80, 0], [100, 0]]
    customers = [f for f in features if f["properties"]["kind"] == "customer"]
    assert len(customers) == 4


def test_reloads_are_no_customers(square: nr.Instance, tmp_path: Path) -> None:
    """The load is the largest one on board; positions are those of stops."""
    fleet = nr.Fleet((nr.VehicleType(capacity=5, reload_depots=(0,)),))
    able = replace(square, fleet=fleet)
    solution = nr.Solution.from_routes(able, [[1, 4, 0, 2, 3]])
    _, route, *customers = (
        feature["properties"] for feature in written(tmp_path, able, solution)
    )
    assert (route["num_customers"], route["max_load"]) == (4, 5)
    positions = [facts["position"] for facts in customers]
    assert positions == [1, 4, 5, 2]
    table = list_stops(able, solution)
    stops = dict(zip(table["id"], table["stop"], strict=True))
    assert positions == [stops[str(customer)] for customer in range(1, 5)]


def test_times_are_properties(
    two_depots: nr.Instance, two_depots_plan: nr.Solution, tmp_path: Path
) -> None:
    """Vehicle 3 leaves the second depot for customers 4 and 3."""
    features = written(tmp_path, two_depots, two_depots_plan)
    facts = [feature["properties"] for feature in features]
    route = next(fact for fact in facts if fact.get("vehicle") == 3)
    assert (route["start"], route["end"], route["distance"]) == (0, 50, 40)
    stop = next(fact for fact in facts if fact.get("customer") == 3)
    names = ("position", "arrival", "waiting", "service_start", "departure")
    assert [stop[name] for name in names] == [2, 25, 0, 25, 30]
    assert (stop["load"], stop["distance"]) == (0, 20)


@pytest.mark.parametrize("places", [(-180.0, 180.0), (180.0, -180.0)])
def test_a_line_along_the_antimeridian(
    tmp_path: Path, places: tuple[float, float]
) -> None:
    """Both longitudes are the same one."""
    rows = [
        {"lon": lon, "lat": lat, "demand": demand}
        for lon, lat, demand in zip(
            places, (-17.0, -18.0), (0, 1), strict=True
        )
    ]
    instance = nr.read(rows, capacity=5)
    plan = nr.Solution.from_routes(instance, [[1]])
    write_geojson(tmp_path / "a.geojson", instance, plan)
    assert "NaN" not in (tmp_path / "a.geojson").read_text()


def test_lines_are_cut_at_the_antimeridian(tmp_path: Path) -> None:
    """Otherwise a map draws them around the world."""
    rows = [
        {"lon": 179.0, "lat": -17.0, "demand": 0},
        {"lon": -179.0, "lat": -18.0, "demand": 1},
    ]
    instance = nr.read(rows, capacity=5)
    plan = nr.Solution.from_routes(instance, [[1]])
    write_geojson(tmp_path / "a.geojson", instance, plan)
    content = json.loads((tmp_path / "a.geojson").read_text())
    [shape] = [
        each["geometry"]
        for each in content["features"]
        if each["properties"]["kind"] == "route"
    ]
    assert shape["type"] == "MultiLineString"
    assert shape["coordinates"] == [
        [[179.0, -17.0], [180.0, -17.5]],
        [[-180.0, -17.5], [-179.0, -18.0], [-180.0, -17.5]],
        [[180.0, -17.5], [179.0, -17.0]],
    ]
