#include "partition/relief.h"

#include <algorithm>
#include <cmath>

namespace ncc::partition {

Relief::Relief(Partition& partition, const Neighbourhood& around)
    : partition_(partition), around_(around) {}

bool Relief::run(std::span<const int64_t> points, const ReliefParams& params) {
    bool has_changed = false;
    for (const int64_t i : points) {
        const int64_t own = partition_.label(i);
        if (partition_.load(own) <= partition_.problem().limits[own])
            continue;
        const Move best = find_move(i, params);
        if (best.to == nobody)
            continue;
        apply(i, best);
        has_changed = true;
    }
    partition_.check();
    return has_changed;
}

Relief::Move Relief::find_move(int64_t i, const ReliefParams& params) const {
    const int64_t own = partition_.label(i);
    const double over =
        partition_.load(own) - partition_.problem().limits[own];
    const double weight = partition_.problem().weights[i];
    const double gain = partition_.removal(i);
    Move best;
    for (const int64_t k : around_.near.row(own)) {
        if (k == own)
            continue;
        const double room = partition_.room(k);
        const bool is_lower = params.heights[k] < params.heights[own];
        double less = std::min(over, weight) - std::max(0.0, weight - room);
        less -= std::max(0.0, -room);
        const bool fits = less > 0.0;
        if (!fits && is_lower && weight <= over + params.spare)
            less = weight;
        if (less > 0.0) {
            const double change = partition_.insertion(i, k) - gain;
            const double cost =
                (change + params.prices[k] - params.prices[own]) / less;
            if (cost < best.cost)
                best = {cost, change, k, nobody};
        }
        if (!fits)
            look_inside(i, k, params, best);
    }
    return best;
}

void Relief::look_inside(int64_t i, int64_t k, const ReliefParams& params,
                         Move& best) const {
    const auto& weights = partition_.problem().weights;
    const int64_t own = partition_.label(i);
    const double over =
        partition_.load(own) - partition_.problem().limits[own];
    const double room = partition_.room(k);
    const bool is_lower = params.heights[k] < params.heights[own];
    const MemberLists& lists = partition_.lists();
    int64_t left = around_.most;
    for (int64_t j = lists.first(k); j != nobody && left > 0;
         j = lists.next(j), --left) {
        const double shift = weights[i] - weights[j];
        if (shift <= 0.0)
            continue;
        double less = std::max(0.0, over) + std::max(0.0, -room);
        less -= std::max(0.0, over - shift);
        less -= std::max(0.0, shift - room);
        if (less <= 0.0 && is_lower && shift <= over + params.spare)
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
              1e-6 * (before + after + partition_.problem().scale));
#endif
}

} // namespace ncc::partition
