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
        if (kind == Floored || kind == ArcFloored)
            return std::floor(scale * length + shift);
        if (kind == Ceiled)
            return std::ceil(scale * length);
        return scale * length;
    }
};

constexpr double earth_radius = 6'371'008.8;

// The great circle in metres, as problems/distances.py computes it.
inline double arc_length(double lon, double lat, double other_lon,
                         double other_lat) {
    constexpr double degree = std::numbers::pi / 180.0;
    const double rise = std::sin(0.5 * (other_lat * degree - lat * degree));
    const double turn = std::sin(0.5 * (other_lon * degree - lon * degree));
    const double across =
        std::cos(lat * degree) * std::cos(other_lat * degree);
    const double root = std::sqrt(rise * rise + across * turn * turn);
    return 2.0 * earth_radius * std::asin(std::min(1.0, root));
}

// The same by the straight line through the unit sphere: less than 1e-8 m
// apart, and several times faster up to 600 km.
inline double arc_of_chord(double chord) {
    const double half = 0.5 * chord;
    const double square = half * half;
    if (square > 0.0025)
        return 2.0 * earth_radius * std::asin(std::min(1.0, half));
    // The series of the inverse sine.
    double sum = 63.0 / 2816.0;
    for (const double term :
         {35.0 / 1152.0, 5.0 / 112.0, 3.0 / 40.0, 1.0 / 6.0, 1.0})
        sum = term + square * sum;
    return 2.0 * earth_radius * (half * sum);
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
            return rounding.apply(arc_length(coords(i, 0), coords(i, 1),
                                             coords(j, 0), coords(j, 1)));
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
