#pragma once

#include "fleets/search.h"

// Moves of segments, tails and vehicles, judged route by route.
//
// The new routes are written down, and their schedules and costs found by one
// walk each; most moves fall out before that by the edges that they exchange.
namespace ncc::fleets {

// Tries one move at the temperature of the annealing, in units of cost.
// `tolerance` is what the best solution has to improve by.
void try_move(FleetSearch& search, double tolerance, double temperature);

} // namespace ncc::fleets
