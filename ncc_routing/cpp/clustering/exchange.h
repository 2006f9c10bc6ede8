#pragma once

#include "arrays.h"
#include "clustering/partition.h"

#include <cstdint>

// Exchanges between clusters under capacities. `scores` are priorities,
// higher is better: one row a cluster, one column a point.
namespace ncc::clustering {

// Places points that fit nowhere by moving members out of the way; returns
// how many still fit nowhere.
//
// For each unplaced point the cheapest member, in priority, that makes room
// in its cluster and fits into another one is moved there. Where there is
// none, it changes places with a lighter member of another cluster. Where
// that makes no room either, the point takes the place of the cheapest
// lighter member, for which the same is tried.
int64_t place_by_exchange(MatrixView<const double> scores,
                          const Partition& partition);

// Moves and swaps members as long as the sum of their scores rises, in
// `max_passes` passes over the points at most. Each point that another
// cluster suits better goes there, where there is room, or changes places
// with a member; what gains most is done.
void swap_members(MatrixView<const double> scores, const Partition& partition,
                  int64_t max_passes);

} // namespace ncc::clustering
