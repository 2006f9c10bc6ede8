"""Damaged command lines: done, or refused as documented."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import samples
from tests.robustness.mutations import WORDS
from tests.robustness.support import RANDOMS, cases, check_line, run_command

if TYPE_CHECKING:
    import random

# Command lines of every verb that ends soon and stays on this machine. Behind
# the bar are options that stay, and so count: those which bound lawful hours
# and many processes.
LINES: Final = """
solve tiny.vrp --method ckm --polish none --seed 3 --output a.sol \
    --bks tiny.sol --metric cvrplib --json | --time-limit 0.2 --jobs 1
solve customers.csv --capacity 9 --depot shop --output a.csv \
    --method savings --polish ruin-recreate --no-progress \
    | --time-limit 0.2 --jobs 1
solve tiny.vrp --sol-dir answers --method ncc \
    --params params.toml | --time-limit 0.2 --jobs 1
solve tiny.vrp --polish none --method sweep --time-limit 0.2 |
solve plane.csv --capacity 6 --matrix matrix.csv --method savings \
    --polish none --router local-search --plot a.geojson |
cluster points.csv --capacity 6 --clusters 3 --objective cpmp --method ckm \
    --floor --output labels.csv --seed 1 | --time-limit 0.2
cluster medians.txt -k fewest --method ckm --params clusters.toml \
    | --time-limit 0.5
solve-days tiny.vrp matrix.vrp --max-extra-cost 0.1 --output week \
    --format sol | --time-limit 0.2 --jobs 1
check tiny.vrp tiny.sol --metric round --json |
check customers.csv shop.sol --capacity 9 --depot shop |
diagnose customers.csv --capacity 9 --depot shop --json |
plot tiny.vrp tiny.sol --output a.svg --hulls --size 3x2 |
plot tiny.vrp tiny.sol --output a.html --metric none |
bench tiny.vrp matrix.vrp --methods savings,insertion --polish none \
    --output b.csv --json \
    | --time-limit 0.2 --jobs 1 --seeds 1 --jobs-per-run 1
generate 5 --seed 2 --depot central --customers half --demands 1-10 \
    --route-length 4 --output out --json | --count 2
prepare shanghai sessions.csv --clusters 1 --seed 4 --output out \
    | --parts 1 --part-size 3
label labels --problem cvrp --seed 3 | --count 1 --sizes 5 6 --runs 1 \
    --iterations 1 --shard-size 1 --jobs 1
instances --json |
--version |
--verbose solve tiny.vrp --method gap --time-limit 0.5 |
""".strip().splitlines()


FILES: Final = {
    "tiny.vrp": samples.EUCLIDEAN,
    "matrix.vrp": samples.FULL_MATRIX,
    "tiny.sol": "Route #1: 1 2\nRoute #2: 3 4\nCost 24\n",
    "shop.sol": "Route #1: 1 2\nRoute #2: 3 4\n",
    "customers.csv": samples.CUSTOMERS,
    "plane.csv": samples.PLANE,
    "matrix.csv": samples.MATRIX_CSV,
    "points.csv": samples.POINTS,
    "medians.txt": samples.MEDIANS,
    "sessions.csv": samples.SESSIONS,
    "params.toml": samples.PARAMS,
    "clusters.toml": samples.CLUSTER_PARAMS,
}

NAMES: Final = (
    *(word for word in WORDS if "/" not in word), *FILES,
    ".", "/dev/null", "/dev/full", "/nonexistent/a.sol", "a/b/c.sol", "a.png",
    "a.unknown", "--", "-k", "--json", "--debug-", "--seed", "--output",
    "--plot",
)  # fmt: skip
"""Words of a damaged command line."""


def write_files(folder: Path) -> None:
    """Write every file that a command line reads."""
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def damaged(words: list[str], rng: random.Random) -> list[str]:
    """Return the words of a command line with one to three damages."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        place = rng.randrange(min(1, len(words) - 1), len(words))
        kind = rng.randrange(10)
        if kind < 6:
            words[place] = rng.choice(NAMES)
        elif kind == 6:
            del words[place]
        elif kind == 7:
            words.insert(place, rng.choice(NAMES))
        elif kind == 8:
            words.insert(place, rng.choice(words))
        else:
            words[place] = words[place][: rng.randrange(len(words[place]) + 1)]
        if len(words) < 2:
            break
    # A word of the system holds no zero byte.
    return [word.replace("\0", "") for word in words]


@given(line=st.sampled_from(LINES), rng=RANDOMS)
@cases(20, 1700)
def test_damaged_commands(line: str, rng: random.Random) -> None:
    """A damaged command line is done, or refused in one line."""
    words, bounds = (part.split() for part in line.split("|"))
    verb = words[0]
    words = [*damaged(words, rng), *bounds]
    with tempfile.TemporaryDirectory() as name:
        write_files(Path(name))
        code, errors = run_command(words, Path(name))
    assert code in (0, 1, 2), f"{words}: {errors}"
    for sign in ("Traceback", "internal error", "Please report"):
        assert sign not in errors, words
    if code == 1 and verb not in ("solve", "bench", "check", "diagnose"):
        check_line(errors.splitlines()[-1] if errors else "")


@pytest.mark.parametrize("line", LINES)
def test_whole_commands(line: str, tmp_path: Path) -> None:
    """A command line without damage is done."""
    write_files(tmp_path)
    code, errors = run_command(line.replace("|", "").split(), tmp_path)
    assert code == 0, errors
