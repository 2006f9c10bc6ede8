#pragma once

#include "genetic/move.h"

namespace ncc::genetic {

// Judges moves 8 and 9, 2-opt* of two routes: U V and X Y, or U Y and V X
// become edges. The first, in which pieces are reversed, is found by the
// smaller number of U and V alone.
// J. Potvin, J. Rousseau (1995). An exchange heuristic for routeing problems
// with time windows. Journal of the Operational Research Society 46(12).
inline void judge_two_opt_star(const LinkedRoutes& routes,
                               const NodePair& pair, Move& best) {
    const uint32_t u = pair.u, x = pair.x, v = pair.v, y = pair.y;
    const Node& node_u = routes.nodes[u];
    const Node& node_v = routes.nodes[v];
    const double lost = node_u.to_next + node_v.to_next;
    const double bound = pair.bound(best);
    const int64_t tail_u = pair.load_u - node_u.load;
    if (u < v) {
        const double change =
            routes.distance(u, v) + routes.distance(x, y) - lost;
        if (change < bound)
            best.update(MoveKind::TwoOptStarReversed,
                        pair.with_penalty(change, tail_u - node_v.load));
    }
    const double change = routes.distance(u, y) + routes.distance(x, v) - lost;
    if (change < bound) {
        const int64_t tail_v = pair.load_v - node_v.load;
        best.update(MoveKind::TwoOptStar,
                    pair.with_penalty(change, tail_u - tail_v));
    }
}

} // namespace ncc::genetic
