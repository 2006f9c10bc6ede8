"""Tests of the nearest-neighbour graph against brute force."""

import gc
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ncc_routing as nr
from ncc_routing.problems.ccp.graph import knn_graph
from ncc_routing.problems.draft import restrict


def make(coords: object, matrix: object = None) -> nr.Instance:
    """Return an instance without demands."""
    size = len(coords if matrix is None else matrix)  # type: ignore[arg-type]
    return nr.Instance(
        name="tiny",
        demands=np.zeros(size),
        capacity=1,
        coords=coords,  # type: ignore[arg-type]
        matrix=matrix,  # type: ignore[arg-type]
    )


def check_against_brute_force(instance: nr.Instance, degree: int) -> None:
    """Every row lists other customers at the smallest distances, sorted."""
    neighbours = knn_graph(instance, degree).neighbours
    size = instance.num_customers + 1
    nodes = np.arange(size)
    if instance.matrix is not None:
        lengths = instance.matrix
    else:
        assert instance.coords is not None
        delta = instance.coords[:, None] - instance.coords[None]
        lengths = np.sqrt((delta**2).sum(axis=2))
    for i in range(size):
        others = nodes[(nodes != 0) & (nodes != i)]
        row = neighbours[i].tolist()
        assert len(set(row)) == len(row)
        assert set(row) <= set(others.tolist())
        expected = np.sort(lengths[i, others])[: len(row)]
        assert lengths[i, row] == pytest.approx(expected)


@settings(max_examples=60, deadline=None)
@given(
    places=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4)),
        min_size=3,
        max_size=15,
    ),
    degree=st.integers(1, 16),
)
def test_coordinates_with_duplicates(
    places: list[tuple[int, int]], degree: int
) -> None:
    """On a tiny grid many customers share a place."""
    check_against_brute_force(make(places), degree)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 1000), degree=st.integers(1, 9))
def test_explicit_matrix(seed: int, degree: int) -> None:
    """Without coordinates the rows of the matrix count."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 5, size=(8, 8))
    np.fill_diagonal(matrix, 0)
    check_against_brute_force(make(None, matrix), degree)


def test_stages_share_a_graph(random_instance: nr.Instance) -> None:
    """The same instance and degree: the same graph; another degree: not."""
    first = knn_graph(random_instance, 5)
    assert knn_graph(random_instance, 5) is first
    assert knn_graph(random_instance, 6).degree == 6
    assert not first.neighbours.flags.writeable


def test_a_graph_goes_with_its_instance() -> None:
    """Nothing keeps the instance or its graph alive."""
    instance = make([[0, 0], [1, 0], [2, 0]])
    kept = weakref.ref(knn_graph(instance, 1))
    assert kept() is not None
    del instance
    gc.collect()
    assert kept() is None


def test_many_customers_are_found_by_a_tree() -> None:
    """Some of 5,000 rows, against all pairs."""
    coords = np.random.default_rng(1).random((5_001, 2))
    neighbours = knn_graph(make(coords), 8).neighbours
    for customer in range(0, 5_001, 97):
        gaps = np.linalg.norm(coords - coords[customer], axis=1)
        expected = np.sort(np.delete(gaps, [0, customer]))[:8]
        assert gaps[neighbours[customer]] == pytest.approx(expected)


def test_parts_of_random_points_agree_with_their_graph(
    random_instance: nr.Instance,
) -> None:
    """The nearest of a part, as far as the list of the whole reaches."""
    customers = np.arange(2, random_instance.num_customers, 3)
    found = knn_graph(random_instance, 30).part(customers).neighbours
    own = knn_graph(restrict(random_instance, customers), 30).neighbours
    for k in range(1, len(customers) + 1):
        row = [i for i in found[k].tolist() if i != k]
        assert row == own[k, : len(row)].tolist()
