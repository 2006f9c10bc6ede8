#pragma once

#include "partition/descent.h"
#include "partition/partition.h"

#include <cstdint>
#include <span>

namespace ncc::partition {

// By how much, and at what price, clusters hand on what they hold too much.
struct ReliefParams {
    // How far each cluster is from one with room.
    std::span<const double> heights;
    // What a point in each cluster costs: with the right prices a chain of
    // moves costs as little as the one move that it replaces.
    std::span<const double> prices;
    // By how much more than its excess a cluster may hand on.
    double spare = 0.0;
};

// Moves or swaps points of clusters whose load exceeds its limit.
class Relief {
public:
    Relief(Partition& partition, const Neighbourhood& around);

    // Moves those of the points that it pays to move, in this order, once;
    // returns whether anything moved.
    //
    // Of the moves of one point that lower the total excess or hand some of
    // it on to a lower cluster, it takes the one that raises the inertia plus
    // the prices least per unit of excess.
    bool run(std::span<const int64_t> points, const ReliefParams& params);

    [[nodiscard]] const Partition& partition() const { return partition_; }

private:
    // A relocation to cluster `to`, or a swap with its member `other`; its
    // change of the inertia, and that with the prices per unit of excess.
    struct Move {
        double cost = infinity;
        double change = 0.0;
        int64_t to = nobody;
        int64_t other = nobody;
    };

    [[nodiscard]] Move find_move(int64_t i, const ReliefParams& params) const;

    // Looks for swaps of point i with members of cluster k.
    void look_inside(int64_t i, int64_t k, const ReliefParams& params,
                     Move& best) const;

    void apply(int64_t i, const Move& move);

    Partition& partition_;
    Neighbourhood around_;
};

} // namespace ncc::partition
