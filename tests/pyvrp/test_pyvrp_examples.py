"""The topics of PyVRP's guides, each as a model on a line.

Locations lie at whole numbers, the depot at 0 unless a test says otherwise.
Lengths and durations are differences, so that a tour costs twice the way to
its furthest stop on either side.
"""

from __future__ import annotations

from typing import Any

import pyvrp

import ncc_routing as nr
from ncc_routing.pyvrp.adapter import objective_of

NUM_ITERATIONS = 300


class Line(pyvrp.Model):
    """A model of stops on a line."""

    def at(self, place: int) -> Any:
        """Return a new location there."""
        return self.add_location(place, 0)

    def depot(self, place: int = 0, **fields: Any) -> Any:
        """Add a depot and return it."""
        return self.add_depot(self.at(place), **fields)

    def client(self, place: int, **fields: Any) -> Any:
        """Add a client and return it."""
        return self.add_client(self.at(place), **fields)

    def shipment(self, pickup: int, delivery: int, **fields: Any) -> Any:
        """Add a shipment and return it."""
        return self.add_shipment(self.at(pickup), self.at(delivery), **fields)

    def drive(self, closed: Any = (), profile: Any = None) -> None:
        """Add all edges but those between pairs of places that are closed."""
        for start in self.locations:
            for end in self.locations:
                if (start.x, end.x) not in closed:
                    way = int(abs(start.x - end.x))
                    self.add_edge(start, end, way, way, profile=profile)


def in_progress(model: pyvrp.Model) -> pyvrp.Solution:
    """Return a start that PyVRP calls feasible and complete."""
    data = model.data()
    assert nr.supports(model) == nr.supports(data) == []
    start = nr.warm_start(
        model, stop=pyvrp.stop.MaxIterations(NUM_ITERATIONS), seed=1
    )
    assert start.is_feasible()
    assert start.is_complete()
    found = pyvrp.solve(
        data, pyvrp.stop.MaxIterations(20), initial_solution=start
    )
    assert found.cost() == objective_of(start)
    return start


def cost_of(model: pyvrp.Model) -> int:
    """Return the cost of a start."""
    return objective_of(in_progress(model))


def visits(route: pyvrp.Route) -> list[int]:
    """Return the numbers of the clients of a route, in order."""
    return [stop.idx for stop in route if stop.is_client()]


def test_deliveries_alone() -> None:
    """Eleven units fit into a vehicle of 11; of two of 10 one stays near."""
    for capacity, cost in ((11, 60), (10, 80)):
        model = Line()
        model.depot()
        model.add_vehicle_type(2, capacity=capacity)
        for place, amount in ((10, 4), (20, 4), (30, 3)):
            model.client(place, delivery=amount)
        model.drive()
        assert cost_of(model) == cost, capacity


def test_windows_and_shifts() -> None:
    """Both sides in one tour take until 30 and 40; else two are paid."""
    for late, shift, cost in (
        (30, 40, 45),
        (29, 40, 50),
        (30, 39, 50),
    ):
        model = Line()
        model.depot()
        model.add_vehicle_type(2, fixed_cost=5, shift_duration=shift)
        model.client(10, tw_late=late)
        model.client(-10, tw_late=late)
        model.drive()
        assert cost_of(model) == cost, (late, shift)


def test_services_and_waiting() -> None:
    """Twenty on the way, 3 and 2 at stops, and 4 of waiting for a window."""
    model = Line()
    model.depot(service_duration=2)
    model.add_vehicle_type(unit_distance_cost=0, unit_duration_cost=1)
    model.client(10, service_duration=3)
    model.drive()
    assert cost_of(model) == 25
    model = Line()
    model.depot(service_duration=2)
    model.add_vehicle_type(
        unit_distance_cost=0, unit_duration_cost=1, start_late=0
    )
    model.client(10, service_duration=3, tw_early=16)
    model.drive()
    assert cost_of(model) == 29


def test_release_times() -> None:
    """Goods that come at 6 reach 10 at 16, and a window until then."""
    model = Line()
    model.depot()
    model.add_vehicle_type(
        unit_distance_cost=0, unit_duration_cost=1, start_late=6
    )
    model.client(10, release_time=6, tw_late=16)
    model.drive()
    start = in_progress(model)
    assert objective_of(start) == 20
    assert start.routes()[0].start_time() == 6


def test_overtime() -> None:
    """Four of 24 are beyond a shift of 20, and cost five more each."""
    model = Line()
    model.depot()
    model.add_vehicle_type(
        shift_duration=20,
        max_overtime=4,
        unit_distance_cost=0,
        unit_duration_cost=1,
        unit_overtime_cost=5,
    )
    model.client(12)
    model.drive()
    assert cost_of(model) == 24 + 4 * 5


def test_several_depots() -> None:
    """Each client is served from the depot on his side."""
    model = Line()
    for place in (0, 100):
        home = model.depot(place)
        model.add_vehicle_type(start_depot=home, end_depot=home)
    model.client(10)
    model.client(90)
    model.drive()
    assert cost_of(model) == 40


def test_vehicles_that_end_elsewhere() -> None:
    """The way from 0 by 10 to 30 is 30, and a detour to 40 is 20."""
    model = Line()
    first, last = model.depot(0), model.depot(30)
    model.add_vehicle_type(start_depot=first, end_depot=last)
    model.client(10)
    model.client(40)
    model.drive()
    assert cost_of(model) == 50


def test_pickups_beside_deliveries() -> None:
    """Who takes 4 and gives 6 comes after whoever takes 5 of 9."""
    for capacity, cost in ((9, 40), (8, 60)):
        model = Line()
        model.depot()
        model.add_vehicle_type(2, capacity=capacity)
        model.client(10, delivery=4, pickup=6)
        model.client(20, delivery=5)
        model.drive()
        start = in_progress(model)
        assert objective_of(start) == cost, capacity
        if capacity == 9:
            assert visits(start.routes()[0]) == [1, 0]


def test_initial_loads() -> None:
    """What is on board stays there, and leaves room for 6 of 8, or less."""
    for on_board, cost in ((2, 40), (3, 60)):
        model = Line()
        model.depot()
        model.add_vehicle_type(2, capacity=8, initial_load=on_board)
        model.client(10, delivery=5)
        model.client(20, delivery=1)
        model.drive()
        assert cost_of(model) == cost, on_board


def test_several_loads() -> None:
    """The second dimension is a skill of the dearer vehicle alone."""
    for capacity, cost in ((10, 40 + 15), (9, 40 + 20 + 15)):
        model = Line()
        model.depot()
        model.add_vehicle_type(capacity=[10, 0])
        model.add_vehicle_type(capacity=[capacity, 1], fixed_cost=15)
        model.client(10, delivery=[5, 1])
        model.client(20, delivery=[5, 0])
        model.drive()
        assert cost_of(model) == cost, capacity


def test_optional_clients() -> None:
    """A detour of 20 is worth a prize of 21, and not one of 19."""
    model = Line()
    model.depot()
    model.add_vehicle_type()
    model.client(10, prize=21, required=False)
    model.client(-10, prize=19, required=False)
    model.drive()
    start = in_progress(model)
    assert objective_of(start) == 20 + 19
    assert visits(start.routes()[0]) == [0]
    assert start.uncollected_prizes() == 19


def test_one_of_a_group() -> None:
    """The alternative on the way is taken, though another one is nearer."""
    for required in (True, False):
        model = Line()
        model.depot()
        model.add_vehicle_type()
        group = model.add_client_group(required=required)
        model.client(10, group=group, required=False)
        model.client(-30, group=group, required=False, prize=1)
        model.client(-40)
        model.drive()
        start = in_progress(model)
        assert objective_of(start) == 80
        assert sorted(visits(start.routes()[0])) == [1, 2]


def test_shipments() -> None:
    """Two that go opposite ways are one tour of 60, where that is allowed."""
    for longest, cost in ((60, 60), (59, 80)):
        model = Line()
        model.depot()
        model.add_vehicle_type(2, capacity=1, max_distance=longest)
        model.shipment(10, -10, amount=1)
        model.shipment(-10, 10, amount=1)
        model.drive()
        assert cost_of(model) == cost, longest


def test_shipments_beside_clients() -> None:
    """A parcel from 20 to 30 waits until the delivery to 10 has left room.

    An optional parcel, to the other side, is not worth its prize.
    """
    model = Line()
    model.depot()
    model.add_vehicle_type(capacity=3)
    model.client(10, delivery=3)
    model.shipment(20, 30, amount=3)
    model.shipment(-10, -20, amount=1, prize=39, required=False)
    model.drive()
    start = in_progress(model)
    assert objective_of(start) == 60 + 39
    assert visits(start.routes()[0]) == [0]


def test_reloading() -> None:
    """Twelve units on a vehicle of 8 are two trips of 20."""
    model = Line()
    home = model.depot()
    model.add_vehicle_type(capacity=8, reload_depots=[home], max_reloads=1)
    model.client(10, delivery=6)
    model.client(-10, delivery=6)
    model.drive()
    start = in_progress(model)
    assert objective_of(start) == 40
    assert [route.num_trips() for route in start.routes()] == [2]


def test_release_times_of_trips() -> None:
    """The second trip waits for its goods until 50, and ends at 70.

    The first one leaves at 30 at best: 40 of time and of length each.
    """
    for start_late, cost in ((30, 80), (0, 110)):
        model = Line()
        home = model.depot()
        model.add_vehicle_type(
            capacity=8,
            reload_depots=[home],
            unit_duration_cost=1,
            start_late=start_late,
        )
        model.client(10, delivery=6)
        model.client(-10, delivery=6, release_time=50)
        model.drive()
        assert cost_of(model) == cost, start_late


def test_profiles() -> None:
    """The zone at 10 is closed to the cheap vehicle, which serves the rest."""
    model = Line()
    model.depot()
    free, kept_out = model.add_profile(), model.add_profile()
    model.add_vehicle_type(profile=free, unit_distance_cost=3)
    model.add_vehicle_type(profile=kept_out)
    model.client(10)
    model.client(-20)
    model.drive(profile=free)
    model.drive(((0, 10), (-20, 10)), profile=kept_out)
    assert cost_of(model) == 3 * 20 + 40


def test_missing_edges() -> None:
    """One way from 20 to 10 is enough for a tour; none makes two of it."""
    for closed, cost in (
        ([(10, 20)], 40),
        ([(10, 20), (20, 10)], 60),
    ):
        model = Line()
        model.depot()
        model.add_vehicle_type(2)
        model.client(10)
        model.client(20)
        model.drive(closed)
        assert cost_of(model) == cost


def test_vehicles_that_pay() -> None:
    """A second vehicle that is worth 25 makes up for 20 more of length."""
    for fixed_cost, cost in ((-7, 40 - 7), (-25, 60 - 50)):
        model = Line()
        model.depot()
        model.add_vehicle_type(2, fixed_cost=fixed_cost)
        model.client(10)
        model.client(20)
        model.drive()
        assert cost_of(model) == cost, fixed_cost
