"""``ncc-route solve-many``: many problems, several at a time."""

import re
from dataclasses import replace
from datetime import date
from functools import partial
from heapq import heapreplace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.output import format_cost, print_json, say
from ncc_route.solve import (
    SOME_UNSERVED,
    BoundOption,
    InstancesArgument,
    leaving_out,
)
from ncc_route.tables import READ, Reader
from ncc_routing.core.params import changed, options_of
from ncc_routing.core.text import counted
from ncc_routing.core.units import SECONDS_OF
from ncc_routing.vrp.params import SolveParams

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ncc_routing.desk.parts import Part
    from ncc_routing.problems.instance import Instance
    from ncc_routing.problems.read_problem import ReadProblem
    from ncc_routing.vrp.result import Result

    Given = Path | Part
    Chain = list[tuple[str, Given]]

KEEPING = 1.0
"""Weight of the drivers of earlier days, unless --consistency has another."""

_OF_ONE = ("jobs", "max_extra_cost")
"""Parameters that many problems do not have."""

_BUDGET = re.compile(rf"(\d+\.?\d*)\s*({'|'.join(SECONDS_OF)})?")


def _seconds(text: str | None) -> float | None:
    """Return the seconds of a text such as 2h."""
    found = _BUDGET.fullmatch(text or "")
    if text is None:
        return None
    if found is None:
        raise typer.BadParameter(f"{text!r}: must be a time such as 30min.")
    return options.positive_seconds(
        float(found[1]) * SECONDS_OF[found[2] or "s"]
    )


WorkersOption = Annotated[
    int,
    typer.Option(
        "--workers",
        metavar="N",
        callback=options.jobs,
        help="Problems at a time, one core each; -1 for one on each core.",
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write NAME.json for each problem, and manifest.csv with a row for "
        "each, into a folder. Repeat an interrupted command to continue it.",
        metavar="FOLDER",
    ),
]
ResumeOption = Annotated[
    bool,
    typer.Option(
        "--resume/--no-resume",
        help="Keep whole results in --output, and try again what has failed.",
    ),
]
TimetablesOption = Annotated[
    bool,
    typer.Option(
        "--timetables",
        help="Write timetables/NAME.parquet into --output as well.",
    ),
]
ByOption = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="A,B",
        help="Columns of a table in which each combination of cells is a "
        "problem, such as depot,day. The last of several has days, of which "
        "each keeps the drivers of the days before (--consistency).",
        show_default="a table is one problem",
    ),
]
BudgetOption = Annotated[
    str | None,
    typer.Option(
        "--budget",
        metavar="TIME",
        help="Time for all problems in place of --time-limit, in equal "
        "shares: 90s, 30min, 2h.",
        show_default=False,
    ),
]


@verb(
    stated=params_of(
        SolveParams,
        [name for name in options_of(SolveParams) if name not in _OF_ONE],
        time_limit={"help": "Seconds for each problem, with its reading."},
        allow_unserved={"flag": "--allow-unserved/--all-or-nothing"},
    ),
    read=READ,
)
def solve_many(  # noqa: PLR0913 (typer: one parameter for each option)
    problems: InstancesArgument,
    *,
    stated: Stated[SolveParams],
    workers: WorkersOption = 1,
    by: ByOption = None,
    budget: BudgetOption = None,
    output: OutputOption = None,
    resume: ResumeOption = True,
    timetables: TimetablesOption = False,
    reference_instance: options.ReferenceInstanceOption = None,
    bound_seconds: BoundOption = None,
    json: options.JsonOption = False,
    read: Reader,
) -> None:
    """Solve many problems, several at a time, and print a line for each.

    If one fails, stderr names it, and the others go on; the exit code is 1.
    """
    from ncc_routing.core.text_files import is_standard_input
    from ncc_routing.vrp import many

    if read.is_interactive or any(map(is_standard_input, problems)):
        raise typer.BadParameter(
            "--interactive and standard input go with solve."
        )
    columns = [name.strip() for name in by.split(",")] if by else []
    chains = _chains(problems, columns, read)
    work = _work(stated, read, bound_seconds, has_days=len(columns) > 1)
    params = work.params
    if budget is not None:
        if params.time_limit is not None:
            raise typer.BadParameter("--budget replaces --time-limit.")
        share = _share(_seconds(budget), chains, workers)
        params = replace(params, time_limit=share)
    many.require_one_each(params)
    folder = None
    if timetables and output is None:
        raise typer.BadParameter("--timetables needs --output.")
    if output is not None:
        settings = many.settings_of(
            params,
            bound_seconds=bound_seconds,
            of_tables=work.serves_some,
            consistency=work.weight or params.consistency,
        )
        folder = many.ResultFolder(
            output, settings, resume=resume, timetables=timetables
        )
    params = read.with_reference(params, reference_instance)
    work = work._replace(params=params)
    answers = many.solve_each(chains, work.answers, work.read, folder, workers)
    counts = _print(answers, json=json)
    if not json:
        told = ", ".join(f"{n} {what}" for what, n in counts.items() if n)
        say(f"{counted(sum(map(len, chains)), 'problem')}: {told}")
    if counts["failed"]:
        raise typer.Exit(1)
    if counts["with unserved orders"]:
        raise typer.Exit(SOME_UNSERVED)


def _print(
    answers: "Iterable[tuple[str, Result | Exception]]", *, json: bool
) -> dict[str, int]:
    """Print a line for each answer; count them by what they are."""
    from ncc_routing.vrp.many import row_of

    counts = dict.fromkeys(("solved", "failed", "with unserved orders"), 0)
    for name, answer in answers:
        row = row_of(name, answer)
        if "error" in row:
            say(f"ncc-route: error: {name}: {row['error']}", err=True)
        if json:
            print_json(row)
        elif "error" not in row:
            say(_line(row))
        counts["failed" if "error" in row else "solved"] += 1
        if row.get("num_unserved"):
            counts["with unserved orders"] += 1
    return counts


def _chains(
    problems: list[str], columns: list[str], read: Reader
) -> "list[Chain]":
    """Return the problems by name, and the days of a depot as a chain."""
    from ncc_routing.core.exceptions import ParameterError
    from ncc_routing.core.text import printable
    from ncc_routing.desk.parts import parts_of
    from ncc_routing.desk.tables import TABLE_SUFFIXES
    from ncc_routing.io.instance_files import (
        expand_instances,
        require_different_names,
    )

    files = expand_instances(problems)
    if not columns:
        require_different_names(files)
        return [[(printable(file.stem), file)] for file in files]
    tables = read.options
    if tables.matrix is not None or tables.durations is not None:
        raise ParameterError("--by does not go with --matrix or --durations.")
    if len(files) > 1 or files[0].suffix.lower() not in TABLE_SUFFIXES:
        kinds = ", ".join(TABLE_SUFFIXES)
        raise ParameterError(f"--by goes with one table ({kinds}).")
    parts = list(parts_of(files[0], tables.vehicles, columns))
    if len(columns) > 1:
        order = _order_of({key[-1] for key, _ in parts})
        parts.sort(key=lambda one: order[one[0][-1]])
    found: dict[object, Chain] = {}
    for key, part in parts:
        depot = key[:-1] if len(columns) > 1 else key
        name = part.customers.name
        found.setdefault(depot, []).append((name, part))
    return list(found.values())


def _order_of(days: set[str]) -> dict[str, Any]:
    """Return what days are sorted by: dates or numbers, else as they come."""
    for kind in (date.fromisoformat, float):
        try:
            return {day: kind(day) for day in days}
        except ValueError:
            continue
    return dict.fromkeys(days, 0)


def _share(
    seconds: float | None, chains: "list[Chain]", workers: int
) -> float | None:
    """Return the time limit of each problem that makes up a time of all."""
    from ncc_routing.core.processes import num_workers

    if seconds is None:
        return None
    ends = [0] * (num_workers() if workers == -1 else workers)
    for chain in chains:  # each goes to the worker that is free first
        heapreplace(ends, ends[0] + len(chain))
    return seconds / max(ends)


class _Work(NamedTuple):
    """What a process is told: how to read and to solve chains of problems.

    ``weight`` is that of the drivers of the days before in a chain.
    """

    reader: Reader
    params: SolveParams
    bound_seconds: float | None
    serves_some: bool
    weight: float

    def given(self, problem: "Given") -> "ReadProblem":
        """Read a problem."""
        from ncc_routing.desk.problem import read_with_form

        if isinstance(problem, Path):
            return self.reader.with_form(problem)
        customers, vehicles = problem
        tables = replace(self.reader.options, vehicles=vehicles)
        return read_with_form(tables, customers)

    def read(self, problem: "Given") -> "Instance":
        """Read the instance of a problem."""
        return self.given(problem).instance

    def answers(
        self, problems: "Sequence[Given]"
    ) -> "list[Result | Exception]":
        """Solve the problems of a chain one after the other."""
        from ncc_routing.vrp.many import answer_of
        from ncc_routing.vrp.result import Result

        found: list[Result | Exception] = []
        for problem in problems:
            past = [each for each in found if isinstance(each, Result)]
            found.append(answer_of(partial(self._solve, past), problem))
        return found

    def _solve(self, past: "list[Result]", problem: "Given") -> "Result":
        from ncc_routing.core.stopping import TimeLimit
        from ncc_routing.vrp.days import keeping_drivers
        from ncc_routing.vrp.solve import solve

        params = self.params
        time_limit = TimeLimit(params.time_limit)
        given = self.given(problem)
        if self.serves_some:
            params = leaving_out(params, given)
        params = keeping_drivers(params, given.instance, past, self.weight)
        return solve(
            *(given, time_limit),
            params=params,
            bound_seconds=self.bound_seconds,
        )


def _work(
    stated: Stated[SolveParams],
    reader: Reader,
    bound_seconds: float | None,
    *,
    has_days: bool,
) -> _Work:
    """Return the work that is asked for; days have a weight of their own."""
    serves_some, weight = "allow_unserved" not in stated.values, 0.0
    if has_days:
        if "reference" in stated.values:
            raise typer.BadParameter(
                "--reference: that of a day are the days before."
            )
        values = {"consistency": KEEPING, **stated.values}
        given: Any = values.pop("consistency")
        stated, weight = replace(stated, values=values), given
    params = stated.params()
    if weight:
        # Imported here, as scipy is needed.
        from ncc_routing.core.extras import require_extra

        require_extra("scipy")
        # What conflicts with it is told before the work.
        changed(params, {"reference": {}, "consistency": weight})
    return _Work(reader, params, bound_seconds, serves_some, weight)


def _line(row: "Mapping[str, Any]") -> str:
    unserved = row["num_unserved"]
    more = f", {unserved} unserved" if unserved else ""
    return (
        f"{row['name']:<24}cost {format_cost(row['cost'])}, "
        f"{counted(row['num_routes'], 'route')}{more}, "
        f"{row['runtime_seconds']:.2f} s"
    )
