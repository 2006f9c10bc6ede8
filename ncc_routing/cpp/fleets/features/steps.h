#pragma once

#include "fleets/features/feature.h"
#include "fleets/features/limits.h"
#include "search/exchange.h"

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

// Prices of what routes have beyond some of an amount: convex piecewise linear
// costs.
namespace ncc::fleets {

// Where a price of each further unit of an amount begins, and that price.
using PriceStep = std::pair<double, double>;

// The steps of distances, driving times, stops and loads of all vehicle types.
// Those of durations are the time steps of a type.
struct PriceSteps : ProblemFeature {
    static constexpr bool limits_routes = false;
    static constexpr const char* name = "PriceSteps";
    static constexpr std::array arguments{"length", "driving", "stops", "load",
                                          "loads"};
    static PriceSteps make(std::vector<std::vector<PriceStep>> length,
                           std::vector<std::vector<PriceStep>> driving,
                           std::vector<std::vector<PriceStep>> stops,
                           std::vector<std::vector<PriceStep>> load,
                           std::span<const int64_t> loads);

    // (types,) each
    std::vector<std::vector<PriceStep>> length;
    std::vector<std::vector<PriceStep>> driving;
    std::vector<std::vector<PriceStep>> stops;
    std::vector<std::vector<PriceStep>> load;
    std::vector<int64_t> loads; // (n + 1,): what each node adds to the load

    [[nodiscard]] bool is_any() const { return !length.empty(); }
    [[nodiscard]] bool fits(int64_t size, int64_t num_types) const {
        return std::ssize(length) == num_types && std::ssize(loads) == size;
    }

    // Lets a route of a type go on behind some customers.
    void begin_route(const FleetProblem& problem,
                     std::span<const uint32_t> served, int64_t type);

    [[nodiscard]] double price_of(int64_t type,
                                  const RouteAmounts& amounts) const;
    [[nodiscard]] double price_of(const FleetProblem& problem,
                                  std::span<const uint32_t> path,
                                  int64_t type) const;
};

// What each route has of them in all, and up to each of its customers.
class StepAmounts : public Feature {
public:
    explicit StepAmounts(const FleetProblem& problem);

    [[nodiscard]] bool is_any() const { return !of_routes_.empty(); }

    void schedule(const FleetSearch& search, uint32_t route);
    void set_empty(uint32_t route) {
        if (is_any())
            of_routes_[route] = {};
    }

    // Returns the price of a route, and that of one as it will be.
    [[nodiscard]] double price_of(const FleetSearch& search,
                                  uint32_t route) const;
    [[nodiscard]] double price_of(const FleetSearch& search,
                                  const search::NewRoute& route);

    // Returns by how much a customer between two nodes, who makes the way
    // longer, raises the price.
    [[nodiscard]] double rise_by(const FleetSearch& search, uint32_t route,
                                 uint32_t before, uint32_t customer,
                                 uint32_t after, double added) const;

private:
    [[nodiscard]] RouteAmounts amounts_of(const FleetSearch& search,
                                          uint32_t route) const;
    void go_along(const FleetSearch& search, uint32_t route);

    const FleetProblem& problem_;
    // Whether all follows from the distance and the size of a route, and
    // whether a piece has as much in both directions.
    bool follows_totals_;
    bool is_same_turned_;
    std::vector<RouteAmounts> of_routes_;
    std::vector<RouteAmounts> so_far_;      // (nodes,)
    std::vector<uint8_t> are_known_so_far_; // (routes,)
};

} // namespace ncc::fleets
