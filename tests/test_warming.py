"""What is compiled ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing import warming

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    import pytest

    from ncc_routing.core.preparation import KernelBuild


def parts_of(everything: bool, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the function of each part."""
    functions: list[str] = []

    def hear(
        _: Hashable, __: Callable[[], object], parts: Iterable[KernelBuild]
    ) -> None:
        functions.extend(part.function.rpartition(":")[2] for part in parts)

    monkeypatch.setattr(warming, "make_ready", hear)
    warming.warmup(everything=everything)
    return functions


def test_everything_is_more_than_the_defaults(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Other methods, and what the preferences call."""
    every = parts_of(True, monkeypatch)
    functions = parts_of(False, monkeypatch)
    fleets = {"compile_annealing", "compile_placing", "compile_insertion"}
    offspring = {"compile_moves", "compile_exchanges", "compile_members"}
    assert fleets | offspring <= set(functions) <= set(every)
    assert len(functions) < len(every)
