#include "fleets/iterated.h"

#include "fleets/refitting.h"
#include "search/recreate.h"
#include "search/ruin.h"

#include <algorithm>

namespace ncc::fleets {

void IteratedSearch::iterate(int64_t num_iterations, double begin,
                             double end) {
    best_next_ = s_.best_next;
    best_cost_ = s_.best_cost;
    s_.keep_best();
    const double step = (end - begin) / static_cast<double>(num_iterations);
    for (int64_t idx = 0; idx < num_iterations; ++idx)
        iterate_once(begin + static_cast<double>(idx) * step);
    s_.best_next.swap(best_next_);
    s_.best_cost = best_cost_;
    for (uint32_t node = 1; node < s_.nodes.size(); ++node)
        if (s_.nodes[node].next != s_.best_next[node])
            s_.mark_dirty(node);
}

void IteratedSearch::iterate_once(double progress) {
    s_.begin_iteration();
    search::ruin(s_);
    s_.settle_ruined();
    const int64_t num_customers = search::order_customers(s_);
    if (!search::recreate(s_, num_customers, infinity) || !s_.keeps_limits()) {
        search::undo(s_);
        s_.settle_undone();
        s_.check();
        return;
    }
    search::commit(s_);
    s_.check();
    descent_.run();
    const double most =
        threshold_.add(s_.cost, params_.threshold.at(progress));
    if (s_.cost <= most || s_.cost < best_cost_)
        keep();
    else
        restore();
    s_.check();
}

void IteratedSearch::keep() {
    s_.keep_best();
    if (!(s_.cost < best_cost_ - s_.params.tolerance))
        return;
    best_cost_ = s_.cost;
    best_next_ = s_.best_next;
}

// Goes back to the kept routes. A node whose successor has changed lies on
// each route that has: the first one where they differ.
void IteratedSearch::restore() {
    changed_.clear();
    for (int64_t idx = 0; idx < s_.num_dirty; ++idx) {
        const uint32_t node = s_.dirty[idx];
        s_.is_dirty[node] = 0;
        if (s_.nodes[node].next != s_.best_next[node])
            changed_.push_back(s_.route_of[node]);
    }
    s_.num_dirty = 0;
    std::ranges::sort(changed_);
    const auto repeated = std::ranges::unique(changed_);
    changed_.erase(repeated.begin(), repeated.end());
    paths_.resize(std::max(paths_.size(), changed_.size()));
    for (std::size_t idx = 0; idx < changed_.size(); ++idx) {
        const uint32_t route = changed_[idx];
        for (const uint32_t node : s_.customers_of(route))
            s_.count(node, route, -1);
        paths_[idx].clear();
        uint32_t node = s_.best_next[s_.depot_of(route)];
        for (; s_.is_customer(node); node = s_.best_next[node])
            paths_[idx].push_back(node);
    }
    for (std::size_t idx = 0; idx < changed_.size(); ++idx) {
        install(s_, paths_[idx], changed_[idx]);
        for (const uint32_t node : paths_[idx])
            s_.count(node, changed_[idx], 1);
    }
    s_.cost = s_.best_cost;
}

} // namespace ncc::fleets
