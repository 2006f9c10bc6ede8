#include "partition/partition.h"

#include <algorithm>
#include <cmath>

namespace ncc::partition {

Partition::Partition(const Problem& problem)
    : problem_(problem), groups_(problem.limits),
      means_(problem.num_clusters() * problem.num_dims(), 0.0) {}

double Partition::assign(std::span<const int64_t> labels) {
    const int64_t num_dims = problem_.num_dims();
    const MatrixView<double> means(means_.data(), problem_.num_clusters(),
                                   num_dims);
    groups_.assign(labels);
    for (int64_t k = 0; k < problem_.num_clusters(); ++k)
        if (groups_.count(k) > 0.0)
            std::ranges::fill(means.row(k), 0.0);
    for (int64_t i = 0; i < problem_.num_points(); ++i) {
        const std::span<double> mean = means.row(labels[i]);
        const std::span<const double> place = problem_.coords.row(i);
        for (int64_t d = 0; d < num_dims; ++d)
            mean[d] += place[d];
    }
    for (int64_t k = 0; k < problem_.num_clusters(); ++k)
        if (groups_.count(k) > 0.0)
            for (double& value : means.row(k))
                value /= groups_.count(k);
    double total = 0.0;
    for (int64_t i = 0; i < problem_.num_points(); ++i)
        total += square(i, labels[i]);
    return total;
}

void Partition::move(int64_t i, int64_t to) {
    const int64_t own = label(i);
    groups_.move(i, to);
    const double num_left = groups_.count(own);
    const double num_joined = groups_.count(to);
    const int64_t num_dims = problem_.num_dims();
    double* const left = means_.data() + own * num_dims;
    double* const joined = means_.data() + to * num_dims;
    for (int64_t d = 0; d < num_dims; ++d) {
        const double x = problem_.coords(i, d);
        if (num_left > 0.0)
            left[d] += (left[d] - x) / num_left;
        joined[d] += (x - joined[d]) / num_joined;
    }
}

double Partition::inertia_of(int64_t k) const {
    const int64_t num_dims = problem_.num_dims();
    double total = 0.0;
    for (int64_t d = 0; d < num_dims; ++d) {
        double sum = 0.0;
        for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i))
            sum += problem_.coords(i, d);
        const double mean = sum / groups_.count(k);
        for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i)) {
            const double gap = problem_.coords(i, d) - mean;
            total += gap * gap;
        }
    }
    return total;
}

void Partition::check() const {
#ifdef NCC_DEBUG
    groups_.check();
    const int64_t num_dims = problem_.num_dims();
    for (int64_t k = 0; k < problem_.num_clusters(); ++k) {
        const double count = groups_.count(k);
        std::vector<double> sums(num_dims, 0.0);
        std::vector<double> sizes(num_dims, 0.0);
        for (int64_t i = groups_.first(k); i != nobody; i = groups_.next(i)) {
            for (int64_t d = 0; d < num_dims; ++d) {
                sums[d] += problem_.coords(i, d);
                sizes[d] += std::abs(problem_.coords(i, d));
            }
        }
        for (int64_t d = 0; d < num_dims && count > 0.0; ++d)
            NCC_CHECK(std::abs(sums[d] - count * means()(k, d)) <=
                      1e-6 * (1.0 + sizes[d]));
    }
#endif
}

} // namespace ncc::partition
