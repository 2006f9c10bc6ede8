#pragma once

#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

// Who comes before whom on a route, and who is the first or the last one.
namespace ncc::fleets {

// Orders of customers of one route; empty where there are none.
struct RouteOrder : ProblemFeature {
    static constexpr bool judges_paths = true;
    static constexpr const char* name = "RouteOrder";
    static constexpr std::array arguments{"precedences", "sequences",
                                          "positions"};
    // Groups in their order, the second of which let nobody between; and
    // (n + 1,): -1 for the first on a route, 1 for the last, 0 for any place.
    static RouteOrder make(const std::vector<std::vector<uint32_t>>& groups,
                           const std::vector<std::vector<uint32_t>>& sequences,
                           std::vector<int64_t> positions);

    std::vector<std::vector<uint32_t>> behind; // (n + 1,): who come later
    std::vector<uint32_t> sequence_of;         // (n + 1,): from 1 on, or 0
    std::vector<int64_t> positions;            // (n + 1,)

    [[nodiscard]] bool is_any() const { return !positions.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t) const {
        return std::ssize(positions) == num_nodes;
    }

    // Whether a path, behind the customers of a route that has begun, is in
    // order.
    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals&) const;

    // Whether a customer has an order itself, or those around its place do.
    [[nodiscard]] bool reaches_on(const FleetSearch& search, uint32_t node,
                                  uint32_t customer) const;

private:
    [[nodiscard]] bool has_order(uint32_t node) const {
        return !behind[node].empty() || is_behind_[node] != 0 ||
               sequence_of[node] != 0 || positions[node] != 0;
    }

    std::vector<uint8_t> is_behind_; // (n + 1,): somebody
};

} // namespace ncc::fleets
