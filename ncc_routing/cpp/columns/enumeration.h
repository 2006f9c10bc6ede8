#pragma once

#include "columns/labels.h"
#include "columns/pool.h"

#include <cstdint>
#include <optional>

namespace ncc::columns {

// Nodes up to which routes are enumerated.
inline constexpr int64_t most_enumerated = 256;

// What routes cost, reduced and as they are, and what the former may be. Each
// node has a row, which a route visits once.
struct EnumerationCosts {
    MatrixView<const int64_t> reduced;
    MatrixView<const int64_t> units;
    std::span<const int32_t> row_of;
    const SubsetRows& rows;
    int64_t limit;
};

// Lists all routes of a reduced cost up to the limit, of those with
// the same rows the cheapest (Baldacci, Christofides and Mingozzi 2008).
// `ends` are the labels from the other end. Nothing beyond the effort.
std::optional<Pool> enumerate(const RouteGraph& graph,
                              const EnumerationCosts& costs, const Side& ends,
                              Effort& effort);

} // namespace ncc::columns
