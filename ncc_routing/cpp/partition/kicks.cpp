#include "partition/kicks.h"

#include "clustering/assignment.h"
#include "clustering/centers.h"
#include "clustering/exchange.h"

#include <algorithm>
#include <numeric>

namespace ncc::partition {

namespace {

// Rounds of assignment, each but the first around new means.
constexpr int num_rounds = 2;

// A kick further than this from the best, as a factor, is given up before
// the ejections.
constexpr double promising = 1.001;

// Passes of the descent after a kick, at most.
constexpr int64_t max_passes = 1000;

// Clusters that are clustered anew: so many at least, and how many numbers of
// them there are.
constexpr int64_t least_width = 2;
constexpr double num_widths = 3.0;

// Scores are minus the squared distances.
void score(MatrixView<const double> coords, MatrixView<const double> centers,
           MatrixView<double> scores) {
    for (int64_t k = 0; k < centers.num_rows(); ++k)
        for (int64_t a = 0; a < coords.num_rows(); ++a)
            scores(k, a) = -clustering::square(coords.row(a), centers.row(k));
}

} // namespace

Reseeding::Reseeding(const Problem& problem)
    : problem_(problem),
      work_(problem.num_points(), problem.num_clusters(), problem.num_dims()) {
}

bool Reseeding::run(std::span<const int64_t> points,
                    std::span<const int64_t> clusters, bool is_weighted,
                    std::span<int64_t> labels, NumpyGenerator& rng) {
    if (points.empty()) {
        // A seed is drawn for each cluster all the same.
        for (std::size_t k = 0; k < clusters.size(); ++k)
            rng.unit();
        return true;
    }
    copy_points(points, clusters);
    const auto size = std::ssize(points);
    const auto width = std::ssize(clusters);
    const MatrixView<const double> coords(coords_.data(), size,
                                          problem_.num_dims());
    const MatrixView<double> centers(centers_.data(), width,
                                     problem_.num_dims());
    const MatrixView<double> scores(scores_.data(), width, size);
    const clustering::Partition found{weights_, limits_, loads_, labels_};
    seed_centers(is_weighted ? clustering::Seeding::Ckm
                             : clustering::Seeding::KMeans,
                 {coords, weights_}, centers, work_, rng);
    int64_t unplaced = 0;
    for (int round = 0; round < num_rounds; ++round) {
        if (round > 0)
            update_centers(coords, {}, labels_, centers, work_);
        score(coords, centers, scores);
        unplaced = assign_by_regret(scores, found, 0.0, work_);
    }
    if (unplaced > 0)
        unplaced = place_by_exchange(scores, found);
    if (unplaced > 0)
        return false;
    for (int64_t a = 0; a < size; ++a)
        labels[points[a]] = clusters[labels_[a]];
    return true;
}

bool Reseeding::run_all(std::span<int64_t> labels, NumpyGenerator& rng) {
    std::vector<int64_t> points(problem_.num_points());
    std::vector<int64_t> clusters(problem_.num_clusters());
    std::iota(points.begin(), points.end(), 0);
    std::iota(clusters.begin(), clusters.end(), 0);
    return run(points, clusters, true, labels, rng);
}

void Reseeding::copy_points(std::span<const int64_t> points,
                            std::span<const int64_t> clusters) {
    coords_.clear();
    weights_.clear();
    limits_.clear();
    for (const int64_t i : points) {
        const std::span<const double> place = problem_.coords.row(i);
        coords_.insert(coords_.end(), place.begin(), place.end());
        weights_.push_back(problem_.limits.weights(i, 0));
    }
    for (const int64_t k : clusters)
        limits_.push_back(problem_.limits.upper(k, 0));
    centers_.resize(clusters.size() * problem_.num_dims());
    scores_.resize(clusters.size() * points.size());
    loads_.resize(clusters.size());
    labels_.resize(points.size());
}

Kicks::Kicks(Partition& partition, const Neighbourhood& around)
    : partition_(partition), descent_(partition, around),
      relief_(partition, around), reseeding_(partition.problem()),
      distances_(partition.problem().num_clusters()) {}

double Kicks::run(int64_t num_kicks, NumpyGenerator& rng) {
    const std::span<const int64_t> labels = partition_.groups().labels();
    double best = partition_.rebuild();
    kept_.assign(labels.begin(), labels.end());
    for (int64_t turn = 0; turn < num_kicks; ++turn) {
        const double value = kick(best, rng);
        if (value < best - min_gain * partition_.problem().scale) {
            best = value;
            kept_.assign(labels.begin(), labels.end());
        } else {
            partition_.assign(kept_);
        }
    }
    return partition_.rebuild();
}

void Kicks::choose_region(int64_t width, NumpyGenerator& rng) {
    const int64_t num_clusters = partition_.problem().num_clusters();
    const MatrixView<const double> means = partition_.means();
    const int64_t first = rng.below(num_clusters);
    for (int64_t k = 0; k < num_clusters; ++k)
        distances_[k] = clustering::square(means.row(k), means.row(first));
    distances_[first] = -1.0;
    region_.clear();
    while (std::ssize(region_) < std::min(width, num_clusters)) {
        const auto near = std::ranges::min_element(distances_);
        if (!(*near < infinity))
            break;
        region_.push_back(near - distances_.begin());
        *near = infinity;
    }
}

double Kicks::kick(double best, NumpyGenerator& rng) {
    const int64_t width =
        least_width + static_cast<int64_t>(num_widths * rng.unit());
    choose_region(width, rng);
    const bool is_weighted = rng.unit() < 0.5;
    points_.clear();
    const Groups& groups = partition_.groups();
    for (const int64_t k : region_)
        for (int64_t i = groups.first(k); i != nobody; i = groups.next(i))
            points_.push_back(i);
    labels_ = kept_;
    if (!reseeding_.run(points_, region_, is_weighted, labels_, rng))
        return infinity;
    double value = partition_.assign(labels_);
    // Assignments by regret know one upper limit alone.
    if (partition_.problem().limits.are_several()) {
        if (!relief_.settle(points_))
            return infinity;
        value = partition_.rebuild();
    }
    descent_.restart(region_);
    const int64_t size = partition_.problem().num_points();
    return value + descent_.run(max_passes * size, promising * best - value);
}

} // namespace ncc::partition
