#pragma once

#include "search/penalties.h"
#include "search/problem.h"

#include <cstdint>
#include <span>

namespace ncc::search {

// Refuses penalties of other nodes.
void check_tables(const PenaltyTables& tables, int64_t num_nodes);

// Refuses routes that a search cannot begin with.
void check_routes(const RoutingProblem& problem,
                  std::span<const uint32_t> nodes,
                  std::span<const int64_t> starts, int64_t num_slots,
                  uint64_t seed);

} // namespace ncc::search
