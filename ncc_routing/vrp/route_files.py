"""Files of routes: the suffix chooses the form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.extras import require_extra
from ncc_routing.core.text_files import (
    EXCEL_SUFFIX,
    is_special,
    require_path,
    write_text,
)
from ncc_routing.plotting.figures import (
    DEFAULT_DPI,
    DEFAULT_SIZE,
    FIGURE_SUFFIXES,
)

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    import numpy as np

    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.routes.comparison import Differences
    from ncc_routing.problems.routes.solution import Solution
    from ncc_routing.problems.routes.unserved import Unserved

PICTURE_SUFFIXES: Final = (*FIGURE_SUFFIXES, ".html", ".geojson")
"""What routes can be drawn into."""

RESULT_SUFFIXES: Final = (
    *(".sol", ".csv", EXCEL_SUFFIX, ".json"),
    *PICTURE_SUFFIXES,
)
"""What a result can be written as."""


FORMATS: Final = ("vroom",)
"""Formats of JSON that is not the whole result."""


def require_form(path: str | os.PathLike[str]) -> Path:
    """Return the file of a result; refuse a suffix that names no form.

    A stream and a file without a suffix take the form of VRPLIB.
    """
    file = require_path(path, "a result")
    suffix = file.suffix.lower()
    if suffix in FIGURE_SUFFIXES:
        require_extra("matplotlib")
    elif suffix == EXCEL_SUFFIX:
        require_extra("xlsxwriter")
    elif suffix not in ("", *RESULT_SUFFIXES) and not is_special(file):
        names = ", ".join(RESULT_SUFFIXES)
        raise ParameterError(f"{file}: the suffix must be one of {names}.")
    return file


def require_options(file: Path, options: Iterable[str]) -> None:
    """Refuse options that the form of a file does not have."""
    suffix = file.suffix.lower()
    known: tuple[str, ...] = ()
    if suffix in FIGURE_SUFFIXES:
        known = ("hulls", "timetable", "size", "dpi", "labels")
    elif suffix == ".html":
        known = ("hulls", "tiles", "notes")
    elif suffix == ".json":
        known = ("format",)
    for name in options:
        if name not in known:
            names = ", ".join(known) or "none"
            raise ParameterError(
                f"{file}: this format has no option {name!r}; its options "
                f"are {names}."
            )


def draw_routes(  # noqa: PLR0913 (the options of a picture)
    file: Path,
    instance: Instance,
    solution: Solution,
    unserved: Sequence[Unserved] = (),
    *,
    hulls: bool = False,
    timetable: bool = False,
    tiles: str | None = None,
    notes: Mapping[str, str] | None = None,
    differences: Differences | None = None,
    labels: Sequence[int] | np.ndarray | None = None,
    size: tuple[float, float] | None = None,
    dpi: float = DEFAULT_DPI,
) -> None:
    """Write routes as a figure, a page or map data.

    A figure with ``timetable`` is a Gantt chart.
    """
    suffix = file.suffix.lower()
    if suffix == ".geojson":
        from ncc_routing.io.geojson import write_geojson

        write_geojson(file, instance, solution, unserved)
    elif suffix == ".html":
        from ncc_routing.plotting import routes_html

        page = routes_html(
            *(instance, solution, unserved),
            hulls=hulls,
            tiles=tiles,
            notes=notes,
            differences=differences,
        )
        write_text(file, page)
    else:
        from ncc_routing.plotting import (
            plot_solution,
            plot_timetable,
            save_figure,
        )

        if timetable:
            figure = plot_timetable(instance, solution, size)
        else:
            figure = plot_solution(
                *(instance, solution, unserved),
                hulls=hulls,
                labels=labels,
                size=size or DEFAULT_SIZE,
            )
        save_figure(figure, file, dpi)
