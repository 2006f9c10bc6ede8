#pragma once

#include "fleets/search.h"

#include <cstdint>
#include <span>

// Routes that are written down as paths, judged, and then installed.
namespace ncc::fleets {

// Two routes that change.
struct RoutePair {
    uint32_t first;
    uint32_t second;
};

// Appends the customers from `first` to `last` to a path, along their route or
// against it. Nothing is appended where either of them is a depot.
void append_forward(const FleetSearch& search, Path& path, uint32_t first,
                    uint32_t last);
void append_backward(const FleetSearch& search, Path& path, uint32_t first,
                     uint32_t last);

// Lets a route visit some customers, in this order.
void install(FleetSearch& search, std::span<const uint32_t> customers,
             uint32_t route);

// Gives one route the customers in a path. Returns the change of the cost, or
// `limit` where it is not below that, and nothing changed.
double replace_route(FleetSearch& search, const Path& path, uint32_t route,
                     double limit);

// Gives two routes the customers in `path` and `other_path`: where there are
// several types, the vehicles that suit these best drive them. Returns as
// above.
double replace_routes(FleetSearch& search, RoutePair routes, double limit);

} // namespace ncc::fleets
