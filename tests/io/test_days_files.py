"""Files with the customers of several days."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.io.days import read_days
from tests.oracles.samples import DAYS

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, content: str) -> tuple[nr.Instance, ...]:
    """Read a file of days."""
    (folder / "week.vrp").write_text(content)
    return read_days(folder / "week.vrp", "none")


def test_each_day_has_its_customers(tmp_path: Path) -> None:
    """Ids are the numbers of the file, and all else as it says."""
    first, second = read(tmp_path, DAYS)
    assert (first.name, second.name) == ("week-day1", "week-day2")
    assert (first.ids, second.ids) == (("0", "1", "3"), ("0", "2", "3"))
    assert first.demands.tolist() == [0, 7, 2]
    assert second.demands.tolist() == [0, 5, 1]
    assert first.capacity == second.capacity == 10
    assert first.windows is not None
    assert second.windows is not None
    assert first.windows.service_durations.tolist() == [0, 1, 1]
    assert second.windows.service_durations.tolist() == [0, 2, 2]
    assert first.distances([0], [1, 2]).tolist() == [[5.0, 10.0]]
    assert {kind.max_duration for kind in first.vehicle_types} == {50}


def test_days_without_an_end(tmp_path: Path) -> None:
    """9999999 and no services make a plain problem."""
    content = DAYS.replace("DISTANCE: 50", "DISTANCE: 9999999")
    head, _, tail = content.partition("SVC_TIME")
    content = head + tail[tail.index("DEPOT") :]
    first, _ = read(tmp_path, content)
    assert not first.features


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("NUM_DAYS: 2\n", "", "NUM_DAYS: is missing"),
        ("NUM_DAYS: 2", "NUM_DAYS: 0", "NUM_DAYS: must be at least 1, got 0"),
        (
            "NUM_DAYS: 2",
            "NUM_DAYS: 3",
            "DEMAND_SECTION: row 1 must hold 1 and",
        ),
        ("CAPACITY: 10\n", "", "CAPACITY: is missing"),
        ("2 0 10\n", "4 0 10\n", "NODE_COORD_SECTION: row 2 must hold 2 and"),
        ("2 0 10\n", "2 0 ten\n", "row 2: every value must be a finite"),
        ("3 2 1\n", "", "DEMAND_SECTION: must list 3 customers, got 2"),
        ("1 7 -1", "1 7.5 -1", "DEMAND"),
        ("1 1.0 0", "1 x 0", "SVC_TIME_SECTION: row 1: every value"),
        ("0.0 0.0\n", "", "DEPOT_SECTION: must be the place of the"),
        ("0.0 0.0\n", "0 0\n9 9\n", "DEPOT_SECTION: must be the place of"),
        ("CAPACITY: 10", "CAPACITY: 10\nVEHICLES: 1", "VEHICLES: this field"),
        ("TYPE: CVRP", "TYPE: TSP", "TYPE: must be CVRP or CONVRP, got 'TSP'"),
        ("TYPE: FUNCTION", "TYPE: GEO", "EDGE_WEIGHT_TYPE: must be FUNCTION"),
        ("DIMENSION: 4", "DIMENSION: 99", "DIMENSION: must be that of 3 cus"),
        ("DISTANCE: 50", "DISTANCE: x", "DISTANCE: "),
        ("DEPOT_SEC", "TIME_WINDOW_SECTION\n1 0 9\nDEPOT_SEC", "WINDOW_SECT"),
        ("1 7 -1\n2 -1 5\n3 2 1", "1 -1 -1\n2 -1 5\n3 -1 1", "day 1 must"),
    ],
)
def test_wrong_files(tmp_path: Path, old: str, new: str, message: str) -> None:
    """The message names file, section and rule."""
    with pytest.raises(nr.NccRoutingError, match=f"week.*{message}"):
        read(tmp_path, DAYS.replace(old, new))


def test_a_file_by_its_name_and_by_the_wrong_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As other known instances; the reader of one day says whose it is."""
    (tmp_path / "Week7.vrp").write_text(DAYS)
    monkeypatch.setenv("NCC_ROUTING_DATA", str(tmp_path))
    assert len(read_days("week7")) == 2
    with pytest.raises(nr.UnsupportedProblemError, match="read_days"):
        nr.read("week7")
