#pragma once

#include "genetic/relocate.h"
#include "genetic/swap.h"
#include "genetic/two_opt.h"
#include "genetic/two_opt_star.h"

namespace ncc::genetic {

// The best move of customer u and node v, a customer or the depot of a route;
// none where no move shortens.
inline Move best_move(const LinkedRoutes& routes, uint32_t u, uint32_t v,
                      double penalty) {
    const NodePair pair(routes, u, v, penalty);
    Move best;
    judge_relocate(routes, pair, best);
    if (!routes.is_depot(v))
        judge_swap(routes, pair, best);
    if (pair.is_one_route())
        judge_two_opt(routes, pair, best);
    else
        judge_two_opt_star(routes, pair, best);
    return best;
}

// Carries out a move that `best_move` found.
void make_move(LinkedRoutes& routes, uint32_t u, uint32_t v, const Move& move,
               double penalty);

} // namespace ncc::genetic
