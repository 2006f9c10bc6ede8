#pragma once

#include "arrays.h"
#include "clustering/priority.h"
#include "metric.h"

#include <cstdint>
#include <span>

namespace ncc::ckm {

// An instance as the search sees it; the arrays stay their owner's.
struct Problem {
    Metric metric;
    MatrixView<const double> coords; // (n + 1, 2), in a plane
    std::span<const int64_t> demands;
    int64_t capacity = 0;
    // Customers near each customer, nearest first; row 0 is not read.
    MatrixView<const int32_t> neighbours;
    std::span<const uint64_t> keys;      // random; their xor names a cluster
    clustering::PriorityFormula formula; // the priority of the assignment
    bool is_symmetric = true;

    [[nodiscard]] int64_t num_nodes() const { return std::ssize(demands); }
};

} // namespace ncc::ckm
