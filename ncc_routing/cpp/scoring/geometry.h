#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>

// What lies between customers and centers: the features of their pairs. Those
// of customer i and its c-th listed center are row c * n + i.
namespace ncc::scoring {

// Features that `fill_lengths` fills in, and those of `fill_loads` behind.
inline constexpr int64_t num_lengths = 12;
inline constexpr int64_t num_features = num_lengths + 4;

// Describes the way from customers to the medoids of centers.
//
// `places` (n, 2), `depot` (n), `axis` (n, 2) and `local` (n) are as in
// scoring/features.py; `scales` holds the spacing and the mean distance to the
// depot. `medoids[k]` is the row of center k; column i of `listed` (C, n)
// holds the centers of customer i. `lengths` (C, n) becomes the distances. The
// first `num_lengths` columns of `features` are set, but for column 7: the
// distance in local spacings and in those of the medoid, its parts away from
// the depot and across, the angle at the depot (cosine and sine), what the way
// saves against two by the depot, the detours either way, the distance to the
// mean one to the depot, and how much longer it is than to the nearest medoid.
void fill_lengths(MatrixView<const float> places, std::span<const float> depot,
                  MatrixView<const float> axis, std::span<const float> local,
                  std::span<const float> scales,
                  std::span<const int64_t> medoids,
                  MatrixView<const int64_t> listed, MatrixView<float> lengths,
                  MatrixView<float> features);

// Describes how full centers are before they reach a customer; a center sees
// the customers that list it.
//
// `shares` (n) are demands in capacities; `listed` and `lengths` are as
// `fill_lengths` takes and leaves them. Column 7 of `features` becomes the
// demand of the customer; behind the first `num_lengths` come, as log(1 +
// load), the load up to the customer, that of all customers to whom no medoid
// is nearer, that of those among them up to the customer; and how many listed
// medoids are nearer to the customer, in eighths.
void fill_loads(std::span<const float> shares, int64_t num_centers,
                MatrixView<const int64_t> listed,
                MatrixView<const float> lengths, MatrixView<float> features);

} // namespace ncc::scoring
