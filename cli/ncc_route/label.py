"""``ncc-route label``: training data for the neural scorer."""

from pathlib import Path
from typing import Annotated

import typer

from ncc_route import options
from ncc_route.output import print_json, say
from ncc_routing.core.display import progress_bar
from ncc_routing.core.text import counted


def _problem(value: str) -> str:
    from ncc_routing.paper.learning.label_problems import LABEL_PROBLEMS

    return options.one_of(tuple(LABEL_PROBLEMS))(value)


OutputArgument = Annotated[
    Path,
    options.argument(
        "DIR", "Folder for the label files (.npz); existing files are kept."
    ),
]
ProblemOption = Annotated[
    str,
    typer.Option(
        "--problem",
        metavar="NAME",
        callback=_problem,
        help="cvrp: instances like X; cvrp-paper: training instances of the "
        "paper; ccp: Gaussian mixtures; ccp-gb21: the same, labelled as in "
        "the paper.",
    ),
]
CountOption = Annotated[int, options.number("--count", "Number of instances.")]
SeedOption = Annotated[
    int,
    options.number(
        "--seed", "Seed of the first instance; the others follow.", 0
    ),
]
SizesOption = Annotated[
    tuple[int, int],
    typer.Option(
        "--sizes",
        metavar="MIN MAX",
        help="Least and largest number of customers.",
    ),
]
RunsOption = Annotated[
    int, options.number("--runs", "Number of solutions for each instance.")
]
IterationsOption = Annotated[
    int | None,
    options.number(
        "--iterations",
        "Effort per customer and run: iterations of ruin and recreate "
        "(cvrp), kicks (ccp), seconds per 200 points (ccp-gb21).",
        show_default="250, 2, 5",
    ),
]
ShardSizeOption = Annotated[
    int, options.number("--shard-size", "Instances in a file.")
]
SourceOption = Annotated[
    Path | None,
    options.file(
        "--from",
        "Take solved problems from this folder: NAME.vrp with NAME.sol, or "
        "points NAME.csv with NAME.clusters.csv.",
        metavar="FOLDER",
    ),
]
CapacityOption = Annotated[
    float | None,
    options.file(
        "--capacity",
        "With --from: capacity of the clusters, if the points do not state "
        "it.",
        metavar="Q",
    ),
]
GENERATING = ("problem", "count", "seed", "sizes", "runs", "iterations")
"""Options that say what is generated, and how it is solved."""


def label(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    output: OutputArgument,
    source: SourceOption = None,
    capacity: CapacityOption = None,
    problem: ProblemOption = "cvrp",
    count: CountOption = 2000,
    seed: SeedOption = 1_000_000,
    sizes: SizesOption = (100, 400),
    runs: RunsOption = 2,
    iterations: IterationsOption = None,
    shard_size: ShardSizeOption = 25,
    jobs: options.JobsOption = 1,
    json: options.JsonOption = False,
) -> None:
    """Generate instances and label them with good solutions.

    A label says which customers share a route, or which points share a
    cluster. Repeat an interrupted command to continue it.
    --from takes existing solutions.
    """
    from ncc_routing.paper.learning.labels import LabelPlan, write_labels
    from ncc_routing.paper.learning.own_labels import find_pairs, label_folder

    if source is not None:
        for name in GENERATING:
            if options.was_typed(context, name):
                raise typer.BadParameter(f"--{name} does not go with --from.")
        count = len(find_pairs(source))
        num_files = -(-count // shard_size)
        written = label_folder(
            source, output, capacity=capacity, shard_size=shard_size
        )
    else:
        if capacity is not None:
            raise typer.BadParameter("--capacity goes with --from.")
        plan = LabelPlan(
            num_instances=count,
            first_seed=seed,
            sizes=sizes,
            num_runs=runs,
            iterations_per_customer=iterations,
            shard_size=shard_size,
            problem=problem,
        )
        num_files = len(plan.shards())
        written = write_labels(plan, output, jobs=jobs)
    files = []
    with progress_bar("files", num_files) as advance:
        for path in written:
            files.append(str(path))
            advance()
    if json:
        print_json({"files": sorted(files), "num_instances": count})
    else:
        say(
            f"{counted(count, 'instance')} in "
            f"{counted(len(files), 'file')} in {output}"
        )
