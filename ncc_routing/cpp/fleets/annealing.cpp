#include "fleets/annealing.h"

#include "fleets/moves.h"
#include "fleets/recreate.h"
#include "fleets/schedules.h"
#include "search/ruin.h"

#include <algorithm>
#include <cmath>

namespace ncc::fleets {

namespace {

using search::SearchParams;

// Returns the cost below which the next routes are accepted.
double draw_limit(FleetSearch& s, double temperature) {
    return s.cost - temperature * std::log(1.0 - s.random.unit());
}

// Tries the moves that follow a ruin and recreate.
void improve_locally(FleetSearch& s, const SearchParams& params,
                     double temperature) {
    double left = params.num_local_moves;
    while (left > 0.0) {
        if (left >= 1.0 || s.random.unit() < left)
            try_move(s, params.tolerance, temperature);
        left -= 1.0;
    }
}

// Returns how often the absent customers have been absent, all together.
int64_t sum_absences(const FleetSearch& s) {
    int64_t sum = 0;
    for (int64_t idx = 0; idx < s.num_absent; ++idx)
        sum += s.absences[s.absent[idx]];
    return sum;
}

} // namespace

int64_t anneal(FleetSearch& s, const SearchParams& params,
               int64_t num_iterations, double temperature, double cooling) {
    int64_t num_accepted = 0;
    for (int64_t iteration = 0; iteration < num_iterations; ++iteration) {
        s.begin_iteration();
        const double limit = draw_limit(s, temperature);
        temperature *= cooling;
        search::ruin(s, params);
        settle_ruined(s);
        const int64_t num_customers = order_customers(s);
        // Without the triangle inequality an insertion may save length, so
        // that no partial cost says anything about the final one.
        const double bound = s.problem.is_metric ? limit : infinity;
        const bool is_complete =
            recreate(s, params, num_customers, bound, false);
        if (is_complete && s.cost < limit && all_keep_limits(s)) {
            ++num_accepted;
            search::commit(s);
            s.keep_if_best(params.tolerance);
        } else {
            search::undo(s);
            settle_undone(s);
        }
        s.check();
        improve_locally(s, params, temperature);
    }
    return num_accepted;
}

int64_t place_absent(FleetSearch& s, const SearchParams& params,
                     int64_t num_iterations, double temperature) {
    std::vector<uint32_t> absent_before;
    for (int64_t left = num_iterations; left > 0 && s.num_absent > 0; --left) {
        s.begin_iteration();
        const double limit = draw_limit(s, temperature);
        const int64_t num_before = s.num_absent;
        absent_before.assign(s.absent.begin(), s.absent.begin() + num_before);
        const int64_t seldom = sum_absences(s);
        search::ruin(s, params);
        settle_ruined(s);
        const int64_t num_customers = order_customers(s);
        recreate(s, params, num_customers, infinity, true);
        const int64_t often = sum_absences(s);
        for (int64_t idx = 0; idx < s.num_absent; ++idx)
            ++s.absences[s.absent[idx]];
        const bool is_better = often < seldom || s.num_absent == 0;
        const bool is_close = s.num_absent <= num_before && s.cost < limit;
        if ((is_better || is_close) && all_keep_limits(s)) {
            search::commit(s);
        } else {
            search::undo(s);
            s.num_absent = num_before;
            std::copy(absent_before.begin(), absent_before.end(),
                      s.absent.begin());
            for (const uint32_t customer : absent_before)
                s.route_of[customer] = s.num_slots;
            settle_undone(s);
        }
        s.check();
        improve_locally(s, params, temperature);
    }
    if (s.num_absent == 0)
        s.keep_best();
    return s.num_absent;
}

int64_t insert_all(FleetSearch& s, const SearchParams& params) {
    s.begin_iteration();
    const int64_t num_customers = order_customers(s);
    recreate(s, params, num_customers, infinity, true);
    search::commit(s);
    s.check();
    if (s.num_absent == 0)
        s.keep_best();
    return s.num_absent;
}

} // namespace ncc::fleets
