#pragma once

#include "arrays.h"
#include "metric.h"

#include <cstdint>
#include <span>

namespace ncc::search {

// What does not change during a search: n customers and the depot, node 0.
struct RoutingProblem {
    Metric metric;                    // never of great circles
    std::span<const int64_t> demands; // (n + 1,)
    int64_t capacity;
    MatrixView<const uint32_t> neighbours; // (n + 1, k), nearest first
    // (n + 1, k): distances to the neighbours; -inf where a matrix holds them
    // and the triangle inequality may not hold.
    MatrixView<const double> near;
    // Neighbours in routes with room next to which a customer is tried.
    int64_t num_candidates;
    std::span<const double> round_trip; // (n + 1,): depot, customer, depot
    bool is_symmetric;

    // Without the triangle inequality an insertion may save length, so that
    // no partial cost says anything about the final one.
    [[nodiscard]] bool is_metric() const { return metric.matrix.empty(); }
};

} // namespace ncc::search
