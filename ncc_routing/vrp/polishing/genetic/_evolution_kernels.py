"""Compiled evolution: children are made, shortened and judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numba import njit

from ncc_routing.core.compiling import INLINED, OUTER
from ncc_routing.vrp.polishing._route_kernels import random_unit
from ncc_routing.vrp.polishing.genetic._descent_kernels import (
    descend,
    shuffle,
)
from ncc_routing.vrp.polishing.genetic._layout import (
    MIN_SIZE,
    NUM_BORN,
    NUM_IDLE,
    NUM_MOVES,
    NUM_WATCHED,
    NUM_WITHIN,
    PENALTY,
    GeneticProblem,
    LinkedRoutes,
    Population,
    Tour,
)
from ncc_routing.vrp.polishing.genetic._population_kernels import (
    add_member,
    begin_anew,
    change_penalty,
    draw_member,
    rank_members,
)
from ncc_routing.vrp.polishing.genetic._route_kernels import (
    lay_route,
    measure,
)
from ncc_routing.vrp.polishing.genetic._tour_kernels import (
    cross_tours,
    cut_tour,
)

if TYPE_CHECKING:
    import numpy as np

NUM_FOUNDERS = 4 * MIN_SIZE
"""Children of a new population that have no parents."""

REPAIR_SHARE = 0.5
REPAIR_FACTOR = 10.0
"""Share of the children beyond the capacity that are shortened once more,
and what their penalty is multiplied by."""

NUM_WATCHES = 100
"""Children between two looks at how many keep the capacity."""

TARGET, TOLERANCE = 0.2, 0.05
"""Share of them that is to, and by how much it may differ."""

HARDER, EASIER = 1.2, 0.85
"""Factors on the penalty where too few or too many do."""

LEAST_PENALTY, MOST_PENALTY = 0.1, 1e5

MAX_IDLE = 20_000
"""Children without a shorter solution after which the population is given
up."""


@njit(**INLINED)
def adapt_penalty(c: Population, is_within: bool) -> None:
    """Count who keeps the capacity, and change the penalty now and then."""
    c.counts[NUM_WATCHED] += 1
    if is_within:
        c.counts[NUM_WITHIN] += 1
    if c.counts[NUM_WATCHED] < NUM_WATCHES:
        return
    share = c.counts[NUM_WITHIN] / NUM_WATCHES
    if share < TARGET - TOLERANCE and c.costs[PENALTY] < MOST_PENALTY:
        change_penalty(c, HARDER)
    elif share > TARGET + TOLERANCE and c.costs[PENALTY] > LEAST_PENALTY:
        change_penalty(c, EASIER)
    c.counts[NUM_WATCHED] = 0
    c.counts[NUM_WITHIN] = 0


@njit(**INLINED)
def make_tour(t: Tour, c: Population) -> None:
    """Make the tour of a child: a random one, or of two members."""
    if c.counts[NUM_BORN] < NUM_FOUNDERS:
        shuffle(t.visits, c.rng)
        return
    rank_members(c, 0)
    rank_members(c, 1)
    first = draw_member(c, c.rng)
    second = draw_member(c, c.rng)
    cross_tours(c.visits[first], c.visits[second], t, c.rng)


@njit(**OUTER)
def raise_children(
    w: GeneticProblem,
    s: LinkedRoutes,
    t: Tour,
    c: Population,
    num_children: int,
) -> None:
    """Make children, shorten them and let them join the population.

    Parameters
    ----------
    w
        The instance.
    s, t
        Room for the routes and the tour of a child.
    c
        The population. Modified in place.
    num_children
        Number of children.

    References
    ----------
    T. Vidal (2022), section 3.
    """
    for _ in range(num_children):
        make_tour(t, c)
        cut_tour(w, s, t, c.costs[PENALTY])
        descend(w, s, c.costs[PENALTY], c.rng)
        is_best = add_member(w, s, c)
        is_within = measure(w, s)[1] == 0
        adapt_penalty(c, is_within)
        if not is_within and random_unit(c.rng) < REPAIR_SHARE:
            descend(w, s, REPAIR_FACTOR * c.costs[PENALTY], c.rng)
            if measure(w, s)[1] == 0:
                is_best |= add_member(w, s, c)
        c.counts[NUM_BORN] += 1
        c.counts[NUM_IDLE] += 1
        if is_best:
            c.counts[NUM_IDLE] = 0
        if c.counts[NUM_IDLE] >= MAX_IDLE:
            begin_anew(c)


@njit(**OUTER)
def add_routes(
    w: GeneticProblem,
    s: LinkedRoutes,
    c: Population,
    nodes: np.ndarray,
    starts: np.ndarray,
) -> None:
    """Let routes from elsewhere join the population, as short as they get.

    Parameters
    ----------
    w
        The instance.
    s
        Room for the routes.
    c
        The population. Modified in place.
    nodes, starts
        All customers on routes, as in ``PackedRoutes``.
    """
    s.counts[NUM_MOVES] += 1
    for idx in range(nodes.shape[0]):
        s.path[idx] = nodes[idx]
    num_routes = starts.shape[0] - 1
    for route in range(s.routes.shape[0]):
        number = min(route, num_routes)
        end = starts[min(route + 1, num_routes)]
        lay_route(w, s, route, starts[number], end)
    descend(w, s, c.costs[PENALTY], c.rng)
    add_member(w, s, c)
