"""Preparation of the raw telecommunication data, on small files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import ncc_routing as nr
from ncc_routing.paper.telecom import prepare_milan, prepare_shanghai

if TYPE_CHECKING:
    from pathlib import Path

SESSIONS = """month,date,start time,end time,latitude,longitude,user id
6,1,2014-06-01 00:00:00,2014-06-01 00:10:01,31.0,121.0,a
6,1,2014-06-01 00:00:00,2014-06-01 00:09:00,31.0,121.0,b
6,1,2014-06-01 00:00:00,2014-06-01 00:30:00,31.5,121.5,a
6,1,2014-06-01 00:00:00,2014-06-01 00:30:00,31.5,121.5,b
6,1,2014-06-01 00:00:00,2014-06-01 09:00:00,31.2,121.2,c
6,1,2014-06-01 00:00:00,2014-06-01 09:00:00,40.0,121.2,a
6,1,2014-06-01 00:00:00,2014-06-01 09:00:00,40.0,121.2,b
"""


def test_shanghai_by_hand(tmp_path: Path) -> None:
    """11 + 9 and 60 minutes stay; one user, or far away, does not."""
    file = tmp_path / "sessions.csv"
    file.write_text(SESSIONS)
    points = prepare_shanghai([file], num_clusters=1)
    assert points.coords.tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert points.weights == pytest.approx([20 / 88, 60 / 88])
    assert (points.capacity, points.num_clusters) == (1.0, 1)


def test_milan_by_hand(tmp_path: Path) -> None:
    """Squares 1 and 2 go to the first tower, 3 to the second."""
    activity = tmp_path / "activity.txt"
    activity.write_text(
        "1\t0\t39\t\t\t\t\t2.5\n1\t1\t39\t1\t\t\t\t0.5\n2\t0\t39\t\t\t\t\t3\n"
        "3\t0\t39\t\t\t\t\t4\n3\t0\t0\t1.0\n"
    )
    squares = tmp_path / "squares.csv"
    squares.write_text("square,lon,lat\n1,9.0,45.0\n2,9.1,45.0\n3,9.9,45.5\n")
    towers = tmp_path / "towers.csv"
    towers.write_text("lon,lat\n9.0,45.0\n10.0,45.5\n30.0,45.0\n")
    points = prepare_milan(activity, squares, towers, num_clusters=2)
    assert points.coords.tolist() == [[0.0, 0.0], [1.0, 0.5]]
    assert points.weights == pytest.approx([6 / 6, 4 / 6])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("latitude", "lat", "latitude"),
        ("2014-06-01 00:10:01", "noon", "line 2"),
        ("31.0,", "3_1.0,", "line 2"),
        ("31.0,", "inf,", "line 2"),
        ("31.0,", "\u0663,", "line 2"),
        ("31.0,", "31.0,", "at least 40"),
    ],
)
def test_wrong_files_are_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """A missing column, an unreadable cell, and too few stations."""
    file = tmp_path / "sessions.csv"
    file.write_text(SESSIONS.replace(old, new))
    with pytest.raises(nr.InstanceError, match=message):
        prepare_shanghai([file])
