#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::clustering {

// The regret of a point that has one cluster alone.
inline constexpr double largest_regret = 1e18;

// Points that are looked at together, so that loops over them are short but
// vectors.
inline constexpr int64_t block_size = 64;

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

// A partition with loads and labels of its own.
class Clusters {
public:
    // No point is in a cluster at first.
    Clusters(std::span<const double> weights,
             std::span<const double> capacities)
        : weights_(weights), capacities_(capacities.begin(), capacities.end()),
          loads_(capacities.size(), 0.0), labels_(weights.size(), -1) {}

    // Puts each point into the cluster of its label, or into none.
    void assign(std::span<const int64_t> labels) {
        NCC_CHECK(labels.size() == labels_.size());
        loads_.assign(loads_.size(), 0.0);
        for (int64_t i = 0; i < std::ssize(labels); ++i) {
            labels_[i] = labels[i];
            if (labels[i] >= 0)
                loads_[labels[i]] += weights_[i];
        }
    }

    [[nodiscard]] std::span<const double> loads() const { return loads_; }
    [[nodiscard]] std::span<const int64_t> labels() const { return labels_; }

    [[nodiscard]] int64_t num_points() const { return std::ssize(labels_); }
    [[nodiscard]] int64_t num_clusters() const { return std::ssize(loads_); }

    [[nodiscard]] Partition view() {
        return {weights_, capacities_, loads_, labels_};
    }

private:
    std::span<const double> weights_;
    std::vector<double> capacities_;
    std::vector<double> loads_;
    std::vector<int64_t> labels_;
};

} // namespace ncc::clustering
