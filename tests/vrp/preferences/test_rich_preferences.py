"""Compact and consistent routes with windows, fleets and depots."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.run import Run
from ncc_routing.generators.time_windows import (
    generate_depots,
    generate_fleet,
    generate_shipments,
    generate_time_windows,
)
from ncc_routing.vrp.construction.insertion import insert_customers
from ncc_routing.vrp.packed_routes import PackedRoutes
from ncc_routing.vrp.preferences.compactness import (
    Compactness,
)
from ncc_routing.vrp.preferences.preferences import (
    Penalties,
    Preferences,
)
from ncc_routing.vrp.search.fleets import search as fleet_search
from ncc_routing.vrp.search.fleets.search import FleetSearch

if TYPE_CHECKING:
    from ncc_routing.vrp.preferences.penalties import RoutePenalties

SIZE = 60

WINDOWS = generate_time_windows(SIZE, 1, "half", "short")
FLEET = generate_fleet(SIZE, 1, "costs")
DEPOTS = generate_depots(SIZE, 2)


def reloading() -> nr.Instance:
    """Return a problem of few vehicles that make several trips each."""
    demands = 1 + np.arange(SIZE + 1) % 5
    demands[0] = 0
    van = nr.VehicleType(
        capacity=30, num_available=4, reload_depots=(0,), max_reloads=3
    )
    assert FLEET.coords is not None
    return nr.Instance(
        "trips", demands, coords=FLEET.coords, fleet=nr.Fleet((van,))
    )


TRIPS = reloading()


def sectors(instance: nr.Instance) -> list[int]:
    """Return a district for each direction of the customers from the depot."""
    assert instance.coords is not None
    arms = instance.coords - instance.coords[0]
    labels = np.floor(2.0 * np.arctan2(*arms.T)).astype(int) + 7
    labels[[*instance.depots]] = -1
    return [int(label) for label in labels]


SHIPMENTS = generate_shipments(SIZE // 2, 3)


@pytest.mark.parametrize("weight", [1.0, 20.0])
@pytest.mark.parametrize("instance", [TRIPS, SHIPMENTS, FLEET, DEPOTS])
def test_the_kernels_count_the_same(
    weight: float, instance: nr.Instance
) -> None:
    """Pairs are parted move by move; with calls, shipments and vehicles."""
    start = insert_customers(instance, Run())
    kept = Preferences(consistency=weight, reference=sectors(instance))
    penalties = kept.priced(instance, start)
    assert penalties is not None
    search = FleetSearch(instance, 1)
    search.load(start, penalties)
    for _ in range(5):
        search.run(nr.stop.MaxIterations(400), search.mean_edge(start))
        found, state = search.current(), search.state
        packed = PackedRoutes.of(found.routes)
        parted = float(penalties.penalties(packed).sum())
        assert state.penalty_cost == pytest.approx(parted)
        assert state.cost == pytest.approx(found.cost + parted)


def optional(instance: nr.Instance) -> nr.Instance:
    """Return the same problem with prizes for all customers but some."""
    size = instance.num_customers + 1
    is_required = np.arange(size) % 4 == 1
    prizes = np.where(np.arange(size) > 0, 40.0 * (np.arange(size) % 7), 0.0)
    selection = nr.Selection(prizes, is_required)
    return replace(instance, selection=selection)


@pytest.mark.parametrize("weight", [0.5, 5.0])
@pytest.mark.parametrize(
    "instance", [WINDOWS, TRIPS, SHIPMENTS, FLEET, DEPOTS, optional(WINDOWS)]
)
def test_the_kernels_count_the_same_hulls(
    weight: float, instance: nr.Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The overlap follows routes, vehicles and absences, change by change."""
    monkeypatch.setattr(fleet_search, "PRIZE_RISE", 0.0)
    start = insert_customers(instance, Run())
    priced = Preferences(compactness=weight).priced(instance, start)
    assert priced is not None
    assert isinstance(priced.compactness, Compactness)
    penalties = Penalties(replace(priced.compactness, rate=0.0))  # hulls alone
    search = FleetSearch(instance, 3)
    search.load(start, penalties)
    selection = instance.selection
    counted = set()
    for num_iterations in (0, 50, 200, 400, 800):
        search.run(
            nr.stop.MaxIterations(num_iterations), search.mean_edge(start)
        )
        found, state = search.current(), search.state
        packed = PackedRoutes.of(found.routes)
        costs = float(penalties.penalties(packed).sum())
        counted.add(costs)
        served = set(chain.from_iterable(found.routes))
        lost = selection.lost_prizes(served) if selection else 0.0
        assert state.penalty_cost == pytest.approx(costs + lost)
    assert len(counted) > 1


@dataclass(frozen=True, eq=False)
class FixedCenters(Penalties):
    """Penalties that stay, whatever the routes are."""

    fixed: RoutePenalties | None = None

    def around(self, routes: PackedRoutes) -> RoutePenalties:
        """Return the same penalties."""
        assert self.fixed is not None
        return self.fixed

    def penalties(self, routes: PackedRoutes) -> np.ndarray:
        """Return nothing: only a search counts these."""
        return np.zeros(routes.num_routes)


@pytest.mark.parametrize("instance", [WINDOWS, FLEET, DEPOTS])
def test_centers_go_with_the_routes(instance: nr.Instance) -> None:
    """No centers cost less than those that a load chooses for each route.

    A move that lost the center of a route would count too little or too much.
    """
    start = insert_customers(instance, Run())
    penalties = Preferences(compactness=3.0).priced(instance, start)
    assert penalties is not None
    fixed = FixedCenters(fixed=penalties.around(PackedRoutes.of(start.routes)))
    search, anew = FleetSearch(instance, 1), FleetSearch(instance, 1)
    search.load(start, fixed)
    for _ in range(10):
        search.run(nr.stop.MaxIterations(200), search.mean_edge(start))
        found, state = search.current(), search.state
        anew.load(found, fixed)
        assert anew.state.penalty_cost <= state.penalty_cost * (1.0 + 1e-9)
        assert state.cost == pytest.approx(found.cost + state.penalty_cost)
