"""The mean gap over time."""

from __future__ import annotations

import pytest

from ncc_routing.bench.curves import gap_curves


def row_of(method: str, instance: str, progress: str) -> dict[str, str]:
    """Return a run of 10 s that ended with 120."""
    row = {"method": method, "instance": instance, "progress": progress}
    return {**row, "cost": "120", "runtime_seconds": "10"}


def test_curve_begins_where_all_runs_have_a_solution() -> None:
    """Gaps to the best known cost 100, and to 120 where there is none."""
    known, unknown = (
        row_of("a", "known", "[[1, 150], [5, 120]]") | {"bks": "100"},
        row_of("a", "unknown", "[[2, 132], [4, 120]]"),
    )
    seconds, gaps = gap_curves([known, unknown])["a"]
    assert seconds[0] == pytest.approx(2.0, rel=0.08)
    assert seconds[-1] == pytest.approx(10.0)
    assert [gaps[0], gaps[-1]] == pytest.approx([30.0, 10.0])
    assert sorted(set(gaps), reverse=True) == pytest.approx([30, 25, 10])
