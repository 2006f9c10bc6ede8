#pragma once

#include "partition/partition.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::partition {

// Points joined to the center of least squared distance plus the price of its
// cluster: the cells of a power diagram. F. Aurenhammer, F. Hoffmann and
// B. Aronov (1998). Minkowski-type theorems and least-squares clustering.
// Algorithmica 20(1).
class PowerAssignment {
public:
    PowerAssignment(const Problem& problem, std::span<const int64_t> labels);

    // Starts a round with those centers (clusters, dimensions) and prices.
    // The members of each cluster may join those in its row of `near`
    // (clusters, m).
    void begin(MatrixView<const double> means, std::span<const double> prices,
               MatrixView<const int64_t> near);

    // Joins each `stride`-th of the points from `low` to below `high`.
    void assign(int64_t low, int64_t high, int64_t stride);

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] bool has_begun() const { return !prices_.empty(); }

    [[nodiscard]] std::span<const int64_t> labels() const { return labels_; }

    // By how much the second choice of each point is worse.
    [[nodiscard]] std::span<const double> margins() const { return margins_; }

    // Of the points that joined each cluster in this round: the sum of the
    // coordinates, number, measures and squared distances, of shape (clusters,
    // dimensions + measures + 2).
    [[nodiscard]] MatrixView<const double> sums() const {
        return {sums_.data(), problem_.num_clusters(), num_sums()};
    }

private:
    [[nodiscard]] int64_t num_sums() const {
        return problem_.num_dims() + problem_.limits.num_measures() + 2;
    }

    Problem problem_;
    std::vector<int64_t> labels_;
    std::vector<double> margins_;
    std::vector<double> sums_;
    std::vector<double> means_;
    std::vector<double> prices_;
    std::vector<int64_t> near_;
};

} // namespace ncc::partition
