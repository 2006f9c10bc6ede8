"""Measure time and memory on generated instances of up to 200,000 customers.

    python docs/benchmarks/large.py

writes ``large.csv`` and ``large.md`` beside itself in about 8 minutes. For
each size ``ncc-route solve`` runs twice, in a process of its own:

- with a time limit that has passed at once, so that it ends with the first
  feasible solution of the savings method;
- with ``--polish ruin-recreate --time-limit 60``.

A run on a small instance before, which may have to compile kernels, is not
counted.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fresh_process

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZES = (1000, 10_000, 30_000, 100_000, 200_000)
SEED = 3_000_002
LIMIT = 60
AT_ONCE = 0.001

PAGE = """\
# Large instances

`ncc-route solve` on generated instances, each run in a fresh process, kernels
compiled before. `ncc-route generate N --seed {seed}` makes the instances.

- *First solution*: `--method savings --time-limit {at_once}`. The limit has
  passed at once, so the answer is the first feasible solution. The time goes
  from reading the file to the checked solution; the process adds its start
  and imports.
- *Polished*: `--method savings --polish ruin-recreate --time-limit {limit:g}
  --jobs {jobs}`. The first fifth of the time is for the construction (more
  shapes of the savings, LKH on each route), the rest for ruin and recreate.
- Memory is the peak of the whole process as the system counts it
  (`ru_maxrss`), Python and libraries included.

| customers | first solution | per 1,000 customers | process | memory | cost |
| ---: | ---: | ---: | ---: | ---: | ---: |
{first}

| customers | construction | polished | better by | work | process | memory |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{polished}

{machine}
`python docs/benchmarks/large.py` makes this page and `large.csv`.
"""


def measure(file: Path, run_name: str, *words: object) -> dict[str, Any]:
    """Run the savings method with some options; return one row."""
    run = fresh_process.run("solve", file, "--method", "savings", *words)
    if run.error:
        raise SystemExit(f"{file.stem}, {run_name}: {run.error}")
    answer = run.answer
    return {
        "instance": file.stem,
        "num_customers": answer["num_customers"],
        "run": run_name,
        "construction_seconds": answer["stages"][0]["seconds"],
        "construction_cost": answer["stages"][0]["cost"],
        "cost": answer["cost"],
        "num_routes": answer["num_routes"],
        "work_seconds": answer["runtime_seconds"],
        "process_seconds": round(run.process_seconds, 3),
        "cpu_seconds": round(run.cpu_seconds, 3),
        "peak_mib": round(run.peak_mib, 1),
    }


def write_page(
    rows: Sequence[dict[str, Any]], limit: float, jobs: int, output: Path
) -> None:
    """Write the page beside the table."""
    first, polished = [], []
    for row in rows:
        size, cost = row["num_customers"], row["cost"]
        times = f"{row['work_seconds']:.2f} s"
        ends = f"{row['process_seconds']:.2f} s | {row['peak_mib']:,.0f} MiB"
        if row["run"] == "first":
            share = f"{1000 * row['work_seconds'] / size:.3f} s"
            first.append(f"| {size:,} | {times} | {share} | {ends} | {cost} |")
        else:
            before = row["construction_cost"]
            gain = f"{100 * (1 - cost / before):.2f} %"
            polished.append(
                f"| {size:,} | {before} | {cost} | {gain} | {times} | {ends} |"
            )
    text = PAGE.format(
        seed=SEED,
        at_once=AT_ONCE,
        limit=limit,
        jobs=jobs,
        first="\n".join(first),
        polished="\n".join(polished),
        machine=fresh_process.describe_machine(),
    )
    output.with_suffix(".md").write_text(text, encoding="utf-8")


def main() -> None:
    """Run all sizes; write table and page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--limit", type=float, default=LIMIT)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--output", type=Path, default=Path(__file__).with_suffix(".csv")
    )
    options = parser.parse_args()
    at_once = ("--time-limit", AT_ONCE)
    polished = (
        *("--polish", "ruin-recreate", "--time-limit", options.limit),
        *("--jobs", options.jobs),
    )
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        # More customers than all pairs are made of: all kernels are used.
        small = fresh_process.generate(2000, SEED, Path(folder))
        measure(small, "warm-up", *polished[:2], "--time-limit", 2)
        for size in options.sizes:
            file = fresh_process.generate(size, SEED, Path(folder))
            for name, words in (("first", at_once), ("polished", polished)):
                rows.append(measure(file, name, *words))
                print(*rows[-1].values(), flush=True)
    fresh_process.write_table(options.output, rows)
    write_page(rows, options.limit, options.jobs, options.output)


if __name__ == "__main__":
    main()
