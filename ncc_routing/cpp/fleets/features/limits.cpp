#include "fleets/features/limits.h"

#include "fleets/search.h"

#include <algorithm>

namespace ncc::fleets {

namespace {

// Returns what a path has; sums only where they are limited.
RouteAmounts measure(const FleetProblem& problem,
                     std::span<const uint32_t> path, int64_t type,
                     bool comes_back = true) {
    const RouteLimits& limits = problem.limits;
    RouteAmounts amounts;
    if (limits.of_types[type].limits_sums())
        amounts = sums_of(problem, path, type, comes_back);
    for (const uint32_t node : path)
        if (!problem.is_reload(node)) {
            ++amounts.stops;
            amounts.load += limits.loads[node];
        }
    return amounts;
}

} // namespace

RouteAmounts sums_of(const FleetProblem& problem,
                     std::span<const uint32_t> path, int64_t type,
                     bool comes_back) {
    const VehicleType& vehicle = problem.vehicles[type];
    RouteAmounts amounts;
    uint32_t last = vehicle.start;
    const auto go_to = [&](uint32_t place) {
        amounts.length += problem.lengths(vehicle.profile, last, place);
        amounts.driving += problem.durations(vehicle.profile, last, place);
        last = place;
    };
    std::ranges::for_each(path, go_to);
    if (comes_back)
        go_to(vehicle.end);
    return amounts;
}

RouteLimits RouteLimits::make(std::span<const double> max_length,
                              std::span<const double> max_driving,
                              std::span<const int64_t> max_stops,
                              std::span<const int64_t> min_stops,
                              std::span<const int64_t> min_load,
                              std::span<const int64_t> loads,
                              double lack_price) {
    RouteLimits limits;
    limits.lack_price = lack_price;
    limits.loads.assign(loads.begin(), loads.end());
    const std::size_t size = max_length.size();
    require(size > 0 && max_driving.size() == size &&
                max_stops.size() == size && min_stops.size() == size &&
                min_load.size() == size,
            "limits must be of each vehicle type.");
    for (std::size_t type = 0; type < size; ++type) {
        limits.of_types.push_back({max_length[type], max_driving[type],
                                   max_stops[type], min_stops[type],
                                   min_load[type]});
        limits.limits_sums |= limits.of_types.back().limits_sums();
        limits.prices_paths |= min_stops[type] > 0 || min_load[type] > 0;
    }
    return limits;
}

void RouteLimits::begin_route(const FleetProblem& problem,
                              std::span<const uint32_t> served, int64_t type) {
    const RouteAmounts amounts = measure(problem, served, type, false);
    RouteLimit& limit = of_types[type];
    limit.max_stops -= amounts.stops;
    limit.max_length -= amounts.length;
    limit.max_driving -= amounts.driving;
}

bool RouteLimits::judge(const FleetProblem& problem,
                        std::span<const uint32_t> path, int64_t type,
                        PathTotals&) const {
    return keeps(type, measure(problem, path, type));
}

double RouteLimits::price(const FleetProblem& problem,
                          std::span<const uint32_t> path, int64_t type, double,
                          double) const {
    const RouteLimit& limit = of_types[type];
    if (limit.min_stops == 0 && limit.min_load == 0)
        return 0.0;
    const RouteAmounts amounts = measure(problem, path, type);
    return price(type, amounts.stops, amounts.load);
}

double RouteLimits::price(int64_t type, int64_t stops, int64_t load) const {
    const RouteLimit& limit = of_types[type];
    const int64_t lack = std::max<int64_t>(0, limit.min_stops - stops) +
                         std::max<int64_t>(0, limit.min_load - load);
    return lack_price * static_cast<double>(lack);
}

RouteSums::RouteSums(const FleetProblem& problem)
    : problem_(problem),
      of_routes_(problem.limits.is_any() ? problem.num_routes() : 0) {}

void RouteSums::schedule(FleetSearch& s, uint32_t route) {
    of_routes_[route] =
        measure(problem_, s.customers_of(route), problem_.type_of[route]);
}

bool RouteSums::admits(uint32_t, uint32_t other, uint32_t route) const {
    const int64_t type = problem_.type_of[route];
    return of_routes_[route].stops + (other == 0 ? 1 : 2) <=
           problem_.limits.of_types[type].max_stops;
}

bool RouteSums::has_room(const FleetSearch& s, uint32_t route, uint32_t before,
                         uint32_t customer, uint32_t after) const {
    const int64_t type = problem_.type_of[route];
    if (!problem_.limits.of_types[type].limits_sums())
        return true;
    const VehicleType& vehicle = problem_.vehicles[type];
    const uint32_t tail = s.is_customer(before) ? before : vehicle.start;
    const uint32_t head = s.is_customer(after) ? after : vehicle.end;
    const auto detour = [&](const ArcLengths& arcs) {
        return arcs(vehicle.profile, tail, customer) +
               arcs(vehicle.profile, customer, head) -
               arcs(vehicle.profile, tail, head);
    };
    RouteAmounts amounts = of_routes_[route];
    ++amounts.stops;
    amounts.length += detour(problem_.lengths);
    amounts.driving += detour(problem_.durations);
    return problem_.limits.keeps(type, amounts);
}

double RouteSums::price_of(const FleetSearch& s, uint32_t customer,
                           uint32_t other, uint32_t route) const {
    const RouteLimits& limits = problem_.limits;
    if (!limits.prices_paths)
        return 0.0;
    const int64_t type = problem_.type_of[route];
    const RouteLimit& limit = limits.of_types[type];
    if (limit.min_stops == 0 && limit.min_load == 0)
        return 0.0;
    const RouteAmounts& now = of_routes_[route];
    const int64_t stops = now.stops + (other == 0 ? 1 : 2);
    const int64_t load = now.load + limits.loads[customer] +
                         (other == 0 ? 0 : limits.loads[other]);
    const double before = s.routes[route].size == 0
                              ? 0.0
                              : limits.price(type, now.stops, now.load);
    return limits.price(type, stops, load) - before;
}

bool RouteSums::keeps_limits(uint32_t route) const {
    return !is_any() ||
           problem_.limits.keeps(problem_.type_of[route], of_routes_[route]);
}

} // namespace ncc::fleets
