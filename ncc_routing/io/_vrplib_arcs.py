"""What a VRPLIB file can say of distances, and of arcs that are forbidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.io.sections import ROUNDING_OF_TYPE
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.routes.schedules import own_durations

if TYPE_CHECKING:
    from collections.abc import Mapping

DIMACS: Final = "dimacs"
"""The rounding that is written as FLOOR_2D of coordinates times 10."""

TYPE_OF_ROUNDING: Final = {
    rounding: kind
    for kind, rounding in ROUNDING_OF_TYPE.items()
    if kind != "EXPLICIT"
} | {DIMACS: "FLOOR_2D"}
"""The EDGE_WEIGHT_TYPE of each rounding that has one."""


class FileArcs(NamedTuple):
    """The distances of a file, and the arcs that it forbids.

    ``matrix`` is ``None`` where distances are those of the coordinates.
    ``allowed`` holds whom the vehicles of each profile may visit; it is empty
    where all may visit all. ``is_vrpb`` says whether the customers who only
    give come after those who get.
    """

    matrix: np.ndarray | None
    allowed: Mapping[int, np.ndarray]
    is_vrpb: bool


def backhaul_arcs(delivery: np.ndarray, pickup: np.ndarray) -> np.ndarray:
    """Return which arcs TYPE VRPB forbids.

    Customers who only give come after those who get, and are not the first
    ones.
    """
    gets, gives = (delivery > 0).any(axis=1), (pickup > 0).any(axis=1)
    arcs: np.ndarray = np.logical_and.outer(gives, gets)
    arcs[0] |= gives
    return arcs


def without_access(common: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return the forbidden arcs of a profile; ``mask``: whom it may visit."""
    forbidden: np.ndarray = common | np.logical_or.outer(~mask, ~mask)
    np.fill_diagonal(forbidden, False)
    return forbidden


def arcs_of(instance: Instance) -> FileArcs:
    """Return what a file says of an instance, or refuse it."""
    if not (instance.has_forbidden_arcs or instance.profiles):
        if instance.has_durations:
            raise _one_matrix(instance)
        matrix = instance.matrix
        if instance.detour is not None and matrix is None:
            nodes = np.arange(len(instance.demands))
            matrix = instance.distances(nodes, nodes)
        return FileArcs(matrix, {}, False)
    used = sorted(
        {vehicle_type.profile for vehicle_type in instance.vehicle_types}
    )
    nodes = np.arange(len(instance.demands))
    given = [
        instance.profiles[profile - 1].matrix
        if profile
        else instance.distances(nodes, nodes)
        for profile in used
    ]
    shortest = np.minimum.reduce(given)
    missing = [np.isinf(matrix) for matrix in given]
    if any(own_durations(instance, profile) is not None for profile in used):
        raise _one_matrix(instance)
    for matrix, gone in zip(given, missing, strict=True):
        np.fill_diagonal(gone, False)
        if (matrix != shortest)[~gone].any():
            raise _one_matrix(instance)
    # The way to the first depot is free for whoever may be visited.
    masks = [~gone[:, 0] for gone in missing]
    for common in (np.zeros_like(missing[0]), _backhaul_arcs_of(instance)):
        expected = [without_access(common, mask) for mask in masks]
        if all(map(np.array_equal, expected, missing)) and all(
            mask[list(instance.depots)].all() for mask in masks
        ):
            break
    else:
        raise ParameterError(
            f"{instance.name}: VRPLIB has forbidden arcs only for customers "
            "that a vehicle may not visit, and for TYPE VRPB."
        )
    allowed = dict(zip(used, masks, strict=True))
    if all(mask.all() for mask in masks):
        allowed = {}
    is_vrpb = bool(common.any())
    if _are_of_coordinates(instance, shortest):
        return FileArcs(None, allowed, is_vrpb)
    lengths = np.where(np.isinf(shortest), 0.0, shortest)
    return FileArcs(lengths, allowed, is_vrpb)


def _one_matrix(instance: Instance) -> ParameterError:
    return ParameterError(
        f"{instance.name}: VRPLIB has one matrix for all vehicles, distances "
        "and durations."
    )


def _backhaul_arcs_of(instance: Instance) -> np.ndarray:
    deliveries = instance.deliveries
    pickups = np.zeros_like(deliveries)
    if instance.loads is not None:
        pickups = instance.loads.pickup
    arcs = backhaul_arcs(deliveries, pickups)
    np.fill_diagonal(arcs, False)
    return arcs


def _are_of_coordinates(instance: Instance, lengths: np.ndarray) -> bool:
    """Whether a type of file measures the finite lengths as they are."""
    coords, rounding = instance.coords, instance.rounding
    if (
        coords is None
        or instance.is_geographic
        or rounding not in TYPE_OF_ROUNDING
    ):
        return False
    plain = Instance(
        instance.name, np.zeros(len(coords)), 1, coords, rounding=rounding
    )
    nodes = np.arange(len(coords))
    is_there = np.isfinite(lengths)
    computed = plain.distances(nodes, nodes)
    return bool((computed == lengths)[is_there].all())
