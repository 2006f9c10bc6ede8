#pragma once

#include "medians/clusters.h"
#include "random.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::medians {

// Moves that close a cluster or open one at another place.
//
// A relocation or swap hardly ever moves a center from one end of the map to
// the other. These moves do: one shares the members of a cluster out among
// its neighbours, the other starts an empty cluster at a point, and near
// points follow. Each is judged by the cost of all the clusters that it
// changed, and undone where that is too much.
class Openings {
public:
    // `value` is what a cluster is worth at first: what closing one may cost.
    Openings(Clusters& clusters, double value);

    [[nodiscard]] Clusters& clusters() { return clusters_; }
    [[nodiscard]] const Clusters& clusters() const { return clusters_; }

    // Shares the members of a cluster out among its neighbours. Returns
    // whether the cost rose by no more than `allowed`; else nothing has
    // changed.
    bool try_closing(int64_t k, double price, double allowed);

    // Makes a point the center of an empty cluster; near points follow.
    // Returns what `try_closing` does.
    bool try_opening(int64_t i, double price, double allowed);

    // Moves a point with all that it cuts off from its cluster. Returns what
    // `try_closing` does.
    bool try_cutting(int64_t i, int64_t to, double price, double allowed);

    // Opens an empty cluster at the one of a few random points that pays
    // most: far from its center or in a cluster that is too full.
    void open_somewhere(double price, NumpyGenerator& rng);

    // Closes clusters, and opens the empty ones at other places.
    //
    // Closing may cost as much as a cluster is worth, opening has to save it;
    // both up to a random amount, exponential with mean `temperature`. The
    // value of a cluster rises while none is empty, and falls otherwise, so
    // that clusters move from where they are worth little to where they are
    // worth much.
    void exchange(double temperature, double price, int64_t num_moves,
                  NumpyGenerator& rng);

    // The clusters that the last move changed, or was undone on.
    [[nodiscard]] std::span<const int64_t> touched() const { return touched_; }

private:
    // A point in its former cluster.
    struct Transfer {
        int64_t point;
        int64_t origin;
    };

    // Whether the rules let a point change its cluster.
    [[nodiscard]] bool can_transfer(int64_t i, int64_t to) const;

    // The cluster around the current one that a point joins at least cost,
    // nobody where the graph forbids all.
    [[nodiscard]] int64_t cheapest_around(int64_t i, double price) const;

    void begin();

    // Notes what a cluster is before it changes, once.
    void touch(int64_t k, double price);

    // Moves a point and notes where it came from.
    void transfer(int64_t i, int64_t to);

    // Renews the centers of what was touched; undoes all if the cost changed
    // by more than `allowed`, and returns whether it did not.
    bool conclude(double price, double allowed);

    // Finds the clusters of points close to the members of cluster k.
    void find_around(int64_t k);

    Clusters& clusters_;
    double value_;
    // The current move: what it changed, and the cost of that before.
    std::vector<Transfer> transfers_;
    std::vector<int64_t> touched_;
    std::vector<int64_t> old_medoids_;
    double old_cost_ = 0.0;
    std::vector<int64_t> around_;
    std::vector<int64_t> cut_off_;
#ifdef NCC_DEBUG
    double total_before_ = 0.0;
#endif
};

// Up to this size a cluster gets its best medoid after every change.
inline constexpr double medium_size = 16.0;

} // namespace ncc::medians
