#pragma once

#include "arrays.h"
#include "metric.h"

#include <cstdint>
#include <span>
#include <tuple>

// Sweeps work on a `ring`: the n customers in the order of the beam, written
// twice, so that an arc that passes the end needs no modulo. An arc is a run
// of consecutive positions of the ring; one that no vehicle can extend is
// full.
namespace ncc::sweep {

// Sets `ends[i]`, at most i + n, to the position after the full arc that
// starts at position i of 2n. No demand is above the capacity.
void fill_ends(std::span<const int64_t> ring, std::span<const int64_t> demands,
               int64_t capacity, std::span<int64_t> ends);

// Sets `lengths[i]` to the way from position 0 to position i.
void fill_lengths(const Metric& metric, std::span<const int64_t> ring,
                  std::span<double> lengths);

// Returns start, number of routes and cost of the best sweep.
//
// Every position is a start. Fewer routes come first, then lower cost, then
// the earlier start. The numbers of routes of two starts differ by at most
// one, so that all but the last few routes of every start are added up at
// once, by doubling: O(n log n).
std::tuple<int64_t, int64_t, double>
find_best_start(const Metric& metric, std::span<const int64_t> ring,
                std::span<const int64_t> ends,
                std::span<const double> lengths);

// Adds up the routes of sweeps whose arcs have a cost.
//
// `starts` are positions below n. `costs` (n) holds the cost of the full arc
// from a position, NaN where it is not known yet; the unknown ones that a
// sweep takes become infinite. `totals[k]` becomes the cost of the full arcs
// of sweep k, infinite where one is not known, and `lasts[k]` where its last
// route starts if the end of the sweep cuts it short, else -1.
void walk_sweeps(std::span<const int64_t> ends,
                 std::span<const int64_t> starts, std::span<double> costs,
                 std::span<double> totals, std::span<int64_t> lasts);

} // namespace ncc::sweep
