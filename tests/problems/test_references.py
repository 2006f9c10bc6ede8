"""Whose district a customer is in, by numbers, ids and places."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.routes.references import (
    FREE,
    nearest_districts,
    reference_labels,
)

PLACES = np.array([[0, 0], [1, 0], [2, 0], [3, 0], [0, 5], [0, 6.0]])

TODAY = nr.Instance("today", np.array([0, 1, 1, 1, 1, 1]), 9, PLACES)


def with_ids(instance: nr.Instance, letters: str) -> nr.Instance:
    """Return the instance with a letter for the id of each node."""
    return replace(instance, ids=tuple(letters))


def yesterday(nodes: list[int]) -> nr.Instance:
    """Return an instance of some nodes of today, in some order."""
    demands = np.array([0] + [1] * len(nodes))
    return nr.Instance("past", demands, 9, PLACES[[0, *nodes]])


def test_routes_are_districts_by_their_first_customers() -> None:
    """Route numbers do not count, and who is on no route is free."""
    plan = nr.Solution(((4,), (5, 1), (3,)), 0.0)
    labels = reference_labels(TODAY, plan)
    assert labels.tolist() == [FREE, 0, FREE, 1, 2, 0]
    assert labels.dtype == np.int32
    result = SimpleNamespace(instance=TODAY, routes=((1, 2), (3, 4, 5)))
    assert reference_labels(TODAY, result).tolist() == [-1, 0, 0, 1, 1, 1]


def test_reloads_are_no_customers() -> None:
    """Where a vehicle may reload; anywhere else it is a wrong number."""
    plan = nr.Solution(((2, 0, 1), (4, 3)), 0.0)
    fleet = nr.Fleet((nr.VehicleType(capacity=9, reload_depots=(0,)),))
    reloading = replace(TODAY, fleet=fleet)
    assert reference_labels(reloading, plan).tolist() == [-1, 0, 0, 1, 1, -1]
    with pytest.raises(nr.ParameterError, match="customer 0 is not in"):
        reference_labels(TODAY, plan)


def test_customers_are_known_again_by_place() -> None:
    """Yesterday had customers 5, 3 and 1 of today, and one who is gone."""
    past = yesterday([5, 3, 1])
    routes = nr.PastRoutes(past, ((1, 3), (2,)))
    assert reference_labels(TODAY, routes).tolist() == [-1, 0, -1, 1, -1, 0]


def test_several_customers_at_one_place_go_by_their_order() -> None:
    """Two at one place yesterday, three today: the third one is new."""
    past = yesterday([2, 2, 4])
    plan = nr.PastRoutes(past, ((2, 3), (1,)))
    today = yesterday([4, 2, 2, 2])
    assert reference_labels(today, plan).tolist() == [-1, 0, 1, 0, -1]


def test_ids_count_more_than_places() -> None:
    """Customer d has moved, and is the same one."""
    today = with_ids(TODAY, "0abcde")
    past = with_ids(yesterday([1, 2]), "0xd")
    plan = nr.PastRoutes(past, ((1, 2),))
    assert reference_labels(today, plan).tolist() == [-1, -1, -1, -1, 0, -1]


def test_numbers_count_where_nothing_else_is_known() -> None:
    """Matrices alone: customer k is customer k, also of fewer."""
    gaps = np.ones((4, 4)) - np.eye(4)
    today = nr.Instance("t", np.array([0, 1, 1, 1]), 9, matrix=gaps)
    past = nr.Instance("p", np.array([0, 1, 1]), 9, matrix=gaps[:3, :3])
    plan = nr.PastRoutes(past, ((2, 1),))
    assert reference_labels(today, plan).tolist() == [-1, 0, 0, -1]


def test_districts_by_id_and_by_node() -> None:
    """Names of districts, numbers of nodes, and arrays say the same."""
    lettered = with_ids(TODAY, "0abcde")
    named = {"a": "north", "c": "south", "e": "north", "gone": "south"}
    expected = [-1, 0, -1, 1, -1, 0]
    assert reference_labels(lettered, named).tolist() == expected
    by_number = {1: "north", 3: "south", 5: "north"}
    assert reference_labels(TODAY, by_number).tolist() == expected
    for labels in ([-1, 7, -1, 3, -5, 7], (0, 7, -1, 3, -5, 7)):
        assert reference_labels(TODAY, labels).tolist() == expected
        array = np.array(labels, dtype=np.int64)
        assert reference_labels(TODAY, array).tolist() == expected


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        (
            nr.Solution(((1, 6),), 0.0),
            "customer 6 is not in today, which has 5",
        ),
        (nr.Solution(((1, 0),), 0.0), "customer 0 is not in today"),
        (nr.Solution(((1, 2), (2,)), 0.0), "customer 2 is there twice"),
        (nr.PastRoutes(yesterday([1]), ((2,),)), "customer 2 is not in past"),
        (nr.Solution((), 0.0), "no customer of today is in it"),
        ({"a": "north"}, "no customer of today is in it"),
        ([-1] * 6, "no customer of today is in it"),
        ([0, 1, 2], r"6 whole numbers.*got \[0, 1, 2\] .list."),
        ([[1, 2], [3]], "6 whole numbers.*routes are a Solution"),
        ([0.5] * 6, "6 whole numbers"),
        (np.zeros((6, 1), dtype=int), "an array of labels, got a nda"),
        (np.array(5), "an array of labels, got array"),
        (5, "must be a solution.*got 5"),
    ],
)
def test_other_things_are_refused(reference: object, message: str) -> None:
    """One line says what is wrong with it."""
    with pytest.raises(nr.ParameterError, match=f"^reference.*{message}"):
        reference_labels(TODAY, reference)


@pytest.mark.parametrize("has_places", [True, False])
def test_free_customers_go_to_the_nearest_district(has_places: bool) -> None:
    """Customer 2 is as near to 1 as to 3: nearer to neither; 5 is at 4."""
    nodes = np.arange(6)
    instance = TODAY
    if not has_places:
        matrix = TODAY.distances(nodes, nodes)
        instance = nr.Instance("m", TODAY.demands, 9, matrix=matrix)
    labels = np.array([-1, 3, -1, 3, 1, -1], dtype=np.int32)
    homes = nearest_districts(instance, labels)
    assert homes[1:].tolist() == [3, 3, 3, 1, 1]
    assert homes.dtype == labels.dtype
