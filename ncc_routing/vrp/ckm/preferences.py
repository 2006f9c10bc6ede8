"""Clusters that are to be more than good for short routes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.core.deadline import Deadline
from ncc_routing.problems.solution import Solution
from ncc_routing.vrp.ckm.buffers import members_of
from ncc_routing.vrp.preferences.cluster_kernels import cluster_penalty
from ncc_routing.vrp.tours.cluster_routes import improve_routes

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.ckm._layout import Plan, Problem
    from ncc_routing.vrp.preferences.clusters import ClusterPreference


def penalised(
    instance: Instance,
    problem: Problem,
    plan: Plan,
    preference: ClusterPreference,
) -> Problem:
    """Return the problem with the penalties of a preference.

    Parameters
    ----------
    instance
        The instance.
    problem
        It without penalties.
    plan
        Its first clusters. Their costs rise by the penalties, in place.
    preference
        What the clusters are to be.
    """
    used = np.flatnonzero(plan.sizes)
    clusters = members_of(plan)
    orders, _ = improve_routes(instance, clusters, Deadline())
    start = Solution.from_routes(instance, orders)
    penalties = preference.for_clusters(instance, start)
    for slot, members in zip(used, clusters, strict=True):
        nodes = np.concatenate([[0], members])
        plan.costs[slot] += cluster_penalty(penalties, nodes, len(nodes))
    return problem._replace(penalties=penalties)
