#pragma once

#include "fleets/features/feature.h"
#include "fleets/features/hours.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Preferred windows of customers: what a visit costs that begins before or
// after them.
namespace ncc::fleets {

struct VehicleType;

// When a service should begin, and the costs of a unit of time before and
// after that.
struct Preference {
    double early = 0.0;
    double late = 0.0;
    double early_cost = 0.0;
    double late_cost = 0.0;

    [[nodiscard]] double price(double begin) const {
        const double before = early - begin;
        const double after = begin - late;
        return (before > 0.0 ? early_cost * before : 0.0) +
               (after > 0.0 ? late_cost * after : 0.0);
    }
};

// The preferred windows of all nodes.
struct PreferredWindows : ProblemFeature {
    static constexpr bool prices_paths = true;
    static constexpr const char* name = "PreferredWindows";
    static constexpr std::array arguments{"early", "late", "early_cost",
                                          "late_cost"};
    static PreferredWindows make(std::span<const double> early,
                                 std::span<const double> late,
                                 std::span<const double> early_cost,
                                 std::span<const double> late_cost);

    std::vector<Preference> of_nodes; // (n + 1,)
    uint64_t number = 0;              // of the problem, from 1 on

    void complete(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return !of_nodes.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t) const {
        return std::ssize(of_nodes) == num_nodes;
    }

    // Returns what the times of a path cost beyond a duration, the shortest
    // one: those of least cost, of that and of visits outside their windows.
    // 0 where the path cannot be driven in time, infinite where it is more
    // than `most`.
    [[nodiscard]] double price(const FleetProblem& problem,
                               std::span<const uint32_t> path, int64_t type,
                               double duration, double most) const;
};

// A stop, and when its service should begin.
struct PricedStop : HoursStop {
    Preference wanted;
};

// Returns when a vehicle that starts within a window is at each stop, the last
// of which is its end, so that times and breaks cost least; of those the
// shortest times, then those with the earliest end. Ends of windows are exact.
// No begins where nobody can drive it.
DayPlan cheapest_day(const VehicleType& vehicle, std::span<const Break> breaks,
                     Window start, std::span<const PricedStop> stops);

} // namespace ncc::fleets
