"""Aspect of maps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from ncc_routing.plotting.aspect import aspect_of

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance


def located(latitude: float, **flags: bool) -> Instance:
    """Return a stand-in with two places at a latitude."""
    coords = np.array([[0.0, latitude], [1.0, latitude]])
    return cast("Instance", SimpleNamespace(coords=coords, **flags))


@pytest.mark.parametrize(
    ("latitude", "aspect"),
    [(0, 1), (60, 2), (-60, 2), (90, 1 / np.cos(np.radians(85)))],
)
def test_degrees_of_longitude_get_shorter(
    latitude: float, aspect: float
) -> None:
    """At sixty degrees by half; at the pole not to nothing."""
    place = located(latitude, is_geographic=True)
    assert aspect_of(place) == pytest.approx(aspect)


@pytest.mark.parametrize("flags", [{}, {"is_geographic": False}])
def test_planes_are_not_stretched(flags: dict[str, Any]) -> None:
    """Neither without the flag nor with a false one."""
    assert aspect_of(located(60, **flags)) == 1


def test_no_coordinates_no_stretch() -> None:
    """A matrix has no map."""
    bare = SimpleNamespace(coords=None, is_geographic=True)
    assert aspect_of(cast("Instance", bare)) == 1
