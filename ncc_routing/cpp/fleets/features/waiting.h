#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// How long drivers may wait.
namespace ncc::fleets {

// Limits of each vehicle type on the time of a route that is neither driving
// nor service: in all, and before one stop. Where times are not whole they
// include the tolerance.
//
// Each wait is the shortest when a vehicle starts as late as it may.
struct WaitingLimits : ProblemFeature {
    static constexpr bool judges_paths = true;
    static constexpr const char* name = "WaitingLimits";
    static constexpr std::array arguments{"in_all", "at_stops"};
    static WaitingLimits make(std::vector<double> in_all,
                              std::vector<double> at_stops);

    std::vector<double> in_all;   // (types,)
    std::vector<double> at_stops; // (types,)

    [[nodiscard]] bool is_any() const { return !in_all.empty(); }
    [[nodiscard]] bool fits(int64_t, int64_t num_types) const {
        return std::ssize(in_all) == num_types;
    }
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals&) const;
};

} // namespace ncc::fleets
