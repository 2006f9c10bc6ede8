"""The paper's own method on a CVRP."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import ncc_routing as nr
from ncc_routing.paper.ncc_paper_routes import (
    PAPER_RULES,
    NccPaperParams,
    cluster_ncc_paper,
)
from ncc_routing.paper.scored_params import ScoredKMeansParams
from ncc_routing.paper.scoring.center_predictor import blank_predictor
from ncc_routing.paper.scoring.weights_file import WEIGHTS

if TYPE_CHECKING:
    from pathlib import Path

    from ncc_routing.paper.scoring.center_predictor import CenterPredictor

PAPER_METHODS = ["ncc-paper", "ncc-paper-sampling"]


@pytest.mark.numeric
@pytest.mark.parametrize("method", PAPER_METHODS)
@pytest.mark.parametrize("params", [None, PAPER_RULES])
def test_methods_solve_and_repeat(
    small_instance: nr.Instance,
    center_predictor: CenterPredictor,
    method: str,
    params: NccPaperParams | None,
) -> None:
    """Checked routes, the same for one seed, by either set of rules."""
    one, other = (
        nr.solve(
            small_instance,
            seed=4,
            params=nr.SolveParams(
                *(method, "none"), scorer=center_predictor, ncc_paper=params
            ),
        )
        for _ in range(2)
    )
    assert one.method == method
    assert one.best == other.best
    assert nr.check_solution(small_instance, one.best) == []
    assert len(one.best.routes) >= small_instance.min_num_routes


def test_a_file_of_weights_is_a_scorer(
    small_instance: nr.Instance, center_file: Path
) -> None:
    """The path and what it holds give the same answer."""
    runs = [
        nr.solve(
            small_instance,
            params=nr.SolveParams("ncc-paper", "none", scorer=scorer),
        )
        for scorer in (center_file, str(center_file))
    ]
    assert runs[0].best == runs[1].best
    assert runs[0].params["scorer"] == str(center_file)
    shipped = str(WEIGHTS / "ncc-cvrp.safetensors")
    by_name = nr.solve(small_instance, method="ncc", polish="none", seed=2)
    params = nr.SolveParams("ncc", "none", seed=2, scorer=shipped)
    by_file = nr.solve(small_instance, params=params)
    assert by_name.best == by_file.best


def test_parameters_are_refused_in_one_line(
    small_instance: nr.Instance, center_file: Path
) -> None:
    """A scorer that is not read or of another kind, and an unknown choice."""
    shipped = WEIGHTS / "ncc-cvrp.safetensors"
    for changes, message in (
        ({"method": "savings", "scorer": str(center_file)}, "takes no scorer"),
        ({"scorer": str(center_file)}, "needs a method by name"),
        ({"method": "ncc", "scorer": center_file}, "no architecture 'pairs'"),
        ({"method": "ncc-paper", "scorer": shipped}, "no architecture 'paper"),
        ({"method": "ncc-paper", "scorer": 7}, r"method encode\(\), got 7"),
        (
            {"method": "ncc-paper", "ncc_paper": {"choice": "cost"}},
            "tours, inertia",
        ),
    ):
        with pytest.raises(nr.ParameterError, match=message):
            nr.solve(small_instance, params=nr.SolveParams(**changes))


def test_too_little_time_falls_back_to_ckm(
    small_instance: nr.Instance, center_predictor: CenterPredictor
) -> None:
    """The result names the method that ran."""
    found = nr.solve(
        small_instance,
        time_limit=0.02,
        params=nr.SolveParams("ncc-paper", "none", scorer=center_predictor),
    )
    assert found.method == "ckm"
    assert nr.check_solution(small_instance, found.best) == []


def tight_instance(seed: int) -> nr.Instance:
    """Return 60 customers, four in a vehicle, whose loads fill 99 %."""
    rng = np.random.default_rng(seed)
    demands = rng.integers(1, 101, 60)
    capacity = int(np.ceil(demands.sum() / (15 * 0.99)))
    coords = rng.integers(0, 1001, (61, 2))
    return nr.Instance("tight", np.array([0, *demands]), capacity, coords)


def test_tight_vehicles_are_filled_by_exchanges() -> None:
    """Nearly as few as there can be; without exchanges some are half full."""
    full = ScoredKMeansParams(has_wider_starts=False)
    plain = replace(full, max_passes=0)
    counts = {"least": 0, "exchanges": 0, "none": 0}
    for seed in range(4):
        instance = tight_instance(seed)
        counts["least"] += instance.min_num_routes
        for name, params in (("exchanges", full), ("none", plain)):
            clusters = cluster_ncc_paper(
                instance,
                scorer=blank_predictor("cvrp"),
                params=NccPaperParams(params),
            )
            counts[name] += len(clusters)
            served = np.sort(np.concatenate(clusters))
            assert served.tolist() == list(range(1, 61))
            for own in clusters:
                assert instance.demands[own].sum() <= instance.capacity
    assert counts["exchanges"] <= counts["least"] + 2
    assert counts["none"] > counts["exchanges"]


def test_parameters_reach_the_method(small_instance: nr.Instance) -> None:
    """With the shipped weights."""
    params = nr.SolveParams("ncc-paper", ncc_paper={"choice": "inertia"})
    found = nr.solve(small_instance, polish="none", params=params)
    assert found.method == "ncc-paper"
