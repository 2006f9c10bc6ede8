"""``ncc-route diagnose``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

CUSTOMERS = """id,x,y,demand,open,close,service_min
yard,0,0,0,,,
Miller,0,6000,3,14:00,18:30,30
bob,0,3000,2,,09:00,5
eve,0,3000,2,,09:00,5
"""

VEHICLES = """name,number,capacity,shift start,shift end
van,2,5,08:00,{end}
"""


def write_tables(folder: Path, end: str) -> str:
    """Write tables, and return the words of a command for them."""
    (folder / "day.csv").write_text(CUSTOMERS)
    (folder / "vans.csv").write_text(VEHICLES.format(end=end))
    return f"{folder}/day.csv --vehicles {folder}/vans.csv --speed 60km/h"


def test_what_is_fatal_is_told(run: Run, tmp_path: Path) -> None:
    """Miller is 6 minutes away, opens at 14:00 and takes half an hour."""
    words = write_tables(tmp_path, "14:35")
    done = run("diagnose", words)
    assert (done.code, done.err) == (1, "")
    fatal, warning = done.out.splitlines()
    assert fatal == (
        "day: no vehicle can serve customer 1 (id Miller): its window opens "
        "at 14:00, and a vehicle is back at 14:36 at the earliest, after its "
        "end at 14:35."
    )
    assert warning == (
        "day: warning: 2 customers have the same place, demand and window: "
        "customer 2 (id bob), customer 3 (id eve)."
    )
    answer = run.json("diagnose", words, code=1)
    assert answer["instance"] == "day"
    assert answer["feasible"] is False
    first, second = answer["findings"]
    assert (first["kind"], first["ids"]) == ("return", ["Miller"])
    assert first["numbers"]["earliest_return"] == 14 * 3600 + 36 * 60
    assert (second["is_fatal"], second["customers"]) == (False, [2, 3])
    run.fails(1, f"error: {fatal}", "solve --all-or-nothing", words)


def test_a_warning_is_not_fatal(run: Run, tmp_path: Path) -> None:
    """A minute more for the shift, and there is a plan."""
    words = write_tables(tmp_path, "14:36")
    done = run.succeeds("diagnose", words)
    assert done.out.startswith("day: warning: 2 customers")
    assert run.json("diagnose", words)["feasible"] is None
    assert run.json("solve", words, "--time-limit 0.2")["feasible"]


def test_nothing_is_found(run: Run, square_file: Path) -> None:
    """A plain problem is well."""
    assert run.succeeds("diagnose", square_file).out.endswith(
        ": nothing found.\n"
    )
    assert run.json("diagnose", square_file)["findings"] == []


def test_of_many_findings_of_a_kind_ten_are_shown(
    run: Run, tmp_path: Path
) -> None:
    """Twelve customers who are too far away."""
    rows = [f"c{k},0,{9000 + k},1" for k in range(12)]
    table = tmp_path / "far.csv"
    table.write_text("\n".join(["id,x,y,demand", "yard,0,0,0", *rows]))
    vans = tmp_path / "vans.csv"
    vans.write_text("capacity,number,max distance\n20,1,10000\n")
    words = f"{table} --vehicles {vans}"
    lines = run("diagnose", words).out.splitlines()
    assert [line for line in lines if "no vehicle can serve" in line] == (
        lines[:10]
    )
    assert lines[10] == "far: 2 more such cases."
    assert len(run.json("diagnose", words, code=1)["findings"]) == 12


def test_what_the_search_lacks_is_told(run: Run, tmp_path: Path) -> None:
    """48 minutes to three customers, of whom 45 allow any two."""
    folder, output = tmp_path, tmp_path / "plan.sol"
    places = "a,10000,0\nb,-10000,0\nc,0,10000\n"
    (folder / "tour.csv").write_text(f"id,x,y\nyard,0,0\n{places}")
    (folder / "van.csv").write_text("number,capacity,max duration\n1,9,0:45\n")
    words = f"{folder}/tour.csv --vehicles {folder}/van.csv --speed 60km/h "
    words += f"--time-limit 0.3 --output {output}"
    for more in ("", " --json"):
        done = run.fails(
            1,
            "tour: no plan for 1 vehicle was found in time, which is no "
            "proof that there is none; the fewest found are 2; customer ",
            "solve --all-or-nothing",
            words + more,
        )
        assert done.out == ""
        assert not output.exists()
