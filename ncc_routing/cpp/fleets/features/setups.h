#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc::fleets {

// Set-ups that a vehicle has once at a place: who comes from there saves them.
//
// Visits have the services without them, which no route falls short of. What a
// path takes in truth depends on who precedes whom.
struct SharedSetups : ProblemFeature {
    static constexpr bool judges_paths = true;
    static constexpr bool raises_totals = true;
    static constexpr const char* name = "SharedSetups";
    static constexpr std::array arguments{"places", "setups", "saved"};
    static SharedSetups make(std::vector<int64_t> places,
                             std::vector<double> setups,
                             std::vector<double> saved);

    std::vector<int64_t> places; // number of each place
    std::vector<double> setups;  // (nodes,): beyond the services of visits
    // (types, nodes): what of that is saved by who comes from the same place.
    std::vector<double> saved;
    std::vector<uint8_t> is_shared; // (nodes,): whether it saves any

    [[nodiscard]] bool is_any() const { return !setups.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return std::ssize(setups) == num_nodes &&
               std::ssize(saved) == num_nodes * num_types;
    }

    // Returns what the service of a node, after that at a place, takes beyond
    // its visit.
    [[nodiscard]] double after(int64_t type, uint32_t place,
                               uint32_t node) const {
        if (!is_any())
            return 0.0;
        return places[place] == places[node]
                   ? setups[node] - saved[type * std::ssize(setups) + node]
                   : setups[node];
    }

    // Whether vehicles of two types save the same.
    [[nodiscard]] bool are_alike(int64_t type, int64_t other) const;

    // Finds the duration of a path with its set-ups; false where it cannot be
    // driven in time.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals& totals) const;

    // Whether a route with a customer has any.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;
};

} // namespace ncc::fleets
