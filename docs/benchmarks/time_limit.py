"""Measure how exactly ``ncc-route solve --time-limit`` ends.

    python docs/benchmarks/time_limit.py

writes ``time_limit.csv`` and ``time_limit.md`` beside itself in about 20
minutes. The instances are generated; each run is a process of its own, one
at a time. A first run of each pair on the smallest instance, which may have
to compile kernels, is not counted. The machine should do nothing else.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fresh_process

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (100, 1000, 10_000, 30_000)
SEED = 3_000_001
LIMITS = (1, 3, 10)
PAIRS = (
    ("savings", "none"),
    ("ckm", "none"),
    ("ncc", "none"),
    ("sweep", "none"),
    ("petal", "none"),
    ("savings", "ruin-recreate"),
    ("ckm", "ruin-recreate"),
    ("savings", "pyvrp"),
    ("ncc", "auto"),
)
"""Each construction alone, and each polish."""

WORK_SLACK = 0.3
LARGE_SHARE = 0.05
LARGE = 10_000
PROCESS_SLACK = 1.5

PAGE = f"""\
# Time limits

`ncc-route solve FILE --time-limit T --output OUT` in a fresh process each,
kernels compiled before. The work, which is reading, all stages and writing,
has to end within T + {WORK_SLACK} s ({LARGE_SHARE:.0%} of T more beyond
{LARGE:,} customers), the process within T + {PROCESS_SLACK} s. Seconds over
T, the largest of the limits T = {{limits}}; less than 0 means that the method
was done before. Instances: `ncc-route generate N --seed {SEED}`.

{{table}}
{{late}}

{{machine}}
`python docs/benchmarks/time_limit.py` makes this page and `time_limit.csv`.
"""


def is_late(row: dict[str, Any]) -> bool:
    """Whether the work or the process went over its limit."""
    limit = row["time_limit"]
    slack = WORK_SLACK
    if row["num_customers"] > LARGE:
        slack += LARGE_SHARE * limit
    work, process = row["work_seconds"], row["process_seconds"]
    return bool(work > limit + slack or process > limit + PROCESS_SLACK)


def measure(
    file: Path, method: str, polish: str, limit: float, output: Path
) -> dict[str, Any]:
    """Return one row of the table, without the size."""
    run = fresh_process.run(
        *("solve", file, "--method", method, "--polish", polish),
        *("--time-limit", limit, "--output", output),
    )
    if run.error:
        raise SystemExit(f"{file.stem}, {method}, {polish}: {run.error}")
    stages = run.answer["stages"]
    return {
        "instance": file.stem,
        "method": method,
        "polish": polish,
        "time_limit": limit,
        "work_seconds": run.answer["runtime_seconds"],
        "process_seconds": round(run.process_seconds, 3),
        "cpu_seconds": round(run.cpu_seconds, 3),
        "stages": " ".join(f"{s['name']}={s['seconds']}" for s in stages),
        "cost": run.answer["cost"],
    }


def format_table(rows: Sequence[dict[str, Any]]) -> str:
    """Return the seconds over the limit by method, polish and size."""
    sizes = sorted({row["num_customers"] for row in rows})
    head = " | ".join(f"n = {size:,}: work, process" for size in sizes)
    lines = [
        f"| method | polish | {head} |",
        "| --- | --- |" + " ---: |" * len(sizes),
    ]
    for method, polish in PAIRS:
        cells = []
        for size in sizes:
            over = [
                (
                    row["work_seconds"] - row["time_limit"],
                    row["process_seconds"] - row["time_limit"],
                )
                for row in rows
                if (row["method"], row["polish"]) == (method, polish)
                and row["num_customers"] == size
            ]
            work, process = map(max, zip(*over, strict=True))
            cells.append(f"{work:+.2f}, {process:+.2f}")
        lines.append(f"| {method} | {polish} | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def write_page(rows: Sequence[dict[str, Any]], output: Path) -> None:
    """Write the page beside the table."""
    late = [
        f"- {row['instance']}, {row['method']}, {row['polish']}, "
        f"T = {row['time_limit']:g}: work {row['work_seconds']:.2f} s, "
        f"process {row['process_seconds']:.2f} s"
        for row in rows
        if is_late(row)
    ]
    summary = f"{len(late)} of {len(rows)} runs end later than they have to"
    text = PAGE.format(
        limits=", ".join(
            f"{limit:g}" for limit in sorted({r["time_limit"] for r in rows})
        ),
        table=format_table(rows),
        late="\n".join([f"{summary}:\n", *late] if late else [f"{summary}."]),
        machine=fresh_process.describe_machine(),
    )
    output.with_suffix(".md").write_text(text, encoding="utf-8")


def main() -> None:
    """Run every pair on every instance; write table and page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--limits", type=float, nargs="+", default=LIMITS)
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_suffix(".csv")
    )
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        solution = Path(folder) / "found.sol"
        files = {
            size: fresh_process.generate(size, SEED, Path(folder))
            for size in options.sizes
        }
        for method, polish in PAIRS:
            measure(files[min(files)], method, polish, 1, solution)
            for size, file in files.items():
                for limit in options.limits:
                    found = measure(file, method, polish, limit, solution)
                    row = {"num_customers": size, **found}
                    rows.append(row)
                    print("late" if is_late(row) else "", *row.values())
    fresh_process.write_table(options.output, rows)
    write_page(rows, options.output)


if __name__ == "__main__":
    main()
