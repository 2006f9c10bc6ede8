"""The size of an instance that time limits are compared with."""

from __future__ import annotations

from typing import Final

LONGEST_ROUTE: Final = 20
"""Customers of a route beyond which their number alone counts."""


def search_size(num_customers: int, num_routes: int) -> float:
    """Return customers times routes, those of long routes counted as more.

    The time from which several annealings, or children of their routes, are
    taken to pay grows with it.

    Parameters
    ----------
    num_customers, num_routes
        Size of the instance; routes beyond twenty customers count as twenty.
    """
    return num_customers * max(num_routes, num_customers / LONGEST_ROUTE)
