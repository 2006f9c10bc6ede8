#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc::fleets {

// Services and set-ups where they differ by vehicle type. A vehicle has a
// set-up once at a place: who comes from there has none.
//
// Visits have the shortest service, without set-ups: no type falls short of
// it.
struct Work : ProblemFeature {
    // What set-ups a path has depends on who precedes whom.
    bool limits_routes = false;
    bool judges_paths = false;
    bool raises_totals = false;
    static constexpr const char* name = "Work";
    static constexpr std::array arguments{"services", "setups", "places"};
    static Work make(std::vector<double> services, std::vector<double> setups,
                     std::vector<int64_t> places);

    std::vector<double> services; // (nodes, types)
    std::vector<double> setups;   // (nodes, types); empty for none
    std::vector<int64_t> places;  // number of the place of each place
    int64_t num_types = 0;
    std::vector<uint8_t> has_setup; // (nodes,): for any type

    [[nodiscard]] bool is_any() const { return !services.empty(); }
    [[nodiscard]] bool has_setups() const { return !setups.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t types) const {
        return std::ssize(services) == num_nodes * types;
    }
    void complete(const FleetProblem& problem);

    // Returns the services at a node by type.
    [[nodiscard]] const double* services_at(uint32_t node) const {
        return services.data() + (node * num_types);
    }

    // Returns the set-up at a node that is reached from a place.
    [[nodiscard]] double setup_after(int64_t type, uint32_t place,
                                     uint32_t node) const {
        if (!has_setups() || places[place] == places[node])
            return 0.0;
        return setups[(node * num_types) + type];
    }

    // Whether vehicles of two types work alike.
    [[nodiscard]] bool are_alike(int64_t type, int64_t other) const;

    // Finds the duration of a path with its set-ups; false where it cannot be
    // driven in time.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals& totals) const;

    // Whether a route with a customer has any set-ups.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;
};

} // namespace ncc::fleets
