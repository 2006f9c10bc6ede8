"""The best-known solution of an instance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ncc_routing import NccRoutingError, ParameterError
from ncc_routing.bench.best_known import find_bks

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing import Instance

BEST = "Route #1: 1 4\nRoute #2: 2 3\nCost 999\n"


def test_file_beside_the_instance_counts(
    square: Instance, tmp_path: Path
) -> None:
    """Measured with our distances (484), not as the file states (999)."""
    file = tmp_path / "square.vrp"
    assert find_bks(square, file) is None
    file.with_suffix(".sol").write_text(BEST)
    assert find_bks(square, file) == 484


def test_given_number_or_file_comes_first(
    square: Instance, tmp_path: Path
) -> None:
    """A number counts as it is."""
    file = tmp_path / "square.vrp"
    file.with_suffix(".sol").write_text(BEST)
    assert find_bks(square, file, "450.5") == 450.5
    other = tmp_path / "other.sol"
    other.write_text("Route #1: 1 2\nRoute #2: 3\nRoute #3: 4\nCost 1\n")
    # 71 + 100 + 71 and twice 71 + 71.
    assert find_bks(square, file, str(other)) == 526


@pytest.mark.parametrize("given", ["0", "-1", "inf", "nan"])
def test_number_has_to_be_positive(
    square: Instance, tmp_path: Path, given: str
) -> None:
    """Nothing can be compared with it otherwise."""
    with pytest.raises(ParameterError, match="bks must be positive"):
        find_bks(square, tmp_path / "square.vrp", given)


def test_unfit_file_is_an_error_only_where_it_was_named(
    square: Instance, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The one beside the instance is left aside with a warning."""
    file = tmp_path / "square.vrp"
    unfit = file.with_suffix(".sol")
    unfit.write_text("Route #1: 1 2 3 4\nCost 1\n")
    assert find_bks(square, file) is None
    assert "no gap is computed" in caplog.text
    with pytest.raises(NccRoutingError, match="carries 10 of 5"):
        find_bks(square, file, str(unfit))
