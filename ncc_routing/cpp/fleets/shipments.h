#pragma once

#include "fleets/search.h"

#include <cstdint>
#include <span>

// Both ends of shipments, which come and go together.
namespace ncc::fleets {

// Removes the other ends of the shipments of removed customers.
void remove_partners(FleetSearch& search);

// Whether the shipments of a route are picked up before they are delivered, on
// the same trip.
bool keeps_pairs(const FleetSearch& search, std::span<const uint32_t> path);
bool keeps_pairs(const FleetSearch& search, const search::NewRoute& route);

// Returns the cheapest places for both ends of a shipment, on a route near to
// one of them or on any route.
Position find_pair(FleetSearch& search, uint32_t pickup, Position best,
                   bool everywhere = false);

} // namespace ncc::fleets
