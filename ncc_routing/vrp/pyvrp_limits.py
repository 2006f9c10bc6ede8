"""How large an instance may be for PyVRP, known without loading it."""

from __future__ import annotations

from typing import Final

BYTES_PER_PAIR: Final = 24
"""Memory for a pair of nodes: our matrix, and two of PyVRP."""

MAX_MATRIX_BYTES: Final = 8_000_000_000
"""Memory that the distances may take while PyVRP's data are built.

PyVRP keeps two n x n matrices of 8 bytes an entry, and copies them from a
third: 24 bytes a pair, so that about 18,000 customers fit.
"""


def fits_pyvrp(num_customers: int) -> bool:
    """Whether PyVRP's matrices fit into ``MAX_MATRIX_BYTES``.

    Parameters
    ----------
    num_customers
        Number of customers.
    """
    size = num_customers + 1
    return BYTES_PER_PAIR * size * size <= MAX_MATRIX_BYTES
