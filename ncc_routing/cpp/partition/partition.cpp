#include "partition/partition.h"

#include <algorithm>
#include <cmath>

namespace ncc::partition {

Partition::Partition(const Problem& problem)
    : problem_(problem), lists_(problem.num_points(), problem.num_clusters()),
      means_(problem.num_clusters() * problem.num_dims(), 0.0),
      counts_(problem.num_clusters(), 0.0),
      loads_(problem.num_clusters(), 0.0) {}

double Partition::assign(std::span<const int64_t> labels) {
    const int64_t num_dims = problem_.num_dims();
    const MatrixView<double> means(means_.data(), problem_.num_clusters(),
                                   num_dims);
    lists_.assign(labels);
    std::ranges::fill(counts_, 0.0);
    std::ranges::fill(loads_, 0.0);
    for (int64_t i = 0; i < problem_.num_points(); ++i) {
        const std::span<double> mean = means.row(labels[i]);
        const std::span<const double> place = problem_.coords.row(i);
        double& count = counts_[labels[i]];
        if (count == 0.0)
            std::ranges::fill(mean, 0.0);
        count += 1.0;
        loads_[labels[i]] += problem_.weights[i];
        for (int64_t d = 0; d < num_dims; ++d)
            mean[d] += place[d];
    }
    for (int64_t k = 0; k < problem_.num_clusters(); ++k)
        if (counts_[k] > 0.0)
            for (double& value : means.row(k))
                value /= counts_[k];
    double total = 0.0;
    for (int64_t i = 0; i < problem_.num_points(); ++i)
        total += square(i, labels[i]);
    return total;
}

void Partition::move(int64_t i, int64_t to) {
    const int64_t own = label(i);
    lists_.move(i, to);
    loads_[own] -= problem_.weights[i];
    loads_[to] += problem_.weights[i];
    counts_[own] -= 1.0;
    counts_[to] += 1.0;
    const int64_t num_dims = problem_.num_dims();
    double* const left = means_.data() + own * num_dims;
    double* const joined = means_.data() + to * num_dims;
    for (int64_t d = 0; d < num_dims; ++d) {
        const double x = problem_.coords(i, d);
        if (counts_[own] > 0.0)
            left[d] += (left[d] - x) / counts_[own];
        joined[d] += (x - joined[d]) / counts_[to];
    }
}

double Partition::inertia_of(int64_t k) const {
    const int64_t num_dims = problem_.num_dims();
    double total = 0.0;
    for (int64_t d = 0; d < num_dims; ++d) {
        double sum = 0.0;
        for (int64_t i = lists_.first(k); i != nobody; i = lists_.next(i))
            sum += problem_.coords(i, d);
        const double mean = sum / counts_[k];
        for (int64_t i = lists_.first(k); i != nobody; i = lists_.next(i)) {
            const double gap = problem_.coords(i, d) - mean;
            total += gap * gap;
        }
    }
    return total;
}

void Partition::check() const {
#ifdef NCC_DEBUG
    const int64_t num_dims = problem_.num_dims();
    for (int64_t k = 0; k < problem_.num_clusters(); ++k) {
        double count = 0.0;
        double load = 0.0;
        std::vector<double> sums(num_dims, 0.0);
        std::vector<double> sizes(num_dims, 0.0);
        for (int64_t i = lists_.first(k); i != nobody; i = lists_.next(i)) {
            NCC_CHECK(label(i) == k);
            count += 1.0;
            load += problem_.weights[i];
            for (int64_t d = 0; d < num_dims; ++d) {
                sums[d] += problem_.coords(i, d);
                sizes[d] += std::abs(problem_.coords(i, d));
            }
        }
        NCC_CHECK(count == counts_[k]);
        NCC_CHECK(std::abs(load - loads_[k]) <= 1e-6 * (1.0 + load));
        for (int64_t d = 0; d < num_dims && count > 0.0; ++d)
            NCC_CHECK(std::abs(sums[d] - count * means()(k, d)) <=
                      1e-6 * (1.0 + sizes[d]));
    }
#endif
}

} // namespace ncc::partition
