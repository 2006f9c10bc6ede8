"""Files of figures; importing it does not import matplotlib."""

from __future__ import annotations

import io
import math
from numbers import Real
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import naming_the_extra
from ncc_routing.core.text_files import (
    describe_value,
    require_path,
    write_bytes,
)

if TYPE_CHECKING:
    import os
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_SUFFIXES: Final = (".png", ".svg")
"""What a figure can be written as."""

DEFAULT_SIZE: Final = (7.0, 7.0)
"""Width and height of a figure in inches."""

DEFAULT_DPI: Final = 100
"""Resolution of a PNG file."""

LARGEST_SIDE: Final = 30_000
"""Pixels of a side of a PNG file; matplotlib takes up to 65,535."""


def require_figure_suffix(path: Path) -> None:
    """Raise ``ParameterError`` for a file that cannot become a figure."""
    if path.suffix.lower() not in FIGURE_SUFFIXES:
        names = " or ".join(FIGURE_SUFFIXES)
        raise ParameterError(f"{path}: the suffix must be {names}.")


def empty_figure(size: tuple[float, float]) -> Figure:
    """Return a figure of some inches; pyplot's state is not touched."""
    with naming_the_extra():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

    if len(size) != 2 or not all(
        math.isfinite(side) and side > 0 for side in size
    ):
        raise ParameterError(
            f"size = {size}: must be width and height in inches, positive."
        )
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def mark_area(num_marks: int, size: tuple[float, float]) -> float:
    """Return the area of a mark in square points, less for many marks."""
    share = size[0] * size[1] / (DEFAULT_SIZE[0] * DEFAULT_SIZE[1])
    return min(28.0, max(1.2, 5000.0 * share / num_marks))


def line_width(num_marks: int, size: tuple[float, float]) -> float:
    """Return the width of a line, in points, by the same rule."""
    width = 0.34 * math.sqrt(mark_area(num_marks, size))
    return min(1.8, max(0.45, width))


def finish_map(axes: Axes, title: str, aspect: float = 1.0) -> None:
    """Give a map its title and legend, and scales that fit each other."""
    axes.set_aspect(aspect)
    # A name may have two dollars, which are no formula.
    axes.set_title(title, fontsize=12, loc="left", parse_math=False)
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


def save_figure(
    figure: Figure, path: str | os.PathLike[str], dpi: float = DEFAULT_DPI
) -> None:
    """Write a figure to a PNG or SVG file.

    Parameters
    ----------
    figure
        The figure.
    path
        Where to write it. The suffix chooses the format.
    dpi
        Pixels per inch of a PNG file. Default 100.

    Raises
    ------
    ParameterError
        If the suffix is neither ``.png`` nor ``.svg``, or ``dpi`` is not
        positive or makes a picture of more than ``LARGEST_SIDE`` pixels.
    NccRoutingError
        If the file cannot be written; an existing one then stays.
    """
    path = require_path(path, "a figure")
    require_figure_suffix(path)
    if isinstance(dpi, bool) or not isinstance(dpi, Real):
        raise ParameterError(
            f"dpi must be a number, got {describe_value(dpi)}."
        )
    largest = max(figure.get_size_inches()) * dpi
    if not 0 < largest <= LARGEST_SIDE:
        raise ParameterError(
            f"dpi = {dpi:g}: the sides of a picture must have 1 to "
            f"{LARGEST_SIDE} pixels."
        )
    # Without the date the same solution gives the same SVG file.
    kind = path.suffix.lower().removeprefix(".")
    metadata = {"Date": None} if kind == "svg" else {}
    drawn = io.BytesIO()
    figure.savefig(drawn, dpi=dpi, format=kind, metadata=metadata)
    write_bytes(path, drawn.getvalue())
