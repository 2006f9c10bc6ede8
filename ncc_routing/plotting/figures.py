"""Files of figures; importing it does not import matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_SUFFIXES: Final = (".png", ".svg")
"""What a figure can be written as."""

_DOTS_PER_INCH: Final = 100
"""Resolution of a PNG file."""


def require_figure_suffix(path: Path) -> None:
    """Raise ``ParameterError`` for a file that cannot become a figure."""
    if path.suffix.lower() not in FIGURE_SUFFIXES:
        names = " or ".join(FIGURE_SUFFIXES)
        raise ParameterError(f"{path}: the suffix must be {names}.")


def finish_map(axes: Axes, title: str) -> None:
    """Give a map its title and legend, and equal scales on both axes."""
    axes.set_aspect("equal")
    axes.set_title(title, fontsize=12, loc="left")
    axes.tick_params(labelsize=8, colors="0.45")
    for spine in axes.spines.values():
        spine.set_color("0.8")
    # Above the map, where it hides nothing.
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        fontsize=9,
        frameon=False,
        markerscale=0.8,
    )


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure to a PNG or SVG file.

    Parameters
    ----------
    figure
        The figure.
    path
        Where to write it. The suffix chooses the format.

    Raises
    ------
    ParameterError
        If the suffix is neither ``.png`` nor ``.svg``.
    """
    require_figure_suffix(path)
    # Without the date the same solution gives the same SVG file.
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {}
    figure.savefig(path, dpi=_DOTS_PER_INCH, metadata=metadata)
