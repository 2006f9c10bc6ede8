"""Parameters of the algorithms in a TOML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("sede = 1", "there is no parameter 'sede' in"),
        ("[ckm]\nmax_cluster = 3", "'max_cluster' in"),
        ("[ckm]\nmax_clusters = 'x'", "max_clusters must be a whole number"),
        ("ckm = 3", "ckm must be a mapping"),
        ("seed = true", "seed must be a whole number, got True"),
        ("method = 'magic'", "method must be one of auto, ckm"),
        ("priority = 'mine'", "priority"),
        ("time_limit = 'long'", "time_limit must be"),
        ("seed =", "must be TOML"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(
    run: Run, square_file: Path, tmp_path: Path, text: str, message: str
) -> None:
    """The file, the field and the rule are named; the exit code is 1."""
    file = tmp_path / "run.toml"
    file.write_text(text)
    done = run("solve", square_file, "--params", file)
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert message in done.err
    assert "internal error" not in done.err


def test_a_key_of_many_parts_is_refused(
    run: Run, square_file: Path, tmp_path: Path
) -> None:
    """So is a missing file; a key of 50,000 parts would take gigabytes."""
    file = tmp_path / "run.toml"
    run.fails(1, f"{file}: ", f"solve {square_file} --params {file}")
    file.write_text(f"# {100 * '.'}\n" + ".".join(1000 * "a") + " = 1\n")
    done = run("solve", square_file, "--params", file)
    assert (done.code, done.out) == (1, "")
    assert "run.toml: line 2: must have at most 50 dots, got 999" in done.err
