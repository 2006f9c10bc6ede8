"""What a problem can have beyond the plain one, in words."""

from __future__ import annotations

from typing import Final

MATRIX_ONLY: Final = "distances without coordinates"
"""Feature of an instance of which only a matrix is known."""

MATRIX: Final = "a distance matrix"
POINT_CAPACITIES: Final = "capacities of points"
CLUSTER_CAPACITIES: Final = "capacities of clusters"
OTHER_DIMENSIONS: Final = "other than two coordinates"
"""Features of a point set; the first two count for the objective "cpmp"."""
