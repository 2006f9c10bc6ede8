"""Every experiment by the name that the command is given."""

from __future__ import annotations

from benchmarks.experiments import (
    behaviour,
    clusters,
    compactness,
    consistent_days,
    cores,
    equal_time,
    fleets,
    learned_places,
    million,
    paper_clusters,
    paper_inputs,
    paper_rules,
    peers,
    phases,
    processes,
    pyvrp_parts,
    reshape,
    routes,
    scorer,
    server,
    small_problems,
    steadiness,
    warm_start,
)

PAGES = {
    page.name: page
    for pages in (
        routes.PAGES,
        cores.PAGES,
        warm_start.PAGES,
        fleets.PAGES,
        pyvrp_parts.PAGES,
        processes.PAGES,
        server.PAGES,
        million.PAGES,
        scorer.PAGES,
        equal_time.PAGES,
        paper_inputs.PAGES,
        paper_rules.PAGES,
        clusters.PAGES,
        paper_clusters.PAGES,
        compactness.PAGES,
        learned_places.PAGES,
        steadiness.PAGES,
        reshape.PAGES,
        consistent_days.PAGES,
        small_problems.PAGES,
        peers.PAGES,
        phases.PAGES,
        behaviour.PAGES,
    )
    for page in pages
}
"""Those of the main page and of the appendix."""
