#pragma once

#include "arrays.h"
#include "clustering/groups.h"

#include <cmath>
#include <cstdint>
#include <vector>

// Means of clusters that follow every change; both are of shape (points or
// clusters, dimensions).
namespace ncc::clustering {

// Moves the means when point i has left cluster `own` for another one.
inline void move_means(const Groups& groups, MatrixView<const double> coords,
                       int64_t i, int64_t own, MatrixView<double> means) {
    const int64_t to = groups.label(i);
    const double mass = groups.rules().mass(i);
    const double mass_left = groups.mass(own);
    const double mass_joined = groups.mass(to);
    if (mass == 0.0)
        return;
    for (int64_t d = 0; d < coords.num_columns(); ++d) {
        const double x = coords(i, d);
        double& left = means(own, d);
        double& joined = means(to, d);
        if (mass_left > 0.0)
            left += mass * (left - x) / mass_left;
        joined += mass * (x - joined) / mass_joined;
    }
}

// Holds the means of clusters without a fixed center against the members.
inline void check_means([[maybe_unused]] const Groups& groups,
                        [[maybe_unused]] MatrixView<const double> coords,
                        [[maybe_unused]] MatrixView<const double> means) {
#ifdef NCC_DEBUG
    for (int64_t k = groups.rules().num_fixed; k < groups.num_clusters(); ++k)
        for (int64_t d = 0; d < coords.num_columns(); ++d) {
            double sum = 0.0;
            double size = 0.0;
            for (int64_t i = groups.first(k); i != nobody;
                 i = groups.next(i)) {
                const double part = groups.rules().mass(i) * coords(i, d);
                sum += part;
                size += std::abs(part);
            }
            const double mass = groups.mass(k);
            NCC_CHECK(mass == 0.0 || std::abs(sum - mass * means(k, d)) <=
                                         1e-6 * (1.0 + size));
        }
#endif
}

} // namespace ncc::clustering
