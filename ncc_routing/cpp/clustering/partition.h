#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::clustering {

// Points of any number of dimensions. Weights, loads and capacities may be
// whole numbers: their sums stay below 2^53, so that doubles hold them
// exactly.
struct Points {
    MatrixView<const double> coords; // one row a point
    std::span<const double> weights;

    [[nodiscard]] int64_t size() const { return std::ssize(weights); }
};

// The clusters of points under capacities.
struct Partition {
    std::span<const double> weights;    // of the points
    std::span<const double> capacities; // of the clusters
    std::span<double> loads;            // of the clusters
    std::span<int64_t> labels;          // clusters of the points, -1 for none

    [[nodiscard]] int64_t num_points() const { return std::ssize(weights); }

    [[nodiscard]] int64_t num_clusters() const {
        return std::ssize(capacities);
    }

    // Whether cluster k has room for point i.
    [[nodiscard]] bool fits(int64_t i, int64_t k) const {
        return loads[k] + weights[i] <= capacities[k];
    }

    // Puts a point without a cluster into cluster k.
    void put(int64_t i, int64_t k) const {
        labels[i] = k;
        loads[k] += weights[i];
    }
};

// Room for what is computed on the way, allocated once for up to so many
// points and clusters.
struct Workspace {
    Workspace(int64_t num_points, int64_t num_clusters, int64_t num_dims)
        : values(num_points), queue(num_points),
          sums(num_clusters * (num_dims + 1)) {}

    std::vector<double> values; // one a point
    std::vector<int64_t> queue; // one a point
    std::vector<double> sums;   // coordinates and number of the members
};

} // namespace ncc::clustering
