#include "clustering/assignment.h"

#include "clustering/centers.h"
#include "clustering/ranking.h"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace ncc::clustering {

namespace {

// Sorts keys upwards, and the items along with them: a heap sort in place.
// Equal keys end in an order of its own, which the answers depend on.
void sort_by_key(std::span<double> keys, std::span<int64_t> items) {
    NCC_CHECK(keys.size() == items.size());
    const auto swap = [&](int64_t a, int64_t b) {
        std::swap(keys[a], keys[b]);
        std::swap(items[a], items[b]);
    };
    int64_t end = std::ssize(keys);
    int64_t root = end / 2;
    while (end > 1) {
        if (root > 0) {
            --root;
        } else {
            --end;
            swap(0, end);
        }
        int64_t node = root;
        while (2 * node + 1 < end) {
            int64_t child = 2 * node + 1;
            if (child + 1 < end && keys[child + 1] > keys[child])
                ++child;
            if (keys[node] >= keys[child])
                break;
            swap(node, child);
            node = child;
        }
    }
}

// For a block of points: their best and second best scores over the clusters
// with room, and the best cluster, -1 for none.
struct Choices {
    std::array<double, block_size> best;
    std::array<double, block_size> second;
    std::array<int64_t, block_size> cluster;

    [[nodiscard]] double regret(int64_t a) const {
        return second[a] > -infinity ? best[a] - second[a] : largest_regret;
    }
};

// `point_at` is the point of each place in the block.
template <bool is_listed, class PointAt>
void choose_clusters(MatrixView<const double> scores,
                     const Partition& partition,
                     MatrixView<const int64_t> listed, int64_t count,
                     PointAt point_at, Choices& choices) {
    auto& [best, second, cluster] = choices;
    best.fill(-infinity);
    second.fill(-infinity);
    cluster.fill(-1);
    for (int64_t row = 0; row < scores.num_rows(); ++row) {
        const std::span<const double> values = scores.row(row);
        const double load = is_listed ? 0.0 : partition.loads[row];
        const double capacity = is_listed ? 0.0 : partition.capacities[row];
        // Without branches, which could not be foreseen.
        for (int64_t a = 0; a < count; ++a) {
            const int64_t i = point_at(a);
            int64_t k = row;
            bool fits = load + partition.weights[i] <= capacity;
            if constexpr (is_listed) {
                k = listed(row, i);
                fits = partition.fits(i, k);
            }
            const double value = fits ? values[i] : -infinity;
            const bool is_best = value > best[a];
            const double other = value > second[a] ? value : second[a];
            second[a] = is_best ? best[a] : other;
            best[a] = is_best ? value : best[a];
            cluster[a] = is_best ? k : cluster[a];
        }
    }
}

template <bool is_listed>
int64_t assign_rounds(MatrixView<const double> scores,
                      const Partition& partition, double weight_power,
                      Workspace& work, MatrixView<const int64_t> listed) {
    const std::span<double> keys = work.values;
    const std::span<int64_t> queue = work.queue;
    const int64_t size = partition.num_points();
    std::iota(queue.begin(), queue.begin() + size, int64_t{0});
    Choices choices;
    int64_t waiting = size;
    int64_t unplaced = 0;
    while (waiting > 0) {
        const bool is_first = waiting == size; // then the queue is in order
        int64_t count = 0;
        for (int64_t first = 0; first < waiting; first += block_size) {
            const int64_t width = std::min(block_size, waiting - first);
            if (is_first)
                choose_clusters<is_listed>(
                    scores, partition, listed, width,
                    [&](int64_t a) { return first + a; }, choices);
            else
                choose_clusters<is_listed>(
                    scores, partition, listed, width,
                    [&](int64_t a) { return queue[first + a]; }, choices);
            for (int64_t a = 0; a < width; ++a) {
                const int64_t i = queue[first + a];
                if (choices.cluster[a] < 0) {
                    ++unplaced;
                    continue;
                }
                queue[count] = i;
                partition.labels[i] = choices.cluster[a];
                keys[count] = -choices.regret(a);
                if (weight_power != 0.0)
                    keys[count] *=
                        std::pow(partition.weights[i], weight_power);
                ++count;
            }
        }
        sort_by_key(keys.first(count), queue.first(count));
        waiting = 0;
        for (int64_t a = 0; a < count; ++a) {
            const int64_t i = queue[a];
            const int64_t k = partition.labels[i];
            if (partition.fits(i, k)) {
                partition.put(i, k);
            } else {
                partition.labels[i] = -1;
                queue[waiting++] = i;
            }
        }
    }
    return unplaced;
}

void take_all_out(const Partition& partition) {
    std::ranges::fill(partition.loads, 0.0);
    std::ranges::fill(partition.labels, int64_t{-1});
}

} // namespace

int64_t assign_by_regret(MatrixView<const double> scores,
                         const Partition& partition, double weight_power,
                         Workspace& work, MatrixView<const int64_t> listed) {
    NCC_CHECK(scores.num_columns() == partition.num_points());
    NCC_CHECK(std::ssize(work.queue) >= partition.num_points());
    take_all_out(partition);
    if (listed.empty())
        return assign_rounds<false>(scores, partition, weight_power, work,
                                    listed);
    return assign_rounds<true>(scores, partition, weight_power, work, listed);
}

int64_t assign_sorted(MatrixView<const double> scores,
                      const Partition& partition) {
    const int64_t size = partition.num_points();
    const std::span<const double> all = scores.values();
    take_all_out(partition);
    int64_t unplaced = size;
    Ranking ranking;
    for (const auto& [key, pair] :
         ranking.sort(std::ssize(all), [&](int64_t a) { return -all[a]; })) {
        const int64_t k = pair / size;
        const int64_t i = pair % size;
        if (partition.labels[i] < 0 && partition.fits(i, k)) {
            partition.put(i, k);
            if (--unplaced == 0)
                break;
        }
    }
    return unplaced;
}

int64_t assign_cyclic(MatrixView<const double> scores,
                      const Partition& partition, int64_t num_left,
                      NumpyGenerator& rng) {
    const int64_t size = partition.num_points();
    const int64_t num_clusters = partition.num_clusters();
    take_all_out(partition);
    std::vector<double> turns(num_clusters);
    std::vector<int64_t> wishes(num_clusters * size);
    Ranking ranking;
    for (int64_t k = 0; k < num_clusters; ++k) {
        turns[k] = rng.unit();
        const std::span<const double> row = scores.row(k);
        int64_t place = k * size;
        for (const auto& [key, i] :
             ranking.sort(size, [&](int64_t i) { return -row[i]; }))
            wishes[place++] = i;
    }
    const std::vector<Ranking::Entry>& order =
        ranking.sort(num_clusters, [&](int64_t k) { return turns[k]; });
    // Loads only grow: what a cluster has passed over never fits again.
    std::vector<int64_t> reached(num_clusters, 0);
    int64_t unplaced = size;
    int64_t idle = 0;
    int64_t turn = 0;
    while (unplaced > num_left && idle < num_clusters) {
        const int64_t k = order[turn++ % num_clusters].item;
        ++idle;
        while (reached[k] < size) {
            const int64_t i = wishes[k * size + reached[k]++];
            if (partition.labels[i] < 0 && partition.fits(i, k)) {
                partition.put(i, k);
                --unplaced;
                idle = 0;
                break;
            }
        }
    }
    return unplaced;
}

int64_t nearest_with_room(MatrixView<const double> coords,
                          MatrixView<const double> centers,
                          const Partition& partition, int64_t i,
                          double& reach) {
    reach = infinity;
    int64_t nearest = -1;
    for (int64_t k = 0; k < partition.num_clusters(); ++k) {
        if (!partition.fits(i, k))
            continue;
        const double length = square(coords.row(i), centers.row(k));
        if (length < reach) {
            reach = length;
            nearest = k;
        }
    }
    return nearest;
}

int64_t complete(MatrixView<const double> scores,
                 MatrixView<const double> coords, const Partition& partition,
                 MatrixView<const double> centers, int64_t num_samples,
                 NumpyGenerator& rng) {
    std::vector<int64_t> left;
    for (int64_t i = 0; i < partition.num_points(); ++i)
        if (partition.labels[i] < 0)
            left.push_back(i);
    const int64_t num_left = std::ssize(left);
    std::vector<double> ceiling(num_left, -infinity);
    for (int64_t a = 0; a < num_left; ++a)
        for (int64_t k = 0; k < partition.num_clusters(); ++k)
            ceiling[a] = std::max(ceiling[a], scores(k, left[a]));
    std::vector<double> loads(partition.loads.size());
    std::vector<int64_t> labels(num_left, -1);
    std::vector<int64_t> kept(num_left, -1);
    const Partition trial{partition.weights, partition.capacities, loads,
                          labels};
    int64_t best_unplaced = partition.num_points() + 1;
    double best_spread = infinity;
    Ranking ranking;
    for (int64_t sample = 0; sample < num_samples; ++sample) {
        std::ranges::copy(partition.loads, loads.begin());
        int64_t unplaced = 0;
        double spread = 0.0;
        const auto& order = ranking.sort(num_left, [&](int64_t a) {
            double key = -ceiling[a];
            if (num_samples > 1)
                key += std::log(-std::log(rng.unit() + 1e-300) + 1e-300);
            return key;
        });
        for (const auto& [key, a] : order) {
            const int64_t i = left[a];
            double near = infinity;
            labels[a] = nearest_with_room(coords, centers, trial, i, near);
            if (labels[a] < 0) {
                ++unplaced;
            } else {
                loads[labels[a]] += partition.weights[i];
                spread += near;
            }
        }
        if (unplaced < best_unplaced ||
            (unplaced == best_unplaced && spread < best_spread)) {
            best_unplaced = unplaced;
            best_spread = spread;
            kept = labels;
        }
    }
    for (int64_t a = 0; a < num_left; ++a)
        if (kept[a] >= 0)
            partition.put(left[a], kept[a]);
    return best_unplaced;
}

} // namespace ncc::clustering
