"""Options of tables, for every verb that reads an instance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route.asking import read_asking, require_terminal
from ncc_route.declared import Group, option, parameter
from ncc_route.options import choice
from ncc_routing.core.params import options_of
from ncc_routing.desk.table_options import TableOptions
from ncc_routing.io.metrics import METRIC_NAMES

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np

    from ncc_routing.desk.columns import Naming
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.read_problem import ReadProblem
    from ncc_routing.vrp.params import SolveParams


@dataclass(frozen=True)
class Reader:
    """What reads instances with the options of tables."""

    options: TableOptions
    metric: str
    is_interactive: bool = False

    def __call__(self, path: str | Path) -> Instance:
        """Read an instance."""
        return self.with_form(path).instance

    def with_form(self, path: str | Path) -> ReadProblem:
        """Read an instance, and what its form says of a run."""
        from ncc_routing.desk.problem import read_with_form

        def read(naming: Naming | None) -> ReadProblem:
            options = replace(self.options, naming=naming)
            return read_with_form(options, path, self.metric)

        if self.is_interactive:
            return read_asking(read, self.options.naming, path)
        return read(self.options.naming)

    def reference(self, path: str | Path, of: Path | None) -> object:
        """Read a reference, with the instance that it is of.

        The options are for tables.
        """
        from ncc_routing.desk.problem import read_with
        from ncc_routing.desk.references import read_reference
        from ncc_routing.desk.tables import TABLE_SUFFIXES

        if of is None:
            return read_reference(path, None)
        if of.suffix.lower() in TABLE_SUFFIXES:
            past = read_with(replace(self.options, in_progress=None), of)
        else:
            past = read_with(TableOptions(), of, self.metric)
        return read_reference(path, past)

    def with_reference(
        self, params: SolveParams, of: Path | None
    ) -> SolveParams:
        """Read a reference that is a file, once for all runs."""
        if isinstance(params.reference, str):
            reference = self.reference(params.reference, of)
            return replace(params, reference=reference)
        if of is not None:
            raise typer.BadParameter("--reference-instance needs --reference.")
        return params

    def labels_of(
        self, instance: Instance, reference: Path | None, of: Path | None
    ) -> np.ndarray | None:
        """Return the district of each node in a reference, if there is one."""
        from ncc_routing.problems.routes.references import reference_labels

        if reference is None:
            return None
        return reference_labels(instance, self.reference(reference, of))

    def read_days(self, path: Path) -> tuple[Instance, ...]:
        """Read a file of several days, which is no table."""
        from ncc_routing.io.days import read_days

        self.options.require_none(path)
        return read_days(path, self.metric)


ColumnsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--columns",
        metavar="FIELD=NAME,...",
        help="Columns by field: open=from,close=to, or the file that "
        "`ncc-route columns` wrote; may be repeated.",
        show_default=False,
    ),
]
IgnoreOption = Annotated[
    list[str] | None,
    typer.Option(
        "--ignore-column",
        metavar="NAME",
        help="Column of a table to ignore; may be repeated.",
        show_default=False,
    ),
]
InteractiveOption = Annotated[
    bool,
    typer.Option(
        "--interactive",
        help="Ask about the columns of a table that may matter, and write "
        "the answers for --columns.",
        callback=require_terminal,
    ),
]
MetricOption = Annotated[
    str,
    choice(
        "--metric",
        METRIC_NAMES,
        "cvrplib: that of the file; paper: unrounded, coordinates / 1000; "
        "round, trunc, dimacs, exact, none: as in PyVRP.",
    ),
]


def naming_of(stated: list[str] | None, ignored: list[str] | None) -> Naming:
    """Return what ``--columns`` and ``--ignore-column`` say.

    Files come first: what is typed wins over them.
    """
    from ncc_routing.desk.columns import NO_NAMING, Naming

    files = [text for text in stated or () if text.lower().endswith(".toml")]
    typed = [text for text in stated or () if text not in files]
    naming = Naming.of(named_columns(typed), ignored or [])
    for file in files:
        kept = Naming.of(file, [])
        columns = {**kept.columns, **naming.columns}
        taken = set(naming.columns.values()) | set(naming.ignored)
        columns = {
            field: title
            for field, title in columns.items()
            if field in naming.columns or title not in taken
        }
        naming = replace(naming, columns=columns, kept=naming.kept + kept.kept)
    return naming if naming != Naming({}) else NO_NAMING


def named_columns(stated: list[str] | None) -> dict[str, str]:
    """Return the columns that ``--columns`` states, by field."""
    named: dict[str, str] = {}
    for text in stated or ():
        for part in text.split(","):
            field, mark, title = part.partition("=")
            if not mark or "=" in title:
                raise typer.BadParameter(
                    f"--columns: {text!r} is not FIELD=NAME,FIELD=NAME."
                )
            if "?" in (field.strip(), title):
                raise typer.BadParameter(
                    f"--columns: {part}: put a name in place of ?, or ignore "
                    "the column (--ignore-column NAME)."
                )
            if field.strip() in named:
                raise typer.BadParameter("--columns: a field has one column.")
            named[field.strip()] = title
    return named


def _reader(given: dict[str, Any], _: typer.Context) -> Reader:
    columns, ignored = given.pop("columns"), given.pop("ignore_column")
    is_interactive = given.pop("interactive")
    metric, naming = given.pop("metric"), None
    if columns or ignored:
        naming = naming_of(columns, ignored)
    options = TableOptions(**given, naming=naming)
    return Reader(options, metric, is_interactive)


READ = Group(
    (
        *(option(TableOptions, name) for name in options_of(TableOptions)),
        parameter("columns", ColumnsOption, None),
        parameter("ignore_column", IgnoreOption, None),
        parameter("interactive", InteractiveOption, False),
        parameter("metric", MetricOption, "cvrplib"),
    ),
    _reader,
)
"""The options of tables, which a verb gets as a ``Reader``."""
