#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// What makes the times of a route more than a sum of its parts: customers
// with several windows, and breaks of drivers.
namespace ncc::fleets {

// When something may begin. Arrivals are compared with `limit`, which includes
// the tolerance of rounded sums.
struct Window {
    double early = 0.0;
    double limit = 0.0;
};

// What a driver owes on each route, once: it begins within one of some
// windows, with no more on board than some loads.
struct Break {
    double duration = 0.0;
    std::vector<Window> windows;    // in their order
    std::vector<int64_t> most_load; // (dimensions,); empty for any
};

// When a vehicle starts, and where from.
struct ShiftStart {
    uint32_t place = 0;
    double early = 0.0;
    double late = 0.0;
    double duration = 0.0;
};

// Several windows of customers, and breaks of vehicles.
struct Shifts : ProblemFeature {
    static constexpr bool judges_paths = true;
    static constexpr bool raises_totals = true;
    static constexpr const char* name = "Shifts";
    static constexpr std::array arguments{"first_window", "early", "limit",
                                          "breaks"};
    static Shifts make(std::vector<int64_t> first_window,
                       std::span<const double> early,
                       std::span<const double> limit,
                       std::vector<std::vector<Break>> breaks);

    // (n + 2,): where the windows of each node begin; a node with one has
    // none here.
    std::vector<int64_t> first_window;
    std::vector<Window> windows;
    std::vector<std::vector<Break>> breaks; // (types,)
    std::vector<ShiftStart> starts;         // (types,): of whole routes
    std::vector<uint8_t> has_begun;         // (types,)

    [[nodiscard]] bool is_any() const { return !first_window.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return std::ssize(first_window) == num_nodes + 1 &&
               std::ssize(breaks) == num_types;
    }
    void complete(const FleetProblem& problem);

    // Lets the vehicle of a type start behind its first customers.
    void begin_route(int64_t type) {
        if (is_any())
            has_begun[type] = 1;
    }

    // Returns the windows of a node that has several.
    [[nodiscard]] std::span<const Window> windows_of(uint32_t node) const {
        const auto first = static_cast<std::size_t>(first_window[node]);
        return std::span(windows).subspan(first,
                                          first_window[node + 1] - first);
    }
    [[nodiscard]] bool has_several(uint32_t node) const {
        return first_window[node] < first_window[node + 1];
    }

    // Finds the least duration of a route, whatever its start; false where it
    // cannot be driven.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals& totals) const;

    // Whether a route has a break or several windows.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;
};

} // namespace ncc::fleets
