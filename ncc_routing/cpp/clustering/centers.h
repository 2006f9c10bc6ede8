#pragma once

#include "arrays.h"
#include "clustering/partition.h"
#include "random.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

// Steps around centers: seeds, medoids, means. A depot is given by its
// coordinates, none by an empty span.
namespace ncc::clustering {

// How first centers are chosen.
enum class Seeding {
    Random,    // distinct points, uniformly
    KMeans,    // k-means++: by squared distance to the nearest center
    Ckm,       // ckm++: that distance times the weight of the point
    TopWeights // the heaviest points
};

// The squared distance of two places.
inline double square(std::span<const double> a, std::span<const double> b) {
    NCC_CHECK(a.size() == b.size());
    if (a.size() == 2) {
        const double dx = a[0] - b[0];
        const double dy = a[1] - b[1];
        return dx * dx + dy * dy;
    }
    // Four sums, which go on side by side.
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    std::size_t d = 0;
    for (; d + 4 <= a.size(); d += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const double gap = a[d + lane] - b[d + lane];
            sums[lane] += gap * gap;
        }
    double total = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (; d < a.size(); ++d) {
        const double gap = a[d] - b[d];
        total += gap * gap;
    }
    return total;
}

inline double distance(std::span<const double> a, std::span<const double> b) {
    return std::sqrt(square(a, b));
}

// Sets `squares` to the squared distances of a place to so many rows of
// `coords`, the first of them `first`.
void fill_squares(MatrixView<const double> coords, int64_t first,
                  std::span<const double> place, std::span<double> squares);

// Gives row k of `target` the place of row i of `source`.
inline void copy_point(MatrixView<const double> source, int64_t i,
                       MatrixView<double> target, int64_t k) {
    std::ranges::copy(source.row(i), target.row(k).begin());
}

// Chooses points as first centers, a row of `centers` each. D. Arthur and
// S. Vassilvitskii (2007). k-means++: the advantages of careful seeding. SODA.
void seed_centers(Seeding rule, const Points& points,
                  MatrixView<double> centers, Workspace& work,
                  NumpyGenerator& rng);

// Sets `medoids[k]` to the point nearest to center k.
void find_medoids(MatrixView<const double> coords,
                  MatrixView<const double> centers,
                  std::span<int64_t> medoids);

// Moves each center to the mean of its members, and the depot if there is
// one; that of an empty cluster stays. Returns the sum of the squared
// movements. Points with the label -1 count nowhere.
double update_centers(MatrixView<const double> coords,
                      std::span<const double> depot,
                      std::span<const int64_t> labels,
                      MatrixView<double> centers, Workspace& work);

// The squared distances of all points to the mean of their cluster.
double inertia_of(MatrixView<const double> coords,
                  std::span<const int64_t> labels, int64_t num_clusters,
                  Workspace& work);

} // namespace ncc::clustering
