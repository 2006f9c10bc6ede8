#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>

// Petals: arcs of the ring of construction/sweep.h, and wider ones.
namespace ncc::petal {

// Cuts the ring at `start` into arcs of the least total cost: a shortest path
// from each position on to the end of each arc.
//
// `costs(i, w)` is the cost of the arc from i to `ends[i] - w`, infinite where
// there is none. `closing_costs[i]` is that of the arc from i to `start`,
// infinite where it is not used. Over n + 1 steps, `reach[a]` becomes the
// least cost up to `start + a`, and `came_from[a]` the step at which the last
// arc starts. Returns the least cost, infinite where the arcs do not close
// the ring.
double cut_into_petals(std::span<const int64_t> ends,
                       MatrixView<const double> costs,
                       std::span<const double> closing_costs, int64_t start,
                       std::span<double> reach, std::span<int64_t> came_from);

// Grows one petal from each position, skipping what does not belong: a
// customer that does not fit any more, or whose distance from the depot
// (`radii`) differs from that of the first one by more than `band`. The beam
// passes `span` positions, at most n. Petal i becomes
// `members[offsets[i]..offsets[i + 1]]`. Returns whether `members` had room.
bool grow_petals(std::span<const int64_t> ring,
                 std::span<const int64_t> demands, int64_t capacity,
                 std::span<const double> radii, double band, int64_t span,
                 std::span<int64_t> members, std::span<int64_t> offsets);

} // namespace ncc::petal
