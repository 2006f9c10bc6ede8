#pragma once

#include "arrays.h"
#include "clustering/centers.h"
#include "clustering/groups.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::partition {

// Points and what clusters may hold; nothing of it changes during a search.
struct Problem {
    // Of shape (points, dimensions).
    MatrixView<const double> coords;
    Limits limits;
    // Mean squared distance of the points to their mean: the unit of the
    // least gain that counts.
    double scale = 0.0;

    [[nodiscard]] int64_t num_points() const { return coords.num_rows(); }
    [[nodiscard]] int64_t num_dims() const { return coords.num_columns(); }
    [[nodiscard]] int64_t num_clusters() const {
        return limits.num_clusters();
    }
};

// Clusters with exact changes of the inertia: the sum of the squared
// distances of the points to the mean of their cluster, or to its fixed
// center, times their masses, and the prices of the rules. Every change is
// known in O(1), the means that move included. Points that are tied to a
// leader have no mass of their own.
class Partition {
public:
    // No point has a cluster until labels are assigned.
    explicit Partition(const Problem& problem);

    // Sets the cluster of each point and recomputes everything; returns the
    // inertia. An empty cluster keeps its last mean.
    double assign(std::span<const int64_t> labels);

    // Recomputes everything: changes leave rounding errors.
    double rebuild() { return assign(groups_.labels()); }

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const Groups& groups() const { return groups_; }
    [[nodiscard]] int64_t label(int64_t i) const { return groups_.label(i); }

    [[nodiscard]] MatrixView<const double> means() const {
        return {means_.data(), problem_.num_clusters(), problem_.num_dims()};
    }

    // By how much the inertia falls when point i leaves.
    [[nodiscard]] double removal(int64_t i) const {
        const int64_t k = label(i);
        return leaving_gain(i, k) - groups_.pull(k, i, nobody);
    }

    // By how much the inertia grows when point i joins cluster k.
    [[nodiscard]] double insertion(int64_t i, int64_t k) const {
        const double mass = groups_.mass(k);
        if (mass == 0.0)
            return groups_.pull(k, nobody, i);
        const double own = groups_.rules().mass(i);
        return own * mass / (mass + own) * square(i, k) +
               groups_.pull(k, nobody, i);
    }

    // The change when points i and j of two clusters swap places.
    [[nodiscard]] double exchange(int64_t i, int64_t j) const {
        const int64_t a = label(i);
        const int64_t b = label(j);
        if (groups_.limits().have_rules())
            return replacement(i, j) + replacement(j, i);
        double along = 0.0;
        double length = 0.0;
        for (int64_t d = 0; d < problem_.num_dims(); ++d) {
            const double gap = problem_.coords(j, d) - problem_.coords(i, d);
            along += (means()(a, d) - means()(b, d)) * gap;
            length += gap * gap;
        }
        return -2.0 * along -
               length * (1.0 / groups_.mass(a) + 1.0 / groups_.mass(b));
    }

    // The change of the cluster of j when i takes the place of j.
    [[nodiscard]] double replacement(int64_t i, int64_t j) const {
        const int64_t k = label(j);
        if (groups_.limits().have_rules())
            return weighted_replacement(i, j);
        const double length =
            clustering::square(problem_.coords.row(j), problem_.coords.row(i));
        return square(i, k) - square(j, k) - length / groups_.mass(k);
    }

    // Puts point i into another cluster.
    void move(int64_t i, int64_t to);

    // The inertia of a cluster from its definition.
    [[nodiscard]] double inertia_of(int64_t k) const;

    // Holds loads and means against the labels.
    void check() const;

private:
    // By how much the inertia of cluster k falls when its member i leaves.
    [[nodiscard]] double leaving_gain(int64_t i, int64_t k) const {
        const double mass = groups_.mass(k);
        const double own = groups_.rules().mass(i);
        if (mass - own <= least_rest * mass)
            return 0.0;
        return own * mass / (mass - own) * square(i, k);
    }

    [[nodiscard]] double weighted_replacement(int64_t i, int64_t j) const;

    // The squared distance of point i to the mean of cluster k.
    [[nodiscard]] double square(int64_t i, int64_t k) const {
        return clustering::square(problem_.coords.row(i), means().row(k));
    }

    Problem problem_;
    Groups groups_;
    // Of shape (clusters, dimensions).
    std::vector<double> means_;
};

} // namespace ncc::partition
