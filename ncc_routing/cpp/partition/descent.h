#pragma once

#include "arrays.h"
#include "partition/partition.h"

#include <cstdint>
#include <span>
#include <vector>

namespace ncc::partition {

// The least gain that counts, in units of the problem's scale: no rounding
// error can pass for one.
inline constexpr double min_gain = 1e-9;

// Which moves are looked at.
struct Neighbourhood {
    // Of shape (clusters, m): those that the members of each one may join.
    MatrixView<const int64_t> near;
    // Members of a cluster that are looked at, from the head of its list.
    int64_t most = 0;
};

// A descent on the inertia: relocations, swaps and ejections.
//
// A point joins a cluster near its own; where that has no room, it swaps with
// a member, or it takes the place of a member that finds room in a third
// cluster (ejection). Where its own cluster cannot spare it, one of a third
// cluster takes its place.
class Descent {
public:
    // Every cluster counts as changed.
    Descent(Partition& partition, const Neighbourhood& around);

    // Begins anew where only some clusters have changed.
    void restart(std::span<const int64_t> changed);

    // Examines so many points at most, and goes on where the last run ended;
    // returns the change of the inertia, <= 0.
    //
    // Ejections, which take longest, are tried only once relocations and
    // swaps have changed the inertia by no more than `needed`, a number <= 0
    // for a gain; infinity tries them always.
    double run(int64_t num_steps, double needed);

    // Whether no move lowers the inertia any more.
    [[nodiscard]] bool is_complete() const {
        return num_idle_ >= partition_.problem().num_points();
    }

private:
    // A relocation of a point to cluster `to`; where `other` is a point, that
    // one goes to cluster `other_to`.
    struct Move {
        double change;
        int64_t to = nobody;
        int64_t other = nobody;
        int64_t other_to = nobody;
    };

    // Applies the best move of a point, if any lowers the inertia; returns
    // its change, or 0. Pairs of clusters that have not changed since the
    // point was last examined are passed over.
    double improve(int64_t i);

    // Looks for swaps and ejections with members of cluster k, where point i
    // cannot simply move there; `gain` is that of its removal.
    void look_inside(int64_t i, int64_t at, double gain, Move& best);
    void look_for_room(int64_t i, int64_t j, double change, Move& best) const;

    // Looks for a point that takes the place of i, which joins cluster k.
    void look_for_substitute(int64_t i, int64_t k, Move& best) const;

    // A lower bound on the change when point i swaps places with any member of
    // the cluster at place `at` of those near its own; minus infinity where
    // none is known.
    double swap_bound(int64_t i, int64_t at);

    void apply(int64_t i, const Move& move);

    // Of the members of a cluster that is near another one: the least by which
    // their squared distance to the mean of that one is longer than to their
    // own, and the longest distance to their own.
    struct Border {
        // Of the two clusters when it was found, and when it was asked for.
        int64_t own_stamp = nobody;
        int64_t other_stamp = nobody;
        bool is_known = false;
        double least = 0.0;
        double radius = 0.0;
    };

    Partition& partition_;
    Neighbourhood around_;
    // When each cluster changed last, as a count of moves.
    std::vector<int64_t> stamps_;
    // When each point was last examined in vain, without and with ejections.
    std::vector<int64_t> seen_;
    std::vector<int64_t> seen_deeply_;
    // Of the shape of those near.
    std::vector<Border> borders_;
    // Where the descent stands: the next point, points examined without a
    // gain since the last move, whether ejections are tried, and moves so far.
    int64_t next_ = 0;
    int64_t num_idle_ = 0;
    bool is_deep_ = false;
    int64_t clock_ = 1;
};

} // namespace ncc::partition
