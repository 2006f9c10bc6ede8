#pragma once

#include "arrays.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

// Correlation clustering under capacities: N. Bansal, A. Blum and S. Chawla
// (2004). Correlation clustering. Machine Learning 56.
namespace ncc::clustering {

// Which points belong together. The pairs of point i stand at `starts[i]` to
// `starts[i + 1]`, in both directions.
struct Pairs {
    std::span<const int64_t> starts;  // one a point, and the end
    std::span<const int64_t> ends;    // the other point of each pair
    std::span<const double> log_odds; // that they share a cluster
    double far_log_odds;              // of pairs that are not listed
};

// Simulated annealing of clusters on the sum of the log-odds over all pairs
// that share a cluster, by relocations and swaps. Loads may exceed the limits
// at a price.
class CorrelationSearch {
public:
    // Every point has a pair. The arrays of the pairs and the weights are
    // kept as views.
    CorrelationSearch(const Pairs& pairs, std::span<const double> weights,
                      std::span<const double> limits,
                      std::span<const int64_t> labels);

    // Tries so many moves; returns the change of the sum of the log-odds less
    // the price of the excess, which is maximized.
    //
    // A random point asks for the cluster of a random point it is paired
    // with; where it has no room there, half of the time a point of that
    // cluster with which it is paired takes its place. `temperature` is the
    // mean loss that a move may cost at first, `cooling` the factor on it
    // from one move to the next, `price` that of a unit of weight beyond a
    // limit.
    double anneal(int64_t num_moves, double temperature, double cooling,
                  double price, NumpyGenerator& rng);

    // The sum of the log-odds over all pairs that share a cluster.
    [[nodiscard]] double agreement() const;

    [[nodiscard]] bool keeps_limits() const;

    [[nodiscard]] std::span<const int64_t> labels() const { return labels_; }

private:
    [[nodiscard]] double preference(int64_t i, int64_t own, int64_t to) const;
    [[nodiscard]] int64_t draw_pair(int64_t i, int64_t cluster,
                                    NumpyGenerator& rng) const;
    [[nodiscard]] double added_excess(int64_t own, int64_t to,
                                      double shift) const;

    [[nodiscard]] double objective(double price) const;

    Pairs pairs_;
    std::span<const double> weights_;
    std::vector<double> limits_;
    std::vector<int64_t> labels_;
    std::vector<double> loads_;
    std::vector<int64_t> sizes_;
};

} // namespace ncc::clustering
