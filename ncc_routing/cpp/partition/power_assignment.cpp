#include "partition/power_assignment.h"

#include "clustering/centers.h"

namespace ncc::partition {

PowerAssignment::PowerAssignment(const Problem& problem,
                                 std::span<const int64_t> labels)
    : problem_(problem), labels_(labels.begin(), labels.end()),
      margins_(labels.size(), 0.0),
      sums_(problem.num_clusters() * num_sums(), 0.0) {}

void PowerAssignment::begin(MatrixView<const double> means,
                            std::span<const double> prices,
                            MatrixView<const int64_t> near) {
    const auto copy = [](auto& target, auto source) {
        target.assign(source.begin(), source.end());
    };
    copy(means_, means.values());
    copy(prices_, prices);
    copy(near_, near.values());
    sums_.assign(sums_.size(), 0.0);
}

void PowerAssignment::assign(int64_t low, int64_t high, int64_t stride) {
    const int64_t num_dims = problem_.num_dims();
    const int64_t num_clusters = problem_.num_clusters();
    const MatrixView<const double> means(means_.data(), num_clusters,
                                         num_dims);
    const MatrixView<const int64_t> near(near_.data(), num_clusters,
                                         std::ssize(near_) / num_clusters);
    const MatrixView<double> sums(sums_.data(), num_clusters, num_sums());
    for (int64_t i = low; i < high; i += stride) {
        const std::span<const double> place = problem_.coords.row(i);
        const std::span<const int64_t> clusters = near.row(labels_[i]);
        double best = infinity;
        double second = infinity;
        double reach = 0.0;
        // Where every sum overflows the first one is as good as any.
        int64_t chosen = clusters[0];
        for (const int64_t k : clusters) {
            const double length = clustering::square(place, means.row(k));
            const double value = length + prices_[k];
            if (value < best) {
                second = best;
                best = value;
                reach = length;
                chosen = k;
            } else if (value < second)
                second = value;
        }
        labels_[i] = chosen;
        margins_[i] = second - best;
        const std::span<double> sum = sums.row(chosen);
        const double mass = problem_.limits.rules->mass(i);
        for (int64_t d = 0; d < num_dims; ++d)
            sum[d] += mass * place[d];
        sum[num_dims] += mass;
        int64_t at = num_dims + 1;
        for (const double weight : problem_.limits.weights.row(i))
            sum[at++] += weight;
        sum[at] += mass * reach;
    }
}

} // namespace ncc::partition
