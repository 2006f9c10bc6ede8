#pragma once

#include "arrays.h"
#include "clustering/partition.h"
#include "random.h"

#include <cstdint>
#include <span>

// Assignments of points to clusters under capacities. `scores` are
// priorities, higher is better: one row a cluster, one column a point.
namespace ncc::clustering {

// Assigns points in the order of what they lose without their best; returns
// how many fit nowhere.
//
// The regret of a point is the gap between its two best clusters with room,
// times its weight to the power `weight_power`. A point whose best cluster
// has filled up in the meantime waits for the next round, with its regret
// taken anew. J. M. Mulvey and M. P. Beck (1984). Solving capacitated
// clustering problems. European Journal of Operational Research 18(3), with
// deferral.
//
// `listed` is the cluster of each score; empty: row k is cluster k. Loads and
// labels are set afresh.
int64_t assign_by_regret(MatrixView<const double> scores,
                         const Partition& partition, double weight_power,
                         Workspace& work,
                         MatrixView<const int64_t> listed = {});

// Assigns along the list of all pairs, highest priority first; returns how
// many points fit nowhere. Algorithm 1 of Falkner and Schmidt-Thieme (2023),
// after S. Geetha, G. Poonthalir and P. T. Vanathi (2009). Improved k-means
// algorithm for capacitated clustering problem. INFOCOMP 8(4).
int64_t assign_sorted(MatrixView<const double> scores,
                      const Partition& partition);

// Lets the clusters take turns, in random order, at their best point; returns
// how many points are in no cluster. The loop of Algorithm 2 of Falkner and
// Schmidt-Thieme; it ends when `num_left` points are unassigned or no cluster
// can take one.
int64_t assign_cyclic(MatrixView<const double> scores,
                      const Partition& partition, int64_t num_left,
                      NumpyGenerator& rng);

// The nearest cluster with room for point i, -1 for none; `reach` is set to
// its squared distance.
int64_t nearest_with_room(MatrixView<const double> coords,
                          MatrixView<const double> centers,
                          const Partition& partition, int64_t i,
                          double& reach);

// Places the points that are left, each in the nearest cluster with room;
// returns how many fit nowhere.
//
// The order is that of the best priority of each point over the clusters:
// descending for one sample; else drawn without replacement by its softmax
// (as descending priority plus Gumbel noise), and the order of least unplaced
// points, then least squared distance, counts (section 4.3 of Falkner and
// Schmidt-Thieme).
int64_t complete(MatrixView<const double> scores,
                 MatrixView<const double> coords, const Partition& partition,
                 MatrixView<const double> centers, int64_t num_samples,
                 NumpyGenerator& rng);

} // namespace ncc::clustering
