#include "construction/sweep.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ncc::sweep {

void fill_ends(std::span<const int64_t> ring, std::span<const int64_t> demands,
               int64_t capacity, std::span<int64_t> ends) {
    const int64_t n = std::ssize(ring) / 2;
    int64_t load = 0;
    int64_t end = 0;
    for (int64_t i = 0; i < n; ++i) {
        end = std::max(end, i);
        while (end < i + n && load + demands[ring[end]] <= capacity)
            load += demands[ring[end++]];
        ends[i] = end;
        ends[i + n] = end + n;
        load -= demands[ring[i]];
    }
}

void fill_lengths(const Metric& metric, std::span<const int64_t> ring,
                  std::span<double> lengths) {
    double total = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        if (i > 0)
            total += metric(ring[i - 1], ring[i]);
        lengths[i] = total;
    }
}

std::tuple<int64_t, int64_t, double>
find_best_start(const Metric& metric, std::span<const int64_t> ring,
                std::span<const int64_t> ends,
                std::span<const double> lengths) {
    const int64_t n = std::ssize(ring) / 2;
    // Where the next 1, 2, 4, ... routes end, and what they cost.
    std::vector<int64_t> step(2 * n + 1, 2 * n);
    std::vector<double> costs(2 * n + 1, 0.0);
    for (int64_t i = 0; i < 2 * n; ++i) {
        step[i] = std::min(ends[i], 2 * n);
        const int64_t last = step[i] - 1;
        costs[i] = metric(0, ring[i]) + lengths[last] - lengths[i];
        costs[i] += metric(ring[last], 0);
    }
    int64_t num_skipped = -1;
    for (int64_t i = 0; i < n; i = ends[i])
        ++num_skipped;
    num_skipped = std::max<int64_t>(0, num_skipped - 1);
    std::vector<int64_t> position(n);
    std::iota(position.begin(), position.end(), 0);
    std::vector<double> totals(n, 0.0);
    for (int64_t left = num_skipped; left > 0; left /= 2) {
        if (left % 2 == 1)
            for (int64_t start = 0; start < n; ++start) {
                totals[start] += costs[position[start]];
                position[start] = step[position[start]];
            }
        for (int64_t i = 0; i < 2 * n; ++i) {
            costs[i] += costs[step[i]];
            step[i] = step[step[i]];
        }
    }
    int64_t best_start = 0;
    int64_t best_count = n + 1;
    double best_cost = infinity;
    for (int64_t start = 0; start < n; ++start) {
        const int64_t stop = start + n;
        int64_t count = num_skipped;
        double cost = totals[start];
        int64_t i = position[start];
        while (i < stop) {
            const int64_t last = std::min(ends[i], stop) - 1;
            cost += metric(0, ring[i]);
            cost += lengths[last] - lengths[i];
            cost += metric(ring[last], 0);
            ++count;
            i = last + 1;
        }
        if (count < best_count || (count == best_count && cost < best_cost)) {
            best_start = start;
            best_count = count;
            best_cost = cost;
        }
    }
    return {best_start, best_count, best_cost};
}

void walk_sweeps(std::span<const int64_t> ends,
                 std::span<const int64_t> starts, std::span<double> costs,
                 std::span<double> totals, std::span<int64_t> lasts) {
    const int64_t n = std::ssize(ends) / 2;
    for (std::size_t k = 0; k < starts.size(); ++k) {
        totals[k] = 0.0;
        lasts[k] = -1;
        int64_t i = starts[k];
        const int64_t stop = i + n;
        while (i < stop) {
            if (ends[i] > stop) {
                lasts[k] = i;
                break;
            }
            double& cost = costs[i < n ? i : i - n];
            if (std::isnan(cost))
                cost = infinity;
            totals[k] += cost;
            i = ends[i];
        }
    }
}

} // namespace ncc::sweep
