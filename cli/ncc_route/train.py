"""``ncc-route train``: train the neural scorer on labelled instances."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import options
from ncc_route.output import print_json, require_writable, say
from ncc_routing.core.display import progress_bar
from ncc_routing.paper.scored_params import MEDOIDS, MEMBERS
from ncc_routing.paper.scoring.vocabulary import (
    ARCHITECTURES,
    CENTERS,
    INPUTS,
    MIXED,
    PAIRS,
    PAPER,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ncc_routing.paper.learning.training import EpochReport

SCHEDULES = ("paper", "cpu")
"""Sizes of network and training that have a name."""


OF_SCHEDULE = "that of the schedule"
LabelsArgument = Annotated[
    list[Path],
    options.argument(
        "LABELS...", "Folders or files with labels for the training."
    ),
]
ValidationOption = Annotated[
    list[Path],
    options.file(
        "--validation",
        "Labels of other instances for the validation; may be repeated.",
        metavar="LABELS",
    ),
]
OutputOption = Annotated[
    Path,
    options.output(
        "Folder for weights, checkpoint and learning curve; an existing "
        "training is continued.",
        metavar="DIR",
    ),
]
ArchitectureOption = Annotated[
    str,
    options.choice(
        "--architecture",
        ARCHITECTURES,
        "pairs: pairs of near customers; paper: customers and centers.",
    ),
]
InputsOption = Annotated[
    str,
    options.choice(
        "--inputs",
        INPUTS,
        "Architecture paper: inputs; paper: coordinates and demands; "
        "geometry: also distances, directions and loads.",
    ),
]
ScheduleOption = Annotated[
    str,
    options.choice(
        "--schedule",
        SCHEDULES,
        "paper: 200 epochs at width 256; cpu: small, for two cores.",
    ),
]
PlacesOption = Annotated[
    bool,
    typer.Option(
        "--places",
        help="Use absolute locations: the labels are plans of one region, "
        "and the network is only for that region.",
    ),
]
EpochsOption = Annotated[
    int | None,
    options.number("--epochs", "Number of epochs.", show_default=OF_SCHEDULE),
]
BatchOption = Annotated[
    int | None,
    options.number(
        "--batch-size", "Instances in a step.", show_default=OF_SCHEDULE
    ),
]
PatienceOption = Annotated[
    int | None,
    options.number(
        "--patience",
        "Stop after this many epochs without a better validation.",
        show_default="all epochs",
    ),
]
WidthOption = Annotated[
    int | None,
    options.number(
        "--width",
        "Size of the embeddings.",
        4,
        max=4096,
        show_default=OF_SCHEDULE,
    ),
]
ChoiceOption = Annotated[
    float,
    typer.Option(
        "--choice-weight",
        metavar="W",
        min=0.0,
        help="Architecture paper: weight of the choice of the best center, "
        "in addition to the paper's loss.",
    ),
]
DistanceOption = Annotated[
    float,
    typer.Option(
        "--distance-weight",
        metavar="W",
        min=0.0,
        help="Architecture paper: initial log-odds subtracted per unit "
        "of distance to a center, in mean spacings of the customers.",
    ),
]
CentersOption = Annotated[
    str,
    options.choice(
        "--centers",
        CENTERS,
        "Architecture paper: centers of the labels only, as in the paper "
        "(labels), or also others (mixed).",
    ),
]
MedoidsOption = Annotated[
    str,
    options.choice(
        "--medoids",
        MEDOIDS,
        "Architecture paper: medoid of a labelled route; the nearest of its "
        "members (members) or, as in the paper, of all customers (nearest).",
    ),
]
SeedOption = Annotated[
    int | None,
    options.number("--seed", "Random seed.", 0, show_default="1234"),
]
PlotOption = Annotated[
    Path | None,
    options.file(
        "--plot",
        "Draw the learning curve into a .png or .svg file.",
        callback=options.file_of(options.FIGURE_SUFFIXES),
    ),
]


_OF_PAPER = (
    *("inputs", "choice_weight", "distance_weight"),
    *("centers", "medoids"),
)
"""Options that only the architecture paper reads."""


def train(  # noqa: PLR0913 (typer: one parameter for each option)
    context: typer.Context,
    labels: LabelsArgument,
    validation: ValidationOption,
    output: OutputOption,
    architecture: ArchitectureOption = PAIRS,
    inputs: InputsOption = PAPER,
    schedule: ScheduleOption = "paper",
    places: PlacesOption = False,
    epochs: EpochsOption = None,
    batch_size: BatchOption = None,
    patience: PatienceOption = None,
    width: WidthOption = None,
    choice_weight: ChoiceOption = 0.0,
    distance_weight: DistanceOption = 0.0,
    centers: CentersOption = MIXED,
    medoids: MedoidsOption = MEMBERS,
    seed: SeedOption = None,
    plot: PlotOption = None,
    json: options.JsonOption = False,
) -> None:
    """Train the neural scorer; repeat the command to continue a training.

    The labels decide whether it is a network for the CVRP or for the CCP.

    ``torchrun --nproc-per-node N -m ncc_route train ...`` trains on N
    processes or devices.
    """
    from dataclasses import asdict

    from ncc_routing.core.params import changed
    from ncc_routing.paper.learning import schedule as schedules
    from ncc_routing.paper.learning import training
    from ncc_routing.paper.learning.label_files import LabelFiles
    from ncc_routing.paper.scoring.features import problem_of, region_of
    from ncc_routing.paper.scoring.network_params import NetworkParams

    for name in _OF_PAPER if architecture == PAIRS else ():
        if options.was_typed(context, name):
            raise typer.BadParameter(
                f"--{name.replace('_', '-')} goes with --architecture paper."
            )
    require_writable(plot)
    network, params = NetworkParams(), schedules.TrainingParams()
    if schedule == "cpu":
        network, params = schedules.CPU_NETWORK, schedules.CPU_TRAINING
    files = LabelFiles.of(labels)
    held_out = LabelFiles.of(validation)
    shape = _asked(
        architecture=architecture,
        inputs=inputs,
        problem=problem_of(files.read(0)[0].instance),
        width=width,
        region=region_of(files.instances()) if places else None,
    )
    course = _asked(
        num_epochs=epochs,
        batch_size=batch_size,
        patience=patience,
        choice_weight=choice_weight,
        distance_weight=distance_weight,
        centers=centers,
        medoids=medoids,
        seed=seed,
    )
    network, params = changed(network, shape), changed(params, course)
    epochs_of = training.train(
        files, held_out, output, network=network, params=params
    )
    reports = _show(epochs_of, params.num_epochs, quiet=json)
    if not _is_first():
        return
    if not reports and not json:
        say(
            f"{output} holds a training that has ended; more --epochs or "
            "--patience continue it"
        )
    if plot is not None:
        _plot(output / training.CURVE, plot)
    if json:
        print_json({"epochs": [asdict(report) for report in reports]})


def _is_first() -> bool:
    return os.environ.get("RANK", "0") == "0"


def _show(
    epochs: "Iterable[EpochReport]", count: int, *, quiet: bool
) -> "list[EpochReport]":
    """Run the epochs and say how far they are; return their reports."""
    reports, done = [], 0
    with progress_bar("epochs", count, visible=_is_first()) as advance:
        for report in epochs:
            reports.append(report)
            if _is_first() and not quiet:
                say(_line(report))
            while done < report.epoch:  # with those of an earlier call
                advance()
                done += 1
    return reports


def _asked(**values: object) -> dict[str, object]:
    return {name: value for name, value in values.items() if value is not None}


def _line(report: "EpochReport") -> str:
    validation = report.validation
    return (
        f"epoch {report.epoch:>3}  {report.seconds:6.1f} s  "
        f"train {report.train_loss:.4f}  validation {validation.loss:.4f}  "
        f"accuracy {validation.accuracy:.4f}  "
        f"ranking {validation.ranking:.4f}  "
        f"calibration error {validation.calibration_error:.4f}  "
        f"first choice {validation.first_choice:.4f}"
    )


def _plot(curve: Path, figure: Path) -> None:
    from ncc_routing.plotting.curves import plot_learning_curve
    from ncc_routing.plotting.figures import save_figure

    save_figure(plot_learning_curve(curve), figure)
