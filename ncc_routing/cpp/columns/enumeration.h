#pragma once

#include "columns/labels.h"
#include "columns/pool.h"

#include <cstdint>
#include <optional>

namespace ncc::columns {

// Nodes up to which routes are enumerated.
inline constexpr int64_t most_enumerated = 256;

// What routes cost, reduced and as they are, and what the former may be.
struct EnumerationCosts {
    MatrixView<const int64_t> reduced;
    MatrixView<const int64_t> units;
    const SubsetRows& rows;
    int64_t limit;
};

// Lists all elementary routes of a reduced cost up to the limit, of those with
// the same customers the cheapest (Baldacci, Christofides and Mingozzi 2008).
// `ends` are the labels from the other end. Nothing beyond the effort.
std::optional<Pool> enumerate(const RouteGraph& graph,
                              const EnumerationCosts& costs, const Side& ends,
                              Effort& effort);

} // namespace ncc::columns
