#pragma once

#include "fleets/search.h"

#include <cstdint>

// Places for absent customers on routes that have none for them, at the price
// of others.
namespace ncc::fleets {

// Inserts absent customers, the last one first, in so many iterations at most,
// until fewer than `fewest` are left; returns how many are.
//
// Whoever fits nowhere comes on a route from which others are ejected: those
// who have been absent least often, all together. These are absent next. Some
// ruins and recreates at a temperature follow each ejection, which make room.
//
// Y. Nagata, O. Bräysy (2009). A powerful route minimization heuristic for the
// vehicle routing problem with time windows. Operations Research Letters
// 37(5). With shipments: Y. Nagata, S. Kobayashi (2010). Guided ejection
// search for the pickup and delivery problem with time windows. EvoCOP.
int64_t place_absent(FleetSearch& search, int64_t num_iterations,
                     int64_t fewest, double temperature);

} // namespace ncc::fleets
