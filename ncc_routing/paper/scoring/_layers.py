"""Layers of networks in numpy, as torch computes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

_NORM_EPSILON: Final = 1e-5
"""Added to the variance by torch's LayerNorm."""


def linear(
    tensors: Mapping[str, np.ndarray], name: str, rows: np.ndarray
) -> np.ndarray:
    """Return a linear layer of rows; one without a bias has none to add."""
    weight = tensors[f"{name}.weight"]
    # One large product: numpy would loop over the small ones.
    flat = rows.reshape(-1, rows.shape[-1]) @ weight.T
    bias = tensors.get(f"{name}.bias")
    if bias is not None:
        flat += bias
    return np.asarray(flat.reshape(*rows.shape[:-1], len(weight)))


def layer_norm(
    tensors: Mapping[str, np.ndarray], name: str, rows: np.ndarray
) -> np.ndarray:
    """Return rows of mean 0 and variance 1, scaled and shifted."""
    centered = rows - rows.mean(axis=-1, keepdims=True)
    spread = (centered * centered).mean(axis=-1, keepdims=True)
    scaled = centered / np.sqrt(spread + _NORM_EPSILON)
    return np.asarray(
        scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
    )


def gelu(values: np.ndarray) -> np.ndarray:
    """Return x Phi(x), with Phi the normal distribution."""
    erf = _error_function(values * np.float32(0.5**0.5))
    return np.asarray(0.5 * values * (1.0 + erf))


def _error_function(values: np.ndarray) -> np.ndarray:
    """Return erf, with or without scipy the same to the last digit."""
    try:
        from scipy.special import erf
    except ImportError:
        by_number = np.frompyfunc(math.erf, 1, 1)
        return np.asarray(by_number(values).astype(values.dtype))
    return np.asarray(erf(values))
