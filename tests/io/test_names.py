"""Instances by name: where they are looked for, and how they are fetched."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import ncc_routing as nr
from ncc_routing.core.exceptions import MissingDependencyError
from ncc_routing.io import names
from ncc_routing.io.names import (
    fetch_instance,
    find_instance,
    known_names,
    public_names,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

DATA = Path(__file__).parent / "data"


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves a folder and keeps silent."""

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the user an empty cache folder, and no other data."""
    monkeypatch.delenv("NCC_ROUTING_DATA", raising=False)
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> Iterator[Path]:
    """Serve a repository with one instance, ``Tiny-1``, by HTTP."""
    root = tmp_path / "served"
    folder = root / names.PUBLIC_COMMIT / "CVRP"
    folder.mkdir(parents=True)
    hashes = {}
    for suffix in (".vrp", ".sol"):
        copy = folder / f"Tiny-1{suffix}"
        shutil.copy(DATA / f"tiny{suffix}", copy)
        digest = hashlib.sha256(copy.read_bytes()).hexdigest()
        hashes[f"CVRP/{copy.name}"] = f"sha256:{digest}"
    monkeypatch.setattr("ncc_routing.io.names._hashes", lambda: hashes)
    handler = partial(QuietHandler, directory=str(root))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        monkeypatch.setattr(names, "PUBLIC_ADDRESS", address)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield folder
        server.shutdown()
        thread.join()


def test_names_are_not_case_sensitive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same letters come first, other capitals after them."""
    for name in ("known.vrp", "KNOWN.vrp", "Other.vrp"):
        shutil.copy(DATA / "tiny.vrp", tmp_path / name)
    monkeypatch.setenv("NCC_ROUTING_DATA", str(tmp_path))
    assert find_instance("KNOWN").name == "KNOWN.vrp"
    assert find_instance("known").name == "known.vrp"
    assert find_instance("oTHER").name == "Other.vrp"
    assert find_instance("other.VRP").name == "Other.vrp"
    assert find_instance("ncc-N0021-s1").name == "NCC-n0021-s1.vrp"


def test_near_misses_are_suggested() -> None:
    """A typing error in a name of the package; nothing near says nothing."""
    with pytest.raises(nr.InstanceError, match=r"similar: .*NCC-n0021-s1"):
        find_instance("NCC-n0021s1")
    with pytest.raises(nr.InstanceError) as caught:
        find_instance("qqqqqq")
    assert "near" not in str(caught.value)


@pytest.mark.parametrize("name", ["X-n101-k25", "x-N101-K25.vrp"])
def test_public_instance_that_is_not_here(cache: Path, name: str) -> None:
    """The message holds the command that fetches it."""
    with pytest.raises(
        nr.InstanceError, match="ncc-route instances get X-n101-k25 fetches"
    ):
        find_instance(name)
    # A folder in front makes it a path, whatever the file is called.
    with pytest.raises(nr.InstanceError, match="does not exist"):
        find_instance(f"nowhere/{name}")
    with pytest.raises(nr.InstanceError, match="similar: X-n101-k25"):
        fetch_instance("X-n101k25")


def test_registry_is_that_of_the_commit() -> None:
    """A pair of files for each of the 110 instances, and the right hash."""
    text = Path(names.__file__).with_name("public_instances.txt").read_text()
    assert re.search(r"^# commit (\w+)$", text, re.M)
    assert f"# commit {names.PUBLIC_COMMIT}\n" in text
    rows = re.findall(
        r"^CVRP/(?:XXL/)?([\w-]+)\.(vrp|sol) sha256:[0-9a-f]{64}$", text, re.M
    )
    assert len(rows) == len(text.splitlines()) - 2 == 220
    assert sorted({name for name, _ in rows}) == public_names()
    assert len(public_names()) == 110
    assert {"X-n101-k25", "X-n1001-k43", "Flanders2"} < set(public_names())


def test_fetched_instance_is_found_by_name(served: Path, cache: Path) -> None:
    """Instance and solution arrive, and stay when the server is away."""
    assert "Tiny-1" not in known_names()
    file = fetch_instance("tiny-1")
    assert file.is_relative_to(cache)
    assert nr.read("Tiny-1").num_customers == 5
    assert find_instance("TINY-1") == file
    assert nr.read_solution(file.with_suffix(".sol")).routes
    assert "Tiny-1" in known_names()
    for path in served.iterdir():
        path.unlink()
    assert fetch_instance("Tiny-1") == file


def test_fetched_instance_goes_where_the_variable_says(
    served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NCC_ROUTING_DATA comes before the cache of the user."""
    monkeypatch.setenv("NCC_ROUTING_DATA", str(tmp_path / "own"))
    assert fetch_instance("Tiny-1").is_relative_to(tmp_path / "own")


def test_changed_file_is_refused(served: Path, cache: Path) -> None:
    """Another hash than the recorded one: nothing is kept."""
    with (served / "Tiny-1.vrp").open("a") as file:
        file.write("\n")
    with pytest.raises(nr.NccRoutingError, match=r"Tiny-1: cannot be .* hash"):
        fetch_instance("Tiny-1")
    assert "Tiny-1" not in known_names()


def test_without_a_network_one_line_says_so(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens at port 9 of this machine."""
    monkeypatch.setattr(names, "PUBLIC_ADDRESS", "http://127.0.0.1:9/")
    with pytest.raises(nr.NccRoutingError, match="no connection") as caught:
        fetch_instance("X-n101-k25")
    assert "http://127.0.0.1:9/" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_fetching_without_pooch_names_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Pooch is optional."""
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(MissingDependencyError, match=r"ncc_routing\[names\]"):
        fetch_instance("X-n101-k25")
