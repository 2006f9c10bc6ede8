"""The kernels of "ckm", in parts that compile side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ncc_routing.clustering.priority import RegretPriority
from ncc_routing.core.compilation import compile_for
from ncc_routing.vrp.ckm import _clustering_kernels as clustering
from ncc_routing.vrp.ckm import _pricing_kernels as pricing
from ncc_routing.vrp.ckm import _region_kernels as regions
from ncc_routing.vrp.ckm.buffers import (
    make_memo,
    make_plan,
    make_problem,
    make_region,
)

if TYPE_CHECKING:
    from ncc_routing.problems.instance import Instance
    from ncc_routing.vrp.ckm._layout import Plan, Region, RegionProblem


def compile_clustering(instance: Instance) -> None:
    """Compile capacitated k-means on a region."""
    problem, _, region = _arguments(instance)
    compile_for(
        clustering.cluster_region, region, 1, 1, problem.formula, 1, 1.0
    )


def compile_pricing(instance: Instance) -> None:
    """Compile the costs of the routes through a region."""
    problem, _, region = _arguments(instance)
    compile_for(pricing.price_region, problem, region, make_memo(), 1, 1, 1.0)


def compile_regions(instance: Instance) -> None:
    """Compile how regions are taken out, begun anew and put back."""
    problem, plan, region = _arguments(instance)
    rng = np.random.default_rng(1)
    compile_for(clustering.place_centers, plan, region, 1, 1, 1, rng)
    compile_for(clustering.with_detour, problem.formula, 1.0)
    compile_for(regions.gather_region, problem, plan, region, 1, 1)
    compile_for(regions.load_region, problem, region, 1)
    compile_for(regions.gain_in_fullness, problem, plan, region, 1, 1)
    compile_for(regions.replace_region, plan, region, 1, 1, 1)
    compile_for(regions.leave_region, region, 1)
    compile_for(regions.copy_plan, plan, plan)


def _arguments(instance: Instance) -> tuple[RegionProblem, Plan, Region]:
    """Return what the kernels take."""
    rng = np.random.default_rng(1)
    return (
        make_problem(instance, RegretPriority(), rng),
        make_plan(instance, 2),
        make_region(instance, instance.num_customers, 2, 2),
    )
