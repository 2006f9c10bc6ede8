#pragma once

#include "arrays.h"
#include "clustering/partition.h"
#include "random.h"

#include <cstdint>
#include <span>

// Steps of capacitated k-means with scores from outside, for a few clusters a
// point: `listed` (C, n) are the clusters of each point, `scores` (C, n)
// their scores, higher is better.
namespace ncc::clustering {

// Lists the nearest centers of each point, nearest first, and their
// distances; both are (C, n), C at most the number of centers.
void list_centers(MatrixView<const double> coords,
                  MatrixView<const double> centers, MatrixView<int64_t> listed,
                  MatrixView<double> lengths);

// Sets `medoids[k]` to the member that is nearest to center k; that of a
// cluster without members stays.
void take_members(MatrixView<const double> coords,
                  MatrixView<const double> centers,
                  std::span<const int64_t> labels, std::span<int64_t> medoids);

// How the most doubtful points are placed again.
struct DoubtRules {
    int64_t num_left;    // how many: those of the least regrets
    int64_t num_samples; // orders that are tried
    double noise;        // scale of the noise in them
};

// Places the most doubtful points again, and those without a cluster; returns
// how many fit nowhere.
//
// Each goes to the listed cluster with room of the highest score, else to the
// nearest one with room. The order is that of the regrets, the gaps between
// the two best scores, the largest first; from the second sample on with
// Gumbel noise added. The order that places most points, then that of the
// largest sum of scores, counts, if it is better than what there was.
int64_t place_doubtful(MatrixView<const double> scores,
                       MatrixView<const int64_t> listed,
                       MatrixView<const double> coords,
                       MatrixView<const double> centers,
                       const Partition& partition, const DoubtRules& rules,
                       NumpyGenerator& rng);

} // namespace ncc::clustering
