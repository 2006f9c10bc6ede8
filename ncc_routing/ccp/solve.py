"""Clustering from points to a checked answer."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.ccp.methods import DEFAULT_METHOD, METHODS, OBJECTIVE_ACCEPTS
from ncc_routing.ccp.num_clusters import cluster_by_rule
from ncc_routing.ccp.params import ClusterLimits, ClusterParams
from ncc_routing.ccp.phases import Phases, choose_phases
from ncc_routing.ccp.result import ClusterResult
from ncc_routing.ccp.units import in_usual_units
from ncc_routing.clustering.objectives import summarize
from ncc_routing.core.display import shown
from ncc_routing.core.events import Callbacks, Monitor
from ncc_routing.core.exceptions import (
    NccRoutingError,
    OutOfTimeError,
    ParameterError,
    UnsupportedProblemError,
)
from ncc_routing.core.extras import is_pyvrp
from ncc_routing.core.interrupts import expire_on_ctrl_c
from ncc_routing.core.methods import runnable
from ncc_routing.core.params import chosen, to_mapping
from ncc_routing.core.text_files import describe_value
from ncc_routing.desk.cluster_rules import read_rules
from ncc_routing.desk.points import read_points
from ncc_routing.desk.problem import read
from ncc_routing.desk.tables import is_table
from ncc_routing.problems.ccp.points import PointSet
from ncc_routing.problems.instance import Instance
from ncc_routing.problems.routes.checking import check_clustering
from ncc_routing.problems.values import numbers
from ncc_routing.pyvrp.criteria import budget_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Unpack

    from ncc_routing.ccp.methods import ClusterMethod
    from ncc_routing.ccp.params import ClusterOptions
    from ncc_routing.ccp.run import ClusterRun
    from ncc_routing.core.stopping import AnyStop
    from ncc_routing.problems.ccp.clusters import Clustering

_logger = logging.getLogger(__name__)


def cluster(  # noqa: PLR0913 - points, and how to cluster them
    points: object,
    num_clusters: int | str | None = None,
    capacity: float | Sequence[float] | np.ndarray | None = None,
    weights: np.ndarray | None = None,
    stop: AnyStop | None = None,
    *,
    params: ClusterParams | None = None,
    callbacks: Callbacks | None = None,
    display: bool = False,
    **options: Unpack[ClusterOptions],
) -> ClusterResult:
    """Cluster weighted points under a capacity.

    Parameters
    ----------
    points
        The points: a ``PointSet``; an array of coordinates of shape
        (num_points, num_dims); a table with named columns, as a file, a
        DataFrame, a mapping, or polygons (:func:`ncc_routing.read_points`);
        or an ``Instance``, a file of VRPLIB (.vrp), PyVRP's ``ProblemData``
        or ``Model``, for its customers (``PointSet.from_instance``).
    num_clusters
        Number of clusters; "fewest": as few as the method reaches; "most": as
        many as the limits allow; "random": the fewest that the random
        assignment reaches over three seeds (the paper). Default: that of the
        points, else "fewest".
    capacity
        Largest load of all clusters, or one for each cluster. An array or a
        table needs it, ``max_size`` or ``tolerance``; it replaces that of a
        ``PointSet`` or an instance.
    weights
        Weight of each point, for an array. Default 1 each. With shape
        (num_points, W), as with W weights of a table or a ``PointSet``,
        ``capacity`` and ``min_load`` have a number for each, ``inf`` and 0 for
        none.
    stop
        A ``TimeLimit``; or another criterion, as for ``solve``, for methods
        that search.
    min_load, min_size, max_size, tolerance
        Further limits of the clusters, as in ``PointSet``: least load, least
        and largest number of points (one number, or one for each cluster), and
        share by which each load may differ from the mean.
    must_link, cannot_link, fixed, centers, forbidden_centers, graph, \
weights_in_objective, compactness, reference, consistency
        Links, fixed points and centers, a graph in which clusters are
        connected, and prices: as in ``ClusterRules``, or the paths of files
        (``desk.cluster_rules.read_rules``).
    params
        All parameters of the run. Default: ``ClusterParams()``.
    callbacks
        Called at the start, at each better clustering, and at the end.
    display
        Whether to show the progress on stderr. Default no.
    **options
        Fields of :class:`ncc_routing.ClusterParams`; one that is given
        replaces that of ``params``:
        ``cluster(points, 5, method="gb21", objective="cpmp")``.

    Returns
    -------
    ClusterResult
        A ``Clustering`` that has passed ``check_clustering``.

    Raises
    ------
    InstanceError, ParameterError
        If an input is wrong or has no effect, before any work.
    InfeasibleError
        If no feasible clustering was found, although one may exist, or if a
        limit, which the message names, cannot hold.
    """
    known = ClusterLimits.__annotations__
    given = {
        name: value
        for name, value in options.items()
        if name in known and value is not None
    }
    others = {n: value for n, value in options.items() if n not in known}
    params = chosen(ClusterParams, params, also=known, **others)
    budget = budget_of(stop, params.time_limit)
    given = read_rules(given)
    data = _point_set(points, capacity, weights, given)
    wanted = _wanted_count(num_clusters, data)
    row = METHODS[params.method]
    accepted = OBJECTIVE_ACCEPTS[params.objective]
    for feature in data.features:
        if feature not in accepted:
            rule = f"{params.objective} does not support {feature}"
            raise UnsupportedProblemError(data.name, "objective", rule)
    row.require(data.name, data.features)
    if budget.stop is not None:
        row.require_parameter("stop")
    if not budget.is_timed:
        budget = budget.within(row.default_seconds)
    with shown(display, callbacks) as listeners:
        monitor = Monitor(budget.time_limit, listeners)
        monitor.begin(data, params)
        run = params.run(budget, monitor)
        phase_names: list[str] = []
        into = partial(_cluster, data, row, run, monitor, phase_names)
        with expire_on_ctrl_c(budget.time_limit) as interruption:
            clustering = cluster_by_rule(data, wanted, into)
        result = ClusterResult.of(
            clustering,
            points=data,
            seed=params.seed,
            runtime=monitor.seconds,
            params=to_mapping(params),
            trace=tuple(monitor.trace),
            interrupted=interruption.received,
            phases=tuple(phase_names),
        )
        monitor.end(result)
        return result


def _cluster(
    points: PointSet,
    method: ClusterMethod,
    run: ClusterRun,
    monitor: Monitor,
    phase_names: list[str],
    num_clusters: int,
) -> Clustering:
    """Return a checked clustering into a given number of clusters.

    ``phase_names`` becomes its phases in words.
    """
    method = runnable(method, METHODS, points, num_clusters, run)
    problem, unit = in_usual_units(points, run.objective)
    phases = choose_phases(
        *(problem, num_clusters, run.objective, run.effort),
        seconds=run.budget.remaining(),
        counts_iterations=run.budget.counts_iterations,
    )
    run = replace(run.watched(unit), phases=phases)
    phase_names[:] = _in_words(method, phases)
    with monitor.stage("cluster"):
        try:
            clustering = method(problem, num_clusters, run)
        except OutOfTimeError as error:
            # An interrupted run still has to give an answer.
            if not run.budget.time_limit.is_called_off():
                raise
            _logger.warning("%s %s instead.", error, DEFAULT_METHOD)
            method = METHODS[DEFAULT_METHOD]
            phase_names[:] = _in_words(method, phases)
            clustering = method(problem, num_clusters, run)
        if problem is not points:
            labels = clustering.labels
            clustering = summarize(points, labels, num_clusters, run.objective)
        monitor.note(clustering.cost)
    for violation in check_clustering(points, clustering)[:1]:
        raise NccRoutingError(
            f"{points.name}: {method.name} broke a rule: "
            f"{violation.message}. Please report this."
        )
    return replace(clustering, method=method.name)


def _in_words(method: ClusterMethod, phases: Phases) -> list[str]:
    words = [method.name]
    if "phases" in method.reads:
        words += map(str, phases)
    _logger.info("Phases: %s.", ", ".join(words))
    return words


def _point_set(
    points: object,
    capacity: Any,
    weights: np.ndarray | None,
    limits: dict[str, Any],
) -> PointSet:
    if isinstance(points, PointSet):
        if weights is not None:
            raise ParameterError("weights are part of the PointSet.")
        return points.limited(capacity, **limits)
    if isinstance(points, (str, os.PathLike)) and (
        os.fspath(points).lower().endswith(".vrp")
    ):
        points = read(points)
    if is_table(points) or isinstance(points, (str, os.PathLike)):
        if weights is not None:
            raise ParameterError("weights are a column of the table.")
        return read_points(points, capacity, **limits)
    if is_pyvrp(points):
        from ncc_routing.pyvrp.adapter import from_problem_data

        points = from_problem_data(points)
    if isinstance(points, Instance):
        if weights is not None:
            raise ParameterError("weights are the demands of the customers.")
        first = capacity if np.ndim(capacity) == 0 else np.max(capacity)
        data = PointSet.from_instance(points, first)
        return data.limited(capacity, **limits)
    if capacity is None and not limits:
        raise ParameterError(
            "capacity, or another limit, is needed with an array of points."
        )
    if not isinstance(points, (np.ndarray, list, tuple)):
        raise ParameterError(
            "points must be a PointSet, an array of coordinates, a table (a "
            "file, a DataFrame), an Instance, or PyVRP's ProblemData or "
            f"Model, got {describe_value(points)}."
        )
    coords = np.atleast_1d(numbers("points", "coords", points))
    return PointSet.from_arrays(coords, weights, capacity, **limits)


def _wanted_count(num_clusters: object, points: PointSet) -> int | str:
    if num_clusters is None:
        return points.num_clusters or "fewest"
    if isinstance(num_clusters, str):
        return num_clusters
    if isinstance(num_clusters, (int, np.integer)) and (
        not isinstance(num_clusters, bool)
    ):
        return int(num_clusters)
    raise ParameterError(
        "num_clusters must be a whole number or a rule, got "
        f"{describe_value(num_clusters)}."
    )
