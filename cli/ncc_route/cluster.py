"""``ncc-route cluster``: weighted points into capacitated clusters."""

import re
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import interrupts, options, parameters, tables
from ncc_route.output import (
    print_json,
    require_writable,
    show_progress,
    speak_beside,
)
from ncc_route.pictures import draw_clusters
from ncc_routing.ccp.params import ClusterParams
from ncc_routing.core.stopping import TimeLimit
from ncc_routing.plotting.figures import DEFAULT_DPI

if TYPE_CHECKING:
    from ncc_routing.problems.clusters import Clustering
    from ncc_routing.problems.points import PointSet


_RULES = ("fewest", "random")
_COUNT = re.compile(r"\d{1,18}", re.ASCII)


def _number_or_rule(value: str | None) -> str | None:
    if value is None or value in _RULES or _COUNT.fullmatch(value):
        return value
    raise typer.BadParameter(
        f"{value!r} is not a whole number, fewest or random."
    )


PointsArgument = Annotated[
    Path,
    options.argument(
        "POINTS",
        "CSV, JSON or Excel with the columns x, y (or lon, lat), optionally "
        "weight and id, a file with 'n p' and lines 'x y capacity demand', "
        "or - for standard input.",
    ),
]
CapacityOption = Annotated[
    float | None,
    typer.Option(
        "--capacity",
        metavar="Q",
        min=0.0,
        help="Capacity of every cluster.",
        show_default="that of the file",
    ),
]
NumClustersOption = Annotated[
    str | None,
    typer.Option(
        "--clusters",
        "-k",
        metavar="K",
        callback=_number_or_rule,
        help="Number of clusters, fewest, or random (the least number that "
        "the random assignment reaches).",
        show_default="that of the file, else fewest",
    ),
]
FloorOption = Annotated[
    bool,
    typer.Option("--floor", help="Truncate distances to integers (cpmp)."),
]
OutputOption = Annotated[
    Path | None,
    options.output(
        "Write id, x, y, weight, cluster as CSV; - for standard output.",
        callback=options.csv_file,
    ),
]
PlotOption = Annotated[
    Path | None,
    options.file(
        "--plot",
        "Draw the clusters into a .png or .svg file or an interactive .html "
        "page.",
        callback=options.file_of(options.CLUSTERS_SUFFIXES),
    ),
]


@parameters.taking(ClusterParams)
def cluster(  # noqa: PLR0913 (typer: one parameter for each option)
    points: PointsArgument,
    capacity: CapacityOption = None,
    num_clusters: NumClustersOption = None,
    floor: FloorOption = False,
    columns: tables.ColumnsOption = None,
    ignore_column: tables.IgnoreOption = None,
    *,
    stated: parameters.Stated[ClusterParams],
    output: OutputOption = None,
    plot: PlotOption = None,
    size: options.SizeOption = options.DEFAULT_SIZE,
    dpi: options.DpiOption = DEFAULT_DPI,
    progress: options.ProgressOption = None,
    json: options.JsonOption = False,
) -> None:
    """Cluster weighted points under a capacity."""
    from ncc_routing.ccp import solve as pipeline
    from ncc_routing.core.params import to_mapping
    from ncc_routing.io.points import write_labels

    begun = time.perf_counter()
    params = stated.params()
    time_limit = TimeLimit(params.time_limit)
    require_writable(output, plot)
    speak = speak_beside(output, json=json)
    # Until the answer is written, the first signal loses nothing.
    with interrupts.expire_on_signal(time_limit):
        # Whatever a solver prints must not mix with the answer.
        with redirect_stdout(sys.stderr):
            data = _read(
                points,
                capacity,
                rounding="floor" if floor else "none",
                columns=tables.named_columns(columns),
                ignore_columns=ignore_column or [],
            )
            count: int | str | None = num_clusters
            if num_clusters is not None and num_clusters not in _RULES:
                count = int(num_clusters)
            with show_progress(progress) as callbacks:
                found = pipeline.cluster(
                    data,
                    count,
                    params=params,
                    stop=time_limit,
                    callbacks=callbacks,
                )
        if output is not None:
            write_labels(output, data, found)
        seconds = time.perf_counter() - begun
        if plot is not None:
            draw_clusters(plot, data, found, size=size, dpi=dpi)
        answer = _answer(data, found, params.seed, seconds)
        if json:
            ids = {} if data.ids is None else {"ids": data.ids}
            more = {"labels": found.labels.tolist(), **ids}
            print_json({**answer, "params": to_mapping(params), **more})
        else:
            files = {"labels": output, "figure": plot}
            written = {name: file for name, file in files.items() if file}
            for name, value in {**answer, **written}.items():
                speak(f"{name:<17}{value}")


def _read(file: Path, capacity: float | None, **stated: Any) -> "PointSet":
    """Return the points, with whole numbers for a whole capacity."""
    from ncc_routing.io.points import read_points

    if capacity is not None and capacity.is_integer():
        capacity = int(capacity)
    return read_points(file, capacity, **stated)


def _answer(
    points: "PointSet",
    found: "Clustering",
    seed: int,
    seconds: float,
) -> dict[str, object]:
    return {
        "points": points.name,
        "num_points": points.num_points,
        "num_clusters": found.num_clusters,
        "capacity": points.capacity,
        "method": found.method,
        "seed": seed,
        "objective": found.objective,
        "cost": found.cost,
        "inertia": found.inertia,
        "feasible": True,
        "largest_load": found.loads.max().item(),
        "runtime_seconds": round(seconds, 4),
    }
