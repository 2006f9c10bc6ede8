"""Compiled moves of a customer next to a near one: relocate, swap, 2-opt.

One function judges all of them, merged into the loop of the descent: to call
one for each would copy the arrays' descriptions for a few additions.
"""

from __future__ import annotations

from numba import njit

from ncc_routing.core.compiling import INLINED, INNER
from ncc_routing.vrp.polishing.genetic._layout import (
    LEAST_GAIN,
    NUM_MOVES,
    GeneticProblem,
    LinkedRoutes,
)
from ncc_routing.vrp.polishing.genetic._route_kernels import (
    join,
    lay_route,
    overload,
    renew_route,
    shift_node,
    way,
)

# Kinds of moves, in the order in which they are judged. U is the customer, X
# follows it; V is the near node, Y follows it.
NOTHING = 0
MOVE_ONE, MOVE_TWO, MOVE_TURNED = 1, 2, 3  # U, U X or X U behind V
SWAP_ONES, SWAP_TWO_ONE, SWAP_TWOS = 4, 5, 6  # U or U X for V or V Y
TURN = 7  # from X to V
CROSS, SWAP_TAILS = 8, 9  # U V and X Y, or U Y and V X become edges


@njit(**INLINED)
def extra_of(w: GeneticProblem, load_u: int, load_v: int, moved: int) -> int:
    """Return the overload when some load goes from one route to another."""
    return overload(w, load_u - moved) + overload(w, load_v + moved)


@njit(**INLINED)
def overload_before(
    w: GeneticProblem, s: LinkedRoutes, ru: int, rv: int
) -> int:
    """Return the overload of two routes, 0 where they are the same one.

    No move changes that, nor can it take away more.
    """
    if ru == rv:
        return 0
    extra = overload(w, s.routes[ru]["load"])
    return extra + overload(w, s.routes[rv]["load"])


@njit(**INLINED)
def with_penalty(
    w: GeneticProblem,
    s: LinkedRoutes,
    ru: int,
    rv: int,
    change: float,
    moved: int,
    p: float,
) -> float:
    """Return a change of the length with that of the penalty.

    ``moved`` is the load that goes from route ``ru`` to ``rv``.
    """
    if ru == rv:
        return change
    load_u = s.routes[ru]["load"]
    load_v = s.routes[rv]["load"]
    extra = extra_of(w, load_u, load_v, moved)
    return change + p * (extra - overload_before(w, s, ru, rv))


@njit(**INLINED)
def best_shift(
    w: GeneticProblem,
    s: LinkedRoutes,
    u: int,
    v: int,
    penalty: float,
    best: float,
) -> tuple[int, float]:
    """Return the best move of ``u``, or of it and the next, behind ``v``."""
    p = s.nodes[u]["prev"]
    x = s.nodes[u]["next"]
    y = s.nodes[v]["next"]
    kind = NOTHING
    if y == u:
        return kind, best
    ru = s.nodes[u]["route"]
    rv = s.nodes[v]["route"]
    bound = best + penalty * overload_before(w, s, ru, rv)
    edge_vy = s.nodes[v]["to_next"]
    lost = s.nodes[u]["to_prev"] + edge_vy
    moved = s.nodes[u]["demand"]
    uv = way(w, s, u, v)
    uy = way(w, s, u, y)
    change = way(w, s, p, x) + uv + uy - lost - s.nodes[u]["to_next"]
    if change < bound:
        change = with_penalty(w, s, ru, rv, change, moved, penalty)
        if change < best:
            best = change
            kind = MOVE_ONE
    if x < w.demands.shape[0] and x != v:
        straight = uv + way(w, s, x, y)
        turned = way(w, s, x, v) + uy
        change = way(w, s, p, s.nodes[x]["next"]) + min(straight, turned)
        change -= lost + s.nodes[x]["to_next"]
        if change < bound:
            moved += s.nodes[x]["demand"]
            change = with_penalty(w, s, ru, rv, change, moved, penalty)
            if change < best:
                best = change
                kind = MOVE_TWO if straight <= turned else MOVE_TURNED
    return kind, best


@njit(**INLINED)
def best_swap(
    w: GeneticProblem,
    s: LinkedRoutes,
    u: int,
    v: int,
    penalty: float,
    best: float,
) -> tuple[int, float]:
    """Return the best swap of ``u`` and ``v``, or of each and the next."""
    num_nodes = w.demands.shape[0]
    p = s.nodes[u]["prev"]
    x = s.nodes[u]["next"]
    q = s.nodes[v]["prev"]
    y = s.nodes[v]["next"]
    kind = NOTHING
    if u in (q, y):
        return kind, best
    ru = s.nodes[u]["route"]
    rv = s.nodes[v]["route"]
    bound = best + penalty * overload_before(w, s, ru, rv)
    edge_vy = s.nodes[v]["to_next"]
    lost = s.nodes[u]["to_prev"] + s.nodes[v]["to_prev"]
    new = way(w, s, p, v) + way(w, s, q, u)
    moved = s.nodes[u]["demand"] - s.nodes[v]["demand"]
    if u < v:
        change = new + way(w, s, x, v) + way(w, s, u, y)
        change -= lost + s.nodes[u]["to_next"] + edge_vy
        if change < bound:
            change = with_penalty(w, s, ru, rv, change, moved, penalty)
            if change < best:
                best = change
                kind = SWAP_ONES
    if x >= num_nodes or x == q:
        return kind, best
    xx = s.nodes[x]["next"]
    lost += s.nodes[x]["to_next"]
    moved += s.nodes[x]["demand"]
    change = new + way(w, s, v, xx) + way(w, s, x, y) - lost - edge_vy
    if change < bound:
        change = with_penalty(w, s, ru, rv, change, moved, penalty)
        if change < best:
            best = change
            kind = SWAP_TWO_ONE
    if u < v and y < num_nodes and y != p:
        moved -= s.nodes[y]["demand"]
        change = new + way(w, s, y, xx) + way(w, s, x, s.nodes[y]["next"])
        change -= lost + s.nodes[y]["to_next"]
        if change < bound:
            change = with_penalty(w, s, ru, rv, change, moved, penalty)
            if change < best:
                best = change
                kind = SWAP_TWOS
    return kind, best


@njit(**INLINED)
def best_turn(
    w: GeneticProblem,
    s: LinkedRoutes,
    u: int,
    v: int,
    penalty: float,
    best: float,
) -> tuple[int, float]:
    """Return the best of 2-opt within a route, 2-opt* between two."""
    x = s.nodes[u]["next"]
    y = s.nodes[v]["next"]
    ru = s.nodes[u]["route"]
    rv = s.nodes[v]["route"]
    lost = s.nodes[u]["to_next"] + s.nodes[v]["to_next"]
    kind = NOTHING
    if ru == rv:
        if s.nodes[u]["position"] < s.nodes[v]["position"] and x != v:
            change = way(w, s, u, v) + way(w, s, x, y) - lost
            if change < best:
                best = change
                kind = TURN
        return kind, best
    bound = best + penalty * overload_before(w, s, ru, rv)
    tail_u = s.routes[ru]["load"] - s.nodes[u]["load"]
    if u < v:
        change = way(w, s, u, v) + way(w, s, x, y) - lost
        if change < bound:
            moved = tail_u - s.nodes[v]["load"]
            change = with_penalty(w, s, ru, rv, change, moved, penalty)
            if change < best:
                best = change
                kind = CROSS
    change = way(w, s, u, y) + way(w, s, x, v) - lost
    if change < bound:
        moved = tail_u - (s.routes[rv]["load"] - s.nodes[v]["load"])
        change = with_penalty(w, s, ru, rv, change, moved, penalty)
        if change < best:
            best = change
            kind = SWAP_TAILS
    return kind, best


@njit(**INLINED)
def best_move(
    w: GeneticProblem, s: LinkedRoutes, u: int, v: int, penalty: float
) -> tuple[int, float]:
    """Return the best move of customer ``u`` and node ``v``, and its change.

    ``NOTHING`` where none shortens. Swaps of two, and routes of which the one
    is turned round, are found by the smaller of the two numbers alone.
    """
    kind, best = best_shift(w, s, u, v, penalty, -LEAST_GAIN)
    if v < w.demands.shape[0]:
        other, best = best_swap(w, s, u, v, penalty, best)
        kind = max(kind, other)
    other, best = best_turn(w, s, u, v, penalty, best)
    return max(kind, other), best


@njit(**INNER)
def copy_forward(
    w: GeneticProblem, s: LinkedRoutes, node: int, end: int
) -> int:
    """Append the customers from a node to the end of its route to ``path``."""
    while node < w.demands.shape[0]:
        s.path[end] = node
        end += 1
        node = s.nodes[node]["next"]
    return end


@njit(**INNER)
def copy_backward(
    w: GeneticProblem, s: LinkedRoutes, node: int, end: int
) -> int:
    """Append the customers from a node back to the depot to ``path``."""
    while node < w.demands.shape[0]:
        s.path[end] = node
        end += 1
        node = s.nodes[node]["prev"]
    return end


@njit(**INNER)
def turn_round(s: LinkedRoutes, begin: int, end: int) -> None:
    """Reverse some positions of ``path``."""
    end -= 1
    while begin < end:
        node = s.path[begin]
        s.path[begin] = s.path[end]
        s.path[end] = node
        begin += 1
        end -= 1


@njit(**INNER)
def turn_between(w: GeneticProblem, s: LinkedRoutes, x: int, v: int) -> None:
    """Reverse the way from ``x`` to ``v``, a later node of its route."""
    before = s.nodes[x]["prev"]
    after = s.nodes[v]["next"]
    node = x
    while node != after:
        following = s.nodes[node]["next"]
        edge = s.nodes[node]["to_next"]
        s.nodes[node]["next"] = s.nodes[node]["prev"]
        s.nodes[node]["to_next"] = s.nodes[node]["to_prev"]
        s.nodes[node]["prev"] = following
        s.nodes[node]["to_prev"] = edge
        node = following
    join(w, s, before, v)
    join(w, s, x, after)


@njit(**INNER)
def swap_ends(
    w: GeneticProblem, s: LinkedRoutes, u: int, v: int, kind: int
) -> None:
    """Exchange the ends of two routes, or an end and a beginning."""
    ru = s.nodes[u]["route"]
    rv = s.nodes[v]["route"]
    x = s.nodes[u]["next"]
    y = s.nodes[v]["next"]
    head = copy_backward(w, s, u, 0)
    turn_round(s, 0, head)
    if kind == CROSS:
        middle = copy_backward(w, s, v, head)
        end = copy_forward(w, s, x, middle)
        turn_round(s, middle, end)
        end = copy_forward(w, s, y, end)
    else:
        middle = copy_forward(w, s, y, head)
        end = copy_backward(w, s, v, middle)
        turn_round(s, middle, end)
        end = copy_forward(w, s, x, end)
    lay_route(w, s, ru, 0, middle)
    lay_route(w, s, rv, middle, end)


@njit(**INNER)
def swap_nodes(w: GeneticProblem, s: LinkedRoutes, u: int, v: int) -> None:
    """Let two nodes that are not neighbours change places."""
    p = s.nodes[u]["prev"]
    x = s.nodes[u]["next"]
    q = s.nodes[v]["prev"]
    y = s.nodes[v]["next"]
    join(w, s, p, v)
    join(w, s, v, x)
    join(w, s, q, u)
    join(w, s, u, y)


@njit(**INNER)
def make_move(
    w: GeneticProblem, s: LinkedRoutes, u: int, v: int, kind: int
) -> None:
    """Carry out a move that ``best_move`` found."""
    s.counts[NUM_MOVES] += 1
    if kind >= CROSS:
        swap_ends(w, s, u, v, kind)
        return
    ru = s.nodes[u]["route"]
    rv = s.nodes[v]["route"]
    x = s.nodes[u]["next"]
    y = s.nodes[v]["next"]
    if kind == TURN:
        turn_between(w, s, x, v)
    elif kind == MOVE_ONE:
        shift_node(w, s, u, v)
    elif kind == MOVE_TWO:
        shift_node(w, s, u, v)
        shift_node(w, s, x, u)
    elif kind == MOVE_TURNED:
        shift_node(w, s, x, v)
        shift_node(w, s, u, x)
    elif kind == SWAP_TWOS:
        swap_nodes(w, s, u, v)
        swap_nodes(w, s, x, y)
    else:
        swap_nodes(w, s, u, v)
        if kind == SWAP_TWO_ONE:
            shift_node(w, s, x, u)
    renew_route(w, s, ru)
    if rv != ru:
        renew_route(w, s, rv)
