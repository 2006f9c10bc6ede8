"""Open routes in all outputs: no customer is lost, and no depot is drawn."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

import numpy as np

import ncc_routing as nr
from ncc_routing.desk.routes import read_plan
from ncc_routing.plotting.gantt import plot_timetable
from ncc_routing.plotting.html import routes_html
from ncc_routing.plotting.routes import plot_solution
from ncc_routing.plotting.svg import routes_svg

if TYPE_CHECKING:
    from pathlib import Path


def test_outputs_have_all_stops_of_open_routes(tmp_path: Path) -> None:
    """A route without a start, one without an end, and two without both."""
    ends = [(None, 0), (0, None), (None, None), (None, None)]
    types = tuple(
        nr.VehicleType(capacity=9, start_depot=start, end_depot=end)
        for start, end in ends
    )
    places = [[8.0, 50.0], *([8.0 + k / 100, 50.1] for k in range(1, 8))]
    instance = nr.Instance(
        "open",
        np.array([0, *[1] * 7]),
        coords=np.array(places),
        is_geographic=True,
        speed=10.0,
        fleet=nr.Fleet(types),
    )
    routes = ((1, 2), (3, 4), (5, 6), (7,))
    plan = nr.Solution.from_routes(instance, routes, [0, 1, 2, 3])
    page = routes_html(instance, plan)
    data = json.loads(
        page.split('"application/json">')[1].split("</script>")[0]
    )
    groups = data["groups"]
    assert [one["members"] for one in groups] == [list(r) for r in routes]
    assert [one["ends"] for one in groups] == [
        *([None, 0], [0, None]),
        *([None, None], [None, None]),
    ]
    assert [len(one["distances"]) for one in groups] == [2, 2, 1, 0]
    assert [len(one["times"]["arrival"]) for one in groups] == [3, 3, 2, 1]
    svg = routes_svg(instance, plan)
    legs, *drawn = re.findall(r"<g .*?</g>", svg, re.DOTALL)
    assert (legs.count("<path"), len(drawn)) == (2, 4)
    figure = plot_solution(instance, plan)
    lines = [
        cast("Any", one).get_segments()
        for one in figure.axes[0].collections[:2]
    ]
    assert [sorted(map(len, own)) for own in lines] == [[1, 2, 2, 2], [2, 2]]
    assert plot_timetable(instance, plan).axes

    for name in ("plan.csv", "plan.geojson", "plan.json", "plan.xlsx"):
        nr.solve(
            instance, nr.stop.MaxIterations(0), initial_solution=plan
        ).write(tmp_path / name)
    features = json.loads((tmp_path / "plan.geojson").read_text())["features"]
    routed = [
        (one["properties"]["customer"], one["properties"]["position"])
        for one in features
        if "customer" in one["properties"]
    ]
    assert routed == [(1, 1), (2, 2), (3, 1), (4, 2), (5, 1), (6, 2), (7, 1)]
    for name in ("plan.csv", "plan.json", "plan.xlsx"):
        read = read_plan(tmp_path / name, instance)
        assert read.routes == routes
