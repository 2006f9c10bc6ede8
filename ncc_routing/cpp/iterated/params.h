#pragma once

#include <cmath>
#include <cstdint>

namespace ncc::iterated {

// A value that changes geometrically from the begin of a search to its end.
struct Schedule {
    double begin;
    double end;

    [[nodiscard]] double at(double progress) const {
        return begin * std::pow(end / begin, progress);
    }
};

// Sizes and thresholds of the iterated local search, see IteratedParams.
struct Params {
    // Nearest neighbours that a move joins a customer to.
    int64_t num_near;
    // Iterations that a mean reaches back, and between two steps of a ruin.
    int64_t window;
    // Edges by which a local optimum is to differ from the routes before.
    Schedule distance;
    // Share of the way from the best recent cost to the mean one up to which
    // routes are accepted.
    Schedule threshold;
    // Share of the iterations that take edges of a partner over.
    double partner_share;
    // What a cost has to fall by to be a gain.
    double tolerance;
};

} // namespace ncc::iterated
