"""A day that is driven row by row, with every parcel and where it is.

Nothing of the package is imported. Plans are lists of rows, as of a timetable.
"""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

Row = dict[str, Any]

STAYS = (
    *("kind", "id", "vehicle_name", "vehicle", "arrival", "waiting"),
    *("service_start", "load", "delivered", "picked_up", "distance"),
)
"""Cells that are known once a row has begun."""


def cells_of(row: Row) -> list[Any]:
    """Return the cells that stay; nothing and no number are the same."""
    cells = [row[name] for name in STAYS]
    return [None if one is None or one != one else one for one in cells]


@dataclass(eq=False)
class Order:
    """What is brought and what is fetched.

    ``source`` is the pickup of a shipment. ``place`` of what is brought is
    "depot", "lost", "there", a van, or "" for a shipment that is not fetched;
    ``lost_by`` is the number of the vehicle that lost it.
    """

    delivery: int = 0
    pickup: int = 0
    source: str = ""
    place: Any = ""
    lost_by: int = 0


@dataclass(eq=False)
class Van:
    """What a vehicle has done, its goods by order, and its last plan."""

    rows: list[Row] = field(default_factory=list)
    goods: dict[str, int] = field(default_factory=dict)
    plan: list[Row] = field(default_factory=list)
    is_dead: bool = False

    @property
    def has_served_nobody(self) -> bool:
        """Whether it has been at its depot alone."""
        return all(row["kind"] != "customer" for row in self.rows)

    def next_stop(self) -> Row | None:
        """Return the next row of its plan that is no break."""
        ahead = self.plan[len(self.rows) :]
        return next((row for row in ahead if row["kind"] != "break"), None)


class World:
    """Orders, vehicles and depots of a day, at a moment."""

    def __init__(self, orders: dict[str, Order], depots: set[str]) -> None:
        self.orders, self.depots, self.now = orders, depots, 0.0
        self.vans: list[Van] = []
        for order in orders.values():
            order.place = "" if order.source else "depot"

    def add(self, name: str, order: Order) -> None:
        """Take in an order, whose goods are at the depot."""
        self.orders[name] = order
        order.place = "depot"

    def cancel(self, name: str) -> None:
        """Let nobody ask for an order; goods on board stay there."""
        ends = {name, self.orders[name].source}
        ends |= {k for k, one in self.orders.items() if one.source == name}
        for end in ends - {""}:
            del self.orders[end]

    def stop(self, van: Van, *, transfer: bool) -> None:
        """Let a vehicle drive no further, and its goods be lost or back.

        Goods of one that is loading are at the depot.
        """
        [*_, last] = (row for row in van.rows if row["kind"] != "break")
        is_loading = last["kind"] == "depot" and last["departure"] >= self.now
        if is_loading and van.has_served_nobody:
            self._give_up(van)
            return
        van.is_dead = True
        for name in van.goods.keys() & self.orders.keys():
            order = self.orders[name]
            if order.place is van:
                order.place = "depot" if transfer or is_loading else "lost"
                order.source, order.lost_by = "", van.plan[0]["vehicle"]

    def drive(self, rows: list[Row], until: float) -> None:
        """Let all happen that a plan has before a moment."""
        routes = [list(own) for _, own in groupby(rows, lambda r: r["route"])]
        vans = self.vans_of(routes)
        for van, route in zip(vans, routes, strict=True):
            van.plan, van.rows = route, route[: len(van.rows)]
        events = sorted(
            # Goods that come back at a time can be loaded then.
            (row["service_start"], row["kind"] != "depot" or place == 0, *key)
            for number, route in enumerate(routes)
            for place, row in enumerate(route)
            for key in [(number, place)]
            if place >= len(vans[number].rows) and row["service_start"] < until
        )
        for _, _, number, place in events:
            van, row = vans[number], routes[number][place]
            if van not in self.vans:
                self.vans.append(van)
            van.rows.append(row)
            if row["kind"] == "depot":
                self._unload(van)
                self._load(van, routes[number][place + 1 :])
            elif row["kind"] == "customer" and row["id"] in self.orders:
                self._serve(van, row["id"])
            if row["kind"] != "break":
                load = sum(van.goods.values())
                assert row["load"] == load, (row, van.goods)
        self.now = until

    def _give_up(self, van: Van) -> None:
        """Let a vehicle that is at its depot have no route."""
        self._unload(van)
        self.vans.remove(van)

    def _unload(self, van: Van) -> None:
        for name in van.goods.keys() & self.orders.keys():
            order = self.orders[name]
            if order.place is van:
                order.place, order.source = "depot", ""
        van.goods.clear()

    def _load(self, van: Van, ahead: list[Row]) -> None:
        for row in ahead:
            if row["kind"] == "depot":
                return
            order = self.orders.get(row["id"], Order())
            if order.delivery and not order.source:
                assert order.place == "depot", (row, order.place)
                order.place, van.goods[row["id"]] = van, order.delivery

    def _serve(self, van: Van, name: str) -> None:
        order = self.orders[name]
        if order.delivery:
            assert order.place is van, (name, order.place)
            order.place = "there"
            del van.goods[name]
        to = next((k for k, o in self.orders.items() if o.source == name), "")
        if to:
            self.orders[to].place = van
        if order.pickup:
            van.goods[to or f"from {name}"] = order.pickup

    def vans_of(self, routes: list[list[Row]]) -> list[Van]:
        """Return the van of each route; one that has begun has just one."""
        vans = [Van() for _ in routes]
        for van in [*self.vans]:
            past = list(map(cells_of, van.rows))
            found = [
                number
                for number, route in enumerate(routes)
                if list(map(cells_of, route[: len(past)])) == past
            ]
            if not found and van.has_served_nobody:
                self._give_up(van)
                continue
            if len(found) != 1:
                tries = [
                    [cells_of(r) for r in route[: len(past)]]
                    for route in routes
                ]
                raise AssertionError(f"{self.now}:\n{past}\n{tries}")
            vans[found[0]] = van
        return vans

    def require(self, rows: list[Row]) -> None:
        """Require a plan to go on from now, and to be driven to its end."""
        routes = [list(own) for _, own in groupby(rows, lambda r: r["route"])]
        for van, route in zip(self.vans_of(routes), routes, strict=True):
            size = len(van.rows)
            for old, new in zip(van.rows, route, strict=False):
                if old["departure"] < self.now:
                    assert old["departure"] == new["departure"], (old, new)
                else:
                    assert new["departure"] >= self.now, (old, new)
            ahead = [row for row in route[size:] if row["kind"] != "break"]
            last = van.rows[-1]["departure"] if van.rows else self.now
            bound = van.next_stop()
            is_bound = last < self.now and bound is not None
            if bound is not None and last < self.now and not van.is_dead:
                assert ahead[0]["id"] == bound["id"], (bound, ahead)
            stops = [row for row in route if row["kind"] != "break"]
            for before, row in pairwise(stops):
                far = math.dist(*((r["x"], r["y"]) for r in (before, row)))
                far = math.floor(far + 0.5)
                assert row["distance"] - before["distance"] == far
                assert row["arrival"] - before["departure"] >= far
            for number, row in enumerate(ahead[:-1]):
                is_next = number == 0 and (is_bound or row["kind"] == "depot")
                assert row["departure"] >= self.now, row
                assert row["service_start"] >= self.now or is_next, row
        deepcopy(self).drive(rows, float("inf"))
