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

// Sets times and costs after a ruin.
void settle_ruined(FleetSearch& search);

// Sets times and costs of the routes after an undo.
void settle_undone(FleetSearch& search);

// Whether no route that the iteration touched breaks a limit but the load's.
// Without the triangle inequality a ruin may leave a longer way.
bool all_keep_limits(const FleetSearch& search);

} // namespace ncc::fleets
