#pragma once

#include "arrays.h"
#include "metric.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

namespace ncc::fleets {

// Lengths between places in a plane or on the unit sphere, computed where they
// are asked for; or times, which are whole numbers, at a speed; or what both
// cost.
class PlaceLengths {
public:
    struct alignas(32) Point {
        double x;
        double y;
        double z;
    };

    // `points` (places, 3) are in a plane where z is 0. One that is nan is
    // nowhere: it has no length to any other.
    PlaceLengths(MatrixView<const double> points, LengthRule rule)
        : rule_(rule), points_(make(points)) {}

    [[nodiscard]] PlaceLengths at_speed(double speed) const {
        PlaceLengths times(*this);
        times.speed_ = speed;
        return times;
    }

    [[nodiscard]] PlaceLengths priced(double speed, double of_length,
                                      double of_time) const {
        PlaceLengths costs = at_speed(speed);
        costs.of_length_ = of_length;
        costs.of_time_ = of_time;
        return costs;
    }

    [[nodiscard]] int64_t num_places() const { return std::ssize(*points_); }

    [[nodiscard]] const Point& point(int64_t place) const {
        NCC_CHECK(0 <= place && place < num_places());
        return points_->data()[place];
    }

    [[nodiscard]] double between(const Point& a, const Point& b) const {
        const double dx = a.x - b.x;
        const double dy = a.y - b.y;
        const double dz = a.z - b.z;
        double length = std::sqrt(dx * dx + dy * dy + dz * dz);
        if (rule_.kind > LengthRule::Unrounded)
            length = arc_of_chord(length);
        length = rule_.apply(length);
        length = std::max(0.0, length); // of nan too
        if (speed_ > 0.0)
            return of_length_ * length +
                   of_time_ * std::nearbyint(length / speed_);
        return length;
    }

private:
    using Points = std::vector<Point>;

    static std::shared_ptr<const Points> make(MatrixView<const double> given) {
        auto points = std::make_shared<Points>(given.num_rows());
        for (int64_t row = 0; row < given.num_rows(); ++row)
            (*points)[row] = {given(row, 0), given(row, 1), given(row, 2)};
        return points;
    }

    LengthRule rule_;
    double speed_ = 0.0;     // 0 for lengths
    double of_length_ = 0.0; // prices, at a speed
    double of_time_ = 1.0;
    std::shared_ptr<const Points> points_;
};

// The lengths from one place.
class PlaceRow {
public:
    PlaceRow(const PlaceLengths& lengths, int64_t from)
        : lengths_(lengths), from_(lengths.point(from)) {}

    double operator[](int64_t to) const {
        return lengths_.between(from_, lengths_.point(to));
    }

private:
    const PlaceLengths& lengths_;
    const PlaceLengths::Point from_;
};

} // namespace ncc::fleets
