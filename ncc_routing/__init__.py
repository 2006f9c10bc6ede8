"""Capacitated clustering and cluster-first-route-second routing.

Public names are loaded at their first use (PEP 562): ``import ncc_routing``
itself loads no solver and no numerical library.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncc_routing.ccp_pipeline import cluster as cluster
    from ncc_routing.checking import Violation as Violation
    from ncc_routing.checking import check_clustering as check_clustering
    from ncc_routing.checking import check_solution as check_solution
    from ncc_routing.clusters import Clustering as Clustering
    from ncc_routing.estimators import (
        CapacitatedClustering as CapacitatedClustering,
    )
    from ncc_routing.exceptions import InfeasibleError as InfeasibleError
    from ncc_routing.exceptions import InstanceError as InstanceError
    from ncc_routing.exceptions import NccRoutingError as NccRoutingError
    from ncc_routing.exceptions import (
        UnsupportedProblemError as UnsupportedProblemError,
    )
    from ncc_routing.files import read as read
    from ncc_routing.files import read_solution as read_solution
    from ncc_routing.files import write_solution as write_solution
    from ncc_routing.generators import generate_uchoa as generate_uchoa
    from ncc_routing.generators.ccp import generate_gmm as generate_gmm
    from ncc_routing.instance import Instance as Instance
    from ncc_routing.pipeline import SolveParams as SolveParams
    from ncc_routing.pipeline import solve as solve
    from ncc_routing.pipeline import warm_start as warm_start
    from ncc_routing.points import PointSet as PointSet
    from ncc_routing.points_files import read_points as read_points
    from ncc_routing.result import Result as Result
    from ncc_routing.solution import Solution as Solution

    __version__: str

_MODULE_OF_NAME = {
    "read_points": "points_files",
    "generate_gmm": "generators.ccp",
    "cluster": "ccp_pipeline",
    "check_clustering": "checking",
    "PointSet": "points",
    "Clustering": "clusters",
    "CapacitatedClustering": "estimators",
    "InfeasibleError": "exceptions",
    "Instance": "instance",
    "InstanceError": "exceptions",
    "NccRoutingError": "exceptions",
    "Result": "result",
    "Solution": "solution",
    "SolveParams": "pipeline",
    "UnsupportedProblemError": "exceptions",
    "Violation": "checking",
    "check_solution": "checking",
    "generate_uchoa": "generators",
    "read": "files",
    "read_solution": "files",
    "solve": "pipeline",
    "warm_start": "pipeline",
    "write_solution": "files",
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
