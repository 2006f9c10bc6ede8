"""Areas of GeoJSON: points within them, and the borders that they share."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_route.app import main
from ncc_routing.desk.areas import borders_of, inner_point, read_areas
from tests.oracles.system import keeping_handlers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WIDTH, HEIGHT = 5, 4
CORNERS = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]


def square(x: float, y: float, size: float = 0.01) -> list[list[float]]:
    """Return the corners of a square, in degrees."""
    return [[8 + (x + a) * size, 50 + (y + b) * size] for a, b in CORNERS]


def feature(shape: Any, name: str = "", **about: Any) -> dict[str, Any]:
    """Return a feature with a polygon, or with another geometry."""
    if isinstance(shape, list):
        shape = {"type": "Polygon", "coordinates": shape}
    found = {"type": "Feature", "geometry": shape, "properties": about}
    return {**found, "id": name} if name else found


def collected(features: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a collection of features."""
    return {"type": "FeatureCollection", "features": features}


def lattice() -> dict[str, Any]:
    """Return squares side by side, which cover a rectangle."""
    return collected(
        [
            feature([square(x, y)], id=f"{x}/{y}", weight=1 + (x + y) % 2)
            for y in range(HEIGHT)
            for x in range(WIDTH)
        ]
    )


class GeoDataFrame:
    """What is used of geopandas."""

    columns = ("id", "weight", "geometry")

    def __init__(self, content: Any, *, is_projected: bool) -> None:
        self._content = content
        self.geom_type = ["Polygon", "Polygon"]
        self.crs = self
        self.is_geographic = not is_projected

    def __getitem__(self, name: str) -> Any:
        """Return a column."""
        raise AssertionError(name)

    def to_crs(self, code: int) -> GeoDataFrame:
        """Return it in degrees."""
        assert (code, self.is_geographic) == (4326, False)
        return GeoDataFrame(self._content, is_projected=False)

    @property
    def __geo_interface__(self) -> Any:
        assert self.is_geographic
        return self._content


def as_file(content: Any, folder: Path) -> Any:
    """Return a file of the areas."""
    path = folder / "land.geojson"
    path.write_text(json.dumps(content))
    return path


def as_frame(content: Any, folder: Path) -> Any:
    """Return what looks like a GeoDataFrame in metres."""
    return GeoDataFrame(content, is_projected=True)


def as_geopandas(content: Any, folder: Path) -> Any:
    """Return a GeoDataFrame in metres."""
    geopandas = pytest.importorskip("geopandas")
    frame = geopandas.GeoDataFrame.from_features(content, crs=4326)
    return frame.to_crs(25832)


@pytest.mark.parametrize(
    "make", [lambda content, _: content, as_file, as_frame, as_geopandas]
)
def test_territories_are_made_of_areas(
    make: Callable[[Any, Path], Any], tmp_path: Path
) -> None:
    """Each is connected by borders, and keeps the capacity."""
    areas = make(lattice(), tmp_path)
    found = nr.cluster(areas, 4, 8, graph=areas, time_limit=0.2)
    points = found.points
    assert points.ids is not None
    assert points.ids[:2] == ("0/0", "1/0")
    assert found.loads.sum() == WIDTH * HEIGHT * 1.5
    assert nr.check_clustering(points, found) == []
    ends = {tuple(each) for each in points.rules.graph[:, :2].astype(int)}
    cells = np.arange(WIDTH * HEIGHT).reshape(HEIGHT, WIDTH)
    beside = zip(cells[:, :-1].ravel(), cells[:, 1:].ravel(), strict=True)
    above = zip(cells[:-1].ravel(), cells[1:].ravel(), strict=True)
    assert ends == {*beside, *above}
    assert points.lonlat is not None
    middles = [[8.005 + x / 100, 50.005] for x in range(WIDTH)]
    assert points.lonlat[:WIDTH] == pytest.approx(np.array(middles), abs=1e-4)


def is_inside(place: tuple[float, float], rings: list[Any]) -> bool:
    """Whether a line upwards from a place leaves a polygon, by its sides."""
    x, y = place
    crossings = 0
    for ring in rings:
        for (x0, y0), (x1, y1) in pairwise(ring):
            if (x0 > x) != (x1 > x):
                crossings += y0 + (x - x0) * (y1 - y0) / (x1 - x0) > y
    return crossings % 2 == 1


def test_points_are_within_their_areas() -> None:
    """Of stars with holes, and of several parts: the widest one counts."""
    rng = np.random.default_rng(7)
    features, shapes = [], []
    for number in range(300):
        parts = []
        for part in range(1 + number % 3):
            turns = np.sort(rng.random(rng.integers(3, 15))) * 2 * np.pi
            turns = np.unique([*turns, *(np.arange(4) * np.pi / 2)])
            rays = np.column_stack([np.cos(turns), np.sin(turns)])
            outer = rays * rng.uniform(0.5, 2.0, (len(turns), 1)) + 5 * part
            rings = [outer, 0.2 * rays + 5 * part][: 1 + number % 2]
            parts.append(
                [[*ring.tolist(), ring[0].tolist()] for ring in rings]
            )
        shapes.append(parts)
        features.append(
            feature({"type": "MultiPolygon", "coordinates": parts})
        )
    areas = read_areas(collected(features))
    for area, parts in zip(areas, shapes, strict=True):
        place = inner_point(area)
        assert sum(is_inside(place, rings) for rings in parts) == 1


def test_shared_sides_are_borders() -> None:
    """One has a side of a degree; two areas touch at a corner alone."""
    areas = [
        feature([square(0, 0, 1.0)], "a"),
        feature([square(1, 0, 1.0)], "b", ID="east"),
        feature([square(2, 1, 1.0)]),
    ]
    [(one, other, length)] = borders_of(read_areas(collected(areas)))
    assert (one, other) == ("a", "east")
    assert length == pytest.approx(111_195, rel=1e-3)
    assert [area.name for area in read_areas(collected(areas))][2] == "2"


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (
            feature({"type": "Point", "coordinates": [1, 2]}),
            "0 is no polygon but Point",
        ),
        (feature(None), "0 is no polygon but None"),
        ({"type": "Feature"}, "'geometry'"),
        (feature([[["x", 1]]]), "could not convert"),
        (feature([[[8, 50], [9, 50], [8, 50]]]), "area 0: must not be empty"),
        (feature([square(0, 0)], lon=3), "lon: is the place in the area"),
    ],
)
def test_what_is_no_area_is_refused(
    broken: dict[str, Any], words: str, tmp_path: Path
) -> None:
    """By the number of the feature, or the name of the property."""
    file = as_file(collected([broken]), tmp_path)
    with pytest.raises(nr.InstanceError, match=words):
        nr.read_points(file, capacity=9)


def test_the_command_takes_areas(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As points, and as the graph."""
    file = as_file(lattice(), tmp_path)
    line = f"cluster {file} --graph {file} --capacity 8 -k 4 --time-limit 0.2"
    monkeypatch.setattr("sys.argv", ["ncc-route", *line.split(), "--json"])
    with keeping_handlers(), pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    found = json.loads(capsys.readouterr().out)
    assert (found["points"], found["num_points"]) == ("land", 20)
    assert max(np.bincount(found["labels"])) <= 8
