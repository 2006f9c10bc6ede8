#pragma once

#include "arrays.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>

namespace ncc {

// How a length becomes a distance: the kinds of problems/distances.py.
struct LengthRule {
    enum Kind : int64_t {
        Floored,
        Ceiled,
        Unrounded,
        ArcFloored,
        ArcUnrounded
    };
    int64_t kind = Unrounded;
    double scale = 1.0;
    double shift = 0.0;

    [[nodiscard]] double apply(double length) const {
        if (kind == Floored)
            return std::floor(scale * length + shift);
        if (kind == Ceiled)
            return std::ceil(length);
        return length;
    }
};

// The great circle in metres, as problems/distances.py computes it.
inline double arc_length(double lon, double lat, double other_lon,
                         double other_lat, bool is_rounded) {
    constexpr double degree = std::numbers::pi / 180.0;
    constexpr double earth_radius = 6'371'008.8;
    const double rise = std::sin(0.5 * (other_lat * degree - lat * degree));
    const double turn = std::sin(0.5 * (other_lon * degree - lon * degree));
    const double across =
        std::cos(lat * degree) * std::cos(other_lat * degree);
    const double root = std::sqrt(rise * rise + across * turn * turn);
    const double arc = 2.0 * earth_radius * std::asin(std::min(1.0, root));
    return is_rounded ? std::floor(arc + 0.5) : arc;
}

// Distances by coordinates, or by a matrix where it is not empty.
struct Metric {
    MatrixView<const double> coords;
    MatrixView<const double> matrix;
    LengthRule rounding;

    [[nodiscard]] std::size_t num_nodes() const {
        const auto& rows = matrix.empty() ? coords : matrix;
        return static_cast<std::size_t>(rows.num_rows());
    }

    double operator()(int64_t i, int64_t j) const {
        if (!matrix.empty())
            return matrix(i, j);
        if (rounding.kind > LengthRule::Unrounded)
            return arc_length(coords(i, 0), coords(i, 1), coords(j, 0),
                              coords(j, 1),
                              rounding.kind == LengthRule::ArcFloored);
        const double dx = coords(i, 0) - coords(j, 0);
        const double dy = coords(i, 1) - coords(j, 1);
        return rounding.apply(std::sqrt(dx * dx + dy * dy));
    }

    // Sets `out(a, b)` to the distances of the given nodes.
    template <class Index>
    void fill_block(std::span<const Index> nodes,
                    MatrixView<double> out) const {
        const auto size = static_cast<int64_t>(nodes.size());
        for (int64_t a = 0; a < size; ++a) {
            out(a, a) = 0.0;
            for (int64_t b = 0; b < size; ++b)
                if (a != b)
                    out(a, b) = (*this)(nodes[a], nodes[b]);
        }
    }
};

} // namespace ncc
