#pragma once

#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <cstdint>

namespace ncc::fleets {

// Returns the cost of inserting a customer behind a node, in O(1).
//
// The route of that node has room, and is not empty. Infinite where a limit of
// time or distance is broken; `budget` or more where the cost is not below it.
inline double insertion_cost(const FleetSearch& s, uint32_t customer,
                             uint32_t before, double budget) {
    const FleetProblem& p = s.problem;
    const Route& route = s.routes[s.route_of[before]];
    const VehicleType& vehicle = s.vehicle_of(s.route_of[before]);
    const int64_t profile = vehicle.profile;
    const uint32_t after = s.nodes[before].next;
    const uint32_t tail = s.is_customer(before) ? before : vehicle.start;
    const uint32_t head = s.is_customer(after) ? after : vehicle.end;
    const double added = p.distances_back(profile, customer, tail) +
                         p.distances(profile, customer, head) -
                         s.nodes[before].to_next;
    double cost = vehicle.distance_cost * added;
    if (cost >= budget && !p.counts_duration)
        return infinity;
    if (p.limits_distance && route.distance + added > vehicle.max_distance)
        return infinity;
    if (!p.is_timed)
        return cost;
    const Visit& visit = p.visits[customer];
    const double there = p.durations_back(profile, customer, tail);
    double begin = s.nodes[before].ready + there;
    if (begin > visit.limit)
        return infinity;
    const double travel = p.durations(profile, customer, head);
    begin = std::max(begin, visit.early);
    const double latest = s.nodes[after].latest;
    if (begin + (visit.service + travel) > latest)
        return infinity;
    if (!p.counts_duration)
        return cost;
    const NodeSegments& first = s.segments[before];
    const NodeSegments& rest = s.segments[after];
    const double took = first.head_duration;
    double limit = std::min(visit.limit - took - there, first.head_limit);
    const DurationSegment way =
        join({took, s.nodes[before].ready - took, first.head_late}, there,
             segment_of(visit));
    limit = std::min(limit, latest - way.duration - travel);
    const double duration =
        join(way, travel, {rest.tail_duration, rest.tail_early, latest})
            .duration;
    if (duration > vehicle.max_duration ||
        std::max(route.release, visit.release) > limit)
        return infinity;
    cost += vehicle.duration_cost * (duration - route.duration);
    return cost < budget ? cost : infinity;
}

} // namespace ncc::fleets
