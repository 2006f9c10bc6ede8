#pragma once

#include "arrays.h"
#include "fleets/features/feature.h"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

// How far and how long routes may drive, and how many customers and how much
// load they have at most and at least.
namespace ncc::fleets {

// The limits of the routes of a vehicle type. Where sums are rounded, the
// largest length and driving time include the tolerance.
struct RouteLimit {
    double max_length = infinity;
    double max_driving = infinity;
    int64_t max_stops = std::numeric_limits<int64_t>::max();
    int64_t min_stops = 0;
    int64_t min_load = 0;

    [[nodiscard]] bool limits_sums() const {
        return max_length < infinity || max_driving < infinity;
    }
};

// What a route has of all that is limited.
struct RouteAmounts {
    int64_t stops = 0;
    int64_t load = 0;
    double length = 0.0;
    double driving = 0.0;
};

// Returns length and driving time of a path, perhaps without the way back.
RouteAmounts sums_of(const FleetProblem& problem,
                     std::span<const uint32_t> path, int64_t type,
                     bool comes_back = true);

// The limits of all types; none where there are none.
struct RouteLimits : ProblemFeature {
    static constexpr const char* name = "RouteLimits";
    static constexpr std::array arguments{
        "max_length", "max_driving", "max_stops", "min_stops",
        "min_load",   "loads",       "lack_price"};
    static RouteLimits make(std::span<const double> max_length,
                            std::span<const double> max_driving,
                            std::span<const int64_t> max_stops,
                            std::span<const int64_t> min_stops,
                            std::span<const int64_t> min_load,
                            std::span<const int64_t> loads, double lack_price);

    std::vector<RouteLimit> of_types; // (types,)
    std::vector<int64_t> loads;       // (n + 1,)
    // What each stop and each unit of load costs that a route has too little.
    double lack_price = 0.0;
    bool limits_sums = false;
    bool prices_paths = false;

    [[nodiscard]] bool is_any() const { return !of_types.empty(); }
    [[nodiscard]] bool fits(int64_t num_nodes, int64_t num_types) const {
        return std::ssize(of_types) == num_types &&
               std::ssize(loads) == num_nodes;
    }

    // Lets a route of a type go on behind some customers.
    void begin_route(const FleetProblem& problem,
                     std::span<const uint32_t> served, int64_t type);

    [[nodiscard]] bool judge(const FleetProblem& problem,
                             std::span<const uint32_t> path, int64_t type,
                             PathTotals&) const;

    // Returns the price of what a path lacks.
    [[nodiscard]] double price(const FleetProblem& problem,
                               std::span<const uint32_t> path, int64_t type,
                               double, double) const;
    [[nodiscard]] double price(int64_t type, int64_t stops,
                               int64_t load) const;

private:
    [[nodiscard]] bool keeps(int64_t type, const RouteAmounts& amounts) const {
        const RouteLimit& limit = of_types[type];
        return amounts.stops <= limit.max_stops &&
               amounts.length <= limit.max_length &&
               amounts.driving <= limit.max_driving;
    }

    friend class RouteSums;
};

// What each route has.
class RouteSums : public Feature {
public:
    explicit RouteSums(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return !of_routes_.empty(); }

    static constexpr bool limits_customers = true;
    [[nodiscard]] bool admits(uint32_t customer, uint32_t other,
                              uint32_t route) const;
    void schedule(FleetSearch& search, uint32_t route);
    void set_empty(uint32_t route) {
        if (is_any())
            of_routes_[route] = {};
    }

    // Whether the sums of a route leave room for a customer between two nodes.
    [[nodiscard]] bool has_room(const FleetSearch& search, uint32_t route,
                                uint32_t before, uint32_t customer,
                                uint32_t after) const;

    // Returns what a customer and its partner, 0 for none, add to the price of
    // what a route lacks.
    [[nodiscard]] double price_of(const FleetSearch& search, uint32_t customer,
                                  uint32_t other, uint32_t route) const;

    // Whether a route keeps its limits.
    [[nodiscard]] bool keeps_limits(uint32_t route) const;

private:
    const FleetProblem& problem_;
    std::vector<RouteAmounts> of_routes_; // nothing where nobody is served
};

} // namespace ncc::fleets
