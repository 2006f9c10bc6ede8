"""``ncc-route cluster``."""

from __future__ import annotations

import json
import shlex
from importlib.metadata import version
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

TABLE = "x,y,weight\n0,0,1\n0,1,1\n1,0,1\n9,9,1\n9,8,1\n8,9,1\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two corners of three points each."""
    file = tmp_path / "corners.csv"
    file.write_text(TABLE)
    return file


def test_json_is_one_object(run: Run, table: Path) -> None:
    """The labels and the cost computed by hand."""
    answer = run.json("cluster", table, "--capacity 3 --objective cpmp")
    assert answer["cost"] == 4.0
    assert answer["num_clusters"] == 2
    assert answer["version"] == version("ncc_routing")
    labels = answer["labels"]
    assert labels[0] == labels[1] == labels[2] != labels[3]


def test_columns_of_points_are_named_or_ignored(
    run: Run, tmp_path: Path
) -> None:
    """What nothing reads is asked about, with the options to paste."""
    table = tmp_path / "corners.csv"
    table.write_text("x,y,people,zone\n0,0,1,w\n0,1,2,s\n9,9,3,w\n")
    job = ("cluster", table, "--capacity 3 --objective cpmp")
    done = run(*job)
    assert done.code == 1
    assert "  people (1 in line 2): did you mean demand or dem" in done.err
    assert "  zone (w in line 2): if it does not matter, --ignore" in done.err
    # Nothing is ignored, or taken, unless a user says so.
    end = '--columns "?=people" --columns "?=zone"\n'
    assert done.err.endswith(end)
    unread = run(*job, *shlex.split(end))
    assert unread.code == 2
    assert "?=people: put a name in place of ?" in unread.err
    kept = tmp_path / "columns.toml"
    kept.write_text('ignore = ["zone"]\n[columns]\ndemand = "people"\n')
    for said in ("demand=people --ignore-column zone", kept):
        answer = run.json(*job, f"--columns {said}")
        assert answer["num_clusters"] == 2
    assert run(*job, "--columns demand").code == 2


@pytest.mark.parametrize("method", ["ncc", "ncc-sampling"])
def test_scorer_methods(run: Run, table: Path, method: str) -> None:
    """The two corners are found; the method is named."""
    answer = run.json("cluster", table, "--capacity 3 --method", method)
    assert answer["method"] == method
    assert answer["inertia"] == pytest.approx(8 / 3)


def test_limits_are_options(run: Run, table: Path) -> None:
    """Three clusters of two points; a limit that cannot hold is an error."""
    limits = "--min-size 2 --max-size 2 --tolerance 0.1 --min-load 2"
    answer = run.json("cluster", table, f"-k 3 {limits}")
    assert (answer["least_load"], answer["largest_load"]) == (2, 2)
    most = run.json("cluster", table, "-k most --min-size 3")
    assert most["num_clusters"] == 2
    done = run("cluster", table, "-k 3 --min-size 3")
    assert done.code == 1
    assert "min_size cannot hold: 3 clusters need 9 in all" in done.err


def test_several_weights_are_columns(run: Run, tmp_path: Path) -> None:
    """Each has a capacity and a least load; labels have all weights."""
    table = tmp_path / "sales.csv"
    table.write_text(
        "x,y,weight,weight 2\n0,0,1,9\n9,0,1,9\n1,0,1,2\n8,0,1,2\n"
    )
    labels = tmp_path / "labels.csv"
    limits = "--capacity 2,11 --min-load 2,11"
    answer = run.json("cluster", table, f"{limits} -o {labels}")
    assert answer["least_load"] == answer["largest_load"] == [2, 11]
    assert (answer["least_size"], answer["largest_size"]) == (2, 2)
    lines = labels.read_text().splitlines()
    assert lines[0] == "x,y,weight,weight 2,cluster"
    first = [line.rpartition(",")[2] for line in lines[1:]]
    assert first[0] == first[2] != first[1] == first[3]
    for wrong in ("4,x", "-1", "2,,3"):
        assert run("cluster", table, "--capacity", wrong).code == 2


def test_areas_and_changes_are_told(run: Run, tmp_path: Path) -> None:
    """Areas have all loads; what leaves its former cluster is counted."""
    table, areas = tmp_path / "sales.csv", tmp_path / "areas.geojson"
    table.write_text("id,x,y,weight,sold\na,0,0,1,5\nb,1,0,1,6\nc,9,0,1,7\n")
    former = tmp_path / "former.csv"
    former.write_text("id,cluster\na,0\nb,1\nc,1\n")
    rules = f"-k 2 --reference {former} --consistency"
    job = ("cluster", table, "--columns weight-2=sold")
    assert run.json(*job, f"{rules} 100")["changed_points"] == 0
    answer = run.json(*job, f"{rules} 1e-6 -o {areas}")
    assert answer["changed_points"] == 1
    clusters = [
        about["properties"]
        for about in json.loads(areas.read_text())["features"]
        if about["properties"]["kind"] == "cluster"
    ]
    assert [(c["load"], c["load 2"]) for c in clusters] == [(2, 11), (1, 7)]
    assert "0 is no polygon" in run("cluster", areas, "-k 2").err
    whole = tmp_path / "whole.json"
    run.json(*job, f"{rules} 1 -o {whole}")
    for file in (areas, whole):
        again = run.json(*job, f"-k 2 --reference {file} --consistency 100")
        assert again["changed_points"] == 0
