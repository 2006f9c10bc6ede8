"""Numbers that are not numbers are refused by every reader."""

from pathlib import Path

import pytest

import ncc_routing as nr
from ncc_routing.io.toml import read_params

TINY = (Path(__file__).parent / "data" / "tiny.vrp").read_text()
VRPLIB = TINY.replace("TYPE", "SERVICE_TIME : 0\nTYPE", 1)

WRONG = ("1_0", "\u0663", "inf", "nan", "0x10", "1e400")


def save(folder: Path, name: str, text: str) -> Path:
    """Return a new file with a text."""
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize("number", WRONG)
@pytest.mark.parametrize(
    ("row", "field"),
    [
        ("DIMENSION : 6", "DIMENSION"),
        ("CAPACITY : 10", "CAPACITY"),
        ("SERVICE_TIME : 0", "SERVICE_TIME"),
        ("1 0 0", "NODE_COORD_SECTION"),
        ("2 3 4", "NODE_COORD_SECTION"),
        ("2 4", "DEMAND_SECTION"),
    ],
)
def test_fields_of_an_instance(
    tmp_path: Path, row: str, field: str, number: str
) -> None:
    """Every field of a VRPLIB file; the message names it."""
    first = row.rpartition(" ")[0]
    text = VRPLIB.replace(f"{row}\n", f"{first} {number}\n")
    file = save(tmp_path, "a.vrp", text)
    with pytest.raises(nr.InstanceError, match=f"a.vrp: {field}: ") as caught:
        nr.read(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("zero", ["0", "0.0", "0e5", "-0"])
def test_every_spelling_of_zero_is_zero(tmp_path: Path, zero: str) -> None:
    """A service of no time is none."""
    text = VRPLIB.replace("SERVICE_TIME : 0", f"SERVICE_TIME : {zero}")
    assert not nr.read(save(tmp_path, "a.vrp", text)).features


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "9" * 5000])
def test_parameters(tmp_path: Path, text: str) -> None:
    """TOML that goes too deep, and numbers that are too long."""
    with pytest.raises(nr.InstanceError, match="file: must be TOML"):
        read_params(save(tmp_path, "a.toml", text))
