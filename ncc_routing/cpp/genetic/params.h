#pragma once

#include <cstdint>

namespace ncc::genetic {

struct Params {
    int64_t min_size = 25;        // members of a kind that survive (mu)
    int64_t generation_size = 40; // members beyond them, then the worst go
    int64_t num_elite = 4;        // whose cost counts more than diversity
    int64_t num_close = 5;        // members that diversity is measured to
    int64_t num_founders = 100;   // offspring of a population without parents
    int64_t max_idle = 20'000;    // offspring without improvement, then anew
    double repair_share = 0.5;    // of the infeasible offspring,
    double repair_factor = 10.0;  // by more penalty
    int64_t penalty_interval = 100; // offspring between changes of the penalty
    double target_feasible = 0.2;   // share of feasible offspring,
    double tolerance = 0.05;        // and by how much it may differ
    double penalty_increase = 1.2;
    double penalty_decrease = 0.85;
    double min_penalty = 0.1;
    double max_penalty = 1e5;
};

} // namespace ncc::genetic
