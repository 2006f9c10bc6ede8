#include "medians/clusters.h"

#include "clustering/means.h"

#include <algorithm>

namespace ncc::medians {

Clusters::Clusters(const Problem& problem)
    : problem_(problem), groups_(problem.limits),
      medoids_(problem.num_clusters(), nobody),
      means_(problem.num_clusters() * problem.num_dims(), 0.0),
      group_(problem.num_points() + 1), middle_(problem.num_dims()) {
    spare_.reserve(problem.num_clusters());
    // Clusters that are empty keep their fixed center as well.
    if (problem.uses_means)
        std::ranges::copy(groups_.rules().centers, means_.begin());
}

void Clusters::assign(std::span<const int64_t> labels, double price) {
    groups_.assign(labels);
    medoids_.assign(medoids_.size(), nobody);
    spare_.clear();
    for (int64_t k = 0; k < problem_.num_clusters(); ++k) {
        if (count(k) == 0)
            spare_.push_back(k);
        else
            recenter(k, price);
    }
}

double Clusters::cost(int64_t k, double price) const {
    double total = price * excess(k, medoids_[k]);
    for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i))
        total += reach(i, k);
    return total;
}

double Clusters::best_cost(int64_t k, int64_t leaving, int64_t coming,
                           double price) {
    return find_center(k, leaving, coming, price).cost;
}

Clusters::Cost Clusters::evaluate() const {
    Cost cost;
    for (int64_t k = 0; k < problem_.num_clusters(); ++k)
        cost.excess += excess(k, medoids_[k]);
    for (int64_t i = 0; i < problem_.num_points(); ++i)
        cost.distance += reach(i, groups_.label(i));
    cost.distance += groups_.price();
    cost.excess += static_cast<double>(groups_.num_breaks());
    return cost;
}

void Clusters::move(int64_t i, int64_t to) {
    const int64_t own = groups_.label(i);
    if (count(to) == 0) {
        // Not empty any more: the last one of the list takes its place.
        const auto place = std::find(spare_.begin(), spare_.end(), to);
        NCC_CHECK(place != spare_.end());
        *place = spare_.back();
        spare_.pop_back();
        if (problem_.uses_means)
            medoids_[to] = i;
    }
    groups_.move(i, to);
    if (count(own) == 0) {
        medoids_[own] = nobody;
        spare_.push_back(own);
    }
    if (!problem_.uses_means)
        return;
    if (!groups_.rules().ring.empty()) {
        for (const int64_t k : {own, to}) {
            find_mean(k, gather(k));
            std::ranges::copy(middle_,
                              means_.begin() + k * problem_.num_dims());
        }
        return;
    }
    clustering::move_means(
        groups_, problem_.coords, i, own,
        {means_.data(), problem_.num_clusters(), problem_.num_dims()});
}

void Clusters::recenter(int64_t k, double price) {
    const auto members = gather(k);
    if (members.empty())
        return;
    if (!problem_.uses_means) {
        medoids_[k] = find_center(k, nobody, nobody, price).medoid;
        if (std::ssize(members) > all_pairs_size)
            shift_medoid(k, price);
        return;
    }
    find_mean(k, members);
    std::ranges::copy(middle_, means_.begin() + k * problem_.num_dims());
    medoids_[k] = members[0];
}

void Clusters::shift_medoid(int64_t k, double price) {
    const auto members = gather(k);
    while (!is_fixed(k)) {
        const int64_t old = medoids_[k];
        double best = price * excess(k, old);
        for (const int64_t i : members)
            best += problem_.distance(i, old);
        int64_t chosen = old;
        for (const int64_t j : problem_.near.row(old)) {
            if (groups_.label(j) != k)
                continue;
            double total = price * excess(k, j);
            for (const int64_t i : members) {
                total += problem_.distance(i, j);
                if (total >= best)
                    break;
            }
            if (total < best) {
                best = total;
                chosen = j;
            }
        }
        if (chosen == old)
            return;
        medoids_[k] = chosen;
    }
}

void Clusters::check() const {
#ifdef NCC_DEBUG
    groups_.check();
    for (int64_t k = 0; k < problem_.num_clusters(); ++k) {
        const bool is_empty = count(k) == 0;
        NCC_CHECK(is_empty == (std::ranges::count(spare_, k) == 1));
        NCC_CHECK(is_empty == (medoids_[k] == nobody));
    }
    if (problem_.uses_means)
        clustering::check_means(
            groups_, problem_.coords,
            {means_.data(), problem_.num_clusters(), problem_.num_dims()});
#endif
}

std::span<const int64_t> Clusters::gather(int64_t k, int64_t leaving,
                                          int64_t coming) {
    const Rules& rules = groups_.rules();
    std::size_t count = 0;
    for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i))
        if (rules.leader(i) != leaving)
            group_[count++] = i;
    if (coming != nobody)
        rules.for_each_tied(coming, [&](int64_t p) { group_[count++] = p; });
    return {group_.data(), count};
}

void Clusters::find_mean(int64_t k, std::span<const int64_t> members) {
    const Rules& rules = groups_.rules();
    const int64_t num_dims = problem_.num_dims();
    if (is_fixed(k) && problem_.uses_means) {
        std::copy_n(rules.centers.begin() + k * num_dims, num_dims,
                    middle_.begin());
        return;
    }
    double mass = 0.0;
    std::ranges::fill(middle_, 0.0);
    for (const int64_t i : members) {
        mass += rules.mass(i);
        for (int64_t d = 0; d < num_dims; ++d)
            middle_[d] += rules.mass(i) * problem_.coords(i, d);
    }
    if (mass > 0.0)
        for (double& sum : middle_)
            sum /= mass;
}

int64_t Clusters::find_central(int64_t k, std::span<const int64_t> members) {
    const int64_t num_dims = problem_.num_dims();
    find_mean(k, members);
    double best = infinity;
    int64_t chosen = members[0];
    for (const int64_t i : members) {
        double total = 0.0;
        for (int64_t d = 0; d < num_dims; ++d) {
            const double gap = problem_.coords(i, d) - middle_[d];
            total += gap * gap;
        }
        if (total < best) {
            best = total;
            chosen = i;
        }
    }
    return chosen;
}

Clusters::Center Clusters::find_center(int64_t k, int64_t leaving,
                                       int64_t coming, double price) {
    const auto members = gather(k, leaving, coming);
    if (members.empty())
        return {price * excess(k, nobody, leaving, coming), nobody};
    if (problem_.uses_means)
        return {cost_around_mean(k, members) +
                    price * excess(k, nobody, leaving, coming),
                members[0]};
    std::span<const int64_t> candidates = members;
    int64_t central = nobody;
    if (is_fixed(k)) {
        candidates = {&groups_.rules().medoids[k], 1};
    } else if (std::ssize(members) > all_pairs_size) {
        central = find_central(k, members);
        candidates = {&central, 1};
    }
    // Where every sum overflows the first one is as good as any.
    Center best{infinity, candidates[0]};
    for (const int64_t j : candidates) {
        double total = price * excess(k, j, leaving, coming);
        for (const int64_t i : members) {
            total += problem_.distance(i, j);
            if (total >= best.cost)
                break;
        }
        if (total < best.cost)
            best = {total, j};
    }
    return best;
}

double Clusters::cost_around_mean(int64_t k,
                                  std::span<const int64_t> members) {
    const int64_t num_dims = problem_.num_dims();
    find_mean(k, members);
    double total = 0.0;
    for (const int64_t i : members) {
        double length = 0.0;
        for (int64_t d = 0; d < num_dims; ++d) {
            const double gap = problem_.coords(i, d) - middle_[d];
            length += gap * gap;
        }
        total += groups_.rules().mass(i) *
                 (problem_.squares ? length : std::sqrt(length));
    }
    return total;
}

} // namespace ncc::medians
