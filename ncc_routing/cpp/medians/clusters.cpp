#include "medians/clusters.h"

namespace ncc::medians {

Clusters::Clusters(const Problem& problem)
    : problem_(problem), groups_(problem.limits),
      medoids_(problem.num_clusters(), nobody),
      means_(problem.num_clusters() * problem.num_dims(), 0.0),
      group_(problem.num_points() + 1), middle_(problem.num_dims()) {
    spare_.reserve(problem.num_clusters());
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
        total += to_center(i, k);
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
        cost.distance += to_center(i, groups_.label(i));
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
    const double num_left = count(own);
    const double num_joined = count(to);
    if (num_left == 0) {
        medoids_[own] = nobody;
        spare_.push_back(own);
    }
    if (!problem_.uses_means)
        return;
    const int64_t num_dims = problem_.num_dims();
    double* const left = means_.data() + own * num_dims;
    double* const joined = means_.data() + to * num_dims;
    for (int64_t d = 0; d < num_dims; ++d) {
        const double x = problem_.coords(i, d);
        if (num_left > 0)
            left[d] += (left[d] - x) / num_left;
        joined[d] += (x - joined[d]) / num_joined;
    }
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
    const int64_t num_dims = problem_.num_dims();
    for (int64_t d = 0; d < num_dims; ++d) {
        double total = 0.0;
        for (const int64_t i : members)
            total += problem_.coords(i, d);
        means_[k * num_dims + d] = total / static_cast<double>(members.size());
    }
    medoids_[k] = members[0];
}

void Clusters::shift_medoid(int64_t k, double price) {
    const auto members = gather(k);
    while (true) {
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
    const int64_t num_dims = problem_.num_dims();
    for (int64_t k = 0; k < problem_.num_clusters(); ++k) {
        std::vector<double> sums(num_dims, 0.0);
        std::vector<double> sizes(num_dims, 0.0);
        for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i)) {
            for (int64_t d = 0; d < num_dims; ++d) {
                sums[d] += problem_.coords(i, d);
                sizes[d] += std::abs(problem_.coords(i, d));
            }
        }
        const double count = groups_.count(k);
        NCC_CHECK((count == 0) == (std::ranges::count(spare_, k) == 1));
        if (problem_.uses_means && count > 0)
            for (int64_t d = 0; d < num_dims; ++d)
                NCC_CHECK(
                    std::abs(sums[d] - count * means_[k * num_dims + d]) <=
                    1e-6 * (1.0 + sizes[d]));
        NCC_CHECK((count == 0) == (medoids_[k] == nobody));
    }
#endif
}

std::span<const int64_t> Clusters::gather(int64_t k, int64_t leaving,
                                          int64_t coming) {
    std::size_t count = 0;
    for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i))
        if (i != leaving)
            group_[count++] = i;
    if (coming != nobody)
        group_[count++] = coming;
    return {group_.data(), count};
}

int64_t Clusters::find_central(std::span<const int64_t> members) {
    const int64_t num_dims = problem_.num_dims();
    const auto count = static_cast<double>(members.size());
    for (int64_t d = 0; d < num_dims; ++d) {
        middle_[d] = 0.0;
        for (const int64_t i : members)
            middle_[d] += problem_.coords(i, d) / count;
    }
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
        return {cost_around_mean(members) +
                    price * excess(k, nobody, leaving, coming),
                members[0]};
    std::span<const int64_t> candidates = members;
    int64_t central = nobody;
    if (std::ssize(members) > all_pairs_size) {
        central = find_central(members);
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

double Clusters::cost_around_mean(std::span<const int64_t> members) {
    const int64_t num_dims = problem_.num_dims();
    const auto count = static_cast<double>(members.size());
    std::ranges::fill(middle_, 0.0);
    for (const int64_t i : members)
        for (int64_t d = 0; d < num_dims; ++d)
            middle_[d] += problem_.coords(i, d);
    for (double& sum : middle_)
        sum /= count;
    double total = 0.0;
    for (const int64_t i : members) {
        double length = 0.0;
        for (int64_t d = 0; d < num_dims; ++d) {
            const double gap = problem_.coords(i, d) - middle_[d];
            length += gap * gap;
        }
        total += std::sqrt(length);
    }
    return total;
}

} // namespace ncc::medians
