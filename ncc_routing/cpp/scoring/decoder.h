#pragma once

#include "arrays.h"

#include <cstdint>
#include <span>

namespace ncc::scoring {

// The last layers of the network of the paper: scores points for the centers
// that are listed for them.
//
// The score of point i for center k is the sum over the width d of weight *
// GELU(own[k] + other[i] + what they see of each other). `own` (K, d) and
// `other` (n, d) are what centers and points contribute to the hidden layer,
// `between` (G, d) what each feature of `seen` does. `listed` (C, n) holds the
// centers of a point in a column; `seen` (C * n, G) the features of each such
// pair, G may be 0. `scores` (C, n) is overwritten.
void decode(MatrixView<const float> own, MatrixView<const float> other,
            MatrixView<const float> between, std::span<const float> weight,
            MatrixView<const int64_t> listed, MatrixView<const float> seen,
            MatrixView<float> scores);

} // namespace ncc::scoring
