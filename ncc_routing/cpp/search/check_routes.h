#pragma once

#include "search/penalties.h"
#include "search/problem.h"

#include <cstdint>
#include <span>
#include <variant>

namespace ncc::search {

// Penalties as Python gives them: a table, or none.
using AnyTable = std::variant<std::monostate, const ZoneTable*,
                              const SameRouteTable*, const SumTable*>;

// Refuses penalties of other nodes.
void check_table(const AnyTable& table, int64_t num_nodes);

// Refuses routes that a search cannot begin with.
void check_routes(const RoutingProblem& problem,
                  std::span<const uint32_t> nodes,
                  std::span<const int64_t> starts, int64_t num_slots,
                  uint64_t seed);

} // namespace ncc::search
