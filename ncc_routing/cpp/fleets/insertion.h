#pragma once

#include "fleets/paths.h"
#include "fleets/search.h"

#include <algorithm>
#include <cstdint>

namespace ncc::fleets {

// A place for a customer: two nodes of a route, where they lie in a row of
// distances, and how much longer the way becomes.
struct Gap {
    uint32_t route;
    uint32_t before;
    uint32_t after;
    int64_t tail;
    int64_t head;
    double added;
};

// A customer to insert: what it costs behind each node, in O(1).
//
// Where a recreate looks for a position most of its time goes by. What all
// positions have in common is therefore looked up once.
class InsertionCosts {
public:
    InsertionCosts(const FleetSearch& search, uint32_t customer)
        : s_(search), visit_(search.problem.visits[customer]),
          to_(search.problem.distances.row(0, customer)),
          from_(search.problem.distances_back.row(0, customer)),
          time_to_(search.problem.durations.row(0, customer)),
          time_from_(search.problem.durations_back.row(0, customer)),
          profile_size_(search.problem.distances.profile_size()) {}

    // Looks at the gap behind a node of a route.
    [[nodiscard]] Gap gap_behind(uint32_t route, uint32_t before) const {
        const VehicleType& vehicle = s_.vehicle_of(route);
        const uint32_t after = s_.nodes[before].next;
        const int64_t profile = vehicle.profile * profile_size_;
        const int64_t tail =
            profile + (s_.is_customer(before) ? before : vehicle.start);
        const int64_t head =
            profile + (s_.is_customer(after) ? after : vehicle.end);
        return {route, before,
                after, tail,
                head,  from_[tail] + to_[head] - s_.nodes[before].to_next};
    }

    // Returns the cost in a gap of a route that has room, and is not empty.
    // Infinite where a limit of time or distance is broken; not below `budget`
    // where the cost is not.
    [[nodiscard]] double cost_in(const Gap& gap, double budget) const {
        const FleetProblem& p = s_.problem;
        const Route& route = s_.routes[gap.route];
        const VehicleType& vehicle = s_.vehicle_of(gap.route);
        const Node& first = s_.nodes[gap.before];
        double cost = vehicle.distance_cost * gap.added;
        if (cost >= budget && !p.counts_duration)
            return infinity;
        if (p.limits_distance &&
            route.distance + gap.added > vehicle.max_distance)
            return infinity;
        if (!p.is_timed)
            return cost;
        const double there = time_from_[gap.tail];
        double begin = first.ready + there;
        if (begin > visit_.limit)
            return infinity;
        const double travel = time_to_[gap.head];
        begin = std::max(begin, visit_.early);
        const double latest = s_.nodes[gap.after].latest;
        if (begin + (visit_.service + travel) > latest)
            return infinity;
        if (!p.counts_duration)
            return cost;
        const NodeSegments& start = s_.segments[gap.before];
        const NodeSegments& rest = s_.segments[gap.after];
        const double took = start.head.duration;
        double limit = std::min(visit_.limit - took - there, start.head_limit);
        const DurationSegment way =
            join({took, first.ready - took, start.head.late}, there,
                 segment_of(visit_));
        limit = std::min(limit, latest - way.duration - travel);
        const double duration =
            join(way, travel, {rest.tail_duration, rest.tail_early, latest})
                .duration;
        if (duration > vehicle.max_duration ||
            std::max(route.release, visit_.release) > limit)
            return infinity;
        cost += vehicle.duration_cost * (duration - route.duration);
        return cost < budget ? cost : infinity;
    }

private:
    const FleetSearch& s_;
    const Visit visit_;
    // Of the first profile; the further ones follow.
    const double* to_;
    const double* from_;
    const double* time_to_;
    const double* time_from_;
    int64_t profile_size_;
};

} // namespace ncc::fleets
