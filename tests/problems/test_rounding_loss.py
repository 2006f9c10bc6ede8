"""Distances that rounding takes away."""

import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.problems.odd_lengths import require_distances


def instance_at(places: object, **changes: Any) -> nr.Instance:
    """Return customers of demand 1 at some places behind a depot."""
    coords = np.array(places, dtype=float)
    demands = np.array([0] + [1] * (len(coords) - 1))
    return nr.Instance("line", demands, 4, coords, **changes)


def on_a_line(step: float, rounding: str = "nearest") -> nr.Instance:
    """Return five nodes in a row, a step apart."""
    coords = np.column_stack([step * np.arange(5), np.zeros(5)])
    return instance_at(coords, rounding=rounding)


def test_distances_rounded_away_are_refused() -> None:
    """8 of 20 pairs are neighbours: 40 % are 0 below a half, none at it."""
    with pytest.raises(nr.InstanceError, match="makes 40 % of the distances"):
        require_distances(on_a_line(0.49))
    require_distances(on_a_line(0.5))
    # Two steps, 0.48, are 0 as well: 14 of 20.
    with pytest.raises(nr.InstanceError, match="70 %"):
        require_distances(on_a_line(0.24))


@pytest.mark.parametrize("rounding", ["none", "ceil", "exact"])
def test_rules_that_keep_something_are_taken(rounding: str) -> None:
    """Unrounded, rounded up, or a thousand times as fine."""
    require_distances(on_a_line(0.1, rounding))


def test_flats_of_one_house_are_a_problem(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nothing is lost but the ways on the stairs, however many they are."""
    flats = [[0.2 * (k % 2), 0.1 * (k % 3)] for k in range(12)]
    house = np.array([[0.0, 900.0], *flats])
    degrees = np.array([8.68, 50.11]) + 1e-6 * house
    date_line = [[180.0, 0.0], [-180.0, 0.0], [180.0, 0.0]]
    with caplog.at_level(logging.WARNING):
        require_distances(instance_at(house))
        for places in (degrees, degrees[1:], date_line):
            require_distances(instance_at(places, is_geographic=True))
    assert caplog.records == []


def test_a_quarter_of_the_total_must_be_lost() -> None:
    """Two customers 0.4 apart, in a row with the depot: 0.4 is lost twice.

    That is 0.8 of 1 + 1.4 + 0.4, 29 %, or of 2 + 2.4 + 0.4, 17 %.
    """
    with pytest.raises(nr.InstanceError, match="makes 33 % of the distances"):
        require_distances(instance_at([[0, 0], [1, 0], [1.4, 0]]))
    require_distances(instance_at([[0, 0], [2, 0], [2.4, 0]]))


def test_the_message_names_the_remedies() -> None:
    """Longitude and latitude only where it can be such."""
    with pytest.raises(nr.InstanceError, match="is_geographic=True"):
        require_distances(on_a_line(0.1))
    far = instance_at([[500, 0], [500.1, 0], [500.2, 0]])
    with pytest.raises(nr.InstanceError, match="rounding='none'") as caught:
        require_distances(far)
    assert "geographic" not in str(caught.value)
    with pytest.raises(nr.InstanceError, match="read it twice"):
        require_distances(far, "read it twice")
    with pytest.raises(nr.InstanceError, match="rounding: EUC_2D makes"):
        require_distances(far, rounding="EUC_2D")


def test_a_loss_that_is_not_total_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """1, 3, 4, 5 for 4 x 1.3, 3 x 2.6, 2 x 3.9, 5.2: 2.8 of 26 is 11 %."""
    with caplog.at_level(logging.WARNING):
        require_distances(on_a_line(1.3))
    assert "changes distances by 11 % on average" in caplog.text
    caplog.clear()
    require_distances(on_a_line(100.3))
    assert caplog.records == []


def test_a_loss_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """By the reader alone where there is one, in the words of the file."""
    file = tmp_path / "line.vrp"
    places = [f"{k + 1} {1.3 * k} 0" for k in range(5)]
    demands = [f"{k + 1} {int(k > 0)}" for k in range(5)]
    file.write_text(
        "TYPE : CVRP\nDIMENSION : 5\nCAPACITY : 4\nEDGE_WEIGHT_TYPE : EUC_2D\n"
        + "\n".join(["NODE_COORD_SECTION", *places])
        + "\n".join(["\nDEMAND_SECTION", *demands])
        + "\nDEPOT_SECTION\n1\n-1\nEOF\n"
    )
    nr.solve(nr.read(file), method="savings", polish="none")
    nr.solve(line := on_a_line(1.3), method="savings", polish="none")
    nr.solve(line, method="savings", polish="none")
    of_file, of_line = (record.getMessage() for record in caplog.records)
    assert "rounding EUC_2D changes distances by 11 %" in of_file
    assert "rounding 'nearest' changes distances by 11 %" in of_line


def test_what_cannot_lose_is_taken() -> None:
    """A matrix, one place for all, and the arcs of a city."""
    places = [[0, 0], [0.1, 0], [0, 0.1]]
    require_distances(instance_at(places, matrix=np.zeros((3, 3))))
    require_distances(instance_at(np.ones((3, 2))))
    require_distances(instance_at(places, is_geographic=True))


def test_great_circles_are_compared_with_great_circles(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A flat map near a pole would show other lengths."""
    places = [[0, 90], [120, 89.9], [-120, 89.9]]
    with caplog.at_level(logging.WARNING):
        require_distances(instance_at(places, is_geographic=True))
    assert caplog.records == []


def test_solve_refuses_what_rounding_takes_away() -> None:
    """Also where the instance never was a file."""
    with pytest.raises(nr.InstanceError, match="rounding: 'nearest' makes"):
        nr.solve(on_a_line(0.1), method="savings")
    found = nr.solve(on_a_line(0.1, "none"), method="savings", polish="none")
    assert found.best.cost == pytest.approx(0.8)
