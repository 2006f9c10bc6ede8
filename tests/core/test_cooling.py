"""The fall of a temperature."""

import pytest

import ncc_routing as nr
from ncc_routing.core.cooling import Cooling, require_cooling
from ncc_routing.core.stopping import Pace


def test_temperature_halves_in_equal_steps() -> None:
    """From 8 to 2: 4 half way, and a factor of 1/2 for half of the way."""
    cooling = Cooling(8.0, 2.0)
    assert [cooling.at(p) for p in (0.0, 0.5, 1.0)] == [8.0, 4.0, 2.0]
    assert cooling.factor(0.5) == 0.5


def test_a_stretch_continues_the_whole() -> None:
    """From a half to the end: 4 to 2, and the mean of both in between."""
    stretch = Cooling(8.0, 2.0).between(0.5, 1.0)
    assert stretch == (4.0, 2.0)
    assert stretch.at(0.5) == pytest.approx(Cooling(8.0, 2.0).at(0.75))


def test_an_annealing_goes_from_look_to_look() -> None:
    """Three batches of four halve the temperature four times each, and end."""
    pace = Pace(nr.MaxIterations(12), batch=4)
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


def test_zero_stays_zero() -> None:
    """Where all lengths are 0 there is no temperature, and no error."""
    cooling = Cooling(0.0, 0.0)
    assert (cooling.at(0.5), cooling.factor(0.5)) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("start", "end"), [(1.0, 2.0), (1.0, 0.0), (1.0, -1.0), (-1.0, -2.0)]
)
def test_what_is_no_fall_is_refused(start: float, end: float) -> None:
    """The temperature must be positive and not rise; it may be constant."""
    require_cooling(2.0, 2.0)
    require_cooling(2.0, 1e-9)
    with pytest.raises(nr.ParameterError, match="0 < end_temperature <= heat"):
        require_cooling(start, end, "heat")
