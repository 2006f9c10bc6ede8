"""``ncc-route evaluate``: how good a trained network is."""

from pathlib import Path
from typing import Annotated

from ncc_route import options
from ncc_route.output import print_json, say
from ncc_routing.core.display import progress_bar

WeightsArgument = Annotated[
    Path, options.argument("WEIGHTS", "Trained weights from ncc-route train.")
]
LabelsArgument = Annotated[
    list[Path],
    options.argument(
        "LABELS...", "Folders or files with labels that were not trained on."
    ),
]


def evaluate(
    weights: WeightsArgument,
    labels: LabelsArgument,
    seed: options.SeedOption = 1,
    json: options.JsonOption = False,
) -> None:
    """Compare a trained network with labels that were not in its training.

    Prints measures of its predictions, and the gap of its first clustering.
    """
    from dataclasses import asdict

    from ncc_routing.paper.learning import evaluation
    from ncc_routing.paper.learning.label_files import LabelFiles

    files = LabelFiles.of(labels)
    reports = []
    with progress_bar("files", len(files)) as advance:
        for report in evaluation.evaluate(weights, files, seed=seed):
            reports.append(report)
            advance()
    last = reports[-1]
    if json:
        print_json(asdict(last))
        return
    gap = "-" if last.first_gap is None else f"{last.first_gap:.2f} %"
    for name, value in (
        ("instances", str(last.num_instances)),
        ("cross entropy", f"{last.metrics.loss:.4f}"),
        ("accuracy", f"{last.metrics.accuracy:.4f}"),
        ("ranking (AUC)", f"{last.metrics.ranking:.4f}"),
        ("first choice", f"{last.metrics.first_choice:.4f}"),
        ("calibration error", f"{last.metrics.calibration_error:.4f}"),
        ("first clustering", gap),
        ("not clustered", str(last.num_failed)),
    ):
        say(f"{name:<19}{value}")
