"""Reading Solomon's form of problems with time windows."""

from __future__ import annotations

from pathlib import Path

from ncc_routing.io.solomon import looks_like_solomon
from ncc_routing.io.vrplib import read
from ncc_routing.problems import features

TEXT = (Path(__file__).parent / "data" / "solomon.txt").read_text()


def save(folder: Path, text: str = TEXT) -> Path:
    """Write a text to a file and return its path."""
    file = folder / "t101.txt"
    file.write_text(text)
    return file


def test_reads_every_field(tmp_path: Path) -> None:
    """Vehicles, places, demands, windows and services."""
    instance = read(save(tmp_path), metric="dimacs")
    assert instance.name == "T101"
    assert instance.num_customers == 3
    assert instance.capacity == 200
    assert instance.demands.tolist() == [0, 10, 30, 20]
    assert instance.coords is not None
    assert instance.coords[1].tolist() == [45, 68]
    assert instance.distances([0], [1, 2]).tolist() == [[186, 161]]
    windows = instance.windows
    assert windows is not None
    assert windows.tw_early.tolist() == [0, 120, 0, 0]
    assert windows.tw_late.tolist() == [12360, 670, 8700, 2000]
    assert windows.service_durations.tolist() == [0, 900, 900, 100]
    assert instance.vehicle_types[0].num_available == 2
    assert set(instance.features) == {
        features.LIMITED_FLEET,
        features.TIME_WINDOWS,
        features.SERVICE_DURATIONS,
    }


def test_is_told_from_vrplib() -> None:
    """Both tables, in their order; a name may say anything."""
    assert looks_like_solomon(TEXT)
    assert looks_like_solomon(TEXT.replace("T101", "NAME : CUSTOMER"))
    assert not looks_like_solomon("NAME : VEHICLE\nCOMMENT : CUSTOMER")
    assert not looks_like_solomon("CUSTOMER\nVEHICLE")
