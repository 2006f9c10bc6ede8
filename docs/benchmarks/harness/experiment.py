"""Experiments as data: what is run on what, and what the page shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from ncc_routing.core.row_files import Table

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from matplotlib.figure import Figure

    from benchmarks.harness.views import View
    from ncc_routing.bench.tables import Rows

Cells = Mapping[str, object]
"""Values of one row of a table, by column."""

Allowance = float | str | None
"""Seconds, the name of an effort, or nothing."""

Work = Callable[[Any, int, Any], Any]
"""What a variant does: ``run(problem, seed, budget)``.

It returns a ``Result``, a ``Solution``, a ``Clustering``, a mapping of
measured values, or a list of mappings, one for each row.
"""


@dataclass(frozen=True)
class Case:
    """Something to run on.

    Parameters
    ----------
    name
        Name of the instance, known before it is loaded.
    load
        Returns the instance, the points or the file; called in the process
        of the run, before its clock starts.
    reference
        Returns the cost to compare with, given what ``load`` returned.
        ``None`` where there is none.
    seeds
        Its own seeds, where they differ from those of the experiment.
    """

    name: str
    load: Callable[[], Any]
    reference: Callable[[Any], float | None] | None = None
    seeds: tuple[int, ...] | None = None


Cases = Callable[[], "Iterable[Case]"]
"""Returns the cases when they are run: a description needs no data."""


@dataclass(frozen=True)
class Variant:
    """One way to solve a case.

    Parameters
    ----------
    name
        What the table calls it.
    run
        Does the work. Functions of modules and ``functools.partial`` of
        them travel to other processes, so nothing else is used.
    cells
        Further columns that tell it from other variants.
    budgets, cases
        Its own, where they differ from those of the experiment.
    why_absent
        Says in a line why it cannot run on this machine, ``None`` where it
        can. Its runs are left for a later call.
    """

    name: str
    run: Work
    cells: Cells = field(default_factory=dict)
    budgets: tuple[Allowance, ...] | None = None
    cases: Cases | None = None
    why_absent: Callable[[], str | None] | None = None


@dataclass(frozen=True)
class Task:
    """A case, a variant, a seed and a budget: one run."""

    case: Case
    variant: Variant
    seed: int
    budget: Allowance

    @property
    def cells(self) -> dict[str, object]:
        """Columns that are known before the run."""
        return {
            "instance": self.case.name,
            "variant": self.variant.name,
            "seed": self.seed,
            "budget": self.budget,
            **self.variant.cells,
        }


@dataclass(frozen=True)
class Experiment:
    """Cases x variants x seeds x budgets, one row of a CSV file each.

    Parameters
    ----------
    name
        Stem of the CSV file, and of the marks around its tables.
    cases
        Returns the cases.
    variants
        What is compared.
    columns
        Columns of the file, separated by blanks. ``method=variant`` writes
        the value ``variant`` into the column ``method``.
    key
        Columns that tell one run from another, separated by blanks.
    seeds, budgets
        What each variant is run with.
    views
        Tables that sum up the file; the main page shows the first alone.
    finish
        ``finish(problem, found)`` turns what a variant returned into
        something that can be judged, after the clock has stopped.
    warm
        A small case that each process solves first, so that everything is
        imported and compiled before a clock starts.
    warm_budget
        Budget of these runs, where the budgets are seconds.
    jobs
        Number of runs at a time, each in a process of its own.
    is_loading_timed
        Whether the clock of a run starts before its case is loaded.
    is_fresh
        Whether each run gets a new process, so that its peak memory is its
        own.
    setting
        What else the protocol has to say, as time limit or metric.
    """

    name: str
    cases: Cases
    variants: tuple[Variant, ...]
    columns: str
    key: str = "instance variant seed budget"
    seeds: tuple[int, ...] = (1,)
    budgets: tuple[Allowance, ...] = (None,)
    views: tuple[View, ...] = ()
    finish: Callable[[Any, Any], Any] | None = None
    warm: Case | None = None
    warm_budget: float = 0.2
    jobs: int = 1
    is_loading_timed: bool = False
    is_fresh: bool = False
    setting: Cells = field(default_factory=dict)

    @property
    def header(self) -> dict[str, str]:
        """The value that each column of the file holds."""
        pairs = (word.partition("=") for word in self.columns.split())
        return {name: value or name for name, _, value in pairs}

    @property
    def keys(self) -> dict[str, str]:
        """Columns that tell one run from another, and what each holds."""
        wanted = self.key.split()
        return {n: v for n, v in self.header.items() if v in wanted}

    def open_table(self, file: Path) -> Table:
        """Open the table of this experiment in a file."""
        columns = list(self.header)
        if "error" not in columns:
            columns.append("error")
        return Table(file, columns, list(self.keys))

    def missing(self, table: Table, limit: int | None = None) -> list[Task]:
        """Return the tasks that have no row in a table yet."""
        return table.missing(self.tasks(limit), self._key_cells)

    def _key_cells(self, task: Task) -> Cells:
        return {name: task.cells[value] for name, value in self.keys.items()}

    def tasks(self, limit: int | None = None) -> list[Task]:
        """Return every run, the cases outermost.

        Parameters
        ----------
        limit
            Take that many of the cases alone.
        """
        groups: dict[Cases, list[Variant]] = {}
        for variant in self.variants:
            groups.setdefault(variant.cases or self.cases, []).append(variant)
        return [
            Task(case, variant, seed, budget)
            for cases, variants in groups.items()
            for case in islice(cases(), limit)
            for budget, variant in self._side_by_side(variants)
            for seed in case.seeds or self.seeds
        ]

    def _side_by_side(
        self, variants: list[Variant]
    ) -> list[tuple[Allowance, Variant]]:
        """Pair budgets with variants; what is compared stands together."""
        own = [(b, v) for v in variants for b in v.budgets or ()]
        common = [v for v in variants if v.budgets is None]
        return own + [(b, v) for b in self.budgets for v in common]


@dataclass(frozen=True)
class Joined:
    """What is shown of several records together.

    Parameters
    ----------
    name
        The name of its marks.
    records
        Names of the records.
    views, figure
        Tables, and what ``NAME.svg`` shows, given the rows of all records,
        which tell theirs in the column ``experiment``.
    """

    name: str
    records: tuple[str, ...]
    views: tuple[View, ...] = ()
    figure: Callable[[Rows], Figure] | None = None


def vary(
    run: Callable[..., Any], name: str, values: Iterable[object], **cells: Any
) -> tuple[Variant, ...]:
    """Return a variant for each value of an argument of a function.

    Parameters
    ----------
    run
        The function.
    name
        Name of the argument, and of the column that tells its value.
    values
        Its values, which are the names of the variants as well.
    **cells
        Further columns.
    """
    return tuple(
        Variant(str(v), partial(run, **{name: v}), {name: v, **cells})
        for v in values
    )
