#pragma once

#include "clustering/groups.h"
#include "medians/problem.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace ncc::medians {

// Members up to which every one is tried as the medoid; of more, the one next
// to their mean, and then the points near it.
inline constexpr int64_t all_pairs_size = 3000;

// Clusters around medoids (objective "cpmp") or means ("cccp").
//
// Loads may exceed the limits on the way, at a price per unit.
class Clusters {
public:
    // What a clustering costs: the sum of the distances to the centers, and
    // the load over the limits.
    struct Cost {
        double distance = 0.0;
        double excess = 0.0;
    };

    // No point has a cluster until labels are assigned.
    explicit Clusters(const Problem& problem);

    // Sets the cluster of each point, and gives each cluster its best center.
    void assign(std::span<const int64_t> labels, double price);

    [[nodiscard]] const Problem& problem() const { return problem_; }
    [[nodiscard]] const Groups& groups() const { return groups_; }
    [[nodiscard]] int64_t label(int64_t i) const { return groups_.label(i); }
    [[nodiscard]] double count(int64_t k) const { return groups_.count(k); }

    // The medoid of each cluster, nobody where it is empty. Where centers are
    // means it is some point only.
    [[nodiscard]] std::span<const int64_t> medoids() const { return medoids_; }
    [[nodiscard]] int64_t medoid(int64_t k) const { return medoids_[k]; }
    void set_medoid(int64_t k, int64_t i) { medoids_[k] = i; }

    // The empty clusters.
    [[nodiscard]] std::span<const int64_t> spare() const { return spare_; }

    // The distances of point i, and of those tied to it, to the center of
    // cluster k, times their masses.
    [[nodiscard]] double to_center(int64_t i, int64_t k) const {
        NCC_CHECK(problem_.uses_means || medoids_[k] != nobody);
        if (groups_.rules().ring.empty())
            return reach(i, k);
        double total = 0.0;
        groups_.rules().for_each_tied(
            i, [&](int64_t p) { total += reach(p, k); });
        return total;
    }

    // What cluster k saves, about, when point i leaves it, and what it pays
    // when i joins: squared distances are exact.
    [[nodiscard]] double leaving_gain(int64_t i, int64_t k) const {
        return to_center(i, k) * factor(k, -groups_.rules().mass(i));
    }
    [[nodiscard]] double joining_cost(int64_t i, int64_t k) const {
        return to_center(i, k) * factor(k, groups_.rules().mass(i));
    }

    // Whether point i leaves its cluster with the medoid of it.
    [[nodiscard]] bool is_medoid(int64_t i) const {
        const int64_t medoid = medoids_[label(i)];
        return medoid != nobody && groups_.rules().leader(medoid) == i;
    }

    // By how much cluster k breaks its limits with that medoid, without point
    // `leaving` and with point `coming`, unless they are nobody.
    [[nodiscard]] double excess(int64_t k, int64_t medoid,
                                int64_t leaving = nobody,
                                int64_t coming = nobody) const {
        const double most =
            medoid == nobody ? infinity : problem_.point_limits[medoid];
        return groups_.excess(k, leaving, coming, most);
    }
    // By how much that grows.
    [[nodiscard]] double added_excess(int64_t k, int64_t leaving,
                                      int64_t coming) const {
        const int64_t medoid = medoids_[k];
        return excess(k, medoid, leaving, coming) - excess(k, medoid);
    }

    // The cost of a cluster with the center that it has.
    [[nodiscard]] double cost(int64_t k, double price) const;

    // The same with the prices of the rules, in a sum over clusters.
    [[nodiscard]] double whole_cost(int64_t k, double price) const {
        return cost(k, price) + groups_.price_of(k);
    }

    // What cluster k would cost with the best center: without point `leaving`
    // and with point `coming`, unless they are nobody.
    double best_cost(int64_t k, int64_t leaving, int64_t coming, double price);

    [[nodiscard]] Cost evaluate() const;

    // Moves point i to another cluster; centers stay, but for means.
    void move(int64_t i, int64_t to);

    // Gives a cluster its best center.
    void recenter(int64_t k, double price);

    // Moves a medoid to a near member that serves the cluster better, as long
    // as there is one.
    void shift_medoid(int64_t k, double price);

    // Holds loads and means against the labels.
    void check() const;

private:
    [[nodiscard]] double reach(int64_t i, int64_t k) const {
        if (!problem_.uses_means)
            return problem_.distance(i, medoids_[k]);
        const int64_t num_dims = problem_.num_dims();
        const double* const mean = means_.data() + k * num_dims;
        double total = 0.0;
        for (int64_t d = 0; d < num_dims; ++d) {
            const double gap = problem_.coords(i, d) - mean[d];
            total += gap * gap;
        }
        return groups_.rules().mass(i) *
               (problem_.squares ? total : std::sqrt(total));
    }

    [[nodiscard]] double factor(int64_t k, double added) const {
        if (!problem_.squares)
            return 1.0;
        const double mass = groups_.mass(k);
        const double sum = mass + added;
        return sum > least_rest * mass ? mass / sum : 0.0;
    }

    struct Center {
        double cost = 0.0;
        int64_t medoid = nobody;
    };

    // The members of a cluster, without one and with another one.
    std::span<const int64_t> gather(int64_t k, int64_t leaving = nobody,
                                    int64_t coming = nobody);

    // Puts the center of those members of cluster k into `middle_`.
    void find_mean(int64_t k, std::span<const int64_t> members);

    // The member next to the mean.
    int64_t find_central(int64_t k, std::span<const int64_t> members);

    // Whether the center of cluster k is given.
    [[nodiscard]] bool is_fixed(int64_t k) const {
        return k < groups_.rules().num_fixed;
    }

    // The best center of cluster k and its cost, as for `best_cost`.
    Center find_center(int64_t k, int64_t leaving, int64_t coming,
                       double price);
    double cost_around_mean(int64_t k, std::span<const int64_t> members);

    Problem problem_;
    Groups groups_;
    std::vector<int64_t> medoids_;
    // Kept up to date where the centers are means: (clusters, dimensions).
    std::vector<double> means_;
    std::vector<int64_t> spare_;

    std::vector<int64_t> group_;
    std::vector<double> middle_;
};

} // namespace ncc::medians
