"""Numbers with bounds, and the parameters of a run."""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.core.params import (
    bounded,
    build_params,
    check_bounds,
    chosen,
)


@dataclass(frozen=True)
class SomeParams:
    """Every kind of number."""

    count: int = bounded(3, 1, 10)
    share: float = bounded(0.5, 0.0, 1.0)
    limit: float | None = bounded(None, 1e-6, math.inf)
    jobs: int = bounded(1, 1, 8, also=-1)
    name: str = "x"

    def __post_init__(self) -> None:
        check_bounds(self)


@pytest.mark.parametrize(
    ("changes", "kind", "expected"),
    [
        ({"count": 1}, int, 1),
        ({"count": 10}, int, 10),
        ({"count": np.int64(4)}, int, 4),
        ({"count": np.uint8(4)}, int, 4),
        ({"share": 0}, float, 0.0),
        ({"share": 1.0}, float, 1.0),
        ({"share": np.int32(1)}, float, 1.0),
        ({"share": np.float32(0.25)}, float, 0.25),
        ({"share": Fraction(1, 4)}, float, 0.25),
        ({"limit": None}, type(None), None),
        ({"limit": math.inf}, float, math.inf),
        ({"limit": 10**400}, float, math.inf),
        ({"jobs": -1}, int, -1),
    ],
)
def test_numbers_become_plain(
    changes: dict[str, Any], kind: type, expected: object
) -> None:
    """Both bounds are inside, and numpy's numbers are numbers."""
    value = getattr(SomeParams(**changes), next(iter(changes)))
    assert type(value) is kind
    assert value == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 0}, r"count must lie in \[1, 10\], got 0\."),
        ({"count": np.int64(11)}, r"count must lie in \[1, 10\], got 11\."),
        ({"count": 2.0}, r"count must be a whole number, got 2\.0\."),
        ({"count": True}, "count must be a whole number, got True"),
        ({"count": np.True_}, "count must be a whole number"),
        ({"count": None}, "count must be a whole number, got None"),
        ({"count": "3"}, "count must be a whole number, got '3'"),
        ({"share": 1.5}, r"share must lie in \[0, 1\], got 1\.5\."),
        ({"share": -1e-9}, r"share must lie in \[0, 1\]"),
        ({"share": math.nan}, r"share must lie in \[0, 1\], got nan"),
        ({"share": np.inf}, r"share must lie in \[0, 1\], got inf"),
        ({"share": 10**400}, r"share must lie in \[0, 1\], got 1000"),
        ({"share": False}, "share must be a number, got False"),
        ({"share": np.ones(1)}, "share must be a number"),
        ({"share": 1j}, "share must be a number"),
        ({"limit": 0}, "limit must be at least 1e-06, got 0"),
        ({"jobs": 0}, r"jobs must lie in \[1, 8\] or be -1, got 0"),
    ],
)
def test_other_values_are_refused(
    changes: dict[str, Any], message: str
) -> None:
    """One line names the field, its bounds and the value."""
    with pytest.raises(nr.ParameterError, match=f"^{message}"):
        SomeParams(**changes)


def test_a_mapping_says_where_it_comes_from() -> None:
    """A value out of bounds, as one of another type."""
    for value, rule in ((0, r"lie in \[1, 10\]"), (1.5, "be a whole number")):
        with pytest.raises(
            nr.ParameterError, match=f"run.toml count must {rule}"
        ):
            build_params(SomeParams, {"count": value}, "run.toml")
    found = build_params(SomeParams, {"share": 1, "limit": 2}, "")
    assert found == SomeParams(share=1.0, limit=2.0)


def test_parameters_of_a_run() -> None:
    """The defaults, those given, keywords, and nothing of another class."""
    assert chosen(SomeParams, None) == SomeParams()
    given = SomeParams(4, 0.25)
    assert chosen(SomeParams, given, share=1) == SomeParams(4, 1.0)
    assert chosen(SomeParams, given, share=None) == given
    with pytest.raises(
        nr.ParameterError, match="params must be SomeParams, got"
    ):
        chosen(SomeParams, 3)
