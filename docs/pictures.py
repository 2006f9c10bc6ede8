"""Draw the pictures that no notebook makes, into their folders.

``python docs/pictures.py SCORER RUNS``, with ``docs`` on the path. SCORER is a
scorer that knows the places of the river, as the code of the record
``learned_places`` trains it; RUNS has the folders ``cvrp`` and ``ccp`` of
``ncc-route train`` for the paper's network. The page is taken by ``chromium``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
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


KINDS = "Café", "Hotel", "Studio", "Bistro", "Villa", "Bakery"
NAMES = "Rosa", "Post", "Nord", "Sol", "Linde", "Anker", "Mitte", "Ring"
DRIVERS = "Anna", "Ben", "Carla", "David", "Emma"
CHOSEN = 26
"""A dispatcher's day, and the customer whom the page shows."""


def a_day() -> nr.Instance:
    """Return orders with names, for drivers with shifts."""
    rng = np.random.default_rng(7)
    windows = "", "", "8:00-12:00", "9:00-11:00", "13:00-17:00"
    yard = {"id": "D", "name": "Depot", "lat": 50.9637, "lon": 7.0053}
    orders: list[dict[str, Any]] = [
        {
            "id": 1001 + number,
            "name": " ".join(words),
            "address": f"{rng.choice(NAMES)} Street {rng.integers(1, 90)}",
            "lat": round(50.94 + 0.03 * rng.standard_normal(), 4),
            "lon": round(6.95 + 0.05 * rng.standard_normal(), 4),
            "demand": int(10 * rng.integers(2, 12)),
            "window": str(rng.choice(windows)),
            "service_min": int(5 * rng.integers(1, 5)),
        }
        for number, words in enumerate(product(KINDS, NAMES))
    ]
    vehicles = [
        {"driver": name, "capacity": 750, "shift": "7:00-16:00"}
        for name in DRIVERS
    ]
    return nr.read(
        [yard, *orders], vehicles, speed="40km/h", detour=1.3, name="Monday"
    )


def take_the_page() -> None:
    """Take the page of a day, with a customer chosen."""
    plan = nr.solve(a_day(), time_limit=5.0, seed=1)
    with TemporaryDirectory() as folder:
        page = Path(folder, "plan.html")
        plan.write(page)
        head, _, tail = page.read_text("utf-8").rpartition("</script>")
        choice = f"actions.pickPoint({CHOSEN});</script>"
        page.write_text(head + choice + tail, "utf-8")
        subprocess.run(
            [
                *("chromium", "--headless", "--no-sandbox"),
                *("--hide-scrollbars", "--window-size=1280,800"),
                *("--virtual-time-budget=3000", page.as_uri()),
                f"--screenshot={DOCS / '_static' / 'page.png'}",
            ],
            check=True,
        )


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
    take_the_page()
    draw_the_river(Path(sys.argv[1]))
    draw_the_paper(Path(sys.argv[2]))
