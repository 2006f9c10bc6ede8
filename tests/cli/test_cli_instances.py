"""``ncc-route instances``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing import InstanceError
from ncc_routing.io import names

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Run


def test_known_instances_are_listed(
    run: Run, square_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder in NCC_ROUTING_DATA is searched."""
    monkeypatch.setenv("NCC_ROUTING_DATA", str(square_file.parent))
    entries = run.json("instances")["instances"]
    expected = {"name": "square", "num_customers": 4, "capacity": 5}
    assert entries[0] == {**expected, "bks": 484, "path": str(square_file)}
    lines = run("instances").out.splitlines()
    assert lines[0].split() == ["name", "customers", "capacity", "bks"]
    assert lines[1].split() == ["square", "4", "5", "484"]


def test_get_fetches_by_name_and_by_pattern(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files are printed, one a line; an unknown name is refused."""
    fetched: list[str] = []

    def fetch(name: str) -> str:
        if name == "nothing":
            raise InstanceError(name, "name", "is unknown")
        fetched.append(name)
        return f"/cache/{name}.vrp"

    monkeypatch.setattr(names, "fetch_instance", fetch)
    done = run("instances get x-N101-k25 Ghent?")
    assert fetched == ["X-n101-k25", "Ghent1", "Ghent2"]
    assert done.out.splitlines() == [f"/cache/{name}.vrp" for name in fetched]
    assert run("instances get nothing").code == 1
    assert run("instances get").code == 2


def test_empty_catalogue_says_where_to_look(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any instance the variable is named."""
    monkeypatch.setattr("ncc_routing.bench.catalogue.data_folders", lambda: [])
    done = run.succeeds("instances")
    assert "NCC_ROUTING_DATA" in done.err
