#include "partition/partition.h"

#include "clustering/means.h"

#include <algorithm>

namespace ncc::partition {

Partition::Partition(const Problem& problem)
    : problem_(problem), groups_(problem.limits),
      means_(problem.num_clusters() * problem.num_dims(), 0.0) {}

double Partition::assign(std::span<const int64_t> given) {
    const Rules& rules = groups_.rules();
    const int64_t num_dims = problem_.num_dims();
    const MatrixView<double> means(means_.data(), problem_.num_clusters(),
                                   num_dims);
    groups_.assign(given);
    const std::span<const int64_t> labels = groups_.labels();
    for (int64_t k = 0; k < problem_.num_clusters(); ++k)
        if (groups_.mass(k) > 0.0)
            std::ranges::fill(means.row(k), 0.0);
    for (int64_t at = 0; at < std::ssize(rules.centers); ++at)
        means_[at] = anchor_mass * rules.centers[at];
    for (int64_t i = 0; i < problem_.num_points(); ++i) {
        const std::span<double> mean = means.row(labels[i]);
        const std::span<const double> place = problem_.coords.row(i);
        for (int64_t d = 0; d < num_dims; ++d)
            mean[d] += rules.mass(i) * place[d];
    }
    for (int64_t k = 0; k < problem_.num_clusters(); ++k)
        if (groups_.mass(k) > 0.0)
            for (double& value : means.row(k))
                value /= groups_.mass(k);
    double total = 0.0;
    for (int64_t i = 0; i < problem_.num_points(); ++i)
        total += rules.mass(i) * square(i, labels[i]);
    return total + groups_.price();
}

void Partition::move(int64_t i, int64_t to) {
    const int64_t own = label(i);
    groups_.move(i, to);
    clustering::move_means(
        groups_, problem_.coords, i, own,
        {means_.data(), problem_.num_clusters(), problem_.num_dims()});
}

double Partition::weighted_replacement(int64_t i, int64_t j) const {
    const int64_t k = label(j);
    const double coming = groups_.rules().mass(i);
    const double leaving = groups_.rules().mass(j);
    const double rest = groups_.mass(k) - leaving;
    double change = groups_.pull(k, j, i) - leaving_gain(j, k);
    if (rest <= least_rest * groups_.mass(k))
        return change;
    double length = 0.0;
    for (int64_t d = 0; d < problem_.num_dims(); ++d) {
        const double mean = means()(k, d);
        const double shift = leaving / rest * (mean - problem_.coords(j, d));
        const double gap = problem_.coords(i, d) - mean - shift;
        length += gap * gap;
    }
    return change + coming * rest / (rest + coming) * length;
}

double Partition::inertia_of(int64_t k) const {
    const int64_t num_dims = problem_.num_dims();
    const Rules& rules = groups_.rules();
    double total = groups_.price_of(k);
    for (int64_t d = 0; d < num_dims; ++d) {
        double sum = 0.0;
        double mass = 0.0;
        for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i)) {
            sum += rules.mass(i) * problem_.coords(i, d);
            mass += rules.mass(i);
        }
        const double mean =
            k < rules.num_fixed ? rules.centers[k * num_dims + d] : sum / mass;
        for (int64_t i = groups_.first(k); i != nobody && mass > 0.0;
             i = groups_.next(i)) {
            const double gap = problem_.coords(i, d) - mean;
            total += rules.mass(i) * gap * gap;
        }
    }
    return total;
}

void Partition::check() const {
    groups_.check();
    clustering::check_means(groups_, problem_.coords, means());
}

} // namespace ncc::partition
