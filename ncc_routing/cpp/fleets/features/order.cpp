#include "fleets/features/order.h"

#include "fleets/search.h"

#include <algorithm>

namespace ncc::fleets {

RouteOrder
RouteOrder::make(const std::vector<std::vector<uint32_t>>& groups,
                 const std::vector<std::vector<uint32_t>>& sequences,
                 std::vector<int64_t> positions) {
    RouteOrder made;
    const std::size_t size = positions.size();
    made.positions = std::move(positions);
    made.behind.resize(size);
    made.is_behind_.resize(size);
    made.sequence_of.resize(size);
    for (const auto* each : {&groups, &sequences})
        for (const std::vector<uint32_t>& group : *each) {
            require(all_below(std::span<const uint32_t>(group), size),
                    "orders must be of nodes.");
            for (std::size_t idx = 0; idx < group.size(); ++idx)
                for (std::size_t later = idx + 1; later < group.size();
                     ++later) {
                    made.behind[group[idx]].push_back(group[later]);
                    made.is_behind_[group[later]] = 1;
                }
        }
    for (std::size_t idx = 0; idx < sequences.size(); ++idx)
        for (const uint32_t node : sequences[idx])
            made.sequence_of[node] = static_cast<uint32_t>(idx + 1);
    return made;
}

bool RouteOrder::judge(const FleetProblem& problem,
                       std::span<const uint32_t> path, int64_t type,
                       PathTotals&) const {
    const std::size_t num_new = path.size();
    const auto all = problem.whole_route(path, type);
    const std::size_t num_served = all.size() - num_new;
    const auto number_of = [&](uint32_t node) {
        return problem.is_reload(node) ? 0 : sequence_of[node];
    };
    std::size_t num_customers = 0;
    bool is_over = false;
    for (std::size_t idx = 0; idx < all.size(); ++idx) {
        const uint32_t node = all[idx];
        if (problem.is_reload(node))
            continue;
        // What is served already is as it is.
        if (idx >= num_served) {
            if (is_over || (positions[node] < 0 && num_customers > 0))
                return false;
            // Of those behind a customer none has come before.
            for (const uint32_t later : behind[node])
                if (std::find(all.begin(), all.begin() + idx, later) !=
                    all.begin() + idx)
                    return false;
            const uint32_t number = sequence_of[node];
            if (number != 0 && idx > 0 && number_of(all[idx - 1]) != number &&
                std::any_of(all.begin(), all.begin() + idx,
                            [&](uint32_t other) {
                                return number_of(other) == number;
                            }))
                return false;
        }
        is_over |= positions[node] > 0;
        ++num_customers;
    }
    return true;
}

bool RouteOrder::reaches_on(const FleetSearch& s, uint32_t node,
                            uint32_t customer) const {
    const auto has = [&](uint32_t other) {
        return s.is_customer(other) && !s.problem.is_reload(other) &&
               has_order(other);
    };
    return has(customer) || has(node) || has(s.nodes[node].next);
}

} // namespace ncc::fleets
