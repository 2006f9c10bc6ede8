#pragma once

#include "arrays.h"
#include "clustering/centers.h"
#include "clustering/partition.h"
#include "clustering/priority.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::clustering {

// How points are assigned to centers, see assignment.h.
enum class AssignmentRule { Sorted, Cyclic, Regret };

struct KMeansRules {
    Seeding seeding;
    AssignmentRule assignment;
    int64_t num_left;    // points that the cyclic rule leaves to completion
    int64_t num_samples; // completions, drawn at random where there are more
};

// Capacitated k-means: an assignment by priority and a move of the centers to
// the mean of their members, in turn. The best round of all starts is kept:
// the one of least inertia that places every point.
class KMeans {
public:
    // The arrays of the points and of the formula are kept as views.
    KMeans(const Points& points, std::span<const double> capacities,
           std::span<const double> depot, const PriorityFormula& formula,
           const KMeansRules& rules);

    // Begins a start: chooses first centers.
    void seed(NumpyGenerator& rng);

    // Runs up to so many rounds from the present centers; returns whether no
    // center moved any more.
    bool run_rounds(int64_t num_rounds, NumpyGenerator& rng);

    // Infinite as long as no round has placed every point.
    [[nodiscard]] double best_inertia() const { return best_inertia_; }
    [[nodiscard]] std::span<const int64_t> best_labels() const {
        return best_labels_;
    }

private:
    [[nodiscard]] MatrixView<double> centers();

    // Assigns all points by the scores; returns how many fit nowhere.
    int64_t assign(MatrixView<const double> scores, NumpyGenerator& rng);

    Points points_;
    std::vector<double> depot_;
    PriorityFormula formula_;
    KMeansRules rules_;
    Clusters clusters_;
    std::vector<int64_t> medoids_;
    std::vector<double> centers_;
    std::vector<double> scores_;
    Workspace work_;
    double best_inertia_ = infinity;
    std::vector<int64_t> best_labels_;
};

} // namespace ncc::clustering
