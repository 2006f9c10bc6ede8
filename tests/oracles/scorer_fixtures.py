"""Tiny instances, labels and networks."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np
import pytest
from safetensors.numpy import save_file

from ncc_routing.generators import generate_uchoa
from ncc_routing.paper.learning.label_problems import ccp_instance
from ncc_routing.paper.learning.labels import LabelPlan, label_instance
from ncc_routing.paper.scoring import features
from ncc_routing.paper.scoring.center_predictor import (
    CenterPredictor,
    blank_predictor,
)
from ncc_routing.paper.scoring.network_params import NetworkParams
from ncc_routing.paper.scoring.vocabulary import ARCHITECTURES, CVRP
from ncc_routing.paper.scoring.weights_file import FORMAT
from tests.oracles.precision import single

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import ncc_routing as nr
    from ncc_routing.paper.learning.label_files import LabelledInstance


@pytest.fixture(scope="session")
def tiny_plan() -> LabelPlan:
    """Return a plan of four instances of 20 to 30 customers."""
    return LabelPlan(
        num_instances=4,
        first_seed=7,
        sizes=(20, 30),
        iterations_per_customer=20,
        shard_size=2,
    )


@pytest.fixture(scope="session")
def tiny_labels(tiny_plan: LabelPlan) -> list[LabelledInstance]:
    """Return the labelled instances of the tiny plan."""
    return [label_instance(tiny_plan, seed) for seed in range(7, 11)]


@pytest.fixture(scope="session")
def tiny_ccp_plan() -> LabelPlan:
    """Return a plan of four point sets of 20 to 30 points."""
    return LabelPlan(
        num_instances=4,
        first_seed=11,
        sizes=(20, 30),
        shard_size=2,
        problem="ccp",
    )


@pytest.fixture(scope="session")
def tiny_ccp_labels(tiny_ccp_plan: LabelPlan) -> list[LabelledInstance]:
    """Return the labelled point sets of the tiny plan."""
    return [label_instance(tiny_ccp_plan, seed) for seed in range(11, 15)]


@pytest.fixture(scope="session")
def small_points() -> nr.PointSet:
    """Return a Gaussian mixture of sixty points."""
    return ccp_instance(60, 3)


@pytest.fixture(scope="session")
def small_instance() -> nr.Instance:
    """Return forty customers of the X family."""
    return generate_uchoa(40, 3)


@pytest.fixture(scope="session")
def require_mirrored() -> Callable[
    [features.PairFeatures, features.PairFeatures], None
]:
    """Return the check that mirrored features differ in sign alone."""

    def check(
        plain: features.PairFeatures, other: features.PairFeatures
    ) -> None:
        for values, mirrored, signed in (
            (plain.nodes, other.nodes, features.SIGNED_NODE_FEATURES),
            (plain.pairs, other.pairs, features.SIGNED_PAIR_FEATURES),
        ):
            signs = np.ones(values.shape[-1])
            signs[list(signed)] = -1.0
            np.testing.assert_allclose(values * signs, mirrored, **single(2))
            assert np.abs(values[..., list(signed)]).max() > 0.1

    return check


@pytest.fixture(scope="session", params=ARCHITECTURES)
def tiny_shape(request: pytest.FixtureRequest) -> NetworkParams:
    """Return the shape of a small network of each architecture."""
    return NetworkParams(
        architecture=request.param,
        width=8,
        num_layers=2,
        degree=5,
        pair_width=6,
        hidden=7,
        num_pairs=10,
        num_heads=2,
    )


@pytest.fixture(scope="session")
def center_predictor() -> CenterPredictor:
    """Return a network of the paper for the CVRP with random weights."""
    rng = np.random.default_rng(5)
    blank = blank_predictor(CVRP)
    tensors = {
        name: rng.normal(0.0, 0.3, array.shape).astype(np.float32)
        for name, array in blank.tensors.items()
    }
    return CenterPredictor(blank.params, tensors, {})


@pytest.fixture(scope="session")
def center_file(
    center_predictor: CenterPredictor, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Return a file with those weights."""
    path = tmp_path_factory.mktemp("weights") / "paper.safetensors"
    header = {
        "format": FORMAT,
        "params": json.dumps(asdict(center_predictor.params)),
        "calibration": "{}",
    }
    save_file(dict(center_predictor.tensors), path, header)
    return path
