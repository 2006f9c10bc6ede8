#pragma once

#include "genetic/move.h"

namespace ncc::genetic {

// Judges moves 4 to 6: U or U X for V, U X for V Y; V is a customer. Swaps of
// two alike are found by the smaller number of U and V alone.
inline void judge_swap(const LinkedRoutes& routes, const NodePair& pair,
                       Move& best) {
    const uint32_t u = pair.u, x = pair.x, v = pair.v, y = pair.y;
    const Node& node_u = routes.nodes[u];
    const Node& node_v = routes.nodes[v];
    const uint32_t before_u = node_u.prev;
    const uint32_t before_v = node_v.prev;
    if (u == before_v || u == y)
        return;
    const double bound = pair.bound(best);
    double lost = node_u.to_prev + node_v.to_prev;
    const double added =
        routes.distance(before_u, v) + routes.distance(before_v, u);
    int64_t load = node_u.demand - node_v.demand;
    if (u < v) {
        double change = added + routes.distance(x, v) + routes.distance(u, y);
        change -= lost + node_u.to_next + node_v.to_next;
        if (change < bound)
            best.update(MoveKind::Swap, pair.with_penalty(change, load));
    }
    if (!routes.is_customer(x) || x == before_v)
        return;
    const Node& node_x = routes.nodes[x];
    const uint32_t after_x = node_x.next;
    lost += node_x.to_next;
    load += node_x.demand;
    double change = added + routes.distance(v, after_x) +
                    routes.distance(x, y) - lost - node_v.to_next;
    if (change < bound)
        best.update(MoveKind::SwapPairWithOne,
                    pair.with_penalty(change, load));
    if (u < v && routes.is_customer(y) && y != before_u) {
        const Node& node_y = routes.nodes[y];
        load -= node_y.demand;
        change = added + routes.distance(y, after_x) +
                 routes.distance(x, node_y.next);
        change -= lost + node_y.to_next;
        if (change < bound)
            best.update(MoveKind::SwapPairs, pair.with_penalty(change, load));
    }
}

} // namespace ncc::genetic
