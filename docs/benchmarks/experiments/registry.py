"""Every page of results by its name."""

from __future__ import annotations

from benchmarks.experiments import (
    behaviour,
    clusters,
    compactness,
    cores,
    equal_time,
    fleets,
    learned_places,
    million,
    paper_clusters,
    paper_inputs,
    paper_rules,
    peers,
    processes,
    routes,
    scorer,
    server,
    small_problems,
    steadiness,
    warm_start,
)
from benchmarks.harness.experiment import Page

RECORDS = (
    Page(
        "engine",
        "Kernels compiled ahead",
        "Speed, start, memory and costs of the compiled core beside the "
        "kernels that numba compiled on the user's machine.",
    ),
    Page(
        "x_scatter",
        "How far runs scatter",
        "What annealing one instance of X with twenty seeds gives after "
        "one and ten seconds of processor time, with moves of tails and "
        "without.",
    ),
    Page(
        "dask_cluster",
        "Parts on other machines",
        "What a task carries to a worker of Dask, and what it gains.",
    ),
    Page(
        "scorer_ccp",
        "Does the network earn its place on the CCP?",
        "`ncc` against `ckm` at equal time on the clustering problem, and "
        "whose labels teach more.",
    ),
    Page(
        "ckm_choices",
        "Choices inside ckm",
        "What each parameter of `ckm` changes, on generated instances.",
    ),
    Page(
        "polish_choice",
        "Ruin and recreate, PyVRP, or both",
        "Which share of the time ruin and recreate should get before "
        "PyVRP, in processor time.",
    ),
    Page(
        "reach_choice",
        "How far an insertion looks",
        "The reach of ruin and recreate: 2 or 4, in 3 s of processor time.",
    ),
    Page(
        "tail_choice",
        "Moves of tails and segments",
        "How many customers moves of tails and segments should join to "
        "others after each ruin and recreate, per customer of a mean "
        "route, in 5 s of processor time.",
    ),
    Page(
        "temperature_choice",
        "Start temperatures",
        "How hot the annealing should begin, in mean edges between two "
        "customers of the start, in processor time.",
    ),
    Page(
        "restart_choice",
        "One long annealing or three short ones",
        "From which time for each customer on a pool of routes of three "
        "annealings beats one annealing.",
    ),
    Page(
        "children_choice",
        "Children of annealed routes",
        "What it gains to anneal for half of the time, and to raise "
        "children of the annealed routes in the other half, in processor "
        "time.",
    ),
    Page(
        "heat_choice",
        "Annealings in heats",
        "From which time on eight annealings, of which the better ones go "
        "on, end with shorter routes than one, in processor time.",
    ),
    Page(
        "default_choice",
        "Construction and polish by default",
        "Which construction and which polish make the most of a time "
        "limit that counts processor time, on generated instances.",
    ),
    Page(
        "router_choice",
        "A router before a polish",
        "Whether the routes of savings should be shortened by a router "
        "before they are polished; the limit counts processor time.",
    ),
    Page(
        "x_default",
        "No option but a time limit, on X",
        "What `ncc-route solve` does with a time limit and no other "
        "option, beside the explicit choices of construction and polish, "
        "on 25 instances of X, five lengths of routes in five sizes. The "
        "limit counts processor time.",
    ),
    Page(
        "fleet_starts",
        "Insertion or clusters first, with windows and fleets",
        "First routes by insertion, and by capacitated clusters with the "
        "depot and the windows in their distances, before ruin and "
        "recreate; 2 s of processor time in all, on generated instances.",
    ),
    Page(
        "ccp/tuning",
        "Choices inside the clustering solver",
        "What the parameters of the medians' annealing and of the search "
        "for a small inertia change, on generated instances.",
    ),
)
"""Pages of what was decided by them. Their code is gone; their tables stay."""

PAGES = {
    page.name: page
    for pages in (
        routes.PAGES,
        cores.PAGES,
        warm_start.PAGES,
        fleets.PAGES,
        small_problems.PAGES,
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
        peers.PAGES,
        behaviour.PAGES,
        RECORDS,
    )
    for page in pages
}
"""In the order of the index."""
