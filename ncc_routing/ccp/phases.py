"""The phases of a clustering, chosen once by objective, size and limits.

No other file decides what "ckm" searches by, how many starts there are, what
is sampled, and how often the limits are asked. What only the search can know
is a condition of a step.
"""

from __future__ import annotations

from enum import StrEnum
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from ncc_routing.ccp.search_params import AnnealingParams, SearchParams

if TYPE_CHECKING:
    from ncc_routing.problems.ccp.points import PointSet

DENSE_PAIRS: Final = 200_000
DENSE_POINTS: Final = 3_000
"""Pairs of points and clusters, and points, up to which all pairs count."""

SCORED_PAIRS: Final = {
    "inertia": DENSE_PAIRS,
    "cccp": 4_000_000,
    "cpmp": 4_000_000,
}
"""Pairs of points and clusters up to which the network scores them."""

NUM_KICKS: Final = 100
DENSE_KICKS: Final = 10_000_000
"""Kicks of a small problem at least, where nothing limits the time or the
kicks, and if they are fewer their points times members times dimensions."""

KICK_BATCH: Final = 20
KICKED_POINTS: Final = 10_000
"""Kicks, and with a time limit points times kicks, between two looks."""

BISECTION_SHARE: Final = 0.6
"""Share of the time that the bisection may take."""

START_PAIRS: Final = 2_000_000
MOST_STARTS: Final = 8
"""Pairs of points and clusters of all balanced starts together, in up to ten
dimensions, and their number at most."""

KICKED_VALUES: Final = 80_000_000
KICKED_MEMBERS: Final = 20
KICKED_CUBES: Final = 200
KICKS_EACH: Final = 20
"""Coordinates times dimensions times kicks, from so many members a cluster and
dimension on members in place of dimensions; coordinates times kicks for each
cubed number of clusters, of which few gain little; and kicks for each cluster.
The least of the three counts."""

LEAST_KICKS: Final = 10
"""Kicks that there must be time for by these numbers, or there are none."""

ISLAND_STARTS: Final = 16
START_SHARE: Final = 0.5
"""Balanced starts of a small problem with lower limits, whose descents move no
cluster to another island of points; and their share of the time."""

MOST_SEEDS: Final = 2000
"""Clusters up to which a balanced start is made from seeds in any case."""

SAMPLE: Final = (2000, 64)
"""Points of the first rounds of a balanced start: so many, and so many for
each cluster."""

LEAST_MOVES: Final = 2000
"""Moves of an annealing between two looks, or two for each point."""

NUM_GROUPS: Final = (200, 4)
"""Annealings of groups where nothing limits them: so many, and so many for
each cluster."""

GROUP_MOVES: Final = 1000
LARGE_CLUSTER: Final = 50
"""Moves per point of the groups between two looks; with more points a cluster
there is a look after each group."""

RETRIED_PAIRS: Final = 10_000_000
NUM_RETRIES: Final = 8
"""Pairs up to which a failed annealing goes on, and how often at most where
nothing limits it."""


class Step(StrEnum):
    """What a clustering does in a phase."""

    GATHER = "gather"
    """All points join the one cluster."""

    DESCEND = "descend"
    """A start by ckm++ seeds and regret, or the clusters that are given, and a
    descent by relocations, swaps and ejections over all pairs."""

    KICK = "kick"
    """Iterated local search: two to four neighbouring clusters anew, and a
    descent."""

    BISECT = "bisect"
    """Recursive bisection by weight, unless clusters are given."""

    BALANCE = "balance"
    """k-means under prices (a power diagram), if there is time for its rounds;
    relief of full clusters; and a descent over near clusters."""

    ANNEAL = "anneal"
    """One annealing of all clusters, which opens and closes some."""

    GROUPS = "anneal groups"
    """Annealings of neighbouring clusters, one group after the other."""

    RETRY = "retry if that fails"
    """Where the annealing found nothing within the capacities that is better
    than bisection and packing: an assignment by regret, and the groups again
    at a rising price, for half of the times from the best start."""


class Phase(NamedTuple):
    """A step, how often it is made, and the share of the time that ends it.

    ``times`` is ``None`` where the limits alone end it. ``batch`` is the
    number of moves, kicks or groups between two looks at the limits, and
    ``stride`` that of the points of which one is in the first rounds.
    """

    step: Step
    times: int | None = 1
    end: float = 1.0
    batch: int = 1
    stride: int = 1

    def __str__(self) -> str:
        """Return it in words."""
        if self.times is None:
            return f"{self.step} to {100.0 * self.end:.0f} %"
        often = f"{self.times:,} x " if self.times != 1 else ""
        sample = ""
        if self.stride > 1:
            sample = f" from 1 / {self.stride} of the points"
        return f"{often}{self.step}{sample}"


Phases = tuple[Phase, ...]


def choose_phases(
    points: PointSet,
    num_clusters: int,
    objective: str = "inertia",
    effort: SearchParams | AnnealingParams | None = None,
    *,
    seconds: float = inf,
    counts_iterations: bool = False,
) -> Phases:
    """Return the phases of the search for a clustering.

    Parameters
    ----------
    points
        The points; their number counts, and what their capacities depend on.
    num_clusters
        Number of clusters.
    objective
        "inertia" (default): local search; "cccp", "cpmp": annealing.
    effort
        What the user says about the search. Default: ``SearchParams()`` for
        "inertia", else ``AnnealingParams()``.
    seconds
        Time for the search. Default ``inf``: no limit.
    counts_iterations
        Whether the iterations are limited. Default no.
    """
    is_timed, size = seconds < inf, points.num_points
    is_limited = is_timed or counts_iterations
    if objective != "inertia" or points.rules.bind:
        annealing = effort if isinstance(effort, AnnealingParams) else None
        phases = _of_annealing(
            points, num_clusters, annealing or AnnealingParams(), is_limited
        )
        if objective != "inertia" or num_clusters == 1:
            return phases
        if size * num_clusters > DENSE_PAIRS or points.rules.graph is not None:
            return (*phases, Phase(Step.DESCEND))
        search = effort if isinstance(effort, SearchParams) else SearchParams()
        times = NUM_KICKS if search.num_kicks is None else search.num_kicks
        kicks = Phase(Step.KICK, times, batch=KICK_BATCH)
        return (*phases, Phase(Step.DESCEND), kicks)
    if size > DENSE_POINTS or size * num_clusters > DENSE_PAIRS:
        return _of_many(points, num_clusters, effort, is_limited, is_timed)
    search = effort if isinstance(effort, SearchParams) else SearchParams()
    starts = [Phase(Step.DESCEND, search.num_starts)]
    if num_clusters <= 1:  # none is refused later
        return tuple(starts)
    if _has_several_limits(points):
        starts.append(Phase(Step.BALANCE, ISLAND_STARTS, START_SHARE))
    num_kicks, batch = search.num_kicks, KICK_BATCH
    if num_kicks is None and not is_limited:
        values = points.coords.size
        least = int(DENSE_KICKS * num_clusters / size / values)
        least = min(NUM_KICKS, least)
        num_kicks = max(least, most_kicks(points, num_clusters))
    if is_timed:
        batch = min(batch, max(1, KICKED_POINTS // size))
    return *starts, Phase(Step.KICK, num_kicks, batch=batch)


def _has_several_limits(points: PointSet) -> bool:
    """Whether there are more limits than the largest load of a cluster."""
    given = (
        *(points.min_load, points.min_size, points.max_size),
        points.tolerance,
    )
    return bool(points.other_limits) or any(
        limit is not None for limit in given
    )


def most_kicks(points: PointSet, num_clusters: int) -> int:
    """Return the kicks where nothing limits the time or the kicks."""
    size, num_dims = points.coords.shape
    members = size / num_clusters
    each = max(num_dims, members / KICKED_MEMBERS)
    values = min(KICKED_VALUES / each, KICKED_CUBES * num_clusters**3)
    return min(int(values / points.coords.size), KICKS_EACH * num_clusters)


def _of_many(
    points: PointSet,
    num_clusters: int,
    effort: SearchParams | AnnealingParams | None,
    is_limited: bool,
    is_timed: bool,
) -> Phases:
    if num_clusters <= 1:
        return (Phase(Step.GATHER),)
    size, num_dims = points.coords.shape
    pairs = size * num_clusters * max(1.0, num_dims / 10)
    # At least one start by bisection and one by seeds.
    least_starts = 2 if num_clusters <= MOST_SEEDS else 1
    num_starts = max(least_starts, int(START_PAIRS / pairs))
    num_starts = min(num_starts, MOST_STARTS)
    least, each = SAMPLE
    stride = max(1, size // max(least, each * num_clusters))
    most = most_kicks(points, num_clusters)
    num_kicks = effort.num_kicks if isinstance(effort, SearchParams) else None
    if num_kicks is None and most < LEAST_KICKS:
        num_kicks = 0  # one would take too long
    elif num_kicks is None and not is_limited:
        num_kicks = most
    batch = max(1, KICKED_POINTS // size) if is_timed else KICK_BATCH
    kicks = Phase(Step.KICK, num_kicks, batch=min(batch, KICK_BATCH))
    return (
        Phase(Step.BISECT, None if is_timed else 1, BISECTION_SHARE),
        Phase(Step.BALANCE, num_starts, stride=stride),
        *([] if num_kicks == 0 else [kicks]),
    )


def _of_annealing(
    points: PointSet,
    num_clusters: int,
    params: AnnealingParams,
    is_limited: bool,
) -> Phases:
    size = points.num_points
    if 1 in (num_clusters, size):
        return (Phase(Step.GATHER),)
    num_groups = params.num_trials
    if num_groups is None:
        num_groups = NUM_GROUPS[0] + NUM_GROUPS[1] * num_clusters
    moves, batch = max(LEAST_MOVES, 2 * size), 1
    if size <= LARGE_CLUSTER * num_clusters and not points.rules.bind:
        batch = max(1, GROUP_MOVES // params.effort)
    times: int | None = 1
    if is_limited:
        times = num_groups = None
    retries = Phase(Step.RETRY, 1 if is_limited else NUM_RETRIES)
    return (
        Phase(Step.ANNEAL, times, params.global_share, moves),
        Phase(Step.GROUPS, num_groups, batch=batch),
        *([retries] if size * num_clusters <= RETRIED_PAIRS else []),
    )
