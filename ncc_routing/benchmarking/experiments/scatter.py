"""How far the runs of one instance scatter, which differ by their seed."""

from __future__ import annotations

from functools import partial

from ncc_routing.benchmarking.cases import SMALL_ROUTES, published
from ncc_routing.benchmarking.experiment import page_of, vary
from ncc_routing.benchmarking.experiments.choices import anneal_once
from ncc_routing.benchmarking.tables import Summary

NAMES = ("X-n1001-k43",)
"""Once recorded with longer routes after ten seconds than after one."""

PAGES = (
    page_of(
        "x_scatter",
        "How far runs scatter",
        "What annealing one instance of X with twenty seeds gives after one "
        "and ten seconds of processor time, with moves of tails and without.",
        cases=partial(published, "X", NAMES),
        variants=vary(anneal_once, "tail_moves", (0.05, 0.0)),
        columns="instance num_customers seed seconds=budget tail_moves cost "
        "num_routes bks gap_percent",
        key="instance tail_moves seed budget",
        seeds=tuple(range(1, 21)),
        budgets=(1.0, 10.0),
        jobs=2,
        warm=SMALL_ROUTES,
        views=(
            Summary(
                "instance tail_moves seconds",
                "runs; gap %: gap_percent; least: gap_percent min; "
                "most: gap_percent max; routes: num_routes .1f; "
                "most routes: num_routes .0f max",
            ),
        ),
    ),
)
"""The pages of this file, by which the registry finds them."""
