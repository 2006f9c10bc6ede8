#include "fleets/features/steps.h"

#include "fleets/features/limits.h"
#include "fleets/search.h"

#include <algorithm>

namespace ncc::fleets {

namespace {

double price_of(std::span<const PriceStep> steps, double amount) {
    double price = 0.0;
    for (const auto& [beyond, unit_cost] : steps)
        price += unit_cost * std::max(0.0, amount - beyond);
    return price;
}

double num_stops_of(const FleetProblem& problem,
                    std::span<const uint32_t> path) {
    return static_cast<double>(std::ranges::count_if(
        path, [&](uint32_t node) { return !problem.is_reload(node); }));
}

// Lets steps begin earlier by what a route has already.
void begin_earlier(std::span<PriceStep> steps, double amount) {
    for (auto& [beyond, unit_cost] : steps)
        beyond -= amount;
}

} // namespace

PriceSteps PriceSteps::make(std::vector<std::vector<PriceStep>> length,
                            std::vector<std::vector<PriceStep>> driving,
                            std::vector<std::vector<PriceStep>> stops) {
    require(!length.empty() && driving.size() == length.size() &&
                stops.size() == length.size(),
            "steps must be of each vehicle type.");
    PriceSteps made;
    made.length = std::move(length);
    made.driving = std::move(driving);
    made.stops = std::move(stops);
    return made;
}

void PriceSteps::complete(const FleetProblem& problem) {
    const auto are_empty = [](const auto& types) {
        return std::ranges::all_of(
            types, [](const auto& steps) { return steps.empty(); });
    };
    follows_totals =
        !problem.reloads.is_any() && are_empty(driving) &&
        (are_empty(length) || problem.lengths == problem.distances);
    prices_paths = !follows_totals;
}

void PriceSteps::begin_route(const FleetProblem& problem,
                             std::span<const uint32_t> served, int64_t type) {
    const RouteAmounts had = sums_of(problem, served, type, false);
    begin_earlier(length[type], had.length);
    begin_earlier(driving[type], had.driving);
    begin_earlier(stops[type], num_stops_of(problem, served));
}

double PriceSteps::price_of_totals(int64_t type, double distance,
                                   int64_t num_stops) const {
    if (!follows_totals)
        return 0.0;
    return price_of(length[type], distance) +
           price_of(stops[type], static_cast<double>(num_stops));
}

double PriceSteps::price(const FleetProblem& problem,
                         std::span<const uint32_t> path, int64_t type, double,
                         double) const {
    if (follows_totals)
        return 0.0;
    const RouteAmounts amounts = sums_of(problem, path, type);
    return price_of(length[type], amounts.length) +
           price_of(driving[type], amounts.driving) +
           price_of(stops[type], num_stops_of(problem, path));
}

} // namespace ncc::fleets
