#pragma once

#include "genetic/move.h"

namespace ncc::genetic {

// Judges move 7, 2-opt: the path from X to V, later on the route of U, is
// reversed.
inline void judge_two_opt(const LinkedRoutes& routes, const NodePair& pair,
                          Move& best) {
    const uint32_t u = pair.u, x = pair.x, v = pair.v, y = pair.y;
    const Node& node_u = routes.nodes[u];
    const Node& node_v = routes.nodes[v];
    if (node_u.position >= node_v.position || x == v)
        return;
    const double lost = node_u.to_next + node_v.to_next;
    best.update(MoveKind::TwoOpt,
                routes.distance(u, v) + routes.distance(x, y) - lost);
}

} // namespace ncc::genetic
