"""The call when kernels are compiled."""

from pathlib import Path
from typing import Any

import numba
import pytest

from ncc_routing.core.compilation import (
    discard_foreign_kernels,
    on_compilation,
)


def add_one(x: complex) -> complex:
    """Return x + 1; compiled by the test below."""
    return x + 1


@pytest.mark.parametrize(
    ("module", "expected"), [("ncc_routing.fake", 1), ("elsewhere", 0)]
)
def test_call_comes_once_and_only_for_our_kernels(
    monkeypatch: pytest.MonkeyPatch, module: str, expected: int
) -> None:
    """Two compilations of ours are one call, those of others none."""
    monkeypatch.setattr(add_one, "__module__", module)
    kernel: Any = numba.njit(add_one)
    calls: list[str] = []
    with on_compilation(lambda: calls.append("compiling")):
        kernel(1)
        kernel(1.5)
        kernel(2)
    assert calls == ["compiling"] * expected
    kernel(1j)  # outside of the block nobody listens
    assert len(calls) == expected


@pytest.mark.parametrize("is_elsewhere", [False, True])
def test_kernels_of_an_earlier_installation_go_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_elsewhere: bool
) -> None:
    """Beside the files or in a folder for all: those of before go, no other.

    The second call knows the stamp of the first, and leaves what has been
    kept since.
    """
    package = tmp_path / "package"
    (package / "part").mkdir(parents=True)
    for folder in (package, package / "part"):
        (folder / "a.py").write_text("")
    cache = tmp_path / "cache"
    if is_elsewhere:
        monkeypatch.setattr(numba.config, "CACHE_DIR", str(cache))
    discard_foreign_kernels(package)
    (stamp,) = tmp_path.rglob("installation.stamp")
    assert (cache in stamp.parents) is is_elsewhere
    kept = [stamp.parent / "a.nbi", stamp.parent / "a.1.nbc"]
    if not is_elsewhere:
        (package / "part" / "__pycache__").mkdir(exist_ok=True)
        kept.append(package / "part" / "__pycache__" / "b.nbi")
    others = [stamp.parent / "a.pyc", package / "a.nbi"]
    for file in (*kept, *others):
        file.write_text("")
    discard_foreign_kernels(package)
    assert all(file.exists() for file in (*kept, *others))
    stamp.write_text("another")
    discard_foreign_kernels(package)
    assert not any(file.exists() for file in kept)
    assert all(file.exists() for file in others)
