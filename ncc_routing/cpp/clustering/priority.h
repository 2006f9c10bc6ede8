#pragma once

#include "arrays.h"
#include "clustering/partition.h"

#include <cstdint>
#include <span>

// How strongly points belong to clusters.
namespace ncc::clustering {

// A priority as the weights of the terms of one fixed formula; the named
// tuple of clustering/priority.py. That of point i for a center c with medoid
// m is
//
//     affinity_weight * affinity(m, i) + ratio_weight * q_i / d(i, c)
//     + depot_weight * d(i, 0) - distance_weight * d(i, c)
//     - detour_weight * (d(i, 0) + d(i, c) - d(c, 0)),
//
// where 0 is the depot (its terms are left out where there is none), q_i the
// weight, and d the plain Euclidean distance. Higher is better.
struct PriorityFormula {
    // Points with a known affinity to each point, and the affinity.
    MatrixView<const int32_t> neighbours;
    MatrixView<const double> affinity;
    double far_affinity = 0.0; // of pairs that are not listed
    double affinity_weight = 0.0;
    double ratio_weight = 0.0;
    double depot_weight = 0.0;
    double distance_weight = 0.0;
    double detour_weight = 0.0;

    [[nodiscard]] bool uses_affinity() const { return affinity_weight != 0.0; }

    // The priority with a share of its distance counted as detour. What it
    // counts as detour by itself stays.
    [[nodiscard]] PriorityFormula with_detour(double share) const {
        PriorityFormula formula = *this;
        formula.distance_weight = distance_weight * (1.0 - share);
        formula.detour_weight = detour_weight + distance_weight * share;
        return formula;
    }
};

// Which rows of a table of affinities stand for the points, in their order:
// the row of each point, and the point of each row, -1 for none. Both are
// empty where they are the same.
struct TableRows {
    std::span<const int64_t> row_of;
    std::span<const int32_t> point_of;
};

// Sets `scores(k, i)` to the priority of point i for center k.
//
// `depot` is its coordinates, or empty. `medoids` are only read where the
// formula uses affinities.
void score(const PriorityFormula& formula, const TableRows& rows,
           const Points& points, std::span<const double> depot,
           MatrixView<const double> centers, std::span<const int64_t> medoids,
           Workspace& work, MatrixView<double> scores);

} // namespace ncc::clustering
