#pragma once

#include "fleets/search.h"

#include <cstdint>
#include <span>

// Routes of vehicles of several types: who drives what.
namespace ncc::fleets {

// Lets a route visit some customers, in this order.
void install(FleetSearch& search, std::span<const uint32_t> customers,
             uint32_t route);

// Writes the new routes of an exchange down, into the paths of a search.
void write_down(FleetSearch& search, const search::Exchange& exchange);

// Makes an exchange of two routes, with the vehicles that suit the new ones
// best. Returns the change of the cost, or `limit` where it is not below that,
// and nothing changed.
double refit(FleetSearch& search, const search::Exchange& exchange,
             double limit);

// Splits the route of i behind it, or exchanges its vehicle with that of
// another route. Returns as `refit` does.
double exchange_vehicles(FleetSearch& search, uint32_t i, double limit);

} // namespace ncc::fleets
