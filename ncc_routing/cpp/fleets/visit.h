#pragma once

#include "arrays.h"

namespace ncc::fleets {

// When a service may begin, its length, and when goods are at the depot.
struct Visit {
    double early = 0.0;
    double late = infinity;
    // What arrivals are compared with: `late` and the tolerance of rounded
    // sums.
    double limit = infinity;
    double service = 0.0;
    double release = 0.0;
};

} // namespace ncc::fleets
