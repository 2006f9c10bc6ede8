"""The tensors that a network of some shape consists of.

What ``learning.networks`` would build, known without building it: a file of
weights is compared with it first, and torch is not needed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncc_routing.scoring.center_features import NUM_INPUTS
from ncc_routing.scoring.center_geometry import NUM_GEOMETRY_FEATURES
from ncc_routing.scoring.features import NUM_PAIR_FEATURES
from ncc_routing.scoring.vocabulary import CVRP, GEOMETRY, PAIRS

if TYPE_CHECKING:
    from ncc_routing.scoring.weights_file import NetworkParams

Shapes = dict[str, tuple[int, ...]]
"""Shape of each tensor by its name in the state dict."""


def tensor_shapes(params: NetworkParams) -> Shapes:
    """Return the shape of every tensor of a network, by name.

    Parameters
    ----------
    params
        Shape of the network.
    """
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
    """Return the tensors of a linear layer with a bias."""
    return {f"{name}.weight": (target, source), f"{name}.bias": (target,)}


def _norm(name: str, width: int) -> Shapes:
    """Return the tensors of a layer norm."""
    return {f"{name}.weight": (width,), f"{name}.bias": (width,)}
