"""``ncc-route prepare``: from downloaded data to clusters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ncc_routing import read_points

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


def test_prepared_points_are_clustered(run: Run, tmp_path: Path) -> None:
    """The file knows K and capacity; parts are written beside it."""
    sessions = tmp_path / "sessions.csv"
    rows = [
        f"2014-06-01 00:00:00,2014-06-01 00:{minute}:00,{place},{user}"
        for minute, place in enumerate(
            ["31.0,121.0", "31.3,121.3", "31.4,121.4", "31.5,121.5"], 10
        )
        for user in "ab"
    ]
    head = "start time,end time,latitude,longitude,user id"
    sessions.write_text("\n".join([head, *rows]))
    arguments = ["prepare", "shanghai", sessions, "-k", 2, "-o", tmp_path]
    done = run.succeeds(*arguments, "--parts 2 --part-size 1 --json")
    names = [
        "shanghai-telecom.csv",
        "shanghai-telecom-part-s4321-000.csv",
        "shanghai-telecom-part-s4321-001.csv",
    ]
    files = [str(tmp_path / name) for name in names]
    assert json.loads(done.out) == {"files": files}
    points = read_points(files[0])
    # 20 + 22 + 24 + 26 minutes; ceil(1.1 * 92 / 2) = 51 fill a cluster.
    assert points.weights.tolist() == [m / 51 for m in (20, 22, 24, 26)]
    assert (points.num_clusters, points.capacity) == (2, 1)
    assert read_points(files[1], capacity=1).num_points == 1
    found = run.json("cluster", files[0], "--method random")
    assert found["num_clusters"] == 2


def test_downloaded_data_are_kept(run: Run, tmp_path: Path) -> None:
    """The points of a map may have the name of its raw data."""
    raw = tmp_path / "shanghai-telecom.csv"
    text = (
        "start time,end time,latitude,longitude,user id\n"
        "2014-06-01 00:00:00,2014-06-01 00:10:00,31.0,121.0,a\n"
        "2014-06-01 00:00:00,2014-06-01 00:10:00,31.0,121.0,b\n"
        "2014-06-01 00:00:00,2014-06-01 00:20:00,31.3,121.3,a\n"
        "2014-06-01 00:00:00,2014-06-01 00:20:00,31.3,121.3,b\n"
    )
    raw.write_text(text)
    message = f"{raw}: --output is a file that the run reads"
    run.fails(1, message, "prepare shanghai", raw, "-k 1 -o", tmp_path)
    assert raw.read_text() == text
