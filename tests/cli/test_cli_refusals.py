"""What each verb refuses: the words, the exit code, and the message."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run

TABLE = "id,x,y,demand\nhome,0,0,0\nann,10,0,2\nbob,0,10,3\n"
FILES = {
    "table.csv": TABLE,
    "other.csv": TABLE,
    "points.csv": "x,y\n0,0\n0,1\n9,9\n9,8\n",
    "vans.csv": "name,capacity\nvan,5\n",
    "tight.csv": "name,capacity\nvan,2\n",
    "drivers.csv": "name,capacity\nvan,5\n",
    "before.csv": "id,district\nann,1\nbob,2\n",
    "before.sol": "Route #1: 1 2\n",
    "other.sol": "Route #1: 1 2\n",
    "days.toml": 'reference = "before.csv"\nconsistency = 1.0\n',
    "twice.csv": "route,id\n1,1\n2,1\n",
    "eve.csv": "route,id\n1,1\n1,eve\n",
    "far.sol": "Route #1: 1 4 7\nCost 1\n",
    "full.sol": "Route #1: 1 2 3 4\nCost 1\n",
    "matrix.csv": "0,1,2\n1,0,3\n2,1,0\n",
    "nowhere.csv": "id,demand\nhome,0\na,1\nb,1\n",
    "elsewhere.csv": "id,demand\nhome,0\na,1\nb,1\n",
    "taken.csv": "mine",
    "taken.md": "mine",
    "note.json": "mine",
    "page.md": "mine",
}
LONG = "--capacity 5 --time-limit 20"
"""Whatever is refused is so before a search."""

SQUARE = "solve square.vrp"
DAYS = "solve-days monday.vrp tuesday.vrp"
RESHAPE = f"{SQUARE} --start square.sol --max-extra-cost 0.01"
NOWHERE = f"nowhere.csv --matrix matrix.csv {LONG}"
BENCH = "bench square.vrp --methods savings --polish none"
PLOT = "plot square.vrp square.sol -o a.png"
TRAIN = "train . --validation . --schedule cpu -o out"
AT_LEAST_0 = "greater than or equal to 0 | x>=0"
"""In the words of one version of the command line library or another."""

READ_TOO = "is a file that the run reads"
BAD_SIZES = ["7", "7x", "0x5", "7x5x3", "infx5", "-1x-1"]
BAD_COUNTS = ["many", "²", "٣", "1_0", "-1", "9" * 5000]

USAGE = [
    ("", ""),
    ("fly", ""),
    (f"{SQUARE} --method magic", "sweep+"),
    (f"{SQUARE} --polish magic", "pyvrp"),
    (f"{SQUARE} --router magic", "local-search"),
    (f"{SQUARE} --metric magic", "paper"),
    (f"{SQUARE} --time-limit nan", "positive"),
    (f"{SQUARE} --jobs 0", "at least 1"),
    (f"{SQUARE} --compactness -1", AT_LEAST_0),
    (f"{SQUARE} --affinity -1", AT_LEAST_0),
    (f"{SQUARE} --output plan.pdf", "the suffix must be one of .sol, .csv"),
    (f"{SQUARE} --plot a.gif", ".png or .svg or .html"),
    (f"{SQUARE} --reference-instance square.vrp", "needs --reference"),
    (f"solve table.csv {LONG} --time-unit d", ""),
    (f"solve table.csv {LONG} --columns open", ""),
    (f"solve table.csv {LONG} --columns id=id --columns id=x", ""),
    ("diagnose table.csv --max-districts 0", ""),
    ("cluster points.csv --method magic", ""),
    ("cluster points.csv --columns demand", ""),
    *(
        (f"cluster points.csv --clusters={each}", "not a whole number")
        for each in BAD_COUNTS
    ),
    ("cluster points.csv -o c.svg", "the suffix must be .csv"),
    ("cluster points.csv --plot a.geojson", ".png or .svg or .html."),
    *((f"{PLOT} --size={each}", "such as 7x5") for each in BAD_SIZES),
    ("plot square.vrp square.sol -o a.gif", ".png or .svg or .html"),
    ("check - -", ""),
    ("bench square.vrp --methods savings,magic", "'magic' is not one of"),
    (f"{BENCH} --output table.txt", ".csv"),
    (f"{BENCH} --resume", "--resume goes with --output"),
    ("generate 5 --depot north -o .", "central, eccentric, random"),
    ("generate 0", ""),
    ("generate 5 --count 2 -o -", ""),
    ("instances get", ""),
    ("prepare berlin a.csv", ""),
    ("prepare milan a.csv", "three files"),
    ("prepare shanghai - -o - --parts 1", ""),
    (f"{TRAIN} --plot curve.txt", ".png or .svg"),
    (f"{TRAIN} --distance-weight 5", "-weight goes with --architecture pap"),
    (f"{TRAIN} --centers labels", "--centers goes with --architecture paper"),
    ("label new --problem tsp", ""),
    ("label new --capacity 3", ""),
    ("label new --from . --runs 3", "--runs does not go with --from"),
    ("reshape square.vrp square.sol", "is now: ncc-route solve INSTANCE"),
    ("trade-off square.vrp", "once for each weight"),
    ("solve-days monday.vrp -", "not standard input"),
    (f"{DAYS} --format xls", "is not one of"),
]

INPUT = [
    ("solve missing.vrp", "missing.vrp"),
    ("solve missing.vrp -o no/folder.sol", "folder.sol: "),
    *(
        (f"{SQUARE} --bks={value}", value)
        for value in ("0", "-3", "inf", "no.sol")
    ),
    ("solve random60.vrp --bks square.sol", "not a solution of random60"),
    ("solve square.vrp random60.vrp -o a.sol", "--output goes with one inst"),
    ("solve square.vrp twin/square.vrp", "would have the same name"),
    (f"solve table.csv {LONG} --speed 40", "km/h, m/s or mph"),
    ("solve NCC-n0101-s1 --speed 4km/h", "speed goes with a table of cust"),
    ("solve NCC-n0101-s1 --max-districts 2", "max_districts goes with a ta"),
    (f"{SQUARE} --start twice.csv", "twice.csv: customer 1 is visited 2 tim"),
    (f"{SQUARE} --start square.sol --method sweep", "would have no effect"),
    (f"{SQUARE} --start square.sol --sol-dir .", "--start goes with one ins"),
    (f"{SQUARE} --affinity 1", "affinity 1.0 needs a scorer"),
    (f"{SQUARE} --affinity 1e7", "affinity must lie in [1e-06, 1e+06] or"),
    (f"{SQUARE} --compactness 1e308", "compactness must lie in"),
    (f"{SQUARE} --compactness 1e-320", "compactness must lie in"),
    (f"{SQUARE} --scorer no.st --affinity 1", "no.st"),
    (f"{SQUARE} --consistency 1 --reference far.sol", "customer 7 is not in"),
    *(
        (
            f"solve table.csv {LONG} {option} {more}",
            f"{option.split()[0]} is for a fig",
        )
        for option in ("--size 3x3", "--dpi 30")
        for more in ("", "--plot a.html")
    ),
    (f"solve table.csv {LONG} -o a.svg --plot a.svg", "must be different fil"),
    *(
        (f"solve {NOWHERE} {option} x.{suffix}", "coordinates are needed")
        for option in ("--plot", "-o")
        for suffix in ("png", "html", "geojson")
    ),
    (f"solve-days elsewhere.csv {NOWHERE} --format png -o out", "needed"),
    *(
        (
            f"{verb} table.csv {LONG} -o {output}",
            f"{output}: --output {READ_TOO}",
        )
        for verb in ("solve", "cluster")
        for output in ("table.csv", "link.csv")
    ),
    (f"solve table.csv {LONG} --vehicles vans.csv -o vans.csv", READ_TOO),
    (f"{SQUARE} --bks square.sol -o square.sol", READ_TOO),
    (f"solve table.csv {LONG} --params days.toml -o before.csv", READ_TOO),
    (
        f"solve table.csv {LONG} --reference before.csv --consistency 1 "
        "-o before.csv",
        READ_TOO,
    ),
    (
        f"solve table.csv other.csv {LONG} --sol-dir . --consistency 1 "
        "--reference other.sol",
        f"other.sol: --sol-dir {READ_TOO}",
    ),
    (f"solve-days table.csv other.csv {LONG} -o .", READ_TOO),
    (
        "solve-days table.csv other.csv --vehicles drivers.csv --format sol "
        "-o .",
        READ_TOO,
    ),
    (RESHAPE, "needs a positive compactness"),
    (f"{SQUARE} --max-extra-cost 0.1", "needs an initial solution"),
    ("check square.vrp " + 500 * "long-name/", "too long"),
    (
        "check square.vrp eve.csv",
        "eve.csv: line 3 (id eve), column id: must be a customer of square, "
        "got 'eve'",
    ),
    ("diagnose table.csv --capacity 5 --in-progress far.sol", "far.sol: "),
    ("plot square.vrp far.sol -o a.png", "there is no customer 7"),
    ("cluster points.csv --capacity 2 --json -o -", "only one output can go"),
    ("bench empty", "holds no .vrp file"),
    (f"{BENCH} -o none/table.csv", "No such file"),
    (f"{BENCH} twin/square.vrp", "would have the same name"),
    *(
        (f"{BENCH} -o {name}.csv {more}", f"{file} exists")
        for name, file, more in (
            ("taken", "taken.csv", ""),
            ("note", "note.json", ""),
            ("page", "page.md", "--resume"),
        )
    ),
    ("prepare shanghai missing.csv", "missing.csv"),
    (TRAIN, "no label file"),
    ("solve-days monday.vrp", "NUM_DAYS: is missing"),
    ("solve-days monday.vrp twin/monday.vrp -o out", "different names"),
    ("solve-days monday.vrp friday.vrp", "does not exist"),
    (f"{DAYS} --capacity 9", "capacity goes with a table"),
]


@pytest.fixture
def folder(
    square_file: Path, random_file: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Write a file of each kind into a folder, and go there."""
    folder = square_file.parent
    for name, text in FILES.items():
        (folder / name).write_text(text)
    os.link(folder / "table.csv", folder / "link.csv")
    for name in ("twin", "empty"):
        (folder / name).mkdir()
    square, names = square_file.read_text(), ("monday", "tuesday")
    for name in (*names, "twin/square", "twin/monday"):
        (folder / f"{name}.vrp").write_text(square)
    assert random_file.parent == folder
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("code", "words", "message"),
    [
        *((2, words, message) for words, message in USAGE),
        *((1, words, message) for words, message in INPUT),
        *(
            (2, f"{verb} {option}", message)
            for verb in (
                *("solve square.vrp", "cluster points.csv", DAYS),
                RESHAPE,
            )
            for option, message in (
                ("--time-limit 0", "positive"),
                ("--seed -1", AT_LEAST_0),
                ("--no-such-option", "--no-such-option"),
            )
        ),
        *(
            (1, f"{verb} --params {file}", file)
            for verb in (
                *("solve square.vrp", "cluster points.csv", DAYS),
                RESHAPE,
            )
            for file in ("no.toml", "table.csv")
        ),
    ],
    ids=lambda value: str(value)[:70],
)
def test_it_is_refused_in_one_line(
    run: Run, folder: Path, code: int, words: str, message: str
) -> None:
    """At once, by a message; nothing is printed, written or changed."""
    files = {f: f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    done = run(words)
    assert (done.code, done.out) == (code, "") or not words
    said = " ".join(done.err.split())
    assert any(text in said for text in message.split(" | "))
    assert "internal error" not in said
    if code == 1:
        assert done.err.startswith("ncc-route: error: ")
        assert done.err.count("\n") == 1
    after = {f: f.read_bytes() for f in folder.rglob("*") if f.is_file()}
    assert after == files
