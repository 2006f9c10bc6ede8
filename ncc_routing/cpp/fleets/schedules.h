#pragma once

#include "fleets/search.h"

#include <cstdint>

// Schedules of linked routes.
namespace ncc::fleets {

// Sets length, times and cost of a route whose links and edges are right.
void schedule_anew(FleetSearch& search, uint32_t route);

// Sets length, times and cost of a route after an insertion at this cost,
// where an edge broke.
void settle_inserted(FleetSearch& search, uint32_t customer, double edge,
                     double cost);

} // namespace ncc::fleets
