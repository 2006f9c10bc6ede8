"""Whether rounding leaves enough of the distances to solve anything."""

from __future__ import annotations

import logging
import weakref
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.long_arcs import warn_of_long_arcs
from ncc_routing.problems.rounding import UNROUNDED

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_SAMPLE: Final = 200
"""Nodes whose distances are looked at."""

_MOST_ZEROS, _MOST_LOSS = 0.25, 0.25
"""Share of zeros among the distances between different places, and mean change
of these, from which together an answer means nothing: of many places in one
house the distances are 0, and the ways to the house are kept."""

_FAIR_LOSS: Final = 0.05
"""Mean change of a distance by rounding from which it is said."""

_SEEN: weakref.WeakSet[Instance] = weakref.WeakSet()
"""The instances in use that were looked at: a reader says it in its words."""


def require_distances(
    instance: Instance, remedy: str = "", rounding: str = ""
) -> None:
    """Refuse an instance whose rounded distances say nothing.

    Coordinates in a unit square, and degrees that are taken for coordinates in
    a plane, lose their lengths when rounded to whole numbers. A sample of 200
    nodes is looked at: ``InstanceError``, with the ``remedy``, if at least a
    quarter of the distances between different places are 0, and a quarter of
    the total is lost; a warning for a smaller loss. A matrix is taken as it
    is, and so are whole metres between longitudes and latitudes. ``rounding``
    is what the user calls the rounding. Lengths of a matrix that may stand for
    no way are named in a warning.
    """
    if instance not in _SEEN:
        _require_kept(instance, remedy, rounding)
        warn_of_long_arcs(instance)
        _SEEN.add(instance)


def _require_kept(instance: Instance, remedy: str, rounding: str) -> None:
    rule = instance.length_rule
    if instance.matrix is not None or instance.coords is None:
        return
    if rule.kind == UNROUNDED or instance.is_geographic:
        return
    size = len(instance.demands)
    nodes = np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(int))
    places = instance.coords[nodes]
    gaps = places[:, None] - places[None]
    lengths = rule.scale * np.hypot(*np.moveaxis(gaps, -1, 0))
    remedy = remedy or _remedy(instance)
    rounding = rounding or repr(instance.rounding)
    is_apart = lengths > 0.0
    if not is_apart.any():
        return
    rounded = instance.distances(nodes, nodes)[is_apart]
    zeros = float((rounded == 0.0).mean())
    exact = lengths[is_apart]
    loss = float(np.abs(rounded - exact).sum() / exact.sum())
    if zeros >= _MOST_ZEROS and loss >= _MOST_LOSS:
        raise InstanceError(
            instance.name,
            "rounding",
            f"{rounding} makes {100 * zeros:.0f} % of the distances between "
            f"different places 0; {remedy}",
        )
    if loss > _FAIR_LOSS:
        logger.warning(
            "%s: rounding %s changes distances by %.0f %% on average; %s.",
            instance.name,
            rounding,
            100.0 * loss,
            remedy,
        )


def _remedy(instance: Instance) -> str:
    text = "take rounding='none' or coordinates in a smaller unit"
    extent = np.abs(instance.require_coords("distances")).max(axis=0)
    if (extent <= (180.0, 90.0)).all():
        text += ", or for longitude and latitude is_geographic=True"
    return text
