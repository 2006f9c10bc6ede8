#pragma once

#include "arrays.h"
#include "metric.h"

#include <cstdint>
#include <span>

// The savings method of Clarke and Wright: links between customers, and
// routes joined by them.
namespace ncc::savings {

// Lists each pair of a customer of `order` and a neighbour of it once, in the
// columns of `pairs` (2, n * k); returns how many there are. Near customers
// after one another keep the rows of their neighbours in the cache.
int64_t list_pairs(std::span<const int64_t> order,
                   MatrixView<const int32_t> neighbours,
                   MatrixView<int32_t> pairs);

// Sets `savings[a]` to what the link tails[a] -> heads[a] saves; `shape` is
// the weight of the length of the link.
void fill_savings(const Metric& metric, std::span<const int32_t> tails,
                  std::span<const int32_t> heads, double shape,
                  std::span<double> savings);

// Joins routes at their ends, link by link, where the load allows it.
//
// `links` (n + 1, 2) holds the two neighbours of each customer in its route,
// 0 for the depot: predecessor and successor where routes must not be turned
// around, in any order where they may (`symmetric`). `parent` and `loads` are
// the route of each customer as a union-find forest, and the load of the
// route at its root. All three are modified in place.
void merge_routes(std::span<const int32_t> tails,
                  std::span<const int32_t> heads, bool symmetric,
                  int64_t capacity, MatrixView<int64_t> links,
                  std::span<int64_t> parent, std::span<int64_t> loads);

// Writes all routes to `visits`, zeros of length 2n, with a 0 after each.
void walk_routes(MatrixView<const int64_t> links, bool symmetric,
                 std::span<int64_t> visits);

} // namespace ncc::savings
