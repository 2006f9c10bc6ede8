#pragma once

#include "arrays.h"
#include "clustering/groups.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace ncc::medians {

// Points to be clustered around medoids or means; nothing of it changes
// during a search.
struct Problem {
    // Of shape (points, dimensions).
    MatrixView<const double> coords;
    // Distances where they do not follow from the coordinates, else empty.
    // Row j holds those from every point to j, which a medoid adds up.
    MatrixView<const double> matrix;
    // Whether distances between points are cut to whole numbers.
    bool rounds_down = false;
    // Whether centers are means instead of medoids, and distances squared.
    bool uses_means = false;
    bool squares = false;
    Limits limits;
    // The largest load of a cluster with that medoid, infinity where the
    // limits of the cluster alone count.
    std::span<const double> point_limits;
    // Other points close to each one, the closest first; at least one.
    MatrixView<const int64_t> near;

    [[nodiscard]] int64_t num_points() const { return coords.num_rows(); }
    [[nodiscard]] int64_t num_dims() const { return coords.num_columns(); }
    [[nodiscard]] int64_t num_clusters() const {
        return limits.num_clusters();
    }

    // The largest coordinate: rounding errors of means are small beside it.
    [[nodiscard]] double extent() const {
        double largest = 0.0;
        for (const double value : coords.values())
            largest = std::max(largest, std::abs(value));
        return largest;
    }

    // The distance from point i to the medoid j, times the mass of i.
    [[nodiscard]] double distance(int64_t i, int64_t j) const {
        const double mass = limits.rules->mass(i);
        if (!matrix.empty())
            return mass * matrix(j, i);
        double total = 0.0;
        for (int64_t d = 0; d < num_dims(); ++d) {
            const double gap = coords(i, d) - coords(j, d);
            total += gap * gap;
        }
        const double length = std::sqrt(total);
        return mass * (rounds_down ? std::floor(length) : length);
    }
};

} // namespace ncc::medians
