"""Measure ``ncc`` and ``ckm`` in processes of their own.

    python docs/benchmarks/scorer_process.py [FILE.vrp ...]

writes ``scorer_process.csv`` beside itself: for each file and for generated
instances of up to 30,000 customers, time and memory of
``ncc-route solve --method METHOD --polish none``, the start of the process,
reading, routing and checking included. A run on a small instance before,
which may have to compile kernels, is not counted.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import fresh_process

SIZES = (100, 1000, 10_000, 30_000)
SEED = 3_000_003
METHODS = ("ckm", "ncc")


def main(files: list[Path]) -> None:
    """Run both methods on every instance and write the table."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = [fresh_process.generate(n, SEED, folder) for n in SIZES]
        for method in METHODS:
            solve(made[0], method)
        for file in (*files, *made):
            for method in METHODS:
                rows.append(solve(file, method))
                print(rows[-1], flush=True)
    fresh_process.write_table(Path(__file__).with_suffix(".csv"), rows)


def solve(file: Path, method: str) -> dict[str, object]:
    """Solve an instance in a process of its own."""
    found = fresh_process.run(
        "solve", file, "--method", method, "--polish", "none"
    )
    if found.error:
        raise RuntimeError(f"{file.name}, {method}: {found.error}")
    stages = {s["name"]: s["seconds"] for s in found.answer["stages"]}
    return {
        "instance": file.stem,
        "method": method,
        "cost": found.answer["cost"],
        "num_routes": found.answer["num_routes"],
        "clustering_seconds": stages["cluster"],
        "work_seconds": found.answer["runtime_seconds"],
        "process_seconds": round(found.process_seconds, 3),
        "cpu_seconds": round(found.cpu_seconds, 3),
        "peak_mib": round(found.peak_mib, 1),
    }


if __name__ == "__main__":
    main([Path(word) for word in sys.argv[1:]])
