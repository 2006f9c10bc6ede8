#pragma once

#include "arrays.h"
#include "fleets/problem.h"

#include <cstdint>
#include <span>
#include <vector>

// Which customers are near each other, where there are too many to look at all
// pairs.
namespace ncc::fleets {

// What a unit of distance and of duration costs.
struct Rates {
    double distance = 0.0;
    double duration = 0.0;
};

// Weights of the waiting and lateness that no schedule avoids.
struct TimeWeights {
    double waiting = 0.0;
    double lateness = 0.0;
};

struct Neighbours {
    std::vector<uint32_t> nodes; // (nodes, degree)
    std::vector<double> near;
};

// Returns the nearest neighbours of each customer, as `rank_neighbours` of
// _neighbours.py does: the nearest ones on a map are looked at until distance
// alone makes all others farther, or `most` are.
//
// `places` (customers + 1, 2) are on a map, a unit of which is `unit` long at
// least. Rows beyond the visits have no neighbours.
Neighbours find_neighbours(const PlaceLengths& distances,
                           const PlaceLengths& durations,
                           MatrixView<const double> places, double unit,
                           std::span<const Visit> visits,
                           std::span<const Rates> rates, TimeWeights weights,
                           int64_t degree, int64_t most, int64_t num_nodes);

} // namespace ncc::fleets
