#pragma once

#include "clustering/partition.h"
#include "partition/descent.h"
#include "partition/partition.h"
#include "partition/relief.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::partition {

// Clusters points anew: random seeds, then assignments by regret.
class Reseeding {
public:
    explicit Reseeding(const Problem& problem);

    // Clusters some of the points into some of the clusters; the seeds are
    // drawn by squared distance times weight (ckm++), or by squared distance
    // alone (k-means++). Returns whether every point was placed; if not, the
    // labels are unchanged.
    bool run(std::span<const int64_t> points,
             std::span<const int64_t> clusters, bool is_weighted,
             std::span<int64_t> labels, NumpyGenerator& rng);

    // The same for all of them, with ckm++.
    bool run_all(std::span<int64_t> labels, NumpyGenerator& rng);

private:
    // Copies what is clustered, and makes room for the rest.
    void copy_points(std::span<const int64_t> points,
                     std::span<const int64_t> clusters);

    Problem problem_;
    clustering::Workspace work_;
    std::vector<double> coords_;
    std::vector<double> weights_;
    std::vector<double> limits_;
    std::vector<double> centers_;
    std::vector<double> scores_;
    std::vector<double> loads_;
    std::vector<int64_t> labels_;
};

// Kicks: a few neighbouring clusters are clustered anew, a descent follows.
class Kicks {
public:
    Kicks(Partition& partition, const Neighbourhood& around);

    // Improves the partition by so many kicks; returns its inertia. A kick
    // that gains nothing is undone.
    double run(int64_t num_kicks, NumpyGenerator& rng);

private:
    // Chooses a random cluster and those nearest to it.
    void choose_region(int64_t width, NumpyGenerator& rng);

    // Clusters the region anew and descends; returns the inertia, infinity
    // where not every point was placed.
    double kick(double best, NumpyGenerator& rng);

    Partition& partition_;
    Descent descent_;
    Relief relief_;
    Reseeding reseeding_;
    std::vector<int64_t> region_;
    std::vector<int64_t> points_;
    std::vector<double> distances_;
    std::vector<int64_t> labels_;
    std::vector<int64_t> kept_;
};

} // namespace ncc::partition
