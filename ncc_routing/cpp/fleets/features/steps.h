#pragma once

#include "fleets/features/feature.h"

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

// The steps of distances, driving times and stops of all vehicle types. Those
// of durations are the time steps of a type.
struct PriceSteps : ProblemFeature {
    static constexpr bool limits_routes = false;
    static constexpr const char* name = "PriceSteps";
    static constexpr std::array arguments{"length", "driving", "stops"};
    static PriceSteps make(std::vector<std::vector<PriceStep>> length,
                           std::vector<std::vector<PriceStep>> driving,
                           std::vector<std::vector<PriceStep>> stops);

    // (types,) each
    std::vector<std::vector<PriceStep>> length;
    std::vector<std::vector<PriceStep>> driving;
    std::vector<std::vector<PriceStep>> stops;
    // Whether a search knows these amounts of a route without its path.
    bool follows_totals = false;
    bool prices_paths = true; // where it does not

    [[nodiscard]] bool is_any() const { return !length.empty(); }
    [[nodiscard]] bool fits(int64_t, int64_t num_types) const {
        return std::ssize(length) == num_types;
    }

    void complete(const FleetProblem& problem);

    // Lets a route of a type go on behind some customers.
    void begin_route(const FleetProblem& problem,
                     std::span<const uint32_t> served, int64_t type);

    [[nodiscard]] double price(const FleetProblem& problem,
                               std::span<const uint32_t> path, int64_t type,
                               double duration, double most) const;

    // Returns the price of a route where that follows from these totals, and
    // else nothing.
    [[nodiscard]] double price_of_totals(int64_t type, double distance,
                                         int64_t num_stops) const;
};

} // namespace ncc::fleets
