#pragma once

#include "arrays.h"

#include <algorithm>
#include <cstdint>
#include <span>

// The hybrid genetic search: offspring of two solutions, improved by a local
// search, in a population that keeps short and diverse ones.
// T. Vidal (2022). Hybrid genetic search for the CVRP: open-source
// implementation and SWAP* neighborhood. Computers & Operations Research 140.
namespace ncc::genetic {

// What does not change during the search; n customers, node 0 is the depot.
// The caller owns the arrays.
struct Problem {
    MatrixView<const double> matrix;  // distances (n + 1, n + 1), symmetric
    std::span<const int64_t> demands; // (n + 1,)
    int64_t capacity = 0;
    // The near customers of each customer, one customer after another. Each
    // is near to those that are near to it.
    std::span<const uint32_t> neighbours;
    std::span<const int64_t> bounds; // (n + 2,): where those of each begin
    MatrixView<const double> coords; // relative to the depot, or zeros

    [[nodiscard]] uint32_t num_nodes() const {
        return static_cast<uint32_t>(demands.size());
    }

    // The load above the capacity.
    [[nodiscard]] int64_t overload(int64_t load) const {
        return std::max<int64_t>(0, load - capacity);
    }

    // The near customers of one, the nearest first.
    [[nodiscard]] std::span<const uint32_t>
    neighbours_of(uint32_t customer) const {
        const auto begin = static_cast<std::size_t>(bounds[customer]);
        const auto end = static_cast<std::size_t>(bounds[customer + 1]);
        return neighbours.subspan(begin, end - begin);
    }
};

// What an improvement of a length is at least: above rounding errors.
inline constexpr double least_gain = 1e-5;

} // namespace ncc::genetic
