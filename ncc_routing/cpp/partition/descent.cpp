#include "partition/descent.h"

#include <algorithm>
#include <cmath>

namespace ncc::partition {

Descent::Descent(Partition& partition, const Neighbourhood& around)
    : partition_(partition), around_(around),
      stamps_(partition.problem().num_clusters(), 1),
      seen_(partition.problem().num_points(), 0),
      seen_deeply_(partition.problem().num_points(), 0),
      borders_(around.near.values().size()) {}

void Descent::restart(std::span<const int64_t> changed) {
    std::ranges::fill(stamps_, 0);
    std::ranges::fill(seen_, 0);
    std::ranges::fill(seen_deeply_, 0);
    std::ranges::fill(borders_, Border{});
    for (const int64_t k : changed)
        stamps_[k] = 1;
    next_ = 0;
    num_idle_ = 0;
    is_deep_ = false;
    clock_ = 1;
}

double Descent::run(int64_t num_steps, double needed) {
    const int64_t size = partition_.problem().num_points();
    double total = 0.0;
    for (int64_t step = 0; step < num_steps; ++step) {
        const double change = improve(next_);
        total += change;
        next_ = next_ + 1 < size ? next_ + 1 : 0;
        if (change < 0.0) {
            ++clock_;
            num_idle_ = 0;
            is_deep_ = false;
        } else if (++num_idle_ >= size) {
            if (is_deep_ || total > needed)
                break;
            num_idle_ = 0;
            is_deep_ = true;
        }
    }
    partition_.check();
    return total;
}

double Descent::improve(int64_t i) {
    const Problem& problem = partition_.problem();
    const int64_t own = partition_.label(i);
    const int64_t since = is_deep_ ? seen_deeply_[i] : seen_[i];
    const bool has_changed = stamps_[own] > since;
    Move best{-min_gain * problem.scale};
    double gain = -1.0;
    for (int64_t at = 0; at < around_.near.num_columns(); ++at) {
        const int64_t k = around_.near(own, at);
        if (k == own || !(has_changed || stamps_[k] > since))
            continue;
        if (gain < 0.0)
            gain = partition_.removal(i);
        const double change = partition_.insertion(i, k) - gain;
        // The members of a full cluster that is no better are passed over.
        if (change >= best.change)
            continue;
        const Groups& groups = partition_.groups();
        if (groups.has_room(k, i) && groups.can_spare(own, i))
            best = {change, k};
        else
            look_inside(i, at, gain, best);
    }
    if (best.to == nobody) {
        seen_[i] = clock_;
        if (is_deep_)
            seen_deeply_[i] = clock_;
        return 0.0;
    }
    apply(i, best);
    return best.change;
}

double Descent::swap_bound(int64_t i, int64_t at) {
    const Groups& groups = partition_.groups();
    if (groups.limits().have_rules())
        return -infinity;
    const int64_t own = groups.label(i);
    const int64_t k = around_.near(own, at);
    Border& border = borders_[own * around_.near.num_columns() + at];
    if (border.own_stamp != stamps_[k] || border.other_stamp != stamps_[own]) {
        // The members are looked at anyway; only the next one asks.
        border = {stamps_[k], stamps_[own]};
        return -infinity;
    }
    const MatrixView<const double> coords = partition_.problem().coords;
    const MatrixView<const double> means = partition_.means();
    if (!border.is_known) {
        border.is_known = true;
        border.least = infinity;
        double radius = 0.0;
        int64_t left = around_.most;
        for (int64_t j = groups.first(k); j != nobody && left > 0;
             j = groups.next(j), --left) {
            const double near =
                clustering::square(coords.row(j), means.row(k));
            const double far =
                clustering::square(coords.row(j), means.row(own));
            border.least = std::min(border.least, far - near);
            radius = std::max(radius, near);
        }
        border.radius = std::sqrt(radius);
    }
    const double to = clustering::square(coords.row(i), means.row(k));
    const double from = clustering::square(coords.row(i), means.row(own));
    const double longest = std::sqrt(to) + border.radius;
    return to - from + border.least -
           longest * longest * (1.0 / groups.mass(own) + 1.0 / groups.mass(k));
}

void Descent::look_inside(int64_t i, int64_t at, double gain, Move& best) {
    const Groups& groups = partition_.groups();
    const int64_t own = groups.label(i);
    const int64_t k = around_.near(own, at);
    const bool can_leave = groups.can_spare(own, i);
    const bool can_swap = swap_bound(i, at) < best.change;
    if (!can_swap && !is_deep_)
        return;
    int64_t left = around_.most;
    for (int64_t j = groups.first(k); j != nobody && left > 0;
         j = groups.next(j), --left) {
        if (!groups.can_replace(k, j, i))
            continue;
        if (can_swap && groups.can_replace(own, i, j)) {
            const double change = partition_.exchange(i, j);
            if (change < best.change)
                best = {change, k, j, own};
        }
        if (is_deep_ && can_leave) {
            const double change = partition_.replacement(i, j) - gain;
            if (change < best.change)
                look_for_room(i, j, change, best);
        }
    }
    if (is_deep_ && !can_leave && groups.has_room(k, i))
        look_for_substitute(i, k, best);
}

void Descent::look_for_room(int64_t i, int64_t j, double change,
                            Move& best) const {
    const int64_t own = partition_.label(i);
    const int64_t k = partition_.label(j);
    for (const int64_t to : around_.near.row(k)) {
        if (to == k || to == own || !partition_.groups().has_room(to, j))
            continue;
        const double whole = change + partition_.insertion(j, to);
        if (whole < best.change)
            best = {whole, k, j, to};
    }
}

void Descent::look_for_substitute(int64_t i, int64_t k, Move& best) const {
    const Groups& groups = partition_.groups();
    const int64_t own = groups.label(i);
    const double joining = partition_.insertion(i, k);
    for (const int64_t from : around_.near.row(own)) {
        if (from == own || from == k)
            continue;
        int64_t left = around_.most;
        for (int64_t j = groups.first(from); j != nobody && left > 0;
             j = groups.next(j), --left) {
            if (!groups.can_spare(from, j) || !groups.can_replace(own, i, j))
                continue;
            const double change =
                partition_.replacement(j, i) - partition_.removal(j) + joining;
            if (change < best.change)
                best = {change, k, j, own};
        }
    }
}

void Descent::apply(int64_t i, const Move& move) {
    const int64_t own = partition_.label(i);
#ifdef NCC_DEBUG
    std::vector<int64_t> changed{own, move.to};
    if (move.other != nobody)
        for (const int64_t k : {partition_.label(move.other), move.other_to})
            if (std::ranges::find(changed, k) == changed.end())
                changed.push_back(k);
    const auto inertia = [&] {
        double total = 0.0;
        for (const int64_t k : changed)
            total += partition_.inertia_of(k);
        return total;
    };
    const double before = inertia();
#endif
    stamps_[own] = clock_ + 1;
    stamps_[move.to] = clock_ + 1;
    if (move.other != nobody) {
        stamps_[partition_.label(move.other)] = clock_ + 1;
        stamps_[move.other_to] = clock_ + 1;
        partition_.move(move.other, move.other_to);
    }
    partition_.move(i, move.to);
#ifdef NCC_DEBUG
    const double after = inertia();
    NCC_CHECK(std::abs(after - before - move.change) <=
              1e-6 * (std::abs(before) + std::abs(after) +
                      partition_.problem().scale));
#endif
}

} // namespace ncc::partition
