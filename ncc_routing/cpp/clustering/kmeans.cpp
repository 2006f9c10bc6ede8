#include "clustering/kmeans.h"

#include "clustering/assignment.h"

namespace ncc::clustering {

KMeans::KMeans(const Points& points, std::span<const double> capacities,
               std::span<const double> depot, const PriorityFormula& formula,
               const KMeansRules& rules)
    : points_(points), depot_(depot.begin(), depot.end()), formula_(formula),
      rules_(rules), clusters_(points.weights, capacities),
      medoids_(capacities.size(), 0),
      centers_(capacities.size() * points.coords.num_columns()),
      scores_(capacities.size() * points.weights.size()),
      work_(points.size(), std::ssize(capacities),
            points.coords.num_columns()),
      best_labels_(points.weights.size(), -1) {}

MatrixView<double> KMeans::centers() {
    return {centers_.data(), clusters_.num_clusters(),
            points_.coords.num_columns()};
}

void KMeans::seed(NumpyGenerator& rng) {
    seed_centers(rules_.seeding, points_, centers(), work_, rng);
}

bool KMeans::run_rounds(int64_t num_rounds, NumpyGenerator& rng) {
    const MatrixView<double> scores(scores_.data(), clusters_.num_clusters(),
                                    points_.size());
    const auto labels = clusters_.labels();
    for (int64_t round = 0; round < num_rounds; ++round) {
        if (formula_.uses_affinity())
            find_medoids(points_.coords, centers(), medoids_);
        score(formula_, {}, points_, depot_, centers(), medoids_, work_,
              scores);
        if (assign(scores, rng) == 0) {
            const double inertia = inertia_of(points_.coords, labels,
                                              clusters_.num_clusters(), work_);
            if (inertia < best_inertia_) {
                best_inertia_ = inertia;
                best_labels_.assign(labels.begin(), labels.end());
            }
        }
        if (update_centers(points_.coords, depot_, labels, centers(), work_) ==
            0.0)
            return true;
    }
    return false;
}

int64_t KMeans::assign(MatrixView<const double> scores, NumpyGenerator& rng) {
    const Partition partition = clusters_.view();
    if (rules_.assignment == AssignmentRule::Sorted)
        return assign_sorted(scores, partition);
    if (rules_.assignment == AssignmentRule::Regret)
        return assign_by_regret(scores, partition, 0.0, work_);
    const int64_t unplaced =
        assign_cyclic(scores, partition, rules_.num_left, rng);
    if (rules_.num_left == 0 || unplaced == 0)
        return unplaced;
    return complete(scores, points_.coords, partition, centers(),
                    rules_.num_samples, rng);
}

} // namespace ncc::clustering
