#pragma once

#include "genetic/move.h"

namespace ncc::genetic {

// Makes the best move of customer u and node v, a customer or the depot of a
// route, and returns it; its kind is None where no move shortens.
Move make_best_move(LinkedRoutes& routes, uint32_t u, uint32_t v,
                    double penalty);

} // namespace ncc::genetic
