#pragma once

#include "fleets/descent.h"
#include "fleets/search.h"
#include "iterated/acceptance.h"
#include "iterated/params.h"

#include <cstdint>
#include <vector>

namespace ncc::fleets {

// An iterated local search of feasible routes whose customers all have a
// place: strings are removed and inserted again, a local search follows, and
// the routes are kept below a threshold.
class IteratedSearch {
public:
    // Goes on with the routes of a search, which has to outlive it.
    IteratedSearch(FleetSearch& search, const iterated::Params& params)
        : s_(search), params_(params), descent_(search, params.num_near),
          threshold_(params.window) {}

    // Whether it can search a problem: it takes back whole routes, which are
    // all that changes.
    [[nodiscard]] static bool takes(const FleetSearch& search) {
        return !search.problem.is_special && !search.has_penalties() &&
               !search.shapes.is_any() && search.num_absent == 0;
    }

    // Runs iterations while the progress in [0, 1] goes from one value to
    // another. The search has the best routes at the end.
    void iterate(int64_t num_iterations, double begin, double end);

private:
    void iterate_once(double progress);
    void keep();
    void restore();

    FleetSearch& s_;
    iterated::Params params_;
    Descent descent_;
    iterated::Threshold threshold_;
    // During iterations the best routes of the search are those that were
    // accepted last.
    std::vector<uint32_t> best_next_;
    double best_cost_ = 0.0;
    std::vector<uint32_t> changed_;            // routes
    std::vector<std::vector<uint32_t>> paths_; // their kept customers
};

} // namespace ncc::fleets
