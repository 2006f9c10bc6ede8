#pragma once

#include "fleets/problem.h"

#include <algorithm>
#include <cstdint>
#include <span>

// Schedules and costs of whole routes, written down as paths.
namespace ncc::fleets {

// A part of a route takes its least duration if it begins within [early,
// late].
//
// Waiting times follow from the windows as they are; whether a route is in
// time, from the limits of the visits.
//
// N.A. Wouda, L. Lan, W. Kool (2024). PyVRP: a high-performance VRP solver
// package. INFORMS Journal on Computing 36(4): its duration segments.
struct DurationSegment {
    double duration = 0.0;
    double early = 0.0;
    double late = 0.0;

    bool operator==(const DurationSegment&) const = default;
};

// Joins two parts in constant time. `travel` is the time between them; the
// second part is reached in time.
inline DurationSegment join(const DurationSegment& first, double travel,
                            const DurationSegment& second) {
    const double there = first.duration + travel;
    const double ahead = second.early - there - first.late;
    const double wait = ahead > 0.0 ? ahead : 0.0;
    return {there + wait + second.duration,
            std::max(first.early, second.early - there) - wait,
            std::min(first.late, second.late - there)};
}

inline DurationSegment segment_of(const Visit& visit) {
    return {visit.service, visit.early, visit.late};
}

// What a vehicle does before it leaves its depot.
inline DurationSegment start_of(const VehicleType& vehicle) {
    return {vehicle.start_duration, vehicle.start_early, vehicle.start_late};
}

// What a vehicle does after it has come back.
inline DurationSegment end_of(const VehicleType& vehicle) {
    return {vehicle.end_duration, vehicle.end_early, vehicle.end_late};
}

// What a path takes, the same for all vehicles that travel alike.
struct PathTotals {
    int64_t load = 0;
    double length = 0.0;
    double duration = 0.0; // infinite if the vehicle would be late
};

// Returns when the goods are at the depot of the customers up to the next call
// there.
double release_of_trip(const FleetProblem& problem,
                       std::span<const uint32_t> customers);

// Returns what a vehicle of a type takes for some customers, one or more; only
// an infinite duration where it would be late, or their order is wrong.
PathTotals measure_path(const FleetProblem& problem,
                        std::span<const uint32_t> customers, int64_t type);

// Whether a path is in an order that any vehicle may drive.
inline bool keeps_order(const FleetProblem& problem,
                        std::span<const uint32_t> customers) {
    return !problem.limits_order ||
           all_features(problem, [&](const auto& feature) {
               return feature.keeps_order(problem, customers);
           });
}

// Whether all features let a vehicle of a type drive a path, whose totals they
// may raise.
inline bool judge_path(const FleetProblem& problem,
                       std::span<const uint32_t> customers, int64_t type,
                       PathTotals& totals) {
    return !problem.limits_routes ||
           all_features(problem, [&](const auto& feature) {
               return feature.judge(problem, customers, type, totals);
           });
}

// Returns what all features price a path of a duration at, perhaps infinity
// where it is more than `most`.
inline double price_path(const FleetProblem& problem,
                         std::span<const uint32_t> customers, int64_t type,
                         double duration, double most = infinity) {
    double price = 0.0;
    if (problem.prices_paths)
        for_each_feature(problem, [&](const auto& feature) {
            price += feature.price(problem, customers, type, duration, most);
        });
    return price;
}

// Returns the cost of a route of a vehicle type through some customers, one or
// more, infinite if it breaks a limit.
double cost_of(const FleetProblem& problem,
               std::span<const uint32_t> customers, int64_t type,
               PathTotals totals);

// Returns the cost of a route of a vehicle type through some customers,
// infinite if it breaks a limit. An empty route costs nothing.
double path_cost(const FleetProblem& problem,
                 std::span<const uint32_t> customers, int64_t type);

} // namespace ncc::fleets
