#include "clustering/exchange.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ncc::clustering {

namespace {

#ifdef NCC_DEBUG
// The sum of the scores of the points that are in a cluster.
double sum_scores(MatrixView<const double> scores,
                  const Partition& partition) {
    double total = 0.0;
    for (int64_t i = 0; i < partition.num_points(); ++i)
        if (partition.labels[i] >= 0)
            total += scores(partition.labels[i], i);
    return total;
}

// Whether a change of that sum is what it was claimed to be, and the loads
// are those of the members.
bool is_true(double gain, double before, MatrixView<const double> scores,
             const Partition& partition) {
    const double after = sum_scores(scores, partition);
    const double scale = 1.0 + std::abs(before) + std::abs(after);
    std::vector<double> loads(partition.loads.size(), 0.0);
    for (int64_t i = 0; i < partition.num_points(); ++i)
        if (partition.labels[i] >= 0)
            loads[partition.labels[i]] += partition.weights[i];
    for (std::size_t k = 0; k < loads.size(); ++k)
        if (std::abs(loads[k] - partition.loads[k]) > 1e-6 * (1.0 + loads[k]))
            return false;
    return std::abs(after - before - gain) <= 1e-6 * scale;
}
#endif

// Two members whose swap makes room for a point, or -1 and -1; and what the
// sum of the scores gains.
struct Swap {
    int64_t heavier = -1;
    int64_t lighter = -1;
    double gain = -infinity;
};

// Of all pairs of a member and a lighter one of another cluster, whose swap
// lets point i into the cluster of the heavier, the cheapest in priority.
Swap find_swap(MatrixView<const double> scores, const Partition& partition,
               int64_t i) {
    const auto& [weights, capacities, loads, labels] = partition;
    double widest = 0.0;
    for (int64_t k = 0; k < partition.num_clusters(); ++k)
        widest = std::max(widest, capacities[k] - loads[k]);
    Swap found;
    for (int64_t j = 0; j < partition.num_points(); ++j) {
        const int64_t k = labels[j];
        if (k < 0)
            continue;
        const double missing = loads[k] + weights[i] - capacities[k];
        if (missing > widest || missing >= weights[j])
            continue;
        const double base = scores(k, i) - scores(k, j);
        for (int64_t a = 0; a < partition.num_points(); ++a) {
            if (weights[a] > weights[j] - missing)
                continue;
            const int64_t to = labels[a];
            if (to < 0 || to == k)
                continue;
            if (loads[to] + weights[j] - weights[a] > capacities[to])
                continue;
            const double gain =
                base + scores(k, a) + scores(to, j) - scores(to, a);
            if (gain > found.gain)
                found = {j, a, gain};
        }
    }
    return found;
}

// Finds a place for point i; returns the point that it has driven out, or -1.
int64_t make_room(MatrixView<const double> scores, const Partition& partition,
                  int64_t i) {
    const auto& [weights, capacities, loads, labels] = partition;
    double best = -infinity;
    int64_t moved = -1;
    int64_t target = -1;
    double cheapest = -infinity;
    int64_t lighter = -1;
    for (int64_t j = 0; j < partition.num_points(); ++j) {
        const int64_t k = labels[j];
        if (k < 0 || loads[k] - weights[j] + weights[i] > capacities[k])
            continue;
        if (weights[j] < weights[i]) {
            const double gain = scores(k, i) - scores(k, j);
            if (gain > cheapest) {
                cheapest = gain;
                lighter = j;
            }
        }
        for (int64_t to = 0; to < partition.num_clusters(); ++to) {
            if (to == k || !partition.fits(j, to))
                continue;
            const double gain = scores(k, i) + scores(to, j) - scores(k, j);
            if (gain > best) {
                best = gain;
                moved = j;
                target = to;
            }
        }
    }
    int64_t partner = -1;
    if (moved < 0) {
        const Swap swap = find_swap(scores, partition, i);
        moved = swap.heavier;
        partner = swap.lighter;
        best = swap.gain;
    }
#ifdef NCC_DEBUG
    const double before = sum_scores(scores, partition);
#endif
    if (moved >= 0) {
        const int64_t k = labels[moved];
        double shift = weights[moved];
        if (partner >= 0) {
            target = labels[partner];
            shift -= weights[partner];
            labels[partner] = k;
        }
        labels[moved] = target;
        labels[i] = k;
        loads[target] += shift;
        loads[k] += weights[i] - shift;
#ifdef NCC_DEBUG
        NCC_CHECK(is_true(best, before, scores, partition));
#endif
        return -1;
    }
    if (lighter >= 0) {
        const int64_t k = labels[lighter];
        labels[i] = k;
        labels[lighter] = -1;
        loads[k] += weights[i] - weights[lighter];
#ifdef NCC_DEBUG
        NCC_CHECK(is_true(cheapest, before, scores, partition));
#endif
    }
    return lighter;
}

} // namespace

int64_t place_by_exchange(MatrixView<const double> scores,
                          const Partition& partition) {
    const auto labels = partition.labels;
    for (int64_t first = 0; first < partition.num_points(); ++first) {
        int64_t i = first;
        while (i >= 0 && labels[i] < 0)
            i = make_room(scores, partition, i);
    }
    return std::ranges::count_if(labels, [](int64_t k) { return k < 0; });
}

void swap_members(MatrixView<const double> scores, const Partition& partition,
                  int64_t max_passes) {
    const auto& [weights, capacities, loads, labels] = partition;
    // What a point gains in each cluster, side by side.
    std::vector<double> gains(capacities.size());
    for (int64_t pass = 0; pass < max_passes; ++pass) {
        bool changed = false;
        for (int64_t i = 0; i < partition.num_points(); ++i) {
            const int64_t k = labels[i];
            if (k < 0)
                continue;
            double best = 1e-9;
            int64_t best_to = -1;
            int64_t best_j = -1;
            bool is_wanted = false;
            for (int64_t to = 0; to < partition.num_clusters(); ++to) {
                gains[to] = scores(to, i) - scores(k, i);
                is_wanted = is_wanted || gains[to] > best;
                if (gains[to] > best && partition.fits(i, to)) {
                    best = gains[to];
                    best_to = to;
                }
            }
            if (!is_wanted)
                continue;
            for (int64_t j = 0; j < partition.num_points(); ++j) {
                const int64_t to = labels[j];
                if (to < 0 || to == k)
                    continue;
                if (gains[to] <= 0.0) // then j wants the place of i
                    continue;
                const double gain = gains[to] + (scores(k, j) - scores(to, j));
                const double shift = weights[i] - weights[j];
                if (gain > best && loads[to] + shift <= capacities[to] &&
                    loads[k] - shift <= capacities[k]) {
                    best = gain;
                    best_to = to;
                    best_j = j;
                }
            }
            if (best_to < 0)
                continue;
#ifdef NCC_DEBUG
            const double before = sum_scores(scores, partition);
#endif
            double shift = weights[i];
            if (best_j >= 0) {
                shift -= weights[best_j];
                labels[best_j] = k;
            }
            labels[i] = best_to;
            loads[best_to] += shift;
            loads[k] -= shift;
            changed = true;
#ifdef NCC_DEBUG
            NCC_CHECK(is_true(best, before, scores, partition));
#endif
        }
        if (!changed)
            break;
    }
}

} // namespace ncc::clustering
