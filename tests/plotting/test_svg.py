"""What a notebook shows of a result: text and a small still picture."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import numpy as np

from ncc_routing import (
    Fleet,
    Instance,
    PointSet,
    Solution,
    VehicleType,
    cluster,
    solve,
)
from ncc_routing.clustering.objectives import summarize
from ncc_routing.plotting import clusters_svg, routes_svg
from ncc_routing.plotting.svg import html_card

SVG = "{http://www.w3.org/2000/svg}"


def test_routes_depot_and_names(square: Instance) -> None:
    """Corners in whole units with a margin of 20, y downwards."""
    solution = Solution.from_routes(square, [[1, 4], [2, 3]])
    root = ET.fromstring(routes_svg(square, solution, width=208))
    assert (root.get("viewBox"), root.get("width")) == ("0 0 1040 1040", "208")
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == [
        "Route 1: 2 customers, load 5, cost 242",
        "Route 2: 2 customers, load 5, cost 242",
        "Depot",
    ]
    legs, first, second = root.findall(f"{SVG}g")
    assert [path.get("d") for path in legs] == [
        "M520 520L20 1020M520 520L20 20",
        "M520 520L1020 1020M520 520L1020 20",
    ]
    assert [path.get("d") for path in first.findall(f"{SVG}path")] == [
        "M20 1020L20 20",
        "M20 1020h0M20 20h0",
    ]
    assert first.get("stroke") != second.get("stroke")


def test_clusters_hulls_and_centers() -> None:
    """A hull for each used cluster and a cross for its center."""
    points = PointSet(
        np.array([[0, 0], [2, 0], [10, 10]]), np.array([1, 1, 2]), 2, "three"
    )
    found = summarize(points, np.array([0, 0, 2]), 3, "inertia")
    root = ET.fromstring(clusters_svg(points, found))
    assert root.get("aria-label") == "three: 3 clusters"
    assert [title.text for title in root.iter(f"{SVG}title")] == [
        "Cluster 0: 2 points, load 2",
        "Cluster 2: 1 point, load 2",
    ]
    hull = root.findall(f"{SVG}g")[0].findall(f"{SVG}path")[0]
    assert hull.get("d") == "M20 1020L220 1020Z"
    crosses = root.findall(f"{SVG}path")[0].get("d")
    assert crosses == "M113 1013l14 14m-14 0l14-14M1013 13l14 14m-14 0l14-14"


def test_thousand_customers_stay_small() -> None:
    """Below 100 KB, so that a notebook can hold many pictures."""
    rng = np.random.default_rng(1)
    demands, coords = np.arange(1001).clip(0, 1), rng.random((1001, 2))
    instance = Instance("thousand", demands, 10, coords=1000 * coords)
    routes = 1 + np.arange(1000).reshape(100, 10)
    solution = Solution.from_routes(instance, routes.tolist())
    assert len(routes_svg(instance, solution)) < 100_000


def test_every_depot_is_marked(
    two_depots: Instance, two_depots_plan: Solution
) -> None:
    """Routes begin and end at the depot of their type."""
    root = ET.fromstring(routes_svg(two_depots, two_depots_plan))
    titles = [title.text for title in root.iter(f"{SVG}title")]
    assert titles == [
        "Route 1: 2 customers, load 7, cost 45",
        "Route 2: 2 customers, load 7, cost 80",
        "Depot",
        "Depot",
    ]
    legs = root.findall(f"{SVG}g")[0]
    assert [path.get("d") for path in legs] == [
        "M20 20L120 20M20 20L220 20",
        "M1020 20L920 20M1020 20L820 20",
    ]


def test_a_reload_is_no_customer(square: Instance) -> None:
    """Nor do the trips before and after it add up."""
    fleet = Fleet((VehicleType(capacity=5, reload_depots=(0,)),))
    able = replace(square, fleet=fleet)
    solution = Solution.from_routes(able, [[1, 4, 0, 2, 3]])
    root = ET.fromstring(routes_svg(able, solution))
    title = next(root.iter(f"{SVG}title")).text
    assert title == "Route 1: 4 customers, load 5, cost 484"


def test_text_is_escaped() -> None:
    """A name cannot become markup."""
    card = html_card("<script>alert(1)</script>", "<svg/>")
    assert "<script>" not in card
    assert "&lt;script&gt;" in card
    assert "<svg/>" in card


def test_results_show_text_and_picture(square: Instance) -> None:
    """The summary, and a drawing that is well-formed."""
    routes = solve(square, polish="none")
    assert square.coords is not None
    clusters = cluster(square.coords, 2, 3)
    for result in (routes, clusters):
        card = result._repr_html_()
        assert result.summary().splitlines()[0] in card
        drawing = re.search(r"<svg.*</svg>", card, re.DOTALL)
        assert drawing is not None
        ET.fromstring(drawing[0])


def test_a_matrix_has_no_picture() -> None:
    """The text alone, where there is nothing to draw."""
    matrix = np.ones((3, 3)) - np.eye(3)
    instance = Instance("table", np.array([0, 1, 1]), 2, matrix=matrix)
    assert "<svg" not in solve(instance, polish="none")._repr_html_()


def test_the_trace_is_drawn(square: Instance) -> None:
    """A figure of matplotlib with the costs of the trace."""
    result = solve(square, time_limit=0.3)
    axes = result.plot_trace().axes[0]
    heights = {y for line in axes.lines for y in np.asarray(line.get_ydata())}
    assert {point.cost for point in result.trace} <= heights


def test_names_are_escaped_and_one_place_is_drawn() -> None:
    """No extent and a name with markup still make well-formed XML."""
    name = '<b> & "c"'
    instance = Instance(name, np.array([0, 1]), 1, coords=np.ones((2, 2)))
    root = ET.fromstring(routes_svg(instance, Solution(((1,),), 0.0)))
    assert root.get("aria-label") == f"{name}: 1 route"
