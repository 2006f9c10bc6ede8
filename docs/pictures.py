"""Draw the pictures that no notebook makes, into their folders.

``python docs/pictures.py SCORER RUNS``, with ``docs`` on the path. SCORER is a
scorer that knows the places of the river, as the code of the record
``learned_places`` trains it; RUNS has the folders ``cvrp`` and ``ccp`` of
``ncc-route train`` for the paper's network.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import ncc_routing as nr
from benchmarks.harness.panels import save_svg
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.generators import generate_gmm
from ncc_routing.generators.rivers import as_on_the_map, generate_river
from ncc_routing.plotting import plot_clusters, plot_solution, save_figure
from ncc_routing.plotting.curves import plot_learning_curve

DOCS = Path(__file__).parent
SMALL = (5.0, 5.0)


def draw_the_river(scorer: Path) -> None:
    """Draw a day by its coordinates, and with a scorer."""
    river = generate_river(1000)
    today = as_on_the_map(river.day(1000))
    learned: dict[str, Any] = {"scorer": scorer, "affinity": 1.0}
    requests: dict[str, dict[str, Any]] = {"on_the_map": {}}
    for name, request in {**requests, "learned": learned}.items():
        clock = TimeLimit(2.0, clock=time.process_time)
        plan = nr.solve(today, polish="ruin-recreate", stop=clock, **request)
        figure = plan.plot(size=SMALL)
        axes = figure.axes[0]
        axes.set_autoscale_on(False)
        first, second = (tuple(place) for place in river.bridges)
        axes.axline(first, second, color="#9ac1ea", linewidth=7, zorder=0)
        axes.plot(*river.bridges.T, "ks", mfc="white", markersize=7, zorder=9)
        save_figure(figure, DOCS / "_static" / f"routes_{name}.png")


def draw_the_areas() -> None:
    """Draw the example of the first page."""
    places = np.random.default_rng(1).normal(size=(500, 2))
    areas = nr.cluster(places, 12, min_size=35, max_size=50, seed=1)
    save_figure(areas.plot(size=SMALL), DOCS / "_static" / "areas.png")


def draw_the_paper(runs: Path) -> None:
    """Draw routes and clusters of the paper's method, and its trainings."""
    folder = DOCS / "benchmarks" / "records" / "network"
    instance = nr.read("NCC-n0201-s1")
    [points] = generate_gmm(1, 200, seed=30_001)
    for method in ("ncc-paper", "ckm"):
        routes = nr.solve(instance, method=method, polish="none").best
        title = f"{method}: length {routes.cost:,.0f}"
        figure = plot_solution(
            instance, routes, hulls=True, title=title, size=SMALL
        )
        save_figure(figure, folder / f"hulls_{method}.png")
        found = nr.cluster(points, points.num_clusters, method=method)
        title = f"{method}: inertia {found.inertia:.4f}"
        figure = plot_clusters(points, found, title=title, size=SMALL)
        save_figure(figure, folder / f"clusters_{method}.png")
    for problem in ("cvrp", "ccp"):
        figure = plot_learning_curve(runs / problem / "learning_curve.csv")
        name = f"ncc_paper_{problem}_learning_curve.svg"
        save_svg(figure, folder / name)


if __name__ == "__main__":
    draw_the_areas()
    draw_the_river(Path(sys.argv[1]))
    draw_the_paper(Path(sys.argv[2]))
