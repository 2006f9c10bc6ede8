#include "genetic/moves.h"

namespace ncc::genetic {

void make_move(LinkedRoutes& routes, uint32_t u, uint32_t v, const Move& move,
               double penalty) {
    const NodePair pair(routes, u, v, penalty);
#ifdef NCC_DEBUG
    const ChangeCheck check(routes, pair.route_u, pair.route_v, penalty,
                            move.change);
#endif
    routes.count_move();
    if (move.kind <= MoveKind::RelocatePairReversed)
        make_relocate(routes, pair, move.kind);
    else if (move.kind <= MoveKind::SwapPairs)
        make_swap(routes, pair, move.kind);
    else if (move.kind == MoveKind::TwoOpt)
        make_two_opt(routes, pair);
    else
        make_two_opt_star(routes, pair, move.kind);
    routes.renew(pair.route_u);
    if (!pair.is_one_route())
        routes.renew(pair.route_v);
}

} // namespace ncc::genetic
