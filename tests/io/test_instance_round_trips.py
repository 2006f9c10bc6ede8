"""Writing an instance, and reading it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyvrp
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as stn

import ncc_routing as nr
from ncc_routing.problems.rounding_loss import require_distances

if TYPE_CHECKING:
    import pytest

DATA = Path(__file__).parent / "data"


WHOLE = st.integers(-1000, 1000).map(float)
FRACTIONS = st.floats(-1e6, 1e6, allow_nan=False)


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    coords=stn.arrays(float, (4, 2), elements=WHOLE | FRACTIONS),
    demands=stn.arrays(int, 3, elements=st.integers(0, 50)),
    rounding=st.sampled_from(["nearest", "ceil", "floor", "exact"]),
    matrix=st.none() | stn.arrays(float, (4, 4), elements=FRACTIONS.map(abs)),
    has_coords=st.booleans(),
)
def test_instances_survive_a_round_trip(
    tmp_path: Path,
    coords: np.ndarray,
    demands: np.ndarray,
    rounding: str,
    matrix: np.ndarray | None,
    has_coords: bool,
) -> None:
    """Every number comes back to the last bit."""
    if matrix is not None:
        np.fill_diagonal(matrix, 0.0)
        rounding = "none"
    try:
        instance = nr.Instance(
            name="round trip",
            demands=np.concatenate([[0], demands]),
            capacity=50,
            coords=None if matrix is not None and not has_coords else coords,
            rounding=rounding,
            matrix=matrix,
        )
        require_distances(instance)
    except nr.InstanceError:
        reject()  # too small for any distance, or for one after rounding
    file = tmp_path / "out.vrp"
    nr.write_instance(file, instance, comment="two\nlines EOF")
    back = nr.read(file)
    assert back.name == "round trip"
    assert back.capacity == 50
    assert back.rounding == rounding
    assert np.array_equal(back.demands, instance.demands)
    for ours, theirs in (
        (back.coords, instance.coords),
        (back.matrix, instance.matrix),
    ):
        assert (ours is None) == (theirs is None)
        if ours is not None and theirs is not None:
            assert np.array_equal(ours, theirs)


def test_written_instance_is_read_by_pyvrp(tmp_path: Path) -> None:
    """The file keeps to the format as others read it."""
    file = tmp_path / "out.vrp"
    nr.write_instance(file, nr.read(DATA / "tiny.vrp"))
    assert file.read_text().startswith("NAME: tiny\nTYPE: CVRP\n")
    ours = pyvrp.read(file, round_func="round")
    assert ours == pyvrp.read(DATA / "tiny.vrp", round_func="round")


def test_instances_go_to_standard_output(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The text of the file, to the letter."""
    nr.write_instance("-", nr.read(DATA / "tiny.vrp"))
    text = capsys.readouterr().out
    assert text.startswith("NAME: tiny\nTYPE: CVRP\n")
    assert text.endswith("EOF\n")
