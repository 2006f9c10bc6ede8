#pragma once

#include "genetic/move.h"

namespace ncc::genetic {

// The best move of customer u and node v, a customer or the depot of a route;
// none where no move shortens.
Move best_move(const LinkedRoutes& routes, uint32_t u, uint32_t v,
               double penalty);

// Carries out a move that `best_move` found.
void make_move(LinkedRoutes& routes, uint32_t u, uint32_t v, const Move& move,
               double penalty);

} // namespace ncc::genetic
