"""Names of columns that may be those of a constraint."""

from __future__ import annotations

import pytest

from ncc_routing.core.exceptions import UnsupportedProblemError
from ncc_routing.io.column_words import rule_against
from ncc_routing.io.customers import problem

CONSTRAINTS = """
    ready due open close opens closes opening closing start end begin from
    to time tw window time_from time_to earliest latest deadline service
    service_duration service_minutes duration stop_time unloading_time release
    release_date shift max_distance vehicle vehicle_type driver skills required
    optional prize reward profit pickup delivery backhaul group volume pallets
    tw_open window_close service_time_min due_date time_window_1_start
    Ready-Time readytime duedate TWSTART timeWindowEnd tw1 demand_2 demand2
    weight_kg m3 qty q max_load capacity opening-hours latest.arrival(min)
    drop_off required_skills tw_early release_time home_depot departed
"""
HARMLESS = """
    note notes comment address delivery_address pickup_note phone email
    city zip postcode region route stop cluster district territory colour
    price value priority date created_time timezone contact_person label sku
    population wieght today weekend account_no url distance elevation s
"""


@pytest.mark.parametrize("name", CONSTRAINTS.split())
def test_names_of_constraints_and_loads(name: str) -> None:
    """As people write them, in any case and with anything between words."""
    assert rule_against(name) is not None
    assert rule_against(name.replace("_", " ").upper()) is not None
    assert rule_against(name.replace("_", "-")) is not None


@pytest.mark.parametrize("name", HARMLESS.split())
def test_names_that_are_harmless(name: str) -> None:
    """Texts about the place, what our own tables hold, and other words."""
    assert rule_against(name) is None


def test_names_that_are_read_are_not_asked_about() -> None:
    """They are some of the words, such as demand."""
    assert rule_against("demand") is not None
    rows = {"x": [0, 3], "y": [0, 4], "demand": [0, 1], "depot": [1, 0]}
    assert problem(rows, capacity=2).unused_columns == ()


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("from,until", r"column from: .*is not understood: .*--columns FI"),
        ("begin,end", "column begin: .*--ignore-column NAME"),
        ("note,time_slot", "column time_slot: .*is not understood"),
        ("note,pallets", "column pallets: may be another load"),
        (
            "note,papers_required",
            "column papers_required: .*no method here respects",
        ),
        ("note,open_2", "column open_2: .*is not understood"),
    ],
)
def test_no_window_is_dropped(columns: str, message: str) -> None:
    """Its column is refused, with what to do and where its value is."""
    first, second = columns.split(",")
    rows = {"x": [0, 3], "y": [0, 4], first: [0, 2], second: ["", "9"]}
    with pytest.raises(UnsupportedProblemError, match=message) as caught:
        problem(rows, capacity=2)
    assert "in row 2" in str(caught.value)


def test_unused_columns_stand_in_the_instance() -> None:
    """In their order; an empty column of a constraint is one of them."""
    rows = {"phone": ["", "7"], "x": [0, 3], "y": [0, 4], "fuel": ["", 0]}
    assert problem(rows, capacity=2).unused_columns == ("phone", "fuel")
