"""What a network can see between the customers and any centers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ncc_routing.scoring._geometry_kernels import (
    NUM_LENGTHS,
    fill_lengths,
    fill_loads,
)

if TYPE_CHECKING:
    from ncc_routing.scoring.features import View

NUM_GEOMETRY_FEATURES: Final = NUM_LENGTHS + 4
"""Columns of the features of a customer and a center."""


@dataclass(frozen=True, eq=False)
class CenterGeometry:
    """The customers of an instance, ready to be compared with centers.

    What it says is free of units, and the same in a mirror image; rotating,
    shifting or scaling the instance does not change it.

    Parameters
    ----------
    places, depot, axis, local
        Float32 arrays of shapes (n, 2), (n,), (n, 2) and (n,), as in
        ``scene.Geometry``.
    shares
        Float32 demands in capacities, shape (n,).
    scales
        Float32 array: the spacing, and the mean distance to the depot.
    """

    places: np.ndarray
    depot: np.ndarray
    axis: np.ndarray
    local: np.ndarray
    shares: np.ndarray
    scales: np.ndarray

    @classmethod
    def of(cls, seen: View) -> CenterGeometry:
        """Take over what ``features.view_of`` has measured."""
        geometry = seen.geometry
        scales = (geometry.spacing, geometry.depot.mean())
        return cls(
            geometry.places,
            geometry.depot,
            np.ascontiguousarray(geometry.axis, dtype=np.float32),
            geometry.local,
            seen.scene.shares,
            np.array(scales, dtype=np.float32),
        )

    def features(self, medoids: np.ndarray, listed: np.ndarray) -> np.ndarray:
        """Describe customers and centers in pairs.

        Parameters
        ----------
        medoids
            The row of each center, ints of shape (K,).
        listed
            Int64 centers of shape (C, n), those of customer i in column i.

        Returns
        -------
        numpy.ndarray
            Float32 array of shape (C, n, NUM_GEOMETRY_FEATURES), the columns
            as the kernels name them.
        """
        shape = (*listed.shape, NUM_GEOMETRY_FEATURES)
        out = np.empty(shape, dtype=np.float32)
        lengths = np.empty(listed.shape, dtype=np.float32)
        fill_lengths(
            *(self.places, self.depot, self.axis, self.local, self.scales),
            *(medoids, listed, lengths, out),
        )
        fill_loads(self.shares, len(medoids), listed, lengths, out)
        return out
