#pragma once

#include <cmath>
#include <cstdint>

namespace ncc::search {

// Sizes and probabilities of ruin and recreate, see RuinRecreateParams.
struct SearchParams {
    double mean_removed; // as the formula of the paper takes it
    double max_string;
    double split;
    double blink;
    double reach;
    double tolerance; // what a best cost has to improve by
    // Customers tried by 2-opt*, 2-opt and Or-opt after each ruin and
    // recreate, on average.
    double num_local_moves;

    // Customers that a ruin removes at most.
    [[nodiscard]] int64_t most_removed() const {
        const double most = std::ceil(4.0 * mean_removed + max_string);
        return static_cast<int64_t>(most) + 1;
    }
};

} // namespace ncc::search
