"""What a trained network is worth on labels."""

from pathlib import Path

import numpy as np
import pytest
import torch

from ncc_routing import InfeasibleError, ParameterError
from ncc_routing.paper.learning import evaluation
from ncc_routing.paper.learning.evaluation import evaluate
from ncc_routing.paper.learning.label_files import LabelFiles
from ncc_routing.paper.learning.labels import LabelPlan, write_labels
from ncc_routing.paper.learning.scorer import (
    ClusterScorer,
    build_network,
    save_scorer,
)
from ncc_routing.paper.scoring.network_params import NetworkParams


def saved(folder: Path, architecture: str, problem: str = "cvrp") -> Path:
    """Write an untrained network of a shape."""
    torch.manual_seed(3)
    shape = NetworkParams(
        architecture, *(8, 1, 5), num_pairs=10, num_heads=2, problem=problem
    )
    path = folder / f"{architecture}-{problem}.safetensors"
    calibration = {"weight": 0.1, "distance_weight": 1.0}
    network = build_network(shape).eval()
    save_scorer(path, ClusterScorer(shape, network, calibration))
    return path


@pytest.fixture(scope="module")
def folders(
    tiny_plan: LabelPlan,
    tiny_ccp_plan: LabelPlan,
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Path]:
    """Return a folder of labels for each problem."""
    place = tmp_path_factory.mktemp("labels")
    plans = {"cvrp": tiny_plan, "ccp": tiny_ccp_plan}
    for name, plan in plans.items():
        list(write_labels(plan, place / name))
    return {name: place / name for name in plans}


@pytest.mark.parametrize("architecture", ["pairs", "paper"])
@pytest.mark.parametrize("problem", ["cvrp", "ccp"])
def test_a_network_is_measured(
    folders: dict[str, Path], tmp_path: Path, architecture: str, problem: str
) -> None:
    """Four instances in two files; the labels are hard to beat."""
    weights = saved(tmp_path, architecture, problem)
    files = LabelFiles.of([folders[problem]])
    first, last = evaluate(weights, files)
    assert (first.num_instances, last.num_instances) == (2, 4)
    assert 0.0 < last.metrics.loss < 5.0
    assert last.metrics.first_choice > 0.1
    assert last.num_failed == 0
    assert last.first_gap is not None
    assert -1.0 < last.first_gap < 300.0


def test_labels_have_no_gap_to_themselves(
    folders: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what is not clustered is counted, not averaged."""
    weights = saved(tmp_path, "pairs")
    files = LabelFiles.of([folders["cvrp"]])
    entries = iter([*files.read(0), *files.read(1)])

    def answer(*_: object, **__: object) -> list[np.ndarray]:
        entry = next(entries)
        best = entry.labels[entry.costs.argmin()]
        if entry.instance.name.endswith("-9"):
            raise InfeasibleError("no room")
        return [np.flatnonzero(best == k) for k in np.unique(best[1:])]

    monkeypatch.setattr(evaluation, "roll_out", answer)
    *_, last = evaluate(weights, files)
    assert last.first_gap == 0.0
    assert last.num_failed == 1


def test_another_problem_is_refused(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    """A network for routes does not judge points."""
    weights = saved(tmp_path, "paper")
    with pytest.raises(ParameterError, match="trained for the CVRP"):
        list(evaluate(weights, LabelFiles.of([folders["ccp"]])))
