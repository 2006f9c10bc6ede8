"""What looks wrong in a problem that may well have a plan."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.problems.distances import great_circle, place_numbers
from ncc_routing.problems.odd_lengths import find_long_arcs
from ncc_routing.problems.values import NO_LIMIT
from ncc_routing.vrp.why.arcs import DISTANCE, DURATION, Arcs
from ncc_routing.vrp.why.findings import Finding, finding, listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ncc_routing.problems.instance import Instance

_SAMPLE: Final = 200
"""Places between which arcs are looked at."""

_SHORT_ARCS: Final = 0.05
"""Share of the arcs that may be shorter than the widest window."""

_LONG: Final = 300
"""Longest arcs in a horizon, from which on it is odd."""

_FAR: Final = 10
"""A place so many times as far away as half of the others is odd."""


def find_oddities(instance: Instance, arcs: Arcs) -> Iterator[Finding]:
    """Yield warnings: units, lengths, swapped places, and duplicates."""
    warn = partial(finding, instance, is_fatal=False)
    for text, numbers in (*_odd_times(arcs), *_odd_limits(arcs)):
        yield warn("units", f"units may differ: {text}", numbers=numbers)
    for long in find_long_arcs(instance):
        numbers = {"longest": long.length, "median": long.median}
        yield warn("lengths", long.describe(instance), numbers=numbers)
    for node in _swapped(instance):
        text = "longitude and latitude may be swapped, as the place is far "
        text += f"from all others: {instance.describe_node(node)}"
        yield warn("swapped", text, [node])
    places = _places(instance)
    for group in _alike(instance, places):
        text = f"{len(group)} customers have the same place, demand and "
        yield warn(
            "duplicate", f"{text}window: {listed(instance, group)}", group
        )
    customers = range(1, instance.num_customers + 1)
    depots = set(places[list(instance.depots)].tolist())
    at_depot = [node for node in customers if places[node] in depots]
    if at_depot:
        text = (
            f"customers at the place of a depot: {listed(instance, at_depot)}"
        )
        yield warn("at-depot", text, at_depot)


def _sample(arcs: Arcs, measure: int) -> np.ndarray:
    size = len(arcs.instance.demands)
    nodes = np.unique(np.linspace(0, size - 1, _SAMPLE).astype(int))
    profile = next(iter(arcs.types)).profile
    lengths = arcs.between(measure, profile, nodes, by_paths=False)
    lengths = lengths[(lengths > 0.0) & np.isfinite(lengths)]
    return lengths if len(lengths) > 0 else np.ones(1)


def _odd_times(arcs: Arcs) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield what is odd about windows beside travel and services, at most one.

    Windows and shifts all lie within a horizon.
    """
    given = arcs.instance
    lasting = partial(given.source.time_form.text, is_duration=True)
    windows, customers = arcs.windows, arcs.customers
    early, late = windows.tw_early, windows.tw_late
    spans = [*zip(early, late, strict=True)]
    spans += [
        (vehicle_type.tw_early, vehicle_type.tw_late)
        for vehicle_type in arcs.types
    ]
    limited = [span for span in spans if span[1] < NO_LIMIT]
    if not limited:
        return
    opening, closing = zip(*limited, strict=True)
    horizon = float(max(closing) - min(opening))
    lengths = _sample(arcs, DURATION)
    service = windows.service_durations[customers]
    span = f"all windows and shifts lie within {lasting(horizon)}, and "
    for what, values in (("travel", lengths), ("service", service)):
        if len(values[values > 0]) and horizon < 2 * np.median(values):
            half = float(np.median(values))
            text = f"{span}half of the {what} times are {lasting(half)}"
            yield f"{text} or more", {"horizon": horizon, "median": half}
            return
    longest = float(lengths.max())
    is_measured = given.is_geographic and given.source.time_form.kind
    if horizon > _LONG * longest and not is_measured:
        text = f"{span}travel times are at most {lasting(longest)}"
        yield text, {"horizon": horizon, "longest": longest}
        return
    has_window = late[customers] < NO_LIMIT
    widest = float((late - early)[customers][has_window].max(initial=0))
    short = float(np.quantile(lengths, _SHORT_ARCS))
    if 0 < widest < short:
        text = f"the windows are open for at most {lasting(widest)}, and "
        text += f"nearly all travel times are {lasting(short)} or more"
        yield text, {"widest": widest, "short": short}


def _odd_limits(arcs: Arcs) -> Iterator[tuple[str, dict[str, float]]]:
    lasting = partial(arcs.instance.source.time_form.text, is_duration=True)
    for measure, field, name, said in (
        (DURATION, "shift_duration", "shifts", lasting),
        (DISTANCE, "max_distance", "maximum distances", "{:.12g}".format),
    ):
        limit = float(
            max(getattr(vehicle_type, field) for vehicle_type in arcs.types)
        )
        half = float(np.median(_sample(arcs, measure)))
        if limit < half:
            text = f"the {name} are at most {said(limit)}, and half of the "
            text += f"lengths from place to place are {said(half)} or more"
            yield text, {"limit": limit, "median": half}


def _swapped(instance: Instance) -> list[int]:
    """Return the nodes that the exchange of both degrees brings back.

    All nodes swapped alike are a problem of its own, and no more odd than the
    right one.
    """
    if not instance.is_geographic:
        return []
    coords = instance.require_coords("diagnose")
    middle = np.median(coords, axis=0)
    far = great_circle(coords, middle)
    other = coords[:, ::-1]
    is_place = np.abs(other[:, 1]) <= 90.0
    back = great_circle(other, middle)
    is_odd = is_place & (far > _FAR * np.median(far)) & (far > _FAR * back)
    return np.flatnonzero(is_odd).tolist()


def _places(instance: Instance) -> np.ndarray:
    """Return a number for the place of each node, the same for equal ones.

    Longitudes and latitudes within one metre are equal.
    """
    if instance.is_geographic:
        return place_numbers(instance.require_coords("diagnose"))
    if instance.coords is not None:
        _, places = np.unique(instance.coords, axis=0, return_inverse=True)
        return np.asarray(places).ravel()
    nodes = np.arange(len(instance.demands))
    matrix = instance.distances(nodes, nodes)
    is_same = (matrix == 0.0) & (matrix.T == 0.0)
    np.fill_diagonal(is_same, True)
    return np.asarray(is_same.argmax(axis=1))


def _alike(instance: Instance, places: np.ndarray) -> Iterator[list[int]]:
    customers = slice(1, instance.num_customers + 1)
    rows = [places[customers], instance.demands[customers]]
    if instance.windows is not None:
        rows += [
            instance.windows.tw_early[customers],
            instance.windows.tw_late[customers],
        ]
    _, groups, counts = np.unique(
        np.column_stack(rows), axis=0, return_inverse=True, return_counts=True
    )
    groups = np.asarray(groups).ravel()
    order = 1 + np.argsort(groups, kind="stable")
    for group in np.split(order, np.cumsum(counts)[:-1]):
        if len(group) > 1:
            yield group.tolist()
