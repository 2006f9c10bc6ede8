#pragma once

#include "fleets/search.h"

#include <cstdint>

// Calls at depots on the way, which part a route into trips.
namespace ncc::fleets {

// Removes the calls that no trip follows or precedes.
void remove_idle_calls(FleetSearch& search);

// Puts calls into the trips of the touched routes that carry too much.
void split_trips(FleetSearch& search);

// Puts a call where customers have left a trip, now and then.
void try_call(FleetSearch& search);

// Exchanges the trip of i, or what comes after it, with that of any customer
// on another route, or moves it there. Returns the change of the cost, or
// `limit` where it is not below that, and nothing changed.
double exchange_trips(FleetSearch& search, uint32_t i, double limit);

// Whether the calls of a route are allowed, and each trip can be carried.
bool keeps_trips(const FleetSearch& search, uint32_t route);

// Whether a customer whose goods are at the depot then would hold up the trip
// of a node, which is not the first one.
bool holds_up(const FleetSearch& search, uint32_t node, double release);

// Returns the cheaper one of a position and of those with a call at a depot
// before or after the customer.
Position with_call(FleetSearch& search, uint32_t customer, Position best);

} // namespace ncc::fleets
