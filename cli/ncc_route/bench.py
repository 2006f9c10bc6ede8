"""``ncc-route bench``: methods x instances x seeds, as a table."""

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from ncc_route import options
from ncc_route.output import compilation_notice, print_json, require_writable
from ncc_routing.vrp.methods import DEFAULT_METHOD, METHODS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.progress import Progress


def _method_list(value: str) -> str:
    for name in value.split(","):
        options.one_of(METHODS)(name.strip())
    return value


def _csv_file(value: Path | None) -> Path | None:
    if value is not None and value.suffix.lower() != ".csv":
        raise typer.BadParameter(f"{value}: the suffix must be .csv.")
    return value


def bench(  # noqa: PLR0913 (typer: one parameter for each option)
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="DIR|FILE...",
            help="Instances, or folders with .vrp files.",
            show_default=False,
        ),
    ],
    methods: Annotated[
        str,
        typer.Option(
            "--methods",
            metavar="A,B",
            callback=_method_list,
            help=f"Methods, separated by commas: {', '.join(METHODS)}.",
        ),
    ] = DEFAULT_METHOD,
    polish: options.PolishOption = "none",
    router: options.RouterOption = "lkh",
    time_limit: options.TimeLimitOption = None,
    seeds: Annotated[
        int,
        typer.Option(
            "--seeds",
            metavar="N",
            min=1,
            help="Number of runs of each method, with seeds 1 to N.",
        ),
    ] = 1,
    jobs: options.JobsOption = 1,
    jobs_per_run: Annotated[
        int,
        typer.Option(
            "--jobs-per-run",
            metavar="N",
            callback=options.jobs,
            help="Cores that each run may use, as solve --jobs.",
        ),
    ] = 1,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            callback=_csv_file,
            help="Write one row per run (.csv); beside it how they were made "
            "(.json) and the means (.md).",
            show_default=False,
        ),
    ] = None,
    metric: options.MetricOption = "cvrplib",
    json: options.JsonOption = False,
) -> None:
    """Run methods on instances and print the means by size class.

    A run that fails becomes a row with its error; the others go on, and the
    exit code is 1. --jobs runs go at a time.
    """
    from ncc_routing.benchmarking import tables
    from ncc_routing.benchmarking.catalogue import find_files
    from ncc_routing.benchmarking.protocol import describe_protocol
    from ncc_routing.benchmarking.runner import BenchmarkPlan, run_benchmark
    from ncc_routing.core.exceptions import ParameterError

    files = find_files(paths)
    if not files:
        raise ParameterError(f"no .vrp file below {paths[0]}.")
    if output is not None:
        beside = [output.with_suffix(suffix) for suffix in (".json", ".md")]
        require_writable(output, *beside)
    plan = BenchmarkPlan(
        paths=tuple(files),
        methods=tuple(name.strip() for name in methods.split(",")),
        seeds=tuple(range(1, seeds + 1)),
        polish=polish,
        router=router,
        time_limit=time_limit,
        metric=cast("Literal['cvrplib', 'paper']", metric),
        jobs=jobs,
        jobs_per_run=jobs_per_run,
    )
    protocol = describe_protocol(plan)
    records = []
    with (
        tables.RecordWriter(output) as writer,
        compilation_notice(),
        _progress(len(plan.tasks)) as progress,
    ):
        for record in run_benchmark(plan):
            records.append(record)
            writer.write(record)
            progress.advance(progress.task_ids[0])
    records = tables.sort_records(records)
    rows = tables.summarise(records)
    if output is not None:
        tables.write_protocol(output.with_suffix(".json"), protocol)
        page = tables.format_page(output.stem, protocol, rows)
        output.with_suffix(".md").write_text(page, encoding="utf-8")
    if json:
        print_json(
            {
                "protocol": protocol,
                "summary": tables.summary_to_json(rows),
                "records": [record.to_row() for record in records],
            }
        )
    else:
        typer.echo(tables.format_markdown(rows))
    failed = [record for record in records if record.error is not None]
    for record in failed:
        place = f"{record.instance}, {record.method}, seed {record.seed}"
        typer.echo(f"ncc-route: error: {place}: {record.error}", err=True)
    if failed:
        raise typer.Exit(1)


@contextmanager
def _progress(total: int) -> "Iterator[Progress]":
    """Show a bar with the time left on stderr, where it is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    ) as progress:
        progress.add_task("runs", total=total)
        yield progress
