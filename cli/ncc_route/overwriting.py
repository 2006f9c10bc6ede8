"""A command whose outputs go with its other options."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from typer.core import TyperCommand

from ncc_route.options import was_typed
from ncc_routing.core.exceptions import ParameterError
from ncc_routing.plotting.figures import FIGURE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRITTEN: Final = ("output", "plot")
"""Parameters of verbs that name files to write."""

_OF_FIGURES: Final = ("size", "dpi")
"""Those that say how a figure looks."""

_PLANS: Final = ("start", "solution", "result")
"""Those that name plans: a better one may take the place of the first."""


class Command(TyperCommand):
    """A verb that refuses an output that is one of its inputs.

    It also refuses options of figures without a figure.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the verb."""
        written = [ctx.params.get(name) for name in _WRITTEN]
        suffixes = [Path(each).suffix.lower() for each in written if each]
        if set(FIGURE_SUFFIXES).isdisjoint(suffixes):
            for name in filter(partial(was_typed, ctx), _OF_FIGURES):
                raise ParameterError(
                    f"--{name} is for a figure, and the run writes none: give "
                    f"a {' or '.join(FIGURE_SUFFIXES)} file."
                )
        if len({str(each) for each in written if each}) < len(suffixes):
            raise ParameterError(
                f"{written[0]}: --output and --plot must be different files."
            )
        for name in _WRITTEN:
            value = ctx.params.get(name)
            if isinstance(value, (str, Path)) and _is_file(Path(value)):
                require_kept(read_files(ctx.params), [Path(value)], name)
        return super().invoke(ctx)


def read_files(params: dict[str, Any]) -> list[Path]:
    """Return what the parameters of a verb may name as files to read."""
    # Imported here: a help text needs no reader.
    from ncc_routing.io.toml import read_params

    read: list[object] = []
    for name, value in params.items():
        if name not in (*_WRITTEN, *_PLANS):
            read += value if isinstance(value, (list, tuple)) else [value]
    source = params.get("params")
    if source is not None and _is_file(Path(source)):
        named = read_params(source).items()
        read += [each for name, each in named if params.get(name) is None]
    return [Path(each) for each in read if isinstance(each, (str, Path))]


def require_kept(
    read: Iterable[Path], written: Iterable[Path], option: str
) -> None:
    """Refuse to write over a file that is read, by any of its names."""
    outputs = [path for path in written if _is_file(path)]
    if not outputs:
        return
    files = [file for file in read if _is_file(file)]
    for path in outputs:
        if any(file.samefile(path) for file in files):
            raise ParameterError(
                f"{path}: --{option} is a file that the run reads; name "
                "another one."
            )


def _is_file(path: Path) -> bool:
    """Whether it is one; a text that is too long for a name is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
