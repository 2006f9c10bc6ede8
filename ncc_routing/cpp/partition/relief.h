#pragma once

#include "partition/descent.h"
#include "partition/partition.h"

#include <cstdint>
#include <span>

namespace ncc::partition {

// By how much, and at what price, clusters hand on what they hold too much.
struct ReliefParams {
    // How far each cluster is from one with room, and from one that can
    // spare a point.
    std::span<const double> heights;
    std::span<const double> depths;
    // What a point in each cluster costs: with the right prices a chain of
    // moves costs as little as the one move that it replaces.
    std::span<const double> prices;
    // By how much more than its excess a cluster may hand on, and than it
    // lacks receive.
    double spare = 0.0;
};

// Moves or swaps points of clusters that break their limits, and of those
// near them.
class Relief {
public:
    Relief(Partition& partition, const Neighbourhood& around);

    // Moves those of the points that it pays to move, in this order, once;
    // returns whether anything moved.
    //
    // Of the moves of one point that lower the total excess or hand some of
    // it on to a lower cluster, or what is lacking to a shallower one, it
    // takes the one that raises the inertia plus the prices least per unit.
    bool run(std::span<const int64_t> points, const ReliefParams& params);

    // The same again and again, without handing anything on; returns whether
    // all limits are kept.
    bool settle(std::span<const int64_t> points);

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

    // Looks for swaps of point i with members of cluster k; what so many
    // units may be handed on.
    void look_inside(int64_t i, int64_t k, double handed, Move& best) const;

    // How many units of excess may go from one cluster to another without
    // the total falling; 0 for none.
    [[nodiscard]] double handed_on(int64_t own, int64_t k,
                                   const ReliefParams& params) const;

    // The units of point i.
    [[nodiscard]] double size(int64_t i) const;

    void apply(int64_t i, const Move& move);

    Partition& partition_;
    Neighbourhood around_;
};

} // namespace ncc::partition
