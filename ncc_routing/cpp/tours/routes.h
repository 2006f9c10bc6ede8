#pragma once

#include "metric.h"
#include "random.h"

#include <cstdint>
#include <span>

namespace ncc::tours {

// Puts the customers of every cluster in the order of a good route.
//
// Cluster c holds `members[offsets[c]]` to `members[offsets[c + 1] - 1]`:
// each part becomes, in place, the order of the visit, depot -> part ->
// depot. `costs` are set to the lengths of the routes; 0 for an empty
// cluster. A cluster of m nodes, the depot counted, gets m kicks for each of
// its nodes, but at most `kicks_per_node` for each; see `optimize_tour`.
void route_members(const Metric& metric, std::span<int64_t> members,
                   std::span<const int64_t> offsets, int64_t kicks_per_node,
                   NumpyGenerator& rng, std::span<double> costs);

} // namespace ncc::tours
