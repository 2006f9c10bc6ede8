"""Whether rounding leaves enough of the distances to solve anything."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.core.exceptions import InstanceError
from ncc_routing.problems.geography import great_circle
from ncc_routing.problems.rounding import ARC_UNROUNDED, UNROUNDED

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance

logger = logging.getLogger(__name__)

_SAMPLE: Final = 200
"""Nodes whose distances are looked at."""

_MOST_ZEROS: Final = 0.25
"""Share of zeros among the distances between different places from which an
answer means nothing."""

_FAIR_LOSS: Final = 0.05
"""Mean change of a distance by rounding from which it is said."""


def require_distances(
    instance: Instance, remedy: str = "", rounding: str = ""
) -> None:
    """Refuse an instance whose rounded distances say nothing.

    Coordinates in degrees or in a unit square lose their lengths when rounded
    to whole numbers. A sample of 200 nodes is looked at: ``InstanceError``,
    with the ``remedy``, if at least a quarter of the distances between
    different places are 0; a warning for a smaller loss. A matrix is taken as
    it is. ``rounding`` is what the user calls the rounding.
    """
    rule = instance.length_rule
    if instance.matrix is not None or instance.coords is None:
        return
    if rule.kind in (UNROUNDED, ARC_UNROUNDED):
        return
    size = len(instance.demands)
    nodes = np.unique(np.linspace(0, size - 1, min(size, _SAMPLE)).astype(int))
    places = instance.coords[nodes]
    tails, heads = places[:, None], places[None]
    if instance.is_geographic:
        lengths = great_circle(tails, heads)
    else:
        lengths = rule.scale * np.hypot(*np.moveaxis(tails - heads, -1, 0))
    remedy = remedy or _remedy(instance)
    rounding = rounding or repr(instance.rounding)
    is_apart = lengths > 0.0
    if not is_apart.any():
        return
    rounded = instance.distances(nodes, nodes)[is_apart]
    zeros = float((rounded == 0.0).mean())
    if zeros >= _MOST_ZEROS:
        raise InstanceError(
            instance.name,
            "rounding",
            f"{rounding} makes {100 * zeros:.0f} % of the distances between "
            f"different places 0; {remedy}",
        )
    exact = lengths[is_apart]
    loss = float(np.abs(rounded - exact).sum() / exact.sum())
    if loss > _FAIR_LOSS:
        logger.warning(
            "%s: rounding %s changes distances by %.0f %% on average; %s.",
            instance.name,
            rounding,
            100.0 * loss,
            remedy,
        )


def _remedy(instance: Instance) -> str:
    """Return what the user can do."""
    if instance.is_geographic:
        return "take rounding='none'"
    text = "take rounding='none' or coordinates in a smaller unit"
    extent = np.abs(instance.require_coords("distances")).max(axis=0)
    if (extent <= (180.0, 90.0)).all():
        text += ", or for longitude and latitude is_geographic=True"
    return text
