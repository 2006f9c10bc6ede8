"""``ncc-route bench``: methods x instances x seeds, as a table."""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from ncc_route import options
from ncc_route.output import (
    print_json,
    require_writable,
    say,
    speak_beside,
)
from ncc_routing.core.display import progress_bar
from ncc_routing.core.printable import printable
from ncc_routing.core.text_files import (
    is_special,
    is_standard_input,
    read_text,
    write_text,
)
from ncc_routing.vrp.methods import (
    DEFAULT_METHOD,
    DEFAULT_POLISH,
    METHOD_NAMES,
)
from ncc_routing.vrp.tours.routers import DEFAULT_ROUTER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ncc_routing.benchmarking.tables import Rows


def _method_list(value: str) -> str:
    for name in value.split(","):
        options.one_of(METHOD_NAMES)(name.strip())
    return value


def _csv_file(value: Path | None) -> Path | None:
    if value is None or is_special(value):
        return value
    if value.suffix.lower() != ".csv":
        name = printable(str(value))
        raise typer.BadParameter(f"{name}: the suffix must be .csv.")
    return value


PathsArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="DIR|FILE...",
        help="Instances, folders with .vrp files, or - for an instance "
        "from standard input.",
        show_default=False,
    ),
]
MethodsOption = Annotated[
    str,
    typer.Option(
        "--methods",
        metavar="A,B",
        callback=_method_list,
        autocompletion=options.completing_list(METHOD_NAMES),
        help=f"Methods, separated by commas: {', '.join(METHOD_NAMES)}.",
    ),
]
SeedsOption = Annotated[
    int,
    typer.Option(
        "--seeds",
        metavar="N",
        min=1,
        help="Number of runs of each method, with seeds 1 to N.",
    ),
]
JobsPerRunOption = Annotated[
    int,
    typer.Option(
        "--jobs-per-run",
        metavar="N",
        callback=options.jobs,
        help="Cores that each run may use, as solve --jobs.",
    ),
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        callback=_csv_file,
        help="Write one row per run (.csv); beside it how they were made "
        "(.json) and the means (.md). - writes the rows alone to standard "
        "output.",
        show_default=False,
    ),
]


def bench(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    paths: PathsArgument,
    methods: MethodsOption = DEFAULT_METHOD,
    polish: options.PolishOption = DEFAULT_POLISH,
    router: options.RouterOption = DEFAULT_ROUTER,
    time_limit: options.SolveTimeOption = None,
    seeds: SeedsOption = 1,
    jobs: options.JobsOption = 1,
    jobs_per_run: JobsPerRunOption = 1,
    output: OutputOption = None,
    metric: options.MetricOption = "cvrplib",
    json: options.JsonOption = False,
) -> None:
    """Run methods on instances and print the means by size class.

    A run that fails becomes a row with its error; the others go on, and the
    exit code is 1. --jobs runs go at a time.
    """
    from ncc_routing.benchmarking.cases import file_cases
    from ncc_routing.benchmarking.experiments.routes import (
        BY_CLASS,
        Setting,
        solving,
    )
    from ncc_routing.benchmarking.protocol import describe_protocol
    from ncc_routing.benchmarking.runner import Table, run_tasks
    from ncc_routing.io.instance_files import expand_instances

    speak = speak_beside(output, json=json)
    scratch = context.with_resource(TemporaryDirectory())
    files = _with_stream(expand_instances(paths), Path(scratch))
    stream = output if output is not None and is_special(output) else None
    output = _made_ready(output, Path(scratch))
    own_metric = cast("Literal['cvrplib', 'paper']", metric)
    experiment = solving(
        "table" if output is None else output.stem,
        partial(file_cases, files, own_metric),
        [name.strip() for name in methods.split(",")],
        Setting(polish, router, time_limit, jobs_per_run, own_metric),
        seeds=tuple(range(1, seeds + 1)),
    )
    protocol = {
        **describe_protocol(experiment.setting, experiment.seeds, jobs),
        "num_instances": len(files),
    }
    tasks = experiment.tasks()
    table = Table(experiment, output)
    records = []
    with progress_bar("runs", len(tasks)) as advance:
        for (row,) in run_tasks(experiment, tasks, jobs):
            records.append({name: row.get(name) for name in experiment.header})
            table.append([row])
            advance()
    records.sort(key=_place)
    table.rewrite(key=_place)
    if output is not None:
        _write_beside(output, protocol, table.rows)
    if output is not None and stream is not None:
        write_text(stream, output.read_text(encoding="utf-8"))
    if json:
        answer = {"protocol": protocol, "records": records}
        print_json({**answer, "summary": BY_CLASS.to_json(table.rows)})
    else:
        speak(BY_CLASS.format(table.rows))
    _report_failures(records)


def _made_ready(output: Path | None, folder: Path) -> Path | None:
    """Return the file that the table grows in; a stream gets it at the end."""
    if output is None or is_special(output):
        return None if output is None else folder / "table.csv"
    beside = [output.with_suffix(suffix) for suffix in (".json", ".md")]
    require_writable(output, *beside)
    output.unlink(missing_ok=True)
    return output


def _with_stream(files: list[Path], folder: Path) -> list[Path]:
    """Return the files; standard input becomes one, for the processes."""
    saved = folder / "stdin.vrp"
    for place, file in enumerate(files):
        if is_standard_input(file):
            saved.write_text(read_text(file), encoding="utf-8")
            files[place] = saved
    return files


def _report_failures(records: "list[dict[str, Any]]") -> None:
    """Name the runs that failed on stderr, and end with 1 if there are any."""
    failed = [record for record in records if record["error"]]
    for record in failed:
        place = "{instance}, {method}, seed {seed}".format(**record)
        say(f"ncc-route: error: {place}: {record['error']}", err=True)
    if failed:
        raise typer.Exit(1)


def _place(row: "Mapping[str, Any]") -> tuple[int, str, str, int]:
    """Return what rows are sorted by: size, instance, method and seed."""
    size = int(row["num_customers"] or 0)
    return size, row["instance"], row["method"], int(row["seed"])


def _write_beside(
    output: Path, protocol: "dict[str, object]", rows: "Rows"
) -> None:
    """Write the protocol and a page beside a table."""
    import json

    from ncc_routing.benchmarking.experiments.routes import BY_CLASS
    from ncc_routing.benchmarking.pages import tell_protocol

    text = json.dumps(protocol, indent=2)
    output.with_suffix(".json").write_text(f"{text}\n", encoding="utf-8")
    page = (
        f"# {output.stem}\n\n"
        f"{protocol['num_instances']} instances. {tell_protocol(protocol)}\n\n"
        f"{BY_CLASS.format(rows)}\n\nEvery run: [{output.name}]"
        f"({output.name}).\n"
    )
    output.with_suffix(".md").write_text(page, encoding="utf-8")
