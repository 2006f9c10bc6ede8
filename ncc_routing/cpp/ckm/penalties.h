#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>

namespace ncc::ckm {

// What clusters cost besides their routes, by their members alone; the named
// tuple of vrp/preferences/zones.py.
struct ClusterPenalties {
    MatrixView<const double> places; // (n + 1, 2), or empty
    double rate = 0.0; // cost of a squared distance to the mean place
    std::span<const int32_t> zones;      // of the nodes, negative for none
    std::span<const int32_t> zone_sizes; // of the zone of each node
    double unit = 0.0; // cost of two of a zone in different clusters

    // The cost of a cluster of at least one customer.
    [[nodiscard]] double cost_of(std::span<const int64_t> customers) const;
};

} // namespace ncc::ckm
