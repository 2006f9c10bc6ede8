#include "medians/openings.h"

#include <algorithm>
#include <cmath>

namespace ncc::medians {

namespace {

// Up to this size the medoid is compared with the members next to it.
constexpr double large_size = 400;

// Neighbouring clusters among which a closed one is shared out, at most.
constexpr std::size_t max_around = 32;

// Random points among which the place of a new cluster is chosen.
constexpr int num_places = 6;

// How often a cluster is closed although another one is empty.
constexpr double closing_share = 0.3;

#ifdef NCC_DEBUG
double total_cost(const Clusters& clusters, double price) {
    double total = 0.0;
    for (int64_t k = 0; k < clusters.problem().num_clusters(); ++k)
        total += clusters.whole_cost(k, price);
    return total;
}
#endif

} // namespace

Openings::Openings(Clusters& clusters, double value)
    : clusters_(clusters), value_(value),
      old_medoids_(clusters.problem().num_clusters(), nobody) {
    transfers_.reserve(clusters.problem().num_points() + 1);
    touched_.reserve(clusters.problem().num_clusters());
    around_.reserve(max_around);
}

bool Openings::try_closing(int64_t k, double price, double allowed) {
    begin();
    find_around(k);
    const Groups& groups = clusters_.groups();
    const Rules& rules = groups.rules();
    if (around_.empty() || !groups.can_dissolve(k))
        return false;
#ifdef NCC_DEBUG
    total_before_ = total_cost(clusters_, price);
#endif
    touch(k, price);
    // Over a graph those come again that no other cluster bordered on.
    bool has_moved = true;
    while (has_moved && groups.first(k) != nobody) {
        has_moved = false;
        for (int64_t i = groups.first(k); i != nobody;) {
            int64_t following = groups.next(i);
            while (following != nobody && rules.leader(following) == i)
                following = groups.next(following);
            const int64_t chosen =
                rules.leader(i) == i ? cheapest_around(i, price) : nobody;
            if (chosen != nobody) {
                touch(chosen, price);
                transfer(i, chosen);
                has_moved = true;
            }
            i = following;
        }
    }
    return conclude(price, groups.first(k) == nobody ? allowed : -infinity);
}

int64_t Openings::cheapest_around(int64_t i, double price) const {
    const Groups& groups = clusters_.groups();
    double best = infinity;
    // Where every cost overflows the first one is as good as any.
    int64_t chosen = groups.rules().is_contiguous ? nobody : around_[0];
    for (const int64_t to : around_) {
        double cost = clusters_.to_center(i, to) + groups.pull(to, nobody, i);
        if (cost >= best || !groups.stays_whole(to, nobody, i))
            continue;
        cost += price * clusters_.added_excess(to, nobody, i);
        if (cost < best) {
            best = cost;
            chosen = to;
        }
    }
    return chosen;
}

bool Openings::try_opening(int64_t i, double price, double allowed) {
    const Problem& problem = clusters_.problem();
    const Groups& groups = clusters_.groups();
    i = groups.rules().leader(i);
    const int64_t left = clusters_.label(i);
    if (clusters_.count(left) < 2 || clusters_.spare().empty() ||
        !can_transfer(i, clusters_.spare().back()))
        return false;
#ifdef NCC_DEBUG
    total_before_ = total_cost(clusters_, price);
#endif
    begin();
    const int64_t k = clusters_.spare().back();
    touch(k, price);
    touch(left, price);
    const bool left_medoid = clusters_.is_medoid(i);
    transfer(i, k);
    clusters_.set_medoid(k, i);
    if (left_medoid)
        clusters_.recenter(left, price);
    // The list grows while it is walked: neighbours of those that follow.
    for (std::size_t reached = 0; reached < transfers_.size(); ++reached)
        for (const int64_t near :
             problem.near.row(transfers_[reached].point)) {
            const int64_t j = groups.rules().leader(near);
            const int64_t own = clusters_.label(j);
            if (own == k || clusters_.count(own) < 2 || clusters_.is_medoid(j))
                continue;
            double change = clusters_.to_center(j, k);
            change -= clusters_.to_center(j, own);
            change += price * (clusters_.added_excess(k, nobody, j) +
                               clusters_.added_excess(own, j, nobody));
            change += groups.pull(k, nobody, j) + groups.pull(own, j, nobody);
            if (change < 0.0 && can_transfer(j, k)) {
                touch(own, price);
                transfer(j, k);
            }
        }
    return conclude(price, allowed);
}

bool Openings::try_cutting(int64_t i, int64_t to, double price,
                           double allowed) {
    const Groups& groups = clusters_.groups();
    const int64_t own = groups.label(i);
    if (!groups.find_cut_off(i, cut_off_))
        return false;
#ifdef NCC_DEBUG
    total_before_ = total_cost(clusters_, price);
#endif
    begin();
    touch(own, price);
    touch(to, price);
    transfer(i, to);
    for (const int64_t p : cut_off_)
        if (groups.label(p) == own)
            transfer(groups.rules().leader(p), to);
    const bool is_whole =
        groups.num_parts(own) <= 1 && groups.num_parts(to) <= 1;
    return conclude(price, is_whole ? allowed : -infinity);
}

void Openings::open_somewhere(double price, NumpyGenerator& rng) {
    double best = -1.0;
    int64_t chosen = 0;
    for (int place = 0; place < num_places; ++place) {
        const int64_t i = rng.below(clusters_.problem().num_points());
        const int64_t k = clusters_.label(i);
        const int64_t medoid = clusters_.medoid(k);
        if (clusters_.count(k) <= 1 || clusters_.is_medoid(i))
            continue;
        const double saved =
            clusters_.to_center(i, k) + price * clusters_.excess(k, medoid);
        if (saved > best) {
            best = saved;
            chosen = i;
        }
    }
    try_opening(chosen, price, infinity);
}

void Openings::exchange(double temperature, double price, int64_t num_moves,
                        NumpyGenerator& rng) {
    const int64_t num_clusters = clusters_.problem().num_clusters();
    const double step = 1.001 + 0.25 / static_cast<double>(num_clusters);
    for (int64_t turn = 0; turn < num_moves; ++turn) {
        const double noise = -temperature * std::log(1.0 - rng.unit());
        if (clusters_.spare().empty() || rng.unit() < closing_share) {
            const int64_t k = rng.below(num_clusters);
            if (clusters_.count(k) > 0)
                try_closing(k, price, noise + value_);
        } else {
            const int64_t i = rng.below(clusters_.problem().num_points());
            try_opening(i, price, noise - value_);
        }
        if (clusters_.spare().empty())
            value_ *= step;
        else
            value_ /= step;
    }
    clusters_.check();
}

bool Openings::can_transfer(int64_t i, int64_t to) const {
    const Groups& groups = clusters_.groups();
    return groups.is_movable(i) &&
           groups.stays_whole(groups.label(i), i, nobody) &&
           groups.stays_whole(to, nobody, i);
}

void Openings::begin() {
    transfers_.clear();
    touched_.clear();
    old_cost_ = 0.0;
}

void Openings::touch(int64_t k, double price) {
    if (std::ranges::find(touched_, k) != touched_.end())
        return;
    touched_.push_back(k);
    old_medoids_[k] = clusters_.medoid(k);
    old_cost_ += clusters_.whole_cost(k, price);
}

void Openings::transfer(int64_t i, int64_t to) {
    transfers_.push_back({i, clusters_.label(i)});
    clusters_.move(i, to);
}

bool Openings::conclude(double price, double allowed) {
    double cost = 0.0;
    for (const int64_t k : touched_) {
        const int64_t medoid = clusters_.medoid(k);
        const double count = clusters_.count(k);
        if (count > 0 && !clusters_.problem().uses_means) {
            if (count <= medium_size || medoid == nobody ||
                clusters_.label(medoid) != k)
                clusters_.recenter(k, price);
            else if (count <= large_size)
                clusters_.shift_medoid(k, price);
        }
        cost += clusters_.whole_cost(k, price);
    }
    const bool is_kept = cost - old_cost_ <= allowed;
#ifdef NCC_DEBUG
    const double total = total_cost(clusters_, price);
    NCC_CHECK(std::abs(total - total_before_ - (cost - old_cost_)) <=
              1e-6 * (std::abs(total) + std::abs(total_before_) +
                      clusters_.problem().extent()));
#endif
    if (is_kept)
        return true;
    for (auto last = transfers_.rbegin(); last != transfers_.rend(); ++last)
        clusters_.move(last->point, last->origin);
    for (const int64_t k : touched_)
        clusters_.set_medoid(k, old_medoids_[k]);
    return false;
}

void Openings::find_around(int64_t k) {
    around_.clear();
    const auto& near = clusters_.problem().near;
    const Groups& groups = clusters_.groups();
    for (int64_t i = groups.first(k); i != nobody; i = groups.next(i))
        for (const int64_t j : near.row(i)) {
            const int64_t to = groups.label(j);
            if (to == k || std::ranges::find(around_, to) != around_.end())
                continue;
            around_.push_back(to);
            if (around_.size() == max_around)
                return;
        }
}

} // namespace ncc::medians
