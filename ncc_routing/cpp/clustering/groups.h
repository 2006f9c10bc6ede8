#pragma once

#include "clustering/rules.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc {

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
    const Rules* rules = &no_rules;

    [[nodiscard]] int64_t num_points() const { return weights.num_rows(); }
    [[nodiscard]] int64_t num_clusters() const { return upper.num_rows(); }
    [[nodiscard]] int64_t num_measures() const {
        return weights.num_columns();
    }

    [[nodiscard]] bool have_rules() const { return rules != &no_rules; }

    // Whether there is more than one upper limit for each cluster.
    [[nodiscard]] bool are_several() const {
        const auto is_finite = [](double value) { return value > -infinity; };
        return num_measures() > 1 || have_rules() ||
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
          masses_(limits.num_clusters(), 0.0),
          loads_(limits.upper.values().size(), 0.0),
          has_rules_(limits.have_rules()),
          quarrels_(has_rules_ ? limits.num_clusters() : 0, 0),
          marks_(has_rules_ ? limits.num_points() : 0, 0) {}

    [[nodiscard]] const Limits& limits() const { return limits_; }
    [[nodiscard]] const Rules& rules() const { return *limits_.rules; }
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

    // The number of members, and their mass with that of a fixed center;
    // doubles, since they are divided by.
    [[nodiscard]] double count(int64_t k) const { return counts_[k]; }
    [[nodiscard]] double mass(int64_t k) const { return masses_[k]; }

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
        for (int64_t k = 0; k < num_clusters(); ++k)
            masses_[k] = anchor(k);
        for (int64_t i = 0; i < num_points(); ++i)
            join(i, has_rules_ ? place_of(i, labels) : labels[i]);
        if (!rules().apart.empty())
            for (int64_t k = 0; k < num_clusters(); ++k) {
                quarrels_[k] = 0;
                for (int64_t i = first(k); i != nobody; i = next(i))
                    quarrels_[k] += count_apart(i, k);
                quarrels_[k] /= 2;
            }
    }

    // Moves point i, and those tied to it, to the front of the list of
    // another cluster.
    void move(int64_t i, int64_t to) {
        if (!has_rules_) {
            move_alone(i, to);
            return;
        }
        if (!rules().apart.empty()) {
            quarrels_[label(i)] -= count_apart(i, label(i));
            quarrels_[to] += count_apart(i, to);
        }
        rules().for_each_tied(i, [&](int64_t p) { move_alone(p, to); });
    }

    // Whether point i may change its cluster; others are taken along.
    [[nodiscard]] bool is_movable(int64_t i) const {
        if (!has_rules_)
            return true;
        const Rules& all = rules();
        return all.leader(i) == i &&
               (all.homes.empty() || all.homes[i] == nobody);
    }

    // Whether all members of cluster k may leave it.
    [[nodiscard]] bool can_dissolve(int64_t k) const {
        if (has_rules_)
            for (int64_t i = first(k); i != nobody; i = next(i))
                if (!is_movable(rules().leader(i)))
                    return false;
        return k >= rules().num_fixed;
    }

    // Whether cluster k, without point `leaving` and with point `coming`,
    // hangs together, as it does now.
    [[nodiscard]] bool stays_whole(int64_t k, int64_t leaving,
                                   int64_t coming) const {
        return !rules().is_contiguous || hangs_together(k, leaving, coming);
    }

    // How many parts too many the clusters have, and how many there are of
    // cluster k, or of it without a point.
    [[nodiscard]] int64_t num_breaks() const;
    [[nodiscard]] int64_t num_parts(int64_t k, int64_t without = nobody) const;

    // Finds the points that are cut off from the rest of their cluster when
    // point i leaves; returns whether they may leave as well.
    bool find_cut_off(int64_t i, std::vector<int64_t>& points) const;

    // By how much the prices of borders and changes fall with point i in
    // cluster k; `without` is one that has left it.
    [[nodiscard]] double attraction(int64_t i, int64_t k,
                                    int64_t without = nobody) const;

    // By how much they grow when `leaving` leaves cluster k and `coming`
    // joins it, unless they are nobody.
    [[nodiscard]] double pull(int64_t k, int64_t leaving,
                              int64_t coming) const {
        double change = 0.0;
        if (!rules().has_prices())
            return change;
        if (leaving != nobody)
            change += attraction(leaving, k);
        if (coming != nobody)
            change -= attraction(coming, k, leaving);
        return change;
    }

    // The prices of all borders and changes, and the part of cluster k in
    // their sum, which has a constant besides.
    [[nodiscard]] double price() const;
    [[nodiscard]] double price_of(int64_t k) const;

private:
    void move_alone(int64_t i, int64_t to) {
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
        const double mass = masses_[own];
        add(i, own, -1.0);
        if (masses_[own] <= least_rest * mass)
            masses_[own] = 0.0;
        join(i, to);
    }

public:
    // By how much its load exceeds the upper limits, and misses the lower.
    [[nodiscard]] double over(int64_t k) const {
        double total = 0.0;
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            total += limits_.units[m] *
                     std::max(0.0, loads()(k, m) - limits_.upper(k, m));
        return total + added_quarrels(k, nobody, nobody);
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
        return total + added_quarrels(k, leaving, coming);
    }

    [[nodiscard]] bool keeps_limits() const {
        for (int64_t k = 0; k < num_clusters(); ++k)
            if (excess(k) > 0.0)
                return false;
        return num_breaks() == 0;
    }

    // Whether cluster k keeps its upper limits when point i joins it, and its
    // lower ones when i leaves it; and the rules.
    [[nodiscard]] bool has_room(int64_t k, int64_t i) const {
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            if (loads()(k, m) + limits_.weights(i, m) > limits_.upper(k, m))
                return false;
        return !has_rules_ || keeps_rules(k, nobody, i);
    }
    [[nodiscard]] bool can_spare(int64_t k, int64_t i) const {
        for (int64_t m = 0; m < limits_.num_measures(); ++m)
            if (loads()(k, m) - limits_.weights(i, m) < limits_.lower(k, m))
                return false;
        return !has_rules_ || keeps_rules(k, i, nobody);
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
        return !has_rules_ || keeps_rules(k, leaving, coming);
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
            NCC_CHECK(added_quarrels(k, nobody, nobody) >= 0.0);
            for (int64_t m = 0; m < limits_.num_measures(); ++m)
                NCC_CHECK(std::abs(sums[m] - loads()(k, m)) <=
                          1e-6 * (1.0 + sums[m]));
        }
#endif
    }

private:
    // The fixed center of cluster k counts as a member.
    [[nodiscard]] double anchor(int64_t k) const {
        return k < rules().num_fixed ? anchor_mass : 0.0;
    }

    // The cluster of point i, where rules come before its label.
    [[nodiscard]] int64_t place_of(int64_t i,
                                   std::span<const int64_t> labels) const {
        const Rules& all = rules();
        if (!all.homes.empty() && all.homes[i] != nobody)
            return all.homes[i];
        return labels[all.leader(i)];
    }

    // How many members of cluster k must not be with point i.
    [[nodiscard]] int64_t count_apart(int64_t i, int64_t k,
                                      int64_t without = nobody) const {
        int64_t count = 0;
        for (const int64_t other : rules().apart.row(i))
            count += labels_[other] == k && other != without;
        return count;
    }

    [[nodiscard]] double added_quarrels(int64_t k, int64_t leaving,
                                        int64_t coming) const {
        if (rules().apart.empty())
            return 0.0;
        int64_t count = quarrels_[k];
        if (leaving != nobody)
            count -= count_apart(leaving, k);
        if (coming != nobody)
            count += count_apart(coming, k, leaving);
        return rules().quarrel * static_cast<double>(count);
    }

    [[nodiscard]] bool keeps_rules(int64_t k, int64_t leaving,
                                   int64_t coming) const {
        return (leaving == nobody || is_movable(leaving)) &&
               (coming == nobody || (is_movable(coming) &&
                                     count_apart(coming, k, leaving) == 0)) &&
               stays_whole(k, leaving, coming);
    }

    [[nodiscard]] bool hangs_together(int64_t k, int64_t leaving,
                                      int64_t coming) const;

    void add(int64_t i, int64_t k, double sign) {
        const int64_t num_measures = limits_.num_measures();
        masses_[k] += sign * rules().mass(i);
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
    std::vector<double> masses_;
    // Of shape (clusters, measures).
    std::vector<double> loads_;
    bool has_rules_;
    // Pairs that must be apart, by cluster.
    std::vector<int64_t> quarrels_;
    // Points that a walk over the graph has to reach, and those it has
    // reached, by the number of the walk.
    mutable std::vector<int64_t> marks_;
    mutable std::vector<int64_t> queue_;
    mutable std::vector<int64_t> ends_;
    mutable int64_t num_walks_ = 0;
};

} // namespace ncc
