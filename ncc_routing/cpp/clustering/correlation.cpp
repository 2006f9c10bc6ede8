#include "clustering/correlation.h"

#include <algorithm>
#include <cmath>

namespace ncc::clustering {

namespace {

// Probability of a swap where a point finds no room.
constexpr double swap_share = 0.5;

} // namespace

CorrelationSearch::CorrelationSearch(const Pairs& pairs,
                                     std::span<const double> weights,
                                     std::span<const double> limits,
                                     std::span<const int64_t> labels)
    : pairs_(pairs), weights_(weights), limits_(limits.begin(), limits.end()),
      labels_(labels.begin(), labels.end()), loads_(limits.size(), 0.0),
      sizes_(limits.size(), 0) {
    for (std::size_t i = 0; i < labels.size(); ++i) {
        loads_[labels[i]] += weights[i];
        ++sizes_[labels[i]];
    }
}

double CorrelationSearch::anneal(int64_t num_moves, double temperature,
                                 double cooling, double price,
                                 NumpyGenerator& rng) {
    const int64_t num_points = std::ssize(labels_);
    double change = 0.0;
    for (int64_t move = 0; move < num_moves; ++move) {
        temperature *= cooling;
        const int64_t i = rng.below(num_points);
        const int64_t degree = pairs_.starts[i + 1] - pairs_.starts[i];
        const int64_t j = pairs_.ends[pairs_.starts[i] + rng.below(degree)];
        const int64_t own = labels_[i];
        const int64_t other = labels_[j];
        if (own == other)
            continue;
#ifdef NCC_DEBUG
        const double before = objective(price);
#endif
        double gain = preference(i, own, other);
        const double limit = temperature * std::log(1.0 - rng.unit());
        double shift = weights_[i];
        if (loads_[other] + shift <= limits_[other] ||
            rng.unit() >= swap_share) {
            gain += pairs_.far_log_odds *
                    static_cast<double>(sizes_[other] - sizes_[own] + 1);
            gain -= price * added_excess(own, other, shift);
            if (gain < limit)
                continue;
            labels_[i] = other;
            --sizes_[own];
            ++sizes_[other];
        } else {
            const int64_t pair = draw_pair(i, other, rng);
            const int64_t k = pairs_.ends[pair];
            shift -= weights_[k];
            gain += preference(k, other, own);
            gain -= 2.0 * (pairs_.log_odds[pair] - pairs_.far_log_odds);
            gain -= price * added_excess(own, other, shift);
            if (gain < limit)
                continue;
            labels_[i] = other;
            labels_[k] = own;
        }
        loads_[own] -= shift;
        loads_[other] += shift;
        change += gain;
#ifdef NCC_DEBUG
        const double after = objective(price);
        NCC_CHECK(std::abs(after - before - gain) <=
                  1e-6 * (1.0 + std::abs(before) + std::abs(after)));
#endif
    }
    return change;
}

// By how much point i prefers the cluster `to` to its own, in log-odds above
// those of pairs that are not listed.
double CorrelationSearch::preference(int64_t i, int64_t own,
                                     int64_t to) const {
    double total = 0.0;
    for (int64_t e = pairs_.starts[i]; e < pairs_.starts[i + 1]; ++e) {
        const int64_t label = labels_[pairs_.ends[e]];
        if (label == to)
            total += pairs_.log_odds[e] - pairs_.far_log_odds;
        else if (label == own)
            total -= pairs_.log_odds[e] - pairs_.far_log_odds;
    }
    return total;
}

// A random pair of i with a point of the cluster; there must be one.
int64_t CorrelationSearch::draw_pair(int64_t i, int64_t cluster,
                                     NumpyGenerator& rng) const {
    int64_t count = 0;
    for (int64_t e = pairs_.starts[i]; e < pairs_.starts[i + 1]; ++e)
        count += labels_[pairs_.ends[e]] == cluster;
    int64_t left = rng.below(count);
    int64_t e = pairs_.starts[i];
    while (labels_[pairs_.ends[e]] != cluster || left-- > 0)
        ++e;
    return e;
}

// By how much the excess over the limits grows when a load moves.
double CorrelationSearch::added_excess(int64_t own, int64_t to,
                                       double shift) const {
    return std::max(0.0, loads_[to] + shift - limits_[to]) -
           std::max(0.0, loads_[to] - limits_[to]) +
           std::max(0.0, loads_[own] - shift - limits_[own]) -
           std::max(0.0, loads_[own] - limits_[own]);
}

double CorrelationSearch::agreement() const {
    const double far = pairs_.far_log_odds;
    double listed = 0.0;
    for (int64_t i = 0; i < std::ssize(labels_); ++i)
        for (int64_t e = pairs_.starts[i]; e < pairs_.starts[i + 1]; ++e)
            if (labels_[pairs_.ends[e]] == labels_[i])
                listed += pairs_.log_odds[e] - far;
    double total = 0.5 * listed;
    for (const int64_t size : sizes_)
        total += far * static_cast<double>(size) *
                 static_cast<double>(size - 1) / 2.0;
    return total;
}

bool CorrelationSearch::keeps_limits() const {
    for (std::size_t k = 0; k < loads_.size(); ++k)
        if (loads_[k] > limits_[k])
            return false;
    return true;
}

double CorrelationSearch::objective(double price) const {
    double excess = 0.0;
    for (std::size_t k = 0; k < loads_.size(); ++k)
        excess += std::max(0.0, loads_[k] - limits_[k]);
    return agreement() - price * excess;
}

} // namespace ncc::clustering
