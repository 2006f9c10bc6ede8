"""Curves over logarithmic axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.harness.panels import plot_curves, save_svg

if TYPE_CHECKING:
    from pathlib import Path

CURVES = {"x": ([1.0, 10.0], [5.0, 0.5]), "y": ([1.0, 2.0], [3.0, 4.0])}


def test_each_curve_has_its_name() -> None:
    """Time and gap over several powers of ten."""
    (axes,) = plot_curves("a", CURVES, ("s", "%")).axes
    assert axes.get_title() == "a"
    assert [line.get_label() for line in axes.lines] == ["x", "y"]
    assert axes.get_xscale() == axes.get_yscale() == "log"


def test_same_curves_give_the_same_file(tmp_path: Path) -> None:
    """No date, no random names."""
    texts = []
    for _ in range(2):
        save_svg(plot_curves("a", CURVES, ("s", "%")), tmp_path / "figure.svg")
        texts.append((tmp_path / "figure.svg").read_text())
    assert texts[0] == texts[1]
