"""``ncc-route bench``: methods x instances x seeds, as a table."""

import math
import re
from dataclasses import asdict
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import options
from ncc_route.declared import Stated, params_of, verb
from ncc_route.output import print_json, require_writable, say, speak_beside
from ncc_route.tables import MetricOption
from ncc_routing.bench.opponents import (
    BENCH_METHODS,
    PYVRP,
    WARM_PYVRP,
    names_function,
)
from ncc_routing.core.display import progress_bar
from ncc_routing.core.extras import is_installed, require_extra
from ncc_routing.core.text_files import (
    is_special,
    is_standard_input,
    read_text,
    write_text,
)
from ncc_routing.vrp.methods import DEFAULT_METHOD, IMPROVEMENTS, METHODS
from ncc_routing.vrp.params import SolveParams

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.bench.runner import Setting, Trial
    from ncc_routing.bench.tables import Rows
    from ncc_routing.core.row_files import Table


_WHOLE = ("num_customers", "seed")
_NUMBERS = ("cost", "num_routes", "bks", "gap_percent", "runtime_seconds")
"""Columns of numbers; those of failed runs are empty."""

_NAME_LINE = re.compile(r"^NAME\s*:\s*([\w.+-]+)\s*$", re.MULTILINE)
"""The name of an instance in VRPLIB form, where it can name a file."""


def _method_list(value: str) -> str:
    for name in map(str.strip, value.split(",")):
        if not names_function(name):
            options.one_of(BENCH_METHODS)(name)
    return value


PathsArgument = Annotated[
    list[Path],
    options.argument(
        "DIR|FILE...",
        "Instances, folders of instances (.vrp, .tsp, and .txt in Solomon's "
        "or Li and Lim's format), or - for an instance from standard input.",
    ),
]
MethodsOption = Annotated[
    str,
    typer.Option(
        "--methods",
        metavar="A,B",
        callback=_method_list,
        autocompletion=options.completing_list(BENCH_METHODS),
        help=f"Methods, separated by commas: {', '.join(BENCH_METHODS)}; "
        "pyvrp begins with its own start, pyvrp-warm with our solution. Or a "
        "function of yours, FILE.py:FUNCTION.",
    ),
]
SeedsOption = Annotated[
    int,
    options.number(
        "--seeds", "Number of runs of each method, with seeds 1 to N."
    ),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write one row per run (.csv), the settings (.json), the means (.md) "
        "and the gaps over time (.svg). - writes only the rows, to standard "
        "output.",
        callback=options.csv_file,
    ),
]
ResumeOption = Annotated[
    bool, typer.Option("--resume", help="Run what has no row in --output yet.")
]


@verb(
    stated=params_of(
        SolveParams,
        ("polish", "router", "time_limit", "jobs"),
        has_file=False,
        jobs={
            "flag": "--jobs-per-run",
            "help": "Cores that each run may use, as solve --jobs.",
        },
    )
)
def bench(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    paths: PathsArgument,
    methods: MethodsOption = DEFAULT_METHOD,
    *,
    stated: Stated[SolveParams],
    seeds: SeedsOption = 1,
    jobs: options.JobsOption = 1,
    output: OutputOption = None,
    resume: ResumeOption = False,
    metric: MetricOption = "cvrplib",
    json: options.JsonOption = False,
) -> None:
    """Run methods on instances and print the means by size class.

    Size classes: N1 has fewer than 250 nodes, N2 fewer than 500, N3 the rest.
    A failed run becomes a row with its error; the others continue, and the
    exit code is 1. The rows are written one by one, and sorted at the end.
    """
    from ncc_routing.bench.opponents import function_of
    from ncc_routing.bench.protocol import append_protocol
    from ncc_routing.bench.records import COLUMNS
    from ncc_routing.bench.runner import Setting, Trial
    from ncc_routing.bench.tables import class_means, format_class_means
    from ncc_routing.core.row_files import Table
    from ncc_routing.io.instance_files import (
        expand_instances,
        require_different_names,
    )

    speak = speak_beside(output, json=json)
    scratch = Path(context.with_resource(TemporaryDirectory()))
    files = _with_stream(expand_instances(paths), scratch)
    require_different_names(files)
    if resume and output is None:
        raise typer.BadParameter("--resume goes with --output.")
    stream = output if output is not None and is_special(output) else None
    # Without an output it is not kept; a stream gets it at the end.
    file = scratch / "table.csv" if stream or output is None else output
    run = stated.params()
    setting = Setting(run.polish, run.router, run.time_limit, run.jobs, metric)
    names = list(dict.fromkeys(map(str.strip, methods.split(","))))
    numbers = range(1, seeds + 1)
    for name in filter(names_function, names):
        function_of(name)
    packages = [METHODS[name].package for name in names if name in METHODS]
    if run.polish in IMPROVEMENTS:
        packages.append(IMPROVEMENTS[run.polish].package)
    if PYVRP in names and run.time_limit is None:
        raise typer.BadParameter("--methods pyvrp goes with --time-limit.")
    if {PYVRP, WARM_PYVRP} & set(names):
        packages.append(PYVRP)
    for package in filter(None, packages):  # not by each run
        require_extra(package)
    _require_no_files(file, resume)
    with Table(file, COLUMNS, ("instance", "method", "seed")) as table:
        _require_same_setting(file, table.rows, setting)
        runs = [
            Trial(*each, setting) for each in product(files, names, numbers)
        ]
        protocol = append_protocol(
            file.with_suffix(".json"),
            {"methods": names, **asdict(setting)},
            numbers,
            jobs,
            num_instances=len(files),
        )
        records = _run(table, runs, jobs)
    means = class_means(table.rows)
    _write_page(file, protocol, table.rows, format_class_means(means))
    if stream is not None:
        write_text(stream, file.read_text(encoding="utf-8"))
    if json:
        answer = {"protocol": protocol, "records": records}
        print_json({**answer, "summary": means})
    else:
        speak(format_class_means(means))
    _report_failures(table.rows)


def _run(
    table: "Table", runs: "list[Trial]", jobs: int
) -> "list[dict[str, object]]":
    from ncc_routing.bench.runner import run_all

    runs = table.missing(runs, lambda run: run.cells)
    records = []
    table.append(())
    with progress_bar("runs", len(runs)) as advance:
        for row in run_all(runs, jobs):
            table.append([row])
            records.append({name: row.get(name) for name in table.columns})
            advance()
    table.rewrite(key=_place)
    return sorted(records, key=_place)


def _require_no_files(file: Path, resume: bool) -> None:
    from ncc_routing.core.exceptions import ParameterError

    targets = [
        file.with_suffix(suffix)
        for suffix in (file.suffix, ".json", ".md", ".svg")
    ]
    require_writable(*targets)
    if resume and file.is_file():
        return
    for each in targets:
        if each.is_file() and each.stat().st_size > 0:
            raise ParameterError(
                f"{each} exists: --resume continues a table; otherwise "
                "remove it or name another file."
            )


def _require_same_setting(
    file: Path, rows: "Rows", setting: "Setting"
) -> None:
    from ncc_routing.bench.protocol import read_protocol
    from ncc_routing.core.exceptions import InstanceError, ParameterError
    from ncc_routing.core.text import number_of

    beside = file.with_suffix(".json")
    known = read_protocol(beside)
    if known and "seeds" not in known:
        raise InstanceError(beside, "file", "holds no settings of a table")
    for name in (*_WHOLE, *_NUMBERS) if rows else ():
        if name not in rows[0]:
            raise InstanceError(file, f"column {name}", "is missing")
        for line, row in enumerate(rows, start=2):
            number = number_of(row[name] or "0")
            is_fine = number.is_integer() or name not in _WHOLE
            if not (math.isfinite(number) and is_fine):
                place = f"line {line}, column {name}"
                rule = "must be a number that bench has written"
                raise InstanceError(file, place, rule, row[name])
    for name, value in asdict(setting).items():
        if rows and known.get(name) != value:
            raise ParameterError(
                f"{file} holds runs with {name} {known.get(name)}, not "
                f"{value} ({beside.name}): name another file."
            )


def _with_stream(files: list[Path], folder: Path) -> list[Path]:
    """Return the files; standard input becomes one named by its instance."""
    for place, file in enumerate(files):
        if is_standard_input(file):
            text = read_text(file)
            name = _NAME_LINE.search(text)
            files[place] = folder / f"{name[1] if name else 'stdin'}.vrp"
            write_text(files[place], text)
    return files


def _report_failures(rows: "Rows") -> None:
    """Name the runs that failed on stderr, and end with 1 if there are any."""
    failed = [row for row in rows if row["error"]]
    for row in failed:
        place = "{instance}, {method}, seed {seed}".format(**row)
        say(f"ncc-route: error: {place}: {row['error']}", err=True)
    if failed:
        raise typer.Exit(1)


def _place(row: "Mapping[str, Any]") -> tuple[int, str, str, int]:
    """Return what rows are sorted by: size, instance, method and seed."""
    size = int(row["num_customers"] or 0)
    return size, row["instance"], row["method"], int(row["seed"])


def _write_page(
    file: Path, protocol: "dict[str, object]", rows: "Rows", means: str
) -> None:
    from ncc_routing.bench.protocol import tell_protocol
    from ncc_routing.bench.tables import format_instances

    picture = file.with_suffix(".svg")
    shown = f"![Gap over time]({picture.name})\n\n"
    page = (
        f"# {file.stem}\n\n"
        f"{protocol['num_instances']} instances. {tell_protocol(protocol)}\n\n"
        f"{means}\n\n{shown if _draw_gaps(picture, rows) else ''}"
        f"## Instances\n\n{format_instances(rows)}\n\n"
        f"Every run: [{file.name}]({file.name}).\n"
    )
    write_text(file.with_suffix(".md"), page)


def _draw_gaps(picture: Path, rows: "Rows") -> bool:
    """Draw the mean gaps over time, where matplotlib is installed."""
    from ncc_routing.bench.curves import gap_curves
    from ncc_routing.plotting import plot_gaps, save_figure

    curves = {n: curve for n, curve in gap_curves(rows).items() if curve[0]}
    if not (curves and is_installed("matplotlib")):
        return False
    save_figure(plot_gaps(curves), picture)
    return True
