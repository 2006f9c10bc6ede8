"""Vehicles and depots as tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.desk.vehicles import read_vehicles
from ncc_routing.problems.values import NO_LIMIT
from tests.oracles.refusals import written

if TYPE_CHECKING:
    from pathlib import Path

ROWS: dict[str, Any] = {
    "id": ["north", "south", "ann", "bob", "eve"],
    "x": [0, 0, 1, 2, 1],
    "y": [9, 0, 8, 1, 2],
    "demand": [0, 0, 2, 3, 1],
    "depot": [1, 1, 0, 0, 0],
}


def place_of(instance: nr.Instance, depot: int | None) -> list[float]:
    """Return the coordinates of a depot; further ones are the last nodes."""
    assert depot is not None
    assert instance.coords is not None
    node = depot and instance.num_customers + depot
    return [float(each) for each in instance.coords[node]]


def test_every_column_becomes_a_field(tmp_path: Path) -> None:
    """With units in names, clock times, decimal commas and empty cells."""
    file = written(
        tmp_path,
        "Name;count;Payload;shift start;shift end;latest start;fixed costs;"
        "cost per km;cost_per_hour;max_distance_km;max_duration;"
        "cost per driving hour;max driving time;max stops;min stops;min load;"
        "speed factor;phone\n"
        "van;2;6;8:00;5 p.m.;9:00;12,5;0,5;36;100;7:30;72;4 h;25;3;2;1,5;red\n"
        "bike;1;2;;;;;;;;;;;;;;;\n",
    )
    van, bike = read_vehicles(file).types
    assert van == nr.VehicleType(
        capacity=6,
        num_available=2,
        fixed_cost=12.5,
        unit_distance_cost=0.0005,
        unit_duration_cost=0.01,
        tw_early=28800,
        tw_late=61200,
        start_late=32400,
        shift_duration=27000,
        max_distance=100_000,
        unit_driving_cost=0.02,
        max_driving_time=14400,
        max_stops=25,
        min_stops=3,
        min_load=2,
        speed_factor=1.5,
        name="van",
    )
    assert bike == nr.VehicleType(capacity=2, num_available=1, name="bike")
    assert bike.max_distance == NO_LIMIT


def test_a_factor_of_the_services() -> None:
    """Rounded to the unit; of customers alone, who must be there."""
    stops = {**ROWS, "service": [0, 0, 10, 5, 0]}
    vans = {
        "name": ["crew", "van"],
        "capacity": [9, 9],
        "depot": ["south", "south"],
        "service factor": [0.5, ""],
    }
    read = nr.read(stops, vans)
    crew, van = read.vehicle_types
    service = dict(zip(read.node_ids, crew.service_durations, strict=True))
    assert service == {"north": 0, "south": 0, "ann": 5, "bob": 2, "eve": 0}
    assert van.service_durations == ()
    vans["service factor"] = [-1, 1]
    with pytest.raises(nr.InstanceError, match="service factor"):
        nr.read(stops, vans)
    vans["service factor"] = [2, 1]
    with pytest.raises(nr.InstanceError, match="needs the customers"):
        read_vehicles(vans, depots=("north", "south"))


def test_places_of_vehicles_become_depots() -> None:
    """One starts at (9, 8) and ends anywhere, the other one at the depot."""
    vans: dict[str, Any] = {
        "name": ["v", "w"],
        "capacity": [5, 5],
        "start x": [9, ""],
        "start y": [8, ""],
        "end depot": ["No", ""],  # an empty word elsewhere
    }
    instance = nr.read({**ROWS, "depot": [1, 0, 0, 0, 0]}, vans)
    assert instance.ids == ("north", *ROWS["id"][1:], "start of v")
    assert instance.coords is not None
    assert instance.coords[5].tolist() == [9, 8]
    ends = [(k.start_depot, k.end_depot) for k in instance.vehicle_types]
    assert ends == [(1, None), (0, 0)]
    for changes, message in (
        ({"start x": ["nine", ""]}, "row 1 .*must be a finite number"),
        ({"start y": [8, 1]}, "needs both start_x and start_y"),
        ({"start lat": [8, 1]}, "of the same kind as the customers'"),
    ):
        with pytest.raises(nr.InstanceError, match=message):
            nr.read({**ROWS, "depot": [1, 0, 0, 0, 0]}, {**vans, **changes})
    with pytest.raises(nr.InstanceError, match="needs the customers beside"):
        read_vehicles(vans)


NOON, HALF = 43200, 1800

BREAKS: dict[str, Any] = {
    **dict.fromkeys(
        (
            "30 min 11:30-13:30",
            "30 min (11:30-13:30)",
            "11:30-13:30, 30 min",
            "0:30 11:30 - 13:30",
            "30' entre 11h30 et 13h30",
            "30 min zwischen 11:30 und 13:30 Uhr",
        ),
        ((HALF, ((NOON - HALF, NOON + 3 * HALF),)),),
    ),
    **dict.fromkeys(
        ("12-13", "12:00-13:00", "12 - 13 Uhr", "1 h at 12:00", "12:00 1 h"),
        ((3600, ((NOON, NOON),)),),
    ),
    "1 h 30": ((5400, ((0, NO_LIMIT),)),),
    "23:30-00:15": ((2700, ((84600, 84600),)),),
    "30 min after 12:00": ((HALF, ((NOON, NO_LIMIT),)),),
    **dict.fromkeys(
        (
            *("15 min 9-10; 12:00-12:30", "15 min 9-10, 12:00-12:30"),
            "15 min 9-10; 12-12:30",
        ),
        ((900, ((32400, 36000),)), (HALF, ((NOON, NOON),))),
    ),
    "": (),
    "none": (),
    # Noon is no length, and no break ends before it begins.
    **dict.fromkeys(("12:00", "0900", "lunch", "12-12"), "must be br"),
    "5 min; 5 min; 5 min; 5 min": "at most 3 breaks",
}


@pytest.mark.parametrize("cell", BREAKS)
def test_cells_of_breaks(cell: str) -> None:
    """A length and when it may begin, or a time from and to; noon is 12."""
    rows = {"capacity": [5, 5], "Lunch break": ["10 min 9:00-9:30", cell]}
    if isinstance(BREAKS[cell], str):
        with pytest.raises(nr.InstanceError, match=BREAKS[cell]):
            read_vehicles(rows)
        return
    _, found = read_vehicles(rows).types
    breaks = ((one.duration, one.windows) for one in found.breaks)
    assert tuple(breaks) == BREAKS[cell]


def test_columns_of_breaks() -> None:
    """Two breaks, one of them unpaid; without durations, from and to."""
    titles = ["capacity", "Pausendauer", "Pause von", "Pause bis"]
    titles += ["break duration 2", "break from 2", "break until 2"]
    cells = [5, "30 min", "11:30", "13:30", "15 min", "", "10:00"]
    more = {"break paid": ["no"], "break max load": [3]}
    rows = {title: [cell] for title, cell in zip(titles, cells, strict=True)}
    [found] = read_vehicles(rows | more).types
    assert found.breaks == (
        nr.Break(HALF, ((41400, 48600),), False, (3,)),
        nr.Break(900, ((0, 36000),), False, (3,)),
    )
    ends: dict[str, Any] = {"debut pause": ["12:00"], "fin pause": ["13:00"]}
    [found] = read_vehicles({"capacity": [5], **ends}).types
    assert found.breaks == (nr.Break(3600, ((NOON, NOON),)),)
    for changes, message in (
        ({"fin pause": [""]}, "needs a column break_duration"),
        (
            {"fin pause": ["11:00"]},
            "fin pause: must not be before the break may begin|needs a",
        ),
        ({"break": ["12-13"]}, "mean the same"),
        ({"break duration": ["0"]}, "column break duration: must be at l"),
    ):
        with pytest.raises(nr.InstanceError, match=message):
            read_vehicles({"capacity": [5], **ends, **changes})


def test_columns_of_price_steps() -> None:
    """What is included, and what more costs, in the units of their names."""
    rows = {
        "capacity": [9, 9],
        "included km": [100, ""],
        "cost per extra km": [2, 2],
        "included duration": ["8:00", "8:00"],
        "cost per extra duration h": [36, ""],
        "Kosten pro Mehrstopp": [5, 5],
    }
    first, second = read_vehicles(rows).types
    stops = nr.PriceStep("stops", 0, 5)
    assert first.price_steps == (
        nr.PriceStep("distance", 100_000, 0.002),
        nr.PriceStep("duration", 28_800, 0.01),
        stops,
    )
    assert second.price_steps == (nr.PriceStep("distance", 0, 0.002), stops)
    for changes, message in (
        ({"included stops": [3, 3]}, ""),
        ({"free driving time h": [3, 3]}, "needs a column cost_per_extra_d"),
        ({"cost per extra km": [-1, 2]}, "cost per extra km"),
        ({"included km": [-1, 2]}, "included km"),
    ):
        if not message:
            [step] = read_vehicles(rows | changes).types[1].price_steps[1:]
            assert step.beyond == 3
            continue
        with pytest.raises(nr.InstanceError, match=message):
            read_vehicles(rows | changes)


def test_columns_of_balances() -> None:
    """Types with equal cells share a balance, in the units of the names."""
    rows = {
        "capacity": [9, 9],
        "max duration spread": ["0:30", ""],
        "cost per km spread": [2, 2],
        "cost per largest stop": ["", 5],
    }
    first, second = read_vehicles(rows).types
    length = nr.Balance("distance", spread_cost=0.002)
    assert first.balances == (
        length,
        nr.Balance("duration", max_spread=1800),
    )
    assert second.balances == (length, nr.Balance("stops", largest_cost=5))
    with pytest.raises(nr.InstanceError, match="cost per km spread"):
        read_vehicles(rows | {"cost per km spread": [-1, 2]})


def test_prices_of_loads_are_of_the_units_of_the_table() -> None:
    """Where loads have tenths, so do the limits, and prices are a tenth."""
    vans = {
        "capacity": [9],
        "included load": [2.5],
        "cost per extra load": ["3"],
        "max load spread": [4],
        "cost per largest load": [5],
    }
    places = {"x": [0, 3], "y": [0, 4], "demand": [0, 1]}
    [van] = nr.read(places, vans).vehicle_types
    assert van.price_steps == (nr.PriceStep("load", 25, 0.3),)
    assert van.balances == (nr.Balance("load", 0.5, max_spread=40),)
    with pytest.raises(nr.InstanceError, match=r"extra load.* got -3"):
        nr.read(places, vans | {"cost per extra load": [-3]})
    step, balance = nr.PriceStep("load", 2, 3), nr.Balance("load", 5)
    van = nr.VehicleType(capacity=9, price_steps=(step,), balances=(balance,))
    fleet = nr.Fleet((van,))
    [van] = nr.read(places | {"demand": [0, 1.5]}, fleet).vehicle_types
    assert van.price_steps == (nr.PriceStep("load", 20, 0.3),)
    assert van.balances == (nr.Balance("load", 0.5),)


def test_start_and_end_with_times_of_day_are_shifts() -> None:
    """Without such times they may be depots, and are asked about."""
    rows: dict[str, Any] = {"capacity": [5, 6]}
    start: list[Any] = ["8:00", "9 a.m."]
    end: list[Any] = ["16:30", ""]
    found = read_vehicles({**rows, "start": start, "End": end}).types
    assert [each.tw_early for each in found] == [28800, 32400]
    assert [each.tw_late for each in found] == [59400, NO_LIMIT]
    instance = nr.read(
        {"x": [0, 3], "y": [0, 4], "demand": [0, 1]},
        {**rows, "start": start},
        speed="1m/s",
    )
    assert instance.vehicle_types[1].tw_early == 32400
    for cells, message in (
        (["north", "south"], "--columns start_depot=start or --ignore"),
        ([8, 9], "--columns shift_start=start or --ignore"),
        # A time, or a place.
        (["8:00", "south"], "start.*did you mean .*shift_start"),
    ):
        with pytest.raises(nr.UnsupportedProblemError, match=message):
            read_vehicles({**rows, "start": cells})
    kinds = read_vehicles(
        {**rows, "start": ["a", "none"], "end depot": ["none", ""]},
        columns={"start_depot": "start"},
        depots=["a"],
    ).types
    assert [each.start_depot for each in kinds] == [0, None]
    assert [each.end_depot for each in kinds] == [None, 0]
    kinds = read_vehicles(
        {**rows, "start": ["a", "b"], "end depot": ["b", "a"]},
        depots=["a", "b"],
        columns={"start_depot": "start"},
    ).types
    assert [each.start_depot for each in kinds] == [0, 1]
    with pytest.raises(nr.InstanceError, match="name the same field"):
        read_vehicles({**rows, "start": start, "shift start": start})
    ignored = read_vehicles(
        {"capacity": [5, 6], "start": start}, ignore_columns=["start"]
    )
    assert [each.tw_early for each in ignored.types] == [0, 0]


TWO_TABLES: dict[str, Any] = {
    "customers": [
        {"id": "ann", "x": 3, "y": 4, "demand": 2},
        {"id": "bob", "x": 6, "y": 8, "demand": 3},
    ],
    "Vehicles": [{"name": "van", "number": 2, "capacity": 6, "due": 50}],
    "depot": {"id": "home", "x": 0, "y": 0},
}


def test_json_holds_both_tables(tmp_path: Path) -> None:
    """As a file and as a mapping; an argument counts more."""
    file = written(tmp_path, json.dumps(TWO_TABLES), "day.json")
    van = nr.VehicleType(capacity=6, num_available=2, tw_late=50, name="van")
    for source in (file, TWO_TABLES):
        found = nr.read(source)
        assert found.ids == ("home", "ann", "bob")
        assert found.fleet == nr.Fleet((van,))
        again = nr.read(source, [{"capacity": 9}])
        assert again.fleet == nr.Fleet(
            (nr.VehicleType(capacity=9, num_available=1),)
        )
    columns = {**TWO_TABLES, "Vehicles": {"capacity": [7], "due": [50]}}
    assert nr.read(columns).capacity == 7
    depots = [{"id": name, "x": 0, "y": 0, "demand": 0} for name in "ab"]
    for row in depots:
        row["depot"] = "yes"
    customers = [*depots, *TWO_TABLES["customers"]]
    vehicles = [{"capacity": 6, "depot": name} for name in "ab"]
    both = nr.read({"customers": customers, "vehicles": vehicles})
    assert both.num_depots == 2


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"Vehicles": []}, "day.json: vehicles: vehicles: must be a list of"),
        ({"Vehicles": 2}, "day.json: vehicles: vehicles: must be a list of"),
        ({"Vehicles": "v.csv"}, "vehicles: must be a list of objects"),
        (
            {"Vehicles": [{"due": "x"}]},
            "day.json: vehicles: row 1, column due",
        ),
        ({"orders": [{"x": 1}]}, "day.json: orders: is not known beside cu"),
        ({"Customers": [{"x": 1}]}, "columns: a name must appear once"),
        ({"customers": []}, "customers: must be a list of objects, not only"),
    ],
)
def test_what_json_says_beside_the_tables_is_read_or_refused(
    tmp_path: Path, more: dict[str, Any], message: str
) -> None:
    """With the name of the file and of what is wrong."""
    content = json.dumps({**TWO_TABLES, **more})
    with pytest.raises(nr.NccRoutingError, match=message):
        nr.read(written(tmp_path, content, "day.json"))


def test_vehicles_alone_have_nothing_beside_them() -> None:
    """A capacity there would be lost, and customers are none."""
    rows = [{"name": "van", "capacity": 6}]
    assert read_vehicles({"vans": rows}).num_vehicles == 1
    with pytest.raises(nr.InstanceError, match="shift_end: is not known"):
        read_vehicles({"vehicles": rows, "shift_end": 9})
    with pytest.raises(nr.InstanceError, match="vehicles: must be a list"):
        read_vehicles({"customers": rows})


def test_a_row_is_one_vehicle() -> None:
    """Where nothing says how many, and the capacity may be said beside."""
    fleet = read_vehicles({"id": ["a", "b"]}, 7)
    assert fleet.num_vehicles == 2
    assert fleet.capacity == 7


def test_vehicles_are_part_of_the_problem() -> None:
    """Depots stand first and last; vehicles name theirs by their ids."""
    vehicles: dict[str, Any] = {
        "name": ["a", "b"],
        "capacity": [4, 5],
        "start_depot": ["south", "north"],
        "end_depot": ["north", ""],
    }
    with pytest.raises(
        nr.InstanceError, match=r"row 2 \(id b\), column end_dep"
    ):
        nr.read(ROWS, vehicles=vehicles)
    vehicles["end_depot"][1] = "north"
    instance = nr.read(ROWS, vehicles=vehicles)
    assert instance.ids == ("north", "ann", "bob", "eve", "south")
    assert instance.depots == (0, 4)
    assert instance.capacity == 5
    starts = [(t.start_depot, t.end_depot) for t in instance.vehicle_types]
    assert starts == [(1, 0), (0, 0)]
    best = nr.solve(instance, time_limit=0.5).best
    assert nr.check_solution(instance, best) == []
    same = nr.read(
        ROWS, vehicles=read_vehicles(vehicles, depots=["north", "south"])
    )
    assert same.fleet == instance.fleet


def test_a_depot_has_hours_and_one_name_for_both_ends() -> None:
    """Its window counts for the routes; depot is start and end."""
    hours = {"open": [0, 0, 2, 0, 0], "close": [50, 60, 9, "", ""]}
    vehicles = {"capacity": [9, 9], "depot": ["north", "south"]}
    instance = nr.read({**ROWS, **hours}, vehicles=vehicles)
    assert instance.windows is not None
    assert instance.windows.tw_early.tolist() == [0, 2, 0, 0, 0]
    assert instance.windows.tw_late.tolist() == [
        *(50, 9, NO_LIMIT, NO_LIMIT, 60),
    ]
    ends = [(t.start_depot, t.end_depot) for t in instance.vehicle_types]
    assert ends == [(0, 0), (1, 1)]


def test_plain_numbers_go_with_a_clock_of_the_other_table() -> None:
    """Units are compared across both tables."""
    rows = {**ROWS, "depot": [1, 0, 0, 0, 0], "service": [0, 5, 5, 5, 5]}
    rows["demand"] = [0, 1, 1, 1, 1]
    vehicles = {"capacity": [9], "shift_start": ["8:00"]}
    with pytest.raises(
        nr.InstanceError, match=r"row 2 .*column service: has numbers"
    ):
        nr.read(rows, vehicles=vehicles, speed="1m/s")
    instance = nr.read(rows, vehicles=vehicles, speed="1m/s", time_unit="min")
    assert instance.windows is not None
    assert instance.windows.service_durations.tolist()[1:] == [300] * 4


def test_vehicle_types_stand_for_a_fleet() -> None:
    """One of them, or a list."""
    rows = [{"id": "yard", "x": 0, "y": 0}, {"id": "ann", "x": 3, "y": 4}]
    van = nr.VehicleType(capacity=5, num_available=2)
    for given in (van, [van], (van,), nr.Fleet((van,))):
        assert nr.read(rows, given).fleet == nr.Fleet((van,))


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("return to depot", "no"),
        ("Round-trip", "0"),
        ("R\u00fcckkehr zum Depot", "nein"),
        ("retour au d\u00e9p\u00f4t", "non"),
        ("ida y vuelta", "false"),
        ("ritorno", "NO"),
    ],
)
def test_vehicles_that_do_not_return(name: str, cell: str) -> None:
    """They end at the last customer, in five languages; others return."""
    customers = {"id": [*"dab"], "x": [0, 1, 2], "y": [0] * 3}
    rows = {"name": ["p", "q", "r"], "capacity": [9] * 3}
    found = nr.read(customers, {**rows, name: [cell, "1", ""]})
    assert [each.end_depot for each in found.vehicle_types] == [None, 0, 0]
    # Each ends where it starts, or where it likes.
    depots = {"home depot": ["north", "south", "south"]}
    found = nr.read(ROWS, {**rows, **depots, name: [cell, "1", ""]})
    assert [
        (each.start_depot, each.end_depot) for each in found.vehicle_types
    ] == [(0, None), (1, 1), (1, 1)]
    places = {"home x": [7, 8, 9], "home y": [0, 0, 0]}
    found = nr.read(customers, {**rows, **places, name: [cell, "1", ""]})
    assert found.vehicle_types[0].end_depot is None
    assert place_of(found, found.vehicle_types[1].end_depot) == [8, 0]


def test_a_vehicle_that_does_not_return_has_no_end() -> None:
    """Both cannot be said of a vehicle."""
    rows = {"capacity": [9], "return": ["no"], "end depot": ["north"]}
    with pytest.raises(nr.InstanceError, match="name the same field"):
        nr.read(ROWS, {**rows, "start depot": ["north"]})
    with pytest.raises(nr.InstanceError, match="must be yes or no"):
        nr.read(ROWS, {"capacity": [9], "return": ["rarely"]})


@pytest.mark.parametrize("name", ["active", "Saturday", "aktiv", "actif"])
def test_no_is_not_nothing_where_yes_is_usual(name: str) -> None:
    """A vehicle that is not active is asked about."""
    customers = {"x": [0, 1], "y": [0, 0]}
    with pytest.raises(nr.UnsupportedProblemError, match=name.lower()):
        nr.read(customers, [{"capacity": 9, name: "no"}])


@pytest.mark.parametrize(
    ("lat", "lon", "ends"),
    [
        ("lat", "lng", ("start", "end")),
        ("home.latitude", "home.longitude", ("start", "end")),
        ("depot latitud", "depot longitud", ("start", "end")),
        ("start.location.lat", "start.location.lon", ("start",)),
        ("geo_lat d\u00e9part", "geo_lng d\u00e9part", ("start",)),
        ("Ziel Breitengrad", "Ziel L\u00e4ngengrad", ("end",)),
    ],
)
def test_places_of_vehicles_have_the_names_of_customers(
    lat: str, lon: str, ends: tuple[str, ...]
) -> None:
    """Where both ends are meant, the name says neither."""
    customers = [
        {"id": "yard", "location.lat": 48.0, "location.lng": 2.0},
        {"id": "a", "location.lat": 48.1, "location.lng": 2.1},
    ]
    found = nr.read(customers, [{"capacity": 9, lat: 48.2, lon: 2.2}])
    (van,) = found.vehicle_types
    for end in ("start", "end"):
        depot = getattr(van, f"{end}_depot")
        place = [2.2, 48.2] if end in ends else [2.0, 48.0]
        assert place_of(found, depot) == place


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("km max distance", "max_distance", 7_000),
        ("cost per km driven", "unit_distance_cost", 0.007),
        ("hours on duty, most", "shift_duration", 25_200),
        ("max duration min", "shift_duration", 420),
        # A letter, and the least, are units at the end only.
        ("minimum h of duty", "shift_duration", 7),
    ],
)
def test_a_unit_counts_anywhere_in_a_name(
    name: str, field: str, value: float
) -> None:
    """Also where the name itself is given a field."""
    columns = {"shift_duration": "max_duration"}
    columns |= {"unit_distance_cost": "cost_per_distance"}
    rows = [{"capacity": 9, name: 7}]
    taken = {columns.get(field, field): name}
    assert getattr(read_vehicles(rows, columns=taken).types[0], field) == value


def test_metres_that_are_guessed_are_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Beside longitudes and latitudes; a unit in the name is no guess."""
    customers = {"lat": [48, 49], "lon": [2, 3], "demand": [0, 1]}
    nr.read(customers, [{"capacity": 9, "max distance": 300_000}])
    assert "max distance: counted in metres" in caplog.text
    caplog.clear()
    nr.read(customers, [{"capacity": 9, "max distance km": 300}])
    assert "metres" not in caplog.text


def test_a_price_of_time_says_where_its_unit_stands() -> None:
    """In the name of the column."""
    rows = {"x": [0, 1], "y": [0, 0], "preferred": ["", "8:00-9:00"]}
    with pytest.raises(nr.InstanceError, match="such as late cost per hour"):
        nr.read({**rows, "late cost": ["", 9]}, capacity=9, speed="36km/h")


@pytest.mark.parametrize(
    "name",
    [
        "one way",
        "openRoute",
        "Einweg",
        "aller simple",
        "solo ida",
        "no return",
    ],
)
def test_vehicles_whose_routes_are_open(name: str) -> None:
    """Yes says what no says of a return; both must not be at odds."""
    customers = {"id": [*"dab"], "x": [0, 1, 2], "y": [0] * 3}
    rows = {"name": ["p", "q", "r"], "capacity": [9] * 3}
    found = nr.read(customers, {**rows, name: ["yes", "0", ""]})
    assert [each.end_depot for each in found.vehicle_types] == [None, 0, 0]
    both = {**rows, name: ["yes", "0", ""], "return": ["yes"] * 3}
    with pytest.raises(nr.InstanceError, match="name the same field"):
        nr.read(customers, both)


def test_vehicles_with_places_of_their_own_reload_at_the_only_depot() -> None:
    """Yes is that depot, no is none; one of several must be named."""
    customers = {"id": [*"dab"], "x": [0, 1, 2], "y": [0] * 3}
    rows = {
        "name": ["p", "q", "r", "s"],
        "capacity": [9] * 4,
        "start x": [7, 8, 9, 6],
        "start y": [0] * 4,
    }
    reload = {"reload": ["yes", "no", "", "start of p"]}
    found = nr.read(customers, rows | reload)
    assert [each.reload_depots for each in found.vehicle_types] == [
        *((0,), (), ()),
        (1,),
    ]
    with pytest.raises(nr.InstanceError, match="ids of depots"):
        nr.read(ROWS, rows | {"depot": ["north"] * 4} | reload)


def test_vehicles_that_start_at_home_load_at_the_depot(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once, or as stated, unless their drivers have the goods."""
    customers = {
        "id": [*"dab"],
        "x": [0, 1, 2],
        "y": [0] * 3,
        "demand": [0, 2, 3],
    }
    homes: dict[str, Any] = {
        "name": [*"pqrs"],
        "capacity": [9] * 4,
        "start x": [7, 8, 9, ""],
        "start y": [0, 0, 0, ""],
    }
    found = nr.read(customers, homes).vehicle_types
    assert [each.starts_empty for each in found] == [True] * 3 + [False]
    assert [each.max_reloads for each in found[:3]] == [1] * 3
    assert "load at the depot first" in caplog.text
    homes |= {"Ware bei": ["Fahrer", "Lager", "", "Lager"]}
    homes |= {"reload": ["", "yes", "no", "d"]}
    found = nr.read(customers, homes).vehicle_types
    assert [
        (each.starts_empty, each.reload_depots, each.max_reloads)
        for each in found
    ] == [
        (False, (), NO_LIMIT),
        (True, (0,), NO_LIMIT),
        (True, (0,), 1),
        (True, (0,), NO_LIMIT),
    ]
    best = nr.solve(nr.read(customers, homes), time_limit=0.1).best
    assert sum(best.routes, ()).count(0) <= 1
    at_depot = {"name": ["p"], "capacity": [9], "home x": [0], "home y": [0]}
    for more in ({}, {"goods at": ["depot"]}):
        (van,) = nr.read(customers, at_depot | more).vehicle_types
        assert (van.start_depot, van.starts_empty) == (0, False)
    del customers["demand"]  # nobody brings anything
    homes.pop("Ware bei")
    found = nr.read(customers, homes).vehicle_types
    assert not any(each.starts_empty for each in found)
    with pytest.raises(nr.InstanceError, match="must be depot or driver"):
        nr.read(customers, {**homes, "goods at": ["moon", "", "", ""]})


SPEEDS = [{"id": "d", "lat": 0, "lon": 0}, {"id": "a", "lat": 1, "lon": 0}]


def test_vehicles_have_speeds() -> None:
    """Durations are those of the fastest, and slower ones have a factor."""
    cells: list[Any] = [36, "18"]
    vans = [{"capacity": 9, "Geschwindigkeit (km/h)": one} for one in cells]
    found = nr.read(SPEEDS, vans)
    assert found.speed == 10
    assert [one.speed_factor for one in found.vehicle_types] == [1, 0.5]
    assert nr.read(SPEEDS, vans[:1]).vehicle_types[0].speed_factor == 1
    for title in ("speed", "Vitesse moyenne", "velocidad"):
        same = [{"capacity": 9, title: one} for one in ("36 km/h", "5m/s")]
        types = nr.read(SPEEDS, same).vehicle_types
        assert [one.speed_factor for one in types] == [1, 0.5]
    vans.append({"capacity": 9, "Geschwindigkeit (km/h)": ""})
    found = nr.read(SPEEDS, vans, speed="20m/s")
    assert found.speed == 20
    assert [one.speed_factor for one in found.vehicle_types] == [0.5, 0.25, 1]


@pytest.mark.parametrize(
    ("more", "options", "rule"),
    [
        ({}, {"speed": "9km/h"}, r"speed km/h: must be in the table or an op"),
        ({"speed factor": 1}, {}, "and column speed factor name the same"),
        ({"speed km/h": 0}, {}, "must be above 0, got '0'"),
        ({"speed km/h": ""}, {}, "must be there, or that of the others an op"),
        ({"speed km/h": "fast"}, {}, "must be a finite number, got 'fast'"),
        ({"speed km/h": "0 km/h"}, {}, r"row 1.*speed.*got '0 km/h'"),
    ],
)
def test_wrong_speeds_are_refused(
    more: dict[str, Any], options: dict[str, Any], rule: str
) -> None:
    """A speed must be positive, and said once."""
    van = {"capacity": 9, "speed km/h": 30}
    with pytest.raises(nr.InstanceError, match=rule):
        nr.read(
            SPEEDS, [{**van, **more}, {**van, "speed km/h": 40}], **options
        )
