"""Packages that a user may have."""

from __future__ import annotations

from typing import Any

from ncc_routing.core.exceptions import MissingDependencyError


def require_pandas() -> Any:
    """Return pandas.

    Raises
    ------
    MissingDependencyError
        If it is not installed.
    """
    try:
        import pandas
    except ModuleNotFoundError:
        raise MissingDependencyError(
            "pandas is not installed: pip install pandas brings it."
        ) from None
    return pandas
