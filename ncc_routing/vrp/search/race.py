"""Searches of all routes side by side, the best of which go on."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncc_routing.core.budget import Budget
    from ncc_routing.vrp.search.leaders import LeadingRoutes
    from ncc_routing.vrp.search.phases import Phase
    from ncc_routing.vrp.search.subproblem import Found


def race(search: LeadingRoutes, phase: Phase, budget: Budget) -> None:
    """Search all routes from each leader, at most one for each job at a time.

    There are ``phase.runs`` runs: those beyond the leaders begin with the
    first ones again. Those with the least mean cost lead the next phase. The
    other leaders are the partners of an iterated local search. With several
    jobs or penalties the criterion is asked between the runs, and its parts
    during them.

    Source: K. Jamieson, A. Talwalkar (2016), Non-stochastic best arm
    identification and hyperparameter optimization, AISTATS.
    """
    leaders = search.leaders
    finished: list[Found] = []
    for low in range(0, phase.runs, search.jobs):
        if budget.is_spent(search.best_length):
            break
        num_runs = min(search.jobs, phase.runs - low)
        num_waves = -(-(phase.runs - low) // search.jobs)
        of_wave = budget.within(budget.remaining() / num_waves)
        stop = of_wave.criterion("a race of searches")
        if search.jobs > 1 or search.has_penalties:
            stop = stop.part(1.0, 1.0 / num_runs)
        starts = [(low + idx) % len(leaders) for idx in range(num_runs)]
        wave = search.run(
            phase.step,
            [search.whole(leaders[start].current) for start in starts],
            phase.progress,
            [stop] * num_runs,
            [
                [one.best for idx, one in enumerate(leaders) if idx != start]
                for start in starts
            ],
        )
        for one in wave:
            search.keep([one.best], one.best_cost)
        finished += wave
    if finished:
        search.leaders = sorted(finished, key=attrgetter("mean_cost"))
