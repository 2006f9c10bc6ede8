"""The last layers of the network of the paper, compiled."""

from __future__ import annotations

from typing import Final

import numpy as np
from numba import njit

from ncc_routing.core.compiling import OUTER

LIMIT: Final = np.float32(5.0)
"""Where the error function is one, to single precision."""

_SCALE: Final = np.float32(2.0 / 25.0)
_ZERO, _HALF, _ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)

# erf(z / sqrt 2) / (2 z) as a polynomial in t = 2 (z / LIMIT)^2 - 1, the
# highest power first: the Chebyshev fit of degree 14 on 4000 nodes. GELU is
# then exact to 2e-6, in a fiftieth of the time of scipy's error function.
_TERMS: Final = tuple(
    np.float32(term)
    for term in (
        *(1.17693591e-04, -3.03041888e-04, 3.23448825e-04, -6.91844849e-04),
        *(1.94099662e-03, -3.75802442e-03, 6.38034521e-03, -1.05684605e-02),
        *(1.63712539e-02, -2.34285723e-02, 3.14541523e-02, -4.04243496e-02),
        *(5.15193380e-02, -7.02968687e-02, 1.41363800e-01),
    )
)
_NUM_TERMS: Final = len(_TERMS)


@njit(**OUTER, fastmath=True)
def decode(
    own: np.ndarray,
    other: np.ndarray,
    between: np.ndarray,
    weight: np.ndarray,
    listed: np.ndarray,
    seen: np.ndarray,
    hidden: np.ndarray,
    out: np.ndarray,
) -> None:
    """Score points for the centers that are listed for them.

    The score of point i for center k is the sum over the width of weight *
    GELU(own[k] + other[i] + what they see of each other).

    Parameters
    ----------
    own, other
        Float32 arrays of shape (K, d) and (n, d): what centers and points
        contribute to the hidden layer.
    between
        Float32 array of shape (G, d): what each feature of ``seen``
        contributes.
    weight
        Float32 array of shape (d,).
    listed
        Int64 centers of shape (C, n), those of a point in a column.
    seen
        Float32 features of point and center, shape (C, n, G); G may be 0.
    hidden
        Room for d float32 numbers.
    out
        Float32 array of shape (C, n). Modified in place.
    """
    num_listed, size = listed.shape
    for i in range(size):
        for c in range(num_listed):
            k = listed[c, i]
            for a in range(len(weight)):
                hidden[a] = own[k, a] + other[i, a]
            for g in range(len(between)):
                feature = seen[c, i, g]
                for a in range(len(weight)):
                    hidden[a] += feature * between[g, a]
            total = _ZERO
            for a in range(len(weight)):
                value = hidden[a]
                inner = min(max(value, -LIMIT), LIMIT)
                square = inner * inner * _SCALE - _ONE
                term = _TERMS[0]
                for b in range(1, _NUM_TERMS):
                    term = term * square + _TERMS[b]
                total += weight[a] * value * (_HALF + inner * term)
            out[c, i] = total
