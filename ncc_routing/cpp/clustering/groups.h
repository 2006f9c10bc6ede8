#pragma once

#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc {

// No point, or no cluster.
inline constexpr int64_t nobody = -1;

// What clusters may hold, by one measure or several: a weight, or the number
// of points. Whole numbers are exact in them.
struct Limits {
    // Of each point, of shape (points, measures).
    MatrixView<const double> weights;
    // Least and largest load of each cluster, of shape (clusters, measures).
    MatrixView<const double> lower;
    MatrixView<const double> upper;
    // What one more of each measure counts beyond its limits.
    std::span<const double> units;

    [[nodiscard]] int64_t num_points() const { return weights.num_rows(); }
    [[nodiscard]] int64_t num_clusters() const { return upper.num_rows(); }
    [[nodiscard]] int64_t num_measures() const {
        return weights.num_columns();
    }

    // Whether there is more than one upper limit for each cluster.
    [[nodiscard]] bool are_several() const {
        const auto is_finite = [](double value) { return value > -infinity; };
        return num_measures() > 1 ||
               std::ranges::any_of(lower.values(), is_finite);
    }
};

// Which cluster each point belongs to, the members of each cluster as a
// doubly linked list, their number and their loads: a point changes its
// cluster in O(1).
//
//     for (int64_t i = groups.first(k); i != nobody; i = groups.next(i))
class Groups {
public:
    // No point has a cluster until labels are assigned.
    explicit Groups(const Limits& limits)
        : limits_(limits), labels_(limits.num_points(), nobody),
          first_(limits.num_clusters(), nobody),
          next_(limits.num_points(), nobody),
          previous_(limits.num_points(), nobody),
          counts_(limits.num_clusters(), 0.0),
          loads_(limits.upper.values().size(), 0.0) {}

    [[nodiscard]] const Limits& limits() const { return limits_; }
    [[nodiscard]] int64_t num_points() const { return limits_.num_points(); }
    [[nodiscard]] int64_t num_clusters() const {
        return limits_.num_clusters();
    }
    [[nodiscard]] bool is_assigned() const { return labels_[0] != nobody; }

    // The cluster of each point.
    [[nodiscard]] std::span<const int64_t> labels() const { return labels_; }
    [[nodiscard]] int64_t label(int64_t i) const { return labels_[i]; }

    // The first member of cluster k, and the one that follows member i.
    [[nodiscard]] int64_t first(int64_t k) const { return first_[k]; }
    [[nodiscard]] int64_t next(int64_t i) const { return next_[i]; }

    // The number of members; doubles, since they are divided by.
    [[nodiscard]] double count(int64_t k) const { return counts_[k]; }

    // Of shape (clusters, measures).
    [[nodiscard]] MatrixView<const double> loads() const {
        return {loads_.data(), num_clusters(), limits_.num_measures()};
    }

    // Sets the clusters of all points; the last point of each comes first.
    void assign(std::span<const int64_t> labels) {
        NCC_CHECK(labels.size() == labels_.size());
        std::ranges::fill(first_, nobody);
        std::ranges::fill(counts_, 0.0);
        std::ranges::fill(loads_, 0.0);
        for (int64_t i = 0; i < num_points(); ++i)
            join(i, labels[i]);
    }

    // Moves point i to the front of the list of another cluster.
    void move(int64_t i, int64_t to) {
        const int64_t own = labels_[i];
        NCC_CHECK(own != nobody);
        const int64_t left = previous_[i];
        const int64_t right = next_[i];
        if (left != nobody)
            next_[left] = right;
        else
            first_[own] = right;
        if (right != nobody)
            previous_[right] = left;
        counts_[own] -= 1.0;
        add(i, own, -1.0);
        join(i, to);
    }

    // By how much its load exceeds the upper limits, and misses the lower.
    [[nodiscard]] double over(int64_t k) const {
        double total = 0.0;
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            total += limits_.units[m] *
                     std::max(0.0, loads()(k, m) - limits_.upper(k, m));
        return total;
    }
    [[nodiscard]] double under(int64_t k) const {
        double total = 0.0;
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            total += limits_.units[m] *
                     std::max(0.0, limits_.lower(k, m) - loads()(k, m));
        return total;
    }

    // By how much cluster k breaks its limits without point `leaving` and
    // with point `coming`, unless they are nobody. `most` is one more limit
    // of the first measure.
    [[nodiscard]] double excess(int64_t k, int64_t leaving = nobody,
                                int64_t coming = nobody,
                                double most = infinity) const {
        double total = 0.0;
        for (int64_t m = 0; m < limits_.num_measures(); ++m) {
            double shift = coming == nobody ? 0.0 : limits_.weights(coming, m);
            if (leaving != nobody)
                shift -= limits_.weights(leaving, m);
            const double load = loads()(k, m) + shift;
            const double limit = m == 0 ? std::min(limits_.upper(k, m), most)
                                        : limits_.upper(k, m);
            total +=
                limits_.units[m] * (std::max(0.0, load - limit) +
                                    std::max(0.0, limits_.lower(k, m) - load));
        }
        return total;
    }

    [[nodiscard]] bool keeps_limits() const {
        for (int64_t k = 0; k < num_clusters(); ++k)
            if (excess(k) > 0.0)
                return false;
        return true;
    }

    // Whether cluster k keeps its upper limits when point i joins it, and its
    // lower ones when i leaves it.
    [[nodiscard]] bool has_room(int64_t k, int64_t i) const {
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            if (loads()(k, m) + limits_.weights(i, m) > limits_.upper(k, m))
                return false;
        return true;
    }
    [[nodiscard]] bool can_spare(int64_t k, int64_t i) const {
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            if (loads()(k, m) - limits_.weights(i, m) < limits_.lower(k, m))
                return false;
        return true;
    }

    // Whether cluster k keeps its limits when point `coming` takes the place
    // of its member `leaving`.
    [[nodiscard]] bool can_replace(int64_t k, int64_t leaving,
                                   int64_t coming) const {
        for (int64_t m = 0; m < limits_.num_measures(); ++m) {
            // Less rounding than their difference, which may be tiny.
            const double load = loads()(k, m) + limits_.weights(coming, m);
            const double weight = limits_.weights(leaving, m);
            if (weight < load - limits_.upper(k, m) ||
                weight > load - limits_.lower(k, m))
                return false;
        }
        return true;
    }

    // Holds counts and loads against the labels.
    void check() const {
#ifdef NCC_DEBUG
        for (int64_t k = 0; k < num_clusters(); ++k) {
            double count = 0.0;
            std::vector<double> sums(limits_.num_measures(), 0.0);
            for (int64_t i = first_[k]; i != nobody; i = next_[i]) {
                NCC_CHECK(labels_[i] == k);
                count += 1.0;
                for (int64_t m = 0; m < limits_.num_measures(); ++m)
                    sums[m] += limits_.weights(i, m);
            }
            NCC_CHECK(count == counts_[k]);
            for (int64_t m = 0; m < limits_.num_measures(); ++m)
                NCC_CHECK(std::abs(sums[m] - loads()(k, m)) <=
                          1e-6 * (1.0 + sums[m]));
        }
#endif
    }

private:
    void add(int64_t i, int64_t k, double sign) {
        const int64_t num_measures = limits_.num_measures();
        for (int64_t m = 0; m < num_measures; ++m)
            loads_[k * num_measures + m] += sign * limits_.weights(i, m);
    }

    void join(int64_t i, int64_t k) {
        const int64_t right = first_[k];
        labels_[i] = k;
        previous_[i] = nobody;
        next_[i] = right;
        if (right != nobody)
            previous_[right] = i;
        first_[k] = i;
        counts_[k] += 1.0;
        add(i, k, 1.0);
    }

    Limits limits_;
    std::vector<int64_t> labels_;
    std::vector<int64_t> first_;
    std::vector<int64_t> next_;
    std::vector<int64_t> previous_;
    std::vector<double> counts_;
    // Of shape (clusters, measures).
    std::vector<double> loads_;
};

} // namespace ncc
