#pragma once

#include "arrays.h"
#include "fleets/features/hours.h"
#include "fleets/features/preferred.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

// What the times, the loads and the cost of a route follow from.
namespace ncc::routes {

using fleets::Break;
using fleets::Hours;
using fleets::HoursSoFar;
using fleets::Preference;
using fleets::Window;

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

// What a limit is at least that is none.
inline constexpr double no_limit = 0x1p60;

// How far sums of real numbers may exceed a limit.
struct Tolerance {
    double share = 0.0;
    double most = 0.0; // of a limit that is widened

    // Whether a limit is broken; exact where both are whole numbers.
    [[nodiscard]] bool exceeds(double value, double limit) const {
        if (0.0 <= limit && value <= limit)
            return false;
        if (std::floor(value) == value && std::floor(limit) == limit)
            return value > limit;
        return value > limit * (1.0 + share);
    }

    // Returns a limit that sums may be compared with in whatever order.
    [[nodiscard]] double widened(double limit) const {
        return limit + std::min(0.5 * share * limit, most);
    }
};

// A price of each unit of an amount of a route beyond some of it. The amount
// is that of `Amounts::values`.
struct PriceStep {
    int64_t amount = 0;
    double beyond = 0.0;
    double unit_cost = 0.0;

    [[nodiscard]] double price(double value) const {
        return unit_cost * std::max(0.0, value - beyond);
    }
};

// A vehicle of a type. Hours and breaks are those of whole numbers, whose
// limits are exact, and those of others.
struct Vehicle {
    double fixed_cost = 0.0;
    double distance_cost = 0.0;
    double duration_cost = 0.0;
    double driving_cost = 0.0;
    double unpaid_duration = 0.0;
    double max_duration = no_limit;
    double early = 0.0;
    double late = no_limit;
    double latest_start = no_limit;
    std::vector<PriceStep> steps;
    std::vector<int64_t> initial_load;
    std::array<Hours, 2> hours{};
    std::array<std::vector<Break>, 2> breaks{};

    // Returns the steps of durations, the first first.
    [[nodiscard]] std::vector<std::pair<double, double>> time_steps() const;
};

// A break or rest that a driver has had behind some first stops.
struct BreakHad {
    int64_t number = -1;
    int64_t place = 0;
    double begin = unknown;
    double duration = 0.0;
    double distance = unknown; // from the stop before
};

// What has happened on a route, and what its vehicle has on board.
struct Past {
    // (1 + stops,): from the depot and each stop, some unknown; or empty.
    std::vector<double> departures;
    std::vector<int64_t> on_board;
    int64_t num_reloads = 0;
    std::vector<std::vector<int64_t>> undelivered; // by trip, or empty
    bool is_over = false;
    std::vector<BreakHad> breaks;
    // Of numbers of stops, and what the way from there took longer.
    std::vector<std::pair<int64_t, double>> delays;
    HoursSoFar so_far{};

    // Returns what was lost on the way after some first stops.
    [[nodiscard]] double delay_after(int64_t num_stops) const;
    // And how long breaks and delays took there.
    [[nodiscard]] double rested_after(int64_t num_stops) const;
    // Returns when a vehicle is at the next stop that is there so early
    // without breaks and delays.
    [[nodiscard]] double is_there(int64_t num_stops, double there) const;
    // Whether a vehicle has left a place of its route.
    [[nodiscard]] bool has_left(int64_t place) const;
    [[nodiscard]] bool has_had(int64_t number) const;
};

// Nodes are those of an instance, and one behind them: where an open route
// starts or ends. Rows of services and set-ups are one for all types or one a
// type.
struct RouteProblem {
    std::span<const double> early;   // (nodes,)
    std::span<const double> late;    // (nodes,)
    std::span<const double> release; // (nodes,)
    MatrixView<const double> services;
    MatrixView<const double> setups;
    std::span<const int64_t> places;          // (nodes,): the number of each
    MatrixView<const int64_t> deliveries;     // (nodes, dimensions)
    MatrixView<const int64_t> load_changes;   // (nodes, dimensions)
    std::span<const int64_t> handled;         // (nodes,): what a load counts
    std::vector<uint8_t> is_depot;            // (nodes,)
    std::vector<std::vector<Window>> several; // (nodes,): of more than one
    std::vector<Preference> preferred;        // (nodes,), or none
    std::vector<Vehicle> vehicles;            // (types,)
    std::vector<Past> in_progress;
    Tolerance tolerance;

    [[nodiscard]] int64_t num_nodes() const { return std::ssize(early); }
    [[nodiscard]] int64_t num_dimensions() const {
        return deliveries.num_columns();
    }

    // Returns the service and the set-up of a node after that at a place.
    [[nodiscard]] std::pair<double, double>
    work_at(int64_t type, int64_t place, int64_t node) const {
        const double service =
            services(services.num_rows() == 1 ? 0 : type, node);
        const double setup = setups(setups.num_rows() == 1 ? 0 : type, node);
        return {service, places[place] == places[node] ? 0.0 : setup};
    }
};

} // namespace ncc::routes
