#pragma once

#include "medians/clusters.h"
#include "medians/openings.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::medians {

// How one neighbourhood after the other is annealed.
struct LocalParams {
    // First temperatures are drawn between the two; each trial ends at the
    // lower one.
    double highest_temperature;
    double lowest_temperature;
    // The price of a unit of load over the limit at the start of a trial, as
    // a share of that at its end: two loads that both lie near the limit can
    // change only where one of them may exceed it for a while.
    double price_share;
    // Moves per active point and trial.
    int64_t effort;
};

// Simulated annealing for the sum of distances to the centers.
//
// A move puts one point into the cluster of a close one (relocate), or swaps
// two points (swap). One that costs c is accepted with probability
// exp(-c / temperature).
class Annealing {
public:
    // Anneals the clusters of `openings`.
    Annealing(Openings& openings, const LocalParams& params);

    [[nodiscard]] const Clusters& clusters() const { return clusters_; }

    // Tries moves of random points; `price` is that of a unit of load over
    // the limit.
    void anneal(double temperature, double price, int64_t num_moves,
                NumpyGenerator& rng);

    // Anneals so many neighbourhoods one after the other, and keeps of each
    // what is not worse.
    void anneal_locally(double price, int64_t num_trials, NumpyGenerator& rng);

    // The change of the cost when i joins cluster `to` and j, unless nobody,
    // leaves it for the cluster of i.
    //
    // Small clusters, and those that lose their medoid, are judged with their
    // best center; the others with the one they have.
    double judge(int64_t i, int64_t j, int64_t to, double price);

private:
    // A quick estimate, from below, of what `judge` returns: a new center is
    // taken to save at most half of the distance of a point that joins.
    [[nodiscard]] double least_change(int64_t i, int64_t j, int64_t to,
                                      double price) const;

    // One side of `judge`, added to the change so far: cluster k without a
    // point, and with another one.
    double judge_side(double change, int64_t k, int64_t leaving,
                      int64_t coming, double price);
    [[nodiscard]] bool judges_best_center(int64_t k, int64_t leaving) const;

    // Moves i to cluster `to`, and j, unless nobody, to that of i.
    void apply(int64_t i, int64_t j, int64_t to, double price,
               NumpyGenerator& rng);

    // Renews the center of a cluster that has changed. A large cluster is
    // looked at once for about as many changes as it has members.
    void settle(int64_t k, double price, NumpyGenerator& rng);

    void anneal(std::span<const int64_t> active, double temperature,
                double price, int64_t num_moves, NumpyGenerator& rng);

    // Makes the points of a few neighbouring clusters active.
    //
    // With `transplants` a random cluster is dissolved before, and opened
    // anew at another place; the points around both places are active.
    void choose_active(bool transplants, double price, NumpyGenerator& rng);

    Openings& openings_;
    Clusters& clusters_;
    LocalParams params_;
    std::vector<int64_t> everyone_;
    std::vector<int64_t> active_;
    std::vector<char> is_active_;
    std::vector<int64_t> kept_labels_;
    std::vector<int64_t> kept_medoids_;
};

} // namespace ncc::medians
