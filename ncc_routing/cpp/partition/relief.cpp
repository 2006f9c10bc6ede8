#include "partition/relief.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ncc::partition {

namespace {

// Passes over the points, at most: rounding errors can pass for a gain.
constexpr int most_passes = 1000;

} // namespace

Relief::Relief(Partition& partition, const Neighbourhood& around)
    : partition_(partition), around_(around) {}

bool Relief::run(std::span<const int64_t> points, const ReliefParams& params) {
    bool has_changed = false;
    for (const int64_t i : points) {
        const Move best = find_move(i, params);
        if (best.to == nobody)
            continue;
        apply(i, best);
        has_changed = true;
    }
    partition_.check();
    return has_changed;
}

bool Relief::settle(std::span<const int64_t> points) {
    const Groups& groups = partition_.groups();
    const std::vector<double> level(groups.num_clusters(), 0.0);
    for (int pass = 0; pass < most_passes && !groups.keeps_limits(); ++pass)
        if (!run(points, {level, level, level}))
            return false;
    return groups.keeps_limits();
}

double Relief::size(int64_t i) const {
    const Limits& limits = partition_.problem().limits;
    double total = 0.0;
    for (int64_t m = 0; m < limits.num_measures(); ++m)
        total += limits.units[m] * limits.weights(i, m);
    return total;
}

double Relief::handed_on(int64_t own, int64_t k,
                         const ReliefParams& params) const {
    const Groups& groups = partition_.groups();
    double most = 0.0;
    if (params.heights[k] < params.heights[own])
        most = std::max(most, groups.over(own));
    if (params.depths[own] < params.depths[k])
        most = std::max(most, groups.under(k));
    return most > 0.0 ? most + params.spare : 0.0;
}

Relief::Move Relief::find_move(int64_t i, const ReliefParams& params) const {
    const Groups& groups = partition_.groups();
    const int64_t own = groups.label(i);
    const double over = groups.over(own);
    const double before = groups.excess(own);
    double gain = -1.0;
    Move best;
    if (!groups.is_movable(i))
        return best;
    for (const int64_t k : around_.near.row(own)) {
        if (k == own || !(over > 0.0 || groups.under(k) > 0.0))
            continue;
        if (gain < 0.0)
            gain = partition_.removal(i);
        const double handed = handed_on(own, k, params);
        double less = before + groups.excess(k);
        less -= groups.excess(own, i);
        less -= groups.excess(k, nobody, i);
        const bool fits = less > 0.0;
        if (!fits && size(i) <= handed)
            less = size(i);
        if (less > 0.0) {
            const double change = partition_.insertion(i, k) - gain;
            const double cost =
                (change + params.prices[k] - params.prices[own]) / less;
            if (cost < best.cost)
                best = {cost, change, k, nobody};
        }
        if (!fits)
            look_inside(i, k, handed, best);
    }
    return best;
}

void Relief::look_inside(int64_t i, int64_t k, double handed,
                         Move& best) const {
    const Groups& groups = partition_.groups();
    const bool is_single =
        groups.limits().num_measures() == 1 && !groups.limits().have_rules();
    const int64_t own = groups.label(i);
    const double before = groups.excess(own) + groups.excess(k);
    const double whole = size(i);
    int64_t left = around_.most;
    for (int64_t j = groups.first(k); j != nobody && left > 0;
         j = groups.next(j), --left) {
        const double shift = whole - size(j);
        if ((is_single && shift <= 0.0) || !groups.is_movable(j))
            continue;
        double less = before - groups.excess(own, i, j);
        less -= groups.excess(k, j, i);
        if (less <= 0.0 && shift > 0.0 && shift <= handed)
            less = shift;
        if (less <= 0.0)
            continue;
        const double change = partition_.exchange(i, j);
        if (change / less < best.cost)
            best = {change / less, change, k, j};
    }
}

void Relief::apply(int64_t i, const Move& move) {
    const int64_t own = partition_.label(i);
#ifdef NCC_DEBUG
    const double before =
        partition_.inertia_of(own) + partition_.inertia_of(move.to);
#endif
    if (move.other != nobody)
        partition_.move(move.other, own);
    partition_.move(i, move.to);
#ifdef NCC_DEBUG
    const double after =
        partition_.inertia_of(own) + partition_.inertia_of(move.to);
    NCC_CHECK(std::abs(after - before - move.change) <=
              1e-6 * (std::abs(before) + std::abs(after) +
                      partition_.problem().scale));
#endif
}

} // namespace ncc::partition
