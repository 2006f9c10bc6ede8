"""Panels of curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.harness.panels import plot_panels, save_svg

if TYPE_CHECKING:
    from pathlib import Path


def test_each_title_has_a_panel_with_its_curves() -> None:
    """Three panels side by side; a legend where there are two curves."""
    line = ([1.0, 2.0], [3.0, 4.0])
    figure = plot_panels(
        {"a": {"x": line}, "b": {"x": line, "y": line}, "c": {"x": line}}
    )
    assert [axes.get_title() for axes in figure.axes] == ["a", "b", "c"]
    assert [len(axes.lines) for axes in figure.axes] == [1, 2, 1]
    assert [bool(axes.get_legend()) for axes in figure.axes] == [
        False,
        True,
        False,
    ]
    assert figure.axes[0].get_ylim()[0] == 0


def test_steps_get_logarithmic_axes() -> None:
    """Time and gap over several powers of ten."""
    figure = plot_panels({"a": {"x": ([1.0, 10.0], [5.0, 0.5])}}, is_step=True)
    assert figure.axes[0].get_xscale() == figure.axes[0].get_yscale() == "log"


def test_same_curves_give_the_same_file(tmp_path: Path) -> None:
    """No date, no random names."""
    texts = []
    for _ in range(2):
        figure = plot_panels({"a": {"x": ([1.0, 2.0], [3.0, 4.0])}})
        save_svg(figure, tmp_path / "figure.svg")
        texts.append((tmp_path / "figure.svg").read_text())
    assert texts[0] == texts[1]
