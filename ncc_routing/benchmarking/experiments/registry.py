"""Every page of results by its name."""

from __future__ import annotations

from ncc_routing.benchmarking.experiments import (
    behaviour,
    children,
    choices,
    cluster_tuning,
    clusters,
    compactness,
    cores,
    defaults,
    equal_time,
    fleet_starts,
    fleets,
    heats,
    learned_places,
    million,
    paper_clusters,
    paper_inputs,
    paper_rules,
    peers,
    processes,
    routes,
    scatter,
    scorer,
    scorer_clusters,
    small_problems,
    steadiness,
    warm_start,
)

PAGES = {
    page.name: page
    for family in (
        routes,
        scatter,
        cores,
        warm_start,
        fleets,
        small_problems,
        processes,
        million,
        scorer,
        equal_time,
        paper_inputs,
        paper_rules,
        clusters,
        paper_clusters,
        scorer_clusters,
        choices,
        children,
        heats,
        compactness,
        learned_places,
        steadiness,
        defaults,
        fleet_starts,
        peers,
        cluster_tuning,
        behaviour,
    )
    for page in family.PAGES
}
"""In the order of the index."""
