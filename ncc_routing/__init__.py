"""Capacitated clustering and cluster-first-route-second routing.

Public names are loaded at their first use (PEP 562): ``import ncc_routing``
itself loads no solver and no numerical library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncc_routing.ccp.estimator import (
        CapacitatedClustering as CapacitatedClustering,
    )
    from ncc_routing.ccp.solve import ClusterParams as ClusterParams
    from ncc_routing.ccp.solve import cluster as cluster
    from ncc_routing.core.exceptions import InfeasibleError as InfeasibleError
    from ncc_routing.core.exceptions import InstanceError as InstanceError
    from ncc_routing.core.exceptions import NccRoutingError as NccRoutingError
    from ncc_routing.core.exceptions import (
        UnsupportedProblemError as UnsupportedProblemError,
    )
    from ncc_routing.generators import generate_uchoa as generate_uchoa
    from ncc_routing.generators.mixtures import generate_gmm as generate_gmm
    from ncc_routing.io.points import read_points as read_points
    from ncc_routing.io.vrplib import read as read
    from ncc_routing.io.vrplib import read_solution as read_solution
    from ncc_routing.io.vrplib import write_solution as write_solution
    from ncc_routing.problems.checking import Violation as Violation
    from ncc_routing.problems.checking import (
        check_clustering as check_clustering,
    )
    from ncc_routing.problems.checking import check_solution as check_solution
    from ncc_routing.problems.clusters import Clustering as Clustering
    from ncc_routing.problems.instance import Instance as Instance
    from ncc_routing.problems.points import PointSet as PointSet
    from ncc_routing.problems.result import Result as Result
    from ncc_routing.problems.solution import Solution as Solution
    from ncc_routing.vrp.solve import SolveParams as SolveParams
    from ncc_routing.vrp.solve import solve as solve
    from ncc_routing.vrp.solve import warm_start as warm_start
    from ncc_routing.warming import warmup as warmup

    __version__: str

_MODULE_OF_NAME = {
    "read_points": "io.points",
    "generate_gmm": "generators.mixtures",
    "ClusterParams": "ccp.solve",
    "cluster": "ccp.solve",
    "check_clustering": "problems.checking",
    "PointSet": "problems.points",
    "Clustering": "problems.clusters",
    "CapacitatedClustering": "ccp.estimator",
    "InfeasibleError": "core.exceptions",
    "Instance": "problems.instance",
    "InstanceError": "core.exceptions",
    "NccRoutingError": "core.exceptions",
    "Result": "problems.result",
    "Solution": "problems.solution",
    "SolveParams": "vrp.solve",
    "UnsupportedProblemError": "core.exceptions",
    "Violation": "problems.checking",
    "check_solution": "problems.checking",
    "generate_uchoa": "generators",
    "read": "io.vrplib",
    "read_solution": "io.vrplib",
    "solve": "vrp.solve",
    "warm_start": "vrp.solve",
    "warmup": "warming",
    "write_solution": "io.vrplib",
}

__all__ = list(_MODULE_OF_NAME)


def __getattr__(name: str) -> object:
    """Load a public name, or the version, at its first use."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("ncc_routing")
    elif name in _MODULE_OF_NAME:
        module = import_module(f"{__name__}.{_MODULE_OF_NAME[name]}")
        value = getattr(module, name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
