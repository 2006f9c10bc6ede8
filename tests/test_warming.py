"""What is compiled ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing import warming
from ncc_routing.problems.points import PointSet

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    import pytest

    from ncc_routing.core.preparation import KernelBuild


def parts_of(
    everything: bool, monkeypatch: pytest.MonkeyPatch
) -> tuple[set[str], set[tuple[str, type]]]:
    """Return the functions of the parts, and the kinds of points."""
    functions: set[str] = set()
    kinds: set[tuple[str, type]] = set()

    def hear(
        _: Hashable, __: Callable[[], object], parts: Iterable[KernelBuild]
    ) -> None:
        for part in parts:
            functions.add(part.function.rpartition(":")[2])
            points = part.arguments[0]
            if isinstance(points, PointSet):
                kinds.add((points.weights.dtype.kind, type(points.capacity)))

    monkeypatch.setattr(warming, "make_ready", hear)
    warming.warmup(everything=everything)
    return functions, kinds


def test_everything_is_more_than_the_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Other methods, and whole weights in a cluster with a real capacity."""
    every, kinds = parts_of(True, monkeypatch)
    assert kinds == {("i", int), ("i", float), ("f", int), ("f", float)}
    functions, kinds = parts_of(False, monkeypatch)
    fleets = {"compile_annealing", "compile_placing", "compile_insertion"}
    assert fleets <= functions < every
    assert kinds == {("i", int)}
