#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>

namespace ncc::ckm {

// What clusters cost besides their routes, by their members alone; the named
// tuple of vrp/preferences/penalties.py.
struct ClusterPenalties {
    MatrixView<const double> places; // (n + 1, 2), or empty
    double rate = 0.0; // cost of a squared distance to the mean place
    std::span<const int32_t> districts;      // of the nodes, negative for none
    std::span<const int32_t> district_sizes; // of the district of each node
    double unit = 0.0; // cost of two of a district in different clusters

    // The cost of a cluster of at least one customer.
    [[nodiscard]] double cost_of(std::span<const int64_t> customers) const;
};

} // namespace ncc::ckm
