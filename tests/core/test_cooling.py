"""The fall of a temperature."""

import pytest

import ncc_routing as nr
from ncc_routing.core.cooling import Cooling, require_cooling
from ncc_routing.core.stopping import Pace


def test_an_annealing_goes_from_look_to_look() -> None:
    """Three batches of four halve the temperature four times each, and end."""
    pace = Pace(nr.stop.MaxIterations(12), batch=4)
    sizes, begins, ends = zip(*pace.batches(lambda: 5.0), strict=True)
    assert sizes == (4, 4, 4)
    assert begins == pytest.approx((0.0, 1 / 3, 2 / 3))
    assert ends == pytest.approx((1 / 3, 2 / 3, 1.0))
    cooling = Cooling(2.0**12, 1.0)
    found = list(map(cooling.during, sizes, begins, ends))
    assert [one for one, _ in found] == pytest.approx(
        [2.0**12, 2.0**8, 2.0**4]
    )
    assert [factor for _, factor in found] == pytest.approx([0.5] * 3)
    assert pace.progress == 1.0


@pytest.mark.parametrize(
    ("start", "end"), [(1.0, 2.0), (1.0, 0.0), (1.0, -1.0), (-1.0, -2.0)]
)
def test_what_is_no_fall_is_refused(start: float, end: float) -> None:
    """The temperature must be positive and not rise; it may be constant."""
    require_cooling(2.0, 2.0)
    require_cooling(2.0, 1e-9)
    with pytest.raises(nr.ParameterError, match="0 < end_temperature <= heat"):
        require_cooling(start, end, "heat")
