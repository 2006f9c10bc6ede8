#include "clustering/scored.h"

#include "clustering/assignment.h"
#include "clustering/centers.h"
#include "clustering/ranking.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ncc::clustering {

namespace {

// The gap between the two best scores of each point.
std::vector<double> regrets_of(MatrixView<const double> scores) {
    std::vector<double> regrets(scores.num_columns());
    for (int64_t i = 0; i < scores.num_columns(); ++i) {
        double best = -infinity;
        double second = -infinity;
        for (int64_t c = 0; c < scores.num_rows(); ++c) {
            const double value = scores(c, i);
            if (value > best) {
                second = best;
                best = value;
            } else if (value > second)
                second = value;
        }
        regrets[i] = second > -infinity ? best - second : largest_regret;
    }
    return regrets;
}

// The points without a cluster, and those of the least regrets, by number.
std::vector<int64_t> choose_points(std::span<const int64_t> labels,
                                   std::span<const double> regrets,
                                   int64_t num_doubtful) {
    const int64_t size = std::ssize(labels);
    std::vector<char> is_chosen(size);
    for (int64_t i = 0; i < size; ++i)
        is_chosen[i] = labels[i] < 0;
    if (num_doubtful > 0) {
        Ranking ranking;
        const auto& order =
            ranking.sort(size, [&](int64_t i) { return regrets[i]; });
        for (int64_t a = 0; a < std::min(num_doubtful, size); ++a)
            is_chosen[order[a].item] = 1;
    }
    std::vector<int64_t> chosen;
    for (int64_t i = 0; i < size; ++i)
        if (is_chosen[i])
            chosen.push_back(i);
    return chosen;
}

} // namespace

void list_centers(MatrixView<const double> coords,
                  MatrixView<const double> centers, MatrixView<int64_t> listed,
                  MatrixView<double> lengths) {
    struct Entry {
        double reach;
        int64_t center;
    };
    const int64_t num_listed = listed.num_rows();
    std::vector<Entry> nearest(num_listed);
    std::vector<double> squares(centers.num_rows());
    for (int64_t i = 0; i < listed.num_columns(); ++i) {
        int64_t count = 0;
        fill_squares(centers, 0, coords.row(i), squares);
        for (int64_t k = 0; k < centers.num_rows(); ++k) {
            const double reach = squares[k];
            if (count == num_listed && reach >= nearest[count - 1].reach)
                continue;
            int64_t place = std::min(count, num_listed - 1);
            while (place > 0 && nearest[place - 1].reach > reach) {
                nearest[place] = nearest[place - 1];
                --place;
            }
            nearest[place] = {reach, k};
            count = std::min(count + 1, num_listed);
        }
        for (int64_t a = 0; a < num_listed; ++a) {
            lengths(a, i) = std::sqrt(nearest[a].reach);
            listed(a, i) = nearest[a].center;
        }
    }
}

void take_members(MatrixView<const double> coords,
                  MatrixView<const double> centers,
                  std::span<const int64_t> labels,
                  std::span<int64_t> medoids) {
    std::vector<double> near(medoids.size(), infinity);
    for (int64_t i = 0; i < std::ssize(labels); ++i) {
        const int64_t k = labels[i];
        if (k < 0)
            continue;
        const double reach = square(coords.row(i), centers.row(k));
        if (reach < near[k]) {
            near[k] = reach;
            medoids[k] = i;
        }
    }
}

int64_t place_doubtful(MatrixView<const double> scores,
                       MatrixView<const int64_t> listed,
                       MatrixView<const double> coords,
                       MatrixView<const double> centers,
                       const Partition& partition, const DoubtRules& rules,
                       NumpyGenerator& rng) {
    const int64_t num_listed = listed.num_rows();
    const std::vector<double> regrets = regrets_of(scores);
    const std::vector<int64_t> left =
        choose_points(partition.labels, regrets, rules.num_left);
    const int64_t num_left = std::ssize(left);
    if (num_left == 0)
        return 0;
    // The present clusters of these points, and what all have without them.
    std::vector<int64_t> kept(num_left);
    int64_t least = 0;
    double most = 0.0;
    for (int64_t a = 0; a < num_left; ++a) {
        const int64_t i = left[a];
        const int64_t k = partition.labels[i];
        kept[a] = k;
        if (k < 0) {
            ++least;
            continue;
        }
        partition.loads[k] -= partition.weights[i];
        for (int64_t c = 0; c < num_listed; ++c)
            if (listed(c, i) == k)
                most += scores(c, i);
    }
    const std::vector<double> start(partition.loads.begin(),
                                    partition.loads.end());
    std::vector<int64_t> trial(num_left);
    Ranking ranking;
    for (int64_t sample = 0; sample < rules.num_samples; ++sample) {
        std::ranges::copy(start, partition.loads.begin());
        int64_t unplaced = 0;
        double total = 0.0;
        const auto& order = ranking.sort(num_left, [&](int64_t a) {
            double key = -regrets[left[a]];
            if (sample > 0)
                key += rules.noise * std::log(-std::log(rng.unit() + 1e-300));
            return key;
        });
        for (const auto& [key, a] : order) {
            const int64_t i = left[a];
            double best = -infinity;
            int64_t best_k = -1;
            for (int64_t c = 0; c < num_listed; ++c) {
                const int64_t k = listed(c, i);
                if (partition.fits(i, k) && scores(c, i) > best) {
                    best = scores(c, i);
                    best_k = k;
                }
            }
            if (best_k < 0) {
                best = scores(num_listed - 1, i);
                double reach = 0.0;
                best_k =
                    nearest_with_room(coords, centers, partition, i, reach);
            }
            trial[a] = best_k;
            if (best_k < 0) {
                ++unplaced;
            } else {
                partition.loads[best_k] += partition.weights[i];
                total += best;
            }
        }
        if (unplaced < least || (unplaced == least && total > most)) {
            least = unplaced;
            most = total;
            kept = trial;
        }
    }
    std::ranges::copy(start, partition.loads.begin());
    for (int64_t a = 0; a < num_left; ++a) {
        partition.labels[left[a]] = -1;
        if (kept[a] >= 0)
            partition.put(left[a], kept[a]);
    }
    return least;
}

} // namespace ncc::clustering
