"""``ncc-route train``: train the neural scorer on labelled instances."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ncc_route import options
from ncc_route.output import print_json, require_writable, say
from ncc_routing.core.display import progress_bar

if TYPE_CHECKING:
    from ncc_routing.learning.training import EpochReport

SCHEDULES = ("paper", "cpu")
"""Sizes of network and training that have a name."""


def _architecture(value: str) -> str:
    from ncc_routing.scoring.vocabulary import ARCHITECTURES

    return options.one_of(ARCHITECTURES)(value)


LabelsArgument = Annotated[
    Path,
    typer.Argument(
        metavar="LABELS",
        help="Folder, or file, with labels for the training.",
        show_default=False,
    ),
]
ValidationOption = Annotated[
    Path,
    typer.Option(
        "--validation",
        metavar="LABELS",
        help="Labels for the validation; other seeds than LABELS.",
        show_default=False,
    ),
]
OutputOption = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        help="Folder for weights, checkpoint and learning curve; a "
        "training that it holds goes on.",
        show_default=False,
    ),
]
ArchitectureOption = Annotated[
    str,
    typer.Option(
        "--architecture",
        metavar="NAME",
        callback=_architecture,
        help="pairs: near customers, once an instance; paper: customers "
        "and centers.",
    ),
]
ScheduleOption = Annotated[
    str,
    typer.Option(
        "--schedule",
        metavar="NAME",
        callback=options.one_of(SCHEDULES),
        autocompletion=options.completing(SCHEDULES),
        help="paper: 200 epochs at width 256; cpu: small, for two cores.",
    ),
]
PlacesOption = Annotated[
    bool,
    typer.Option(
        "--places",
        help="Let the network know the places of the labels: they are plans "
        "of one region, and it is for that region alone.",
    ),
]
EpochsOption = Annotated[
    int | None,
    typer.Option(
        "--epochs",
        metavar="N",
        min=1,
        help="Number of epochs.",
        show_default="that of the schedule",
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="Random seed.",
        show_default="1234",
    ),
]
PlotOption = Annotated[
    Path | None,
    typer.Option(
        "--plot",
        metavar="FILE",
        callback=options.file_of(options.FIGURE_SUFFIXES),
        help="Draw the learning curve into a .png or .svg file.",
        show_default=False,
    ),
]


def train(  # noqa: PLR0913 (typer: one parameter for each option)
    labels: LabelsArgument,
    validation: ValidationOption,
    output: OutputOption,
    architecture: ArchitectureOption = "pairs",
    schedule: ScheduleOption = "paper",
    places: PlacesOption = False,
    epochs: EpochsOption = None,
    seed: SeedOption = None,
    plot: PlotOption = None,
    json: options.JsonOption = False,
) -> None:
    """Train the neural scorer; an interrupted training can be repeated.

    The labels decide whether it is a network for the CVRP or for the CCP.

    ``torchrun --nproc-per-node N -m ncc_route train ...`` trains on N
    processes or devices.
    """
    import os
    from dataclasses import asdict, replace

    from ncc_routing.learning import training
    from ncc_routing.learning.labels import read_labels
    from ncc_routing.scoring.features import problem_of, region_of
    from ncc_routing.scoring.weights_file import NetworkParams

    require_writable(plot)
    network, params = NetworkParams(), training.TrainingParams()
    if schedule == "cpu":
        network, params = training.CPU_NETWORK, training.CPU_TRAINING
    labelled = read_labels([labels])
    network = replace(
        network,
        architecture=architecture,
        problem=problem_of(labelled[0].instance),
        region=region_of(one.instance for one in labelled) if places else None,
    )
    if epochs is not None:
        params = replace(params, num_epochs=epochs)
    if seed is not None:
        params = replace(params, seed=seed)
    reports, done = [], 0
    is_first = os.environ.get("RANK", "0") == "0"
    with progress_bar(
        "epochs", params.num_epochs, visible=is_first
    ) as advance:
        for report in training.train(
            labelled,
            read_labels([validation]),
            output,
            network=network,
            params=params,
        ):
            reports.append(report)
            if is_first and not json:
                say(_line(report))
            while done < report.epoch:  # with those of an earlier call
                advance()
                done += 1
    if not is_first:
        return
    if plot is not None:
        _plot(output / training.CURVE, plot)
    if json:
        print_json({"epochs": [asdict(report) for report in reports]})


def _line(report: "EpochReport") -> str:
    """Return one line about an epoch."""
    found = report.validation
    return (
        f"epoch {report.epoch:>3}  {report.seconds:6.1f} s  "
        f"train {report.train_loss:.4f}  validation {found.loss:.4f}  "
        f"accuracy {found.accuracy:.4f}  ranking {found.ranking:.4f}  "
        f"calibration error {found.calibration_error:.4f}"
    )


def _plot(curve: Path, figure: Path) -> None:
    """Draw a learning curve."""
    from ncc_routing.plotting.curves import plot_learning_curve
    from ncc_routing.plotting.figures import save_figure

    save_figure(plot_learning_curve(curve), figure)
