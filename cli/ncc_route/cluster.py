"""``ncc-route cluster``: weighted points into capacitated clusters."""

import math
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ncc_route import options
from ncc_route.cluster_limits import Limits
from ncc_route.declared import Stated, params_of, verb
from ncc_route.running import Frame, frame
from ncc_route.tables import ColumnsOption, IgnoreOption, naming_of
from ncc_routing.ccp.params import ClusterParams
from ncc_routing.core.text import number_of
from ncc_routing.problems.ccp.cluster_rules import ClusterRules

if TYPE_CHECKING:
    from ncc_routing.ccp.result import ClusterResult
    from ncc_routing.problems.ccp.points import PointSet


_RULES = ("fewest", "most", "random")
_COUNT = re.compile(r"\d{1,18}", re.ASCII)


def _number_or_rule(value: str | None) -> str | None:
    if value is None or value in _RULES or _COUNT.fullmatch(value):
        return value
    raise typer.BadParameter(
        f"{value!r} is not a whole number, {', '.join(_RULES[:-1])} or "
        f"{_RULES[-1]}."
    )


def _amounts(value: str | None) -> str | None:
    if value is not None:
        for each in map(number_of, value.split(",")):
            if not 0.0 <= each < math.inf:
                raise typer.BadParameter(
                    f"{value!r} is not a number >= 0, or several between "
                    "commas."
                )
    return value


def _numbers(value: str) -> float | list[float]:
    """Return the number of an option, or its list of numbers."""
    amounts = [number_of(each) for each in value.split(",")]
    amounts = [int(each) if each.is_integer() else each for each in amounts]
    return amounts[0] if len(amounts) == 1 else amounts


PointsArgument = Annotated[
    Path,
    options.argument(
        "POINTS",
        "CSV, JSON or Excel with the columns x, y (or lon, lat), optionally "
        "weight, weight 2 and id; areas as GeoJSON; a file with 'n p' and "
        "lines 'x y capacity demand'; or - for standard input.",
    ),
]
CapacityOption = Annotated[
    str | None,
    typer.Option(
        "--capacity",
        metavar="Q,...",
        callback=_amounts,
        help="Capacity of every cluster; 100,50: one for each weight, or for "
        "each cluster.",
        show_default="that of the file",
    ),
]
MinLoadOption = Annotated[
    str | None,
    typer.Option(
        "--min-load",
        metavar="Q,...",
        callback=_amounts,
        help="Minimum load of every cluster, as --capacity.",
        show_default=False,
    ),
]
NumClustersOption = Annotated[
    str | None,
    typer.Option(
        "--clusters",
        "-k",
        metavar="K",
        callback=_number_or_rule,
        help="Number of clusters, fewest, most (as many as the minimum loads "
        "and sizes allow), or random (the fewest that the random "
        "assignment reaches).",
        show_default="that of the file, else fewest",
    ),
]


FloorOption = Annotated[
    bool,
    typer.Option("--floor", help="Truncate distances to integers (cpmp)."),
]


@verb(
    limits=params_of(Limits, has_file=False),
    rules=params_of(ClusterRules, has_file=False),
    stated=params_of(ClusterParams),
    frame=frame(
        options.output(
            "Write id, x, y, weight, cluster as CSV (- for standard output), "
            "everything as .json, or areas and points as .geojson.",
            callback=options.clusters_file,
        ),
        options.file(
            "--plot",
            "Draw the clusters into a .png or .svg file or an interactive "
            ".html page.",
            callback=options.file_of(options.CLUSTERS_SUFFIXES),
        ),
    ),
)
def cluster(  # noqa: PLR0913 (typer: one parameter for each option)
    points: PointsArgument,
    capacity: CapacityOption = None,
    min_load: MinLoadOption = None,
    num_clusters: NumClustersOption = None,
    floor: FloorOption = False,
    columns: ColumnsOption = None,
    ignore_column: IgnoreOption = None,
    *,
    limits: Stated[Limits],
    rules: Stated[ClusterRules],
    stated: Stated[ClusterParams],
    frame: Frame,
) -> None:
    """Cluster weighted points under a capacity."""
    from importlib import metadata

    from ncc_routing.ccp import solve as pipeline
    from ncc_routing.core.params import to_mapping
    from ncc_routing.desk.cluster_rules import read_rules
    from ncc_routing.desk.points import read_points

    start = time.perf_counter()
    params = stated.params()
    with frame.running(params.time_limit) as time_limit:
        given: dict[str, Any] = {**limits.values, **read_rules(rules.values)}
        if min_load is not None:
            given["min_load"] = _numbers(min_load)
        data = read_points(
            points,
            None if capacity is None else _numbers(capacity),
            rounding="floor" if floor else "none",
            columns=naming_of(columns, ignore_column),
            **given,
        )
        count: int | str | None = num_clusters
        if num_clusters is not None and num_clusters not in _RULES:
            count = int(num_clusters)
        with frame.working() as callbacks:
            clustering = pipeline.cluster(
                *(data, count),
                params=params,
                stop=time_limit,
                callbacks=callbacks,
            )
        if frame.output is not None:
            clustering.write(frame.output)
        seconds = time.perf_counter() - start
        if frame.plot is not None:
            _draw(frame.plot, frame.looks(frame.plot), data, clustering)
        answer = _answer(data, clustering, seconds)
        ids = {} if data.ids is None else {"ids": data.ids}
        more = {"labels": clustering.labels.tolist(), **ids}
        more["version"] = metadata.version("ncc_routing")
        frame.answer(
            lambda: {**answer, "params": to_mapping(params), **more},
            lambda: "\n".join(f"{k:<17}{v}" for k, v in answer.items()),
            width=17,
            labels=frame.output,
            figure=frame.plot,
        )


def _draw(
    path: Path,
    looks: dict[str, Any],
    points: "PointSet",
    clustering: "ClusterResult",
) -> None:
    from ncc_routing.core.text_files import write_text
    from ncc_routing.plotting import clusters_html, plot_clusters, save_figure

    if looks:
        figure = plot_clusters(points, clustering, size=looks["size"])
        save_figure(figure, path, looks["dpi"])
    else:
        write_text(path, clusters_html(points, clustering))


def _answer(
    points: "PointSet", clustering: "ClusterResult", seconds: float
) -> dict[str, object]:
    loads = clustering.loads_by_weight
    least, most = (
        ends[0].item() if len(ends) == 1 else ends.tolist()
        for ends in (loads.min(axis=0), loads.max(axis=0))
    )
    answer = {
        "points": points.name,
        "num_points": points.num_points,
        "num_clusters": clustering.num_clusters,
        "capacity": points.capacity,
        "method": clustering.method,
        "seed": clustering.seed,
        "objective": clustering.objective,
        "cost": clustering.cost,
        "inertia": clustering.inertia,
        "feasible": True,
        "least_load": least,
        "largest_load": most,
        "least_size": clustering.sizes.min().item(),
        "largest_size": clustering.sizes.max().item(),
    }
    former = points.rules.reference
    if former is not None:
        changed = (former >= 0) & (clustering.labels != former)
        answer["changed_points"] = int(changed.sum())
    return {**answer, "runtime_seconds": round(seconds, 4)}
