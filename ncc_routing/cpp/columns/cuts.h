#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::columns {

// Sets of customers, one after another; set k begins at starts[k].
struct SetList {
    std::span<const int32_t> nodes;
    std::span<const int32_t> starts;

    [[nodiscard]] std::size_t size() const {
        return starts.empty() ? 0 : starts.size() - 1;
    }
    [[nodiscard]] std::span<const int32_t> operator[](std::size_t k) const {
        return nodes.subspan(
            static_cast<std::size_t>(starts[k]),
            static_cast<std::size_t>(starts[k + 1] - starts[k]));
    }
};

// Writes the reduced cost of each arc: the costs less half of the dual of both
// its ends, and half of the dual of each set that it enters or leaves. All
// duals are even. A route pays each dual once by every visit.
void reduce_costs(MatrixView<const int64_t> costs,
                  std::span<const int64_t> node_duals, const SetList& sets,
                  std::span<const int64_t> set_duals, MatrixView<int64_t> out);

// Finds sets of customers that more vehicles must enter than do: rounded
// capacity inequalities, violated by at least `least`. flow(i, j) is the use
// of the arcs between two nodes in both directions; the loads are those that
// must be carried. Greedy, by the heaviest flow, from each customer.
std::vector<std::vector<int32_t>>
find_capacity_cuts(MatrixView<const double> flow,
                   std::span<const int64_t> loads, int64_t capacity,
                   double least);

} // namespace ncc::columns
