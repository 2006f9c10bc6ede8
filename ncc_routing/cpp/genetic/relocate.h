#pragma once

#include "genetic/move.h"

namespace ncc::genetic {

// Judges moves 1 to 3: U, U X or X U go behind V.
inline void judge_relocate(const LinkedRoutes& routes, const NodePair& pair,
                           Move& best) {
    const uint32_t u = pair.u, x = pair.x, v = pair.v, y = pair.y;
    if (y == u)
        return;
    const Node& node_u = routes.nodes[u];
    const Node& node_x = routes.nodes[x];
    const double bound = pair.bound(best);
    const double lost = node_u.to_prev + routes.nodes[v].to_next;
    const double uv = routes.distance(u, v);
    const double uy = routes.distance(u, y);
    double change =
        routes.distance(node_u.prev, x) + uv + uy - lost - node_u.to_next;
    if (change < bound)
        best.update(MoveKind::Relocate,
                    pair.with_penalty(change, node_u.demand));
    if (!routes.is_customer(x) || x == v)
        return;
    const double straight = uv + routes.distance(x, y);
    const double reversed = routes.distance(x, v) + uy;
    change = routes.distance(node_u.prev, node_x.next) +
             std::min(straight, reversed);
    change -= lost + node_x.to_next;
    if (change < bound)
        best.update(straight <= reversed ? MoveKind::RelocatePair
                                         : MoveKind::RelocatePairReversed,
                    pair.with_penalty(change, node_u.demand + node_x.demand));
}

} // namespace ncc::genetic
