"""Capacitated clustering and cluster-first-route-second routing.

Public names are loaded at their first use (PEP 562): ``import ncc_routing``
itself loads no solver and no numerical library.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ncc_routing.core.extras import is_installed

_compiled = find_spec("ncc_routing._core")
if _compiled is None or _compiled.origin is None:
    raise ImportError(
        "these are the sources of ncc_routing, and nothing is built in them: "
        "run Python in another folder, or .venv/bin/python after `make demo`"
    )

if TYPE_CHECKING:
    from ncc_routing import changes as changes
    from ncc_routing import pyvrp as pyvrp
    from ncc_routing import stop as stop
    from ncc_routing.ccp.estimator import (
        CapacitatedClustering as CapacitatedClustering,
    )
    from ncc_routing.ccp.params import ClusterParams as ClusterParams
    from ncc_routing.ccp.result import ClusterResult as ClusterResult
    from ncc_routing.ccp.solve import cluster as cluster
    from ncc_routing.core.events import Callbacks as Callbacks
    from ncc_routing.core.exceptions import InfeasibleError as InfeasibleError
    from ncc_routing.core.exceptions import InstanceError as InstanceError
    from ncc_routing.core.exceptions import NccRoutingError as NccRoutingError
    from ncc_routing.core.exceptions import ParameterError as ParameterError
    from ncc_routing.core.exceptions import (
        UnsupportedProblemError as UnsupportedProblemError,
    )
    from ncc_routing.desk.points import read_points as read_points
    from ncc_routing.desk.problem import read as read
    from ncc_routing.io.vrplib import read_solution as read_solution
    from ncc_routing.io.vrplib import write_instance as write_instance
    from ncc_routing.problems.balance import Balance as Balance
    from ncc_routing.problems.breaks import Break as Break
    from ncc_routing.problems.ccp.cluster_rules import (
        ClusterRules as ClusterRules,
    )
    from ncc_routing.problems.ccp.points import PointSet as PointSet
    from ncc_routing.problems.fleet import Fleet as Fleet
    from ncc_routing.problems.fleet import VehicleType as VehicleType
    from ncc_routing.problems.hours_of_service import (
        HoursOfService as HoursOfService,
    )
    from ncc_routing.problems.hours_of_service import HoursSoFar as HoursSoFar
    from ncc_routing.problems.instance import Instance as Instance
    from ncc_routing.problems.loads import Loads as Loads
    from ncc_routing.problems.matrices import Profile as Profile
    from ncc_routing.problems.price_steps import PriceStep as PriceStep
    from ncc_routing.problems.route_constraints import (
        InProgressRoute as InProgressRoute,
    )
    from ncc_routing.problems.route_constraints import (
        RouteConstraints as RouteConstraints,
    )
    from ncc_routing.problems.routes.checking import (
        check_clustering as check_clustering,
    )
    from ncc_routing.problems.routes.checking import (
        check_solution as check_solution,
    )
    from ncc_routing.problems.routes.references import PastRoutes as PastRoutes
    from ncc_routing.problems.routes.solution import Solution as Solution
    from ncc_routing.problems.selection import Group as Group
    from ncc_routing.problems.selection import Selection as Selection
    from ncc_routing.problems.shipments import Shipment as Shipment
    from ncc_routing.problems.time_windows import TimeWindows as TimeWindows
    from ncc_routing.vrp.days import solve_days as solve_days
    from ncc_routing.vrp.dispatch.explain import explain as explain
    from ncc_routing.vrp.dispatch.offers import Offer as Offer
    from ncc_routing.vrp.dispatch.offers import offers as offers
    from ncc_routing.vrp.dispatch.replan import replan as replan
    from ncc_routing.vrp.dispatch.what_if import what_if as what_if
    from ncc_routing.vrp.lower_bound import LowerBound as LowerBound
    from ncc_routing.vrp.lower_bound import lower_bound as lower_bound
    from ncc_routing.vrp.many import solve_many as solve_many
    from ncc_routing.vrp.params import SolveParams as SolveParams
    from ncc_routing.vrp.result import Result as Result
    from ncc_routing.vrp.solve import solve as solve
    from ncc_routing.vrp.solve import warm_start as warm_start
    from ncc_routing.vrp.why.verdict import diagnose as diagnose

    __version__: str

_MODULE_OF_NAME = {
    "Callbacks": "core.events",
    "read_points": "desk.points",
    "ClusterParams": "ccp.params",
    "ClusterResult": "ccp.result",
    "cluster": "ccp.solve",
    "check_clustering": "problems.routes.checking",
    "PointSet": "problems.ccp.points",
    "ClusterRules": "problems.ccp.cluster_rules",
    "CapacitatedClustering": "ccp.estimator",
    "InfeasibleError": "core.exceptions",
    "Instance": "problems.instance",
    "InstanceError": "core.exceptions",
    "NccRoutingError": "core.exceptions",
    "ParameterError": "core.exceptions",
    "Fleet": "problems.fleet",
    "InProgressRoute": "problems.route_constraints",
    "RouteConstraints": "problems.route_constraints",
    "Group": "problems.selection",
    "Loads": "problems.loads",
    "PastRoutes": "problems.routes.references",
    "PriceStep": "problems.price_steps",
    "Profile": "problems.matrices",
    "Selection": "problems.selection",
    "Shipment": "problems.shipments",
    "TimeWindows": "problems.time_windows",
    "VehicleType": "problems.fleet",
    "Balance": "problems.balance",
    "Break": "problems.breaks",
    "HoursOfService": "problems.hours_of_service",
    "HoursSoFar": "problems.hours_of_service",
    "diagnose": "vrp.why.verdict",
    "explain": "vrp.dispatch.explain",
    "LowerBound": "vrp.lower_bound",
    "lower_bound": "vrp.lower_bound",
    "Offer": "vrp.dispatch.offers",
    "offers": "vrp.dispatch.offers",
    "replan": "vrp.dispatch.replan",
    "solve_days": "vrp.days",
    "solve_many": "vrp.many",
    "Result": "vrp.result",
    "Solution": "problems.routes.solution",
    "SolveParams": "vrp.params",
    "UnsupportedProblemError": "core.exceptions",
    "check_solution": "problems.routes.checking",
    "read": "desk.problem",
    "read_solution": "io.vrplib",
    "solve": "vrp.solve",
    "what_if": "vrp.dispatch.what_if",
    "warm_start": "vrp.solve",
    "write_instance": "io.vrplib",
}

_MODULES = ("changes", "pyvrp", "stop")

_GONE = {
    **dict.fromkeys(
        ("BoundGap", "FirstFeasible", "MaxIterations", "NoImprovement"),
        "stop.{}",
    ),
    **dict.fromkeys(("TargetCost", "TimeLimit", "first_of"), "stop.{}"),
    **dict.fromkeys(
        ("AddOrder", "AddVehicle", "Cancel", "Late", "OutOfService", "Window"),
        "changes.{}",
    ),
    "problem": "read",
    "supports": "pyvrp.supports",
    "reshape": "solve(..., initial_solution=plan, max_extra_cost=0.01)",
    "trade_off": "solve, once for each weight",
}
"""Names of 0.2, and what stands for them; for one release."""

_ABSENT = set() if is_installed("sklearn") else {"CapacitatedClustering"}
"""What a star import leaves out, as its library is not installed."""

__all__ = [name for name in _MODULE_OF_NAME if name not in _ABSENT]


def __getattr__(name: str) -> object:
    """Load a public name, a module or the version at its first use."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("ncc_routing")
    elif name in _MODULES:
        value = import_module(f"{__name__}.{name}")
    elif name in _MODULE_OF_NAME:
        module = import_module(f"{__name__}.{_MODULE_OF_NAME[name]}")
        value = getattr(module, name)
    elif name in _GONE:
        raise AttributeError(
            f"{__name__}.{name} is now {__name__}.{_GONE[name].format(name)} "
            "(docs: moving to 0.3)"
        )
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__, *_MODULES])
