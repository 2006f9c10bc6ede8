"""The shape of a network, and the tensors that such a network consists of.

A file of weights is compared with them without torch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ncc_routing.core.exceptions import ParameterError
from ncc_routing.core.methods import require_name
from ncc_routing.core.params import bounded, check_bounds
from ncc_routing.paper.scoring.center_features import (
    NUM_GEOMETRY_FEATURES,
    NUM_INPUTS,
)
from ncc_routing.paper.scoring.features import (
    NUM_NEIGHBOURS,
    NUM_NODE_FEATURES,
    NUM_PAIR_FEATURES,
)
from ncc_routing.paper.scoring.places import NUM_PLACE_FEATURES, Region
from ncc_routing.paper.scoring.vocabulary import (
    ARCHITECTURES,
    CVRP,
    GEOMETRY,
    INPUTS,
    PAIRS,
    PAPER,
    PROBLEMS,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

# Shape of each tensor by its name in the state dict.
Shapes = dict[str, tuple[int, ...]]

SIZES: Final = (1, 4096)
"""Bounds of every number that is a part of a shape."""


@dataclass(frozen=True)
class NetworkParams:
    """Shape of a network.

    Parameters
    ----------
    architecture
        "pairs" (default): how likely two near customers share a route; run
        once for each instance. "paper": how likely a customer belongs to a
        center given all centers, after the equations of the paper.
    width
        Size d of the embeddings. Default 256.
    num_layers
        Number of graph layers L. Default 4.
    degree
        Neighbours in the graph. Default 25.
    pair_width
        Size of the embedding of a pair ("pairs"). Default 48.
    hidden
        Width of the pair decoder ("pairs"). Default 64.
    num_pairs
        Customers with whom each is paired ("pairs"). Default 48.
    num_heads
        Heads of the attention over the centers ("paper"). Default 4.
    inputs
        What a network of "paper" sees: "paper" (default), the coordinates
        and demands of the nodes; or "geometry", also what the network of
        pairs sees of a customer, and beside each center its distance,
        direction, detours and load (``CenterGeometry``).
    problem
        What it is trained for: "cvrp" (default) or "ccp", points without a
        depot.
    region
        The region whose places it may know ("pairs"). Default: none, so
        that it serves any.

    Raises
    ------
    ParameterError
        If a value is out of range.
    """

    architecture: str = PAIRS
    width: int = bounded(256, *SIZES)
    num_layers: int = bounded(4, *SIZES)
    degree: int = bounded(25, *SIZES)
    pair_width: int = bounded(48, *SIZES)
    hidden: int = bounded(64, *SIZES)
    num_pairs: int = bounded(NUM_NEIGHBOURS, *SIZES)
    num_heads: int = bounded(4, *SIZES)
    inputs: str = PAPER
    problem: str = CVRP
    region: Region | None = None

    @property
    def num_node_features(self) -> int:
        """Columns of the features of a customer ("pairs")."""
        places = 0 if self.region is None else NUM_PLACE_FEATURES
        return NUM_NODE_FEATURES + places

    def __post_init__(self) -> None:
        names = {
            "architecture": ARCHITECTURES,
            "inputs": INPUTS,
            "problem": PROBLEMS,
        }
        if self.region is not None:
            object.__setattr__(self, "region", _checked_region(self.region))
        check_bounds(self)
        for name, known in names.items():
            require_name(name, getattr(self, name), known)
        if self.region is not None and self.architecture != PAIRS:
            raise ParameterError("region is for the architecture pairs only.")
        if self.inputs != PAPER and self.architecture != PAPER:
            raise ParameterError("inputs is for the architecture paper only.")
        if self.width % self.num_heads:
            raise ParameterError("num_heads must divide width.")


def _checked_region(value: Sequence[float]) -> Region:
    """Return three numbers, of a header maybe, as a region."""
    try:
        region = Region(*map(float, value))
    except (TypeError, ValueError):
        region = Region(0.0, 0.0, 0.0)
    if not (all(map(math.isfinite, region)) and region.half > 0.0):
        raise ParameterError(
            "region must be three finite numbers, the last one positive, got "
            f"{value!r}."
        )
    return region


def tensor_shapes(params: NetworkParams) -> Shapes:
    """Return the shape of every tensor of a network, by name."""
    if params.architecture == PAIRS:
        return _pair_shapes(params)
    return _center_shapes(params)


def _pair_shapes(params: NetworkParams) -> Shapes:
    """Return the tensors of ``networks.pairs.PairNetwork``."""
    width, pair_width = params.width, params.pair_width
    hidden = params.hidden
    shapes = {
        **_linear("encoder.node_input.0", params.num_node_features, width),
        **_linear("encoder.node_input.2", width, width),
        **_linear("encoder.pair_input.0", NUM_PAIR_FEATURES, pair_width),
        **_linear("encoder.pair_input.2", pair_width, pair_width),
        **_norm("encoder.norm", width),
        **_linear("decoder.own", width, hidden),
        "decoder.other.weight": (hidden, width),
        "decoder.pair.weight": (hidden, NUM_PAIR_FEATURES),
        **_linear("decoder.head.1", hidden, hidden),
        **_linear("decoder.head.3", hidden, 1),
    }
    for number in range(params.num_layers):
        name = f"encoder.layers.{number}"
        shapes |= _norm(f"{name}.norm", width)
        shapes |= _linear(f"{name}.own", width, width)
        shapes[f"{name}.other.weight"] = (width, width)
        shapes[f"{name}.pair.weight"] = (width, pair_width)
        shapes |= _linear(f"{name}.update.0", 3 * width, width)
        shapes |= _linear(f"{name}.update.2", width, width)
    return shapes


def _center_shapes(params: NetworkParams) -> Shapes:
    """Return the tensors of ``networks.paper.CenterNetwork``."""
    width = params.width
    num_parts = 3 if params.problem == CVRP else 2
    shapes = {
        **_linear("encoder.input", NUM_INPUTS[params.inputs], width),
        **_linear("decoder.graph.0", 2 * width, width),
        **_norm("decoder.graph.2", width),
        **_linear("decoder.graph.3", width, width),
        **_linear("decoder.merge", num_parts * width, width),
        **_linear("decoder.attention.project", width, 3 * width),
        **_linear("decoder.attention.output", width, width),
        **_norm("decoder.attention.norm", width),
        **_linear("decoder.center.0", width, width),
        **_norm("decoder.center.2", width),
        **_linear("decoder.center.3", width, width),
        **_linear("decoder.join", 2 * width, width),
        **_linear("decoder.score", width, 1),
    }
    if params.inputs == GEOMETRY:
        shapes["decoder.geometry.weight"] = (width, NUM_GEOMETRY_FEATURES)
    for number in range(params.num_layers):
        name = f"encoder.layers.{number}"
        shapes |= _linear(f"{name}.lin_rel", width, width)
        shapes[f"{name}.lin_root.weight"] = (width, width)
        shapes |= _norm(f"encoder.norms.{number}", width)
    return shapes


def _linear(name: str, source: int, target: int) -> Shapes:
    return {f"{name}.weight": (target, source), f"{name}.bias": (target,)}


def _norm(name: str, width: int) -> Shapes:
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
