#pragma once

#include "fleets/search.h"

#include <cstdint>

// Schedules of linked routes.
namespace ncc::fleets {

// Finds the earliest times from `first` on until nothing changes.
void push_ready(FleetSearch& search, uint32_t route, uint32_t first);

// Finds the latest times from `last` back until nothing changes. The travel
// times are known: `push_ready` comes first.
void push_latest(FleetSearch& search, uint32_t last);

// Sets times and cost of a route whose links and edges are right.
void refresh(FleetSearch& search, uint32_t route);

// Whether no route that the iteration touched breaks a limit but the load's.
// Without the triangle inequality a ruin may leave a longer way.
bool all_keep_limits(const FleetSearch& search);

// Sets times and costs after a ruin.
void settle_ruined(FleetSearch& search);

// Sets times and costs of the routes after an undo.
void settle_undone(FleetSearch& search);

} // namespace ncc::fleets
