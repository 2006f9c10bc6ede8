#pragma once

#include "search/problem.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

// Distances between places: the depot is 0, the customers are 1..n.
//
// `row(i)` fixes one of two places, so that its data stays in a register.
namespace ncc::iterated {

// Up to this number of places all distances are kept: 36 MB as floats.
inline constexpr int64_t max_dense = 3000;

// A matrix of all distances, that of the problem where it serves. Whole
// numbers below 2^24 fit into floats, of which twice as many stay in the
// cache.
template <class T, bool symmetric>
class DenseLengths {
public:
    static constexpr bool is_symmetric = symmetric;

    explicit DenseLengths(const search::RoutingProblem& problem)
        : size_(problem.demands.size()) {
        const Metric& metric = problem.metric;
        if constexpr (std::is_same_v<T, double>)
            if (has_zero_diagonal(metric.matrix)) {
                values_ = metric.matrix.data();
                return;
            }
        own_.resize(size_ * size_);
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j < size_; ++j)
                if (i != j)
                    own_[i * size_ + j] = static_cast<T>(metric(
                        static_cast<int64_t>(i), static_cast<int64_t>(j)));
        values_ = own_.data();
    }
    DenseLengths(const DenseLengths&) = delete;
    DenseLengths& operator=(const DenseLengths&) = delete;

    class Row {
    public:
        Row(const DenseLengths& all, uint32_t i)
            : all_(all), row_(all.values_ + i * all.size_), i_(i) {}

        [[nodiscard]] double to(uint32_t j) const { return row_[j]; }
        [[nodiscard]] double from(uint32_t j) const {
            return symmetric ? to(j) : all_(j, i_);
        }

    private:
        const DenseLengths& all_;
        const T* row_;
        uint32_t i_;
    };

    [[nodiscard]] Row row(uint32_t i) const { return {*this, i}; }

    double operator()(uint32_t i, uint32_t j) const {
        return values_[i * size_ + j];
    }

private:
    static bool has_zero_diagonal(const MatrixView<const double>& matrix) {
        for (int64_t i = 0; i < matrix.num_rows(); ++i)
            if (matrix(i, i) != 0.0)
                return false;
        return !matrix.empty();
    }

    std::size_t size_;
    std::vector<T> own_; // empty with the matrix of the problem
    const T* values_;
};

// Straight distances, computed from coordinates.
class PlaneLengths {
    struct Place {
        double x;
        double y;
    };

public:
    static constexpr bool is_symmetric = true;

    explicit PlaneLengths(const search::RoutingProblem& problem)
        : rule_(problem.metric.rounding), places_(problem.demands.size()) {
        const MatrixView<const double>& coords = problem.metric.coords;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const auto row = static_cast<int64_t>(i);
            places_[i] = {coords(row, 0), coords(row, 1)};
        }
    }

    class Row {
    public:
        Row(const PlaneLengths& all, uint32_t i)
            : all_(all), place_(all.places_[i]) {}

        [[nodiscard]] double to(uint32_t j) const {
            return all_.between(place_, all_.places_[j]);
        }
        [[nodiscard]] double from(uint32_t j) const { return to(j); }

    private:
        const PlaneLengths& all_;
        Place place_;
    };

    [[nodiscard]] Row row(uint32_t i) const { return {*this, i}; }

    double operator()(uint32_t i, uint32_t j) const {
        return between(places_[i], places_[j]);
    }

private:
    [[nodiscard]] double between(const Place& a, const Place& b) const {
        const double dx = a.x - b.x;
        const double dy = a.y - b.y;
        return rule_.apply(std::sqrt(dx * dx + dy * dy));
    }

    LengthRule rule_;
    std::vector<Place> places_;
};

} // namespace ncc::iterated
