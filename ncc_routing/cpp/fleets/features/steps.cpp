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

// Goes on with what a route has to a place.
void go_to(const FleetProblem& problem, const VehicleType& vehicle,
           RouteAmounts& amounts, uint32_t last, uint32_t place) {
    amounts.length += problem.lengths(vehicle.profile, last, place);
    amounts.driving += problem.durations(vehicle.profile, last, place);
}

void visit(const FleetProblem& problem, RouteAmounts& amounts, uint32_t node) {
    amounts.stops += problem.is_reload(node) ? 0 : 1;
    amounts.load += problem.steps.loads[node];
}

RouteAmounts measure_steps(const FleetProblem& problem,
                           std::span<const uint32_t> path, int64_t type,
                           bool comes_back = true) {
    RouteAmounts amounts = sums_of(problem, path, type, comes_back);
    for (const uint32_t node : path)
        visit(problem, amounts, node);
    return amounts;
}

// Lets steps begin earlier by what a route has already.
void begin_earlier(std::span<PriceStep> steps, double amount) {
    for (auto& [beyond, unit_cost] : steps)
        beyond -= amount;
}

} // namespace

PriceSteps PriceSteps::make(std::vector<std::vector<PriceStep>> length,
                            std::vector<std::vector<PriceStep>> driving,
                            std::vector<std::vector<PriceStep>> stops,
                            std::vector<std::vector<PriceStep>> load,
                            std::span<const int64_t> loads) {
    require(!length.empty() && driving.size() == length.size() &&
                stops.size() == length.size() && load.size() == length.size(),
            "steps must be of each vehicle type.");
    PriceSteps made;
    made.length = std::move(length);
    made.driving = std::move(driving);
    made.stops = std::move(stops);
    made.load = std::move(load);
    made.loads.assign(loads.begin(), loads.end());
    return made;
}

void PriceSteps::begin_route(const FleetProblem& problem,
                             std::span<const uint32_t> served, int64_t type) {
    const RouteAmounts had = measure_steps(problem, served, type, false);
    begin_earlier(length[type], had.length);
    begin_earlier(driving[type], had.driving);
    begin_earlier(stops[type], static_cast<double>(had.stops));
    begin_earlier(load[type], static_cast<double>(had.load));
}

double PriceSteps::price_of(int64_t type, const RouteAmounts& amounts) const {
    return fleets::price_of(length[type], amounts.length) +
           fleets::price_of(driving[type], amounts.driving) +
           fleets::price_of(stops[type], static_cast<double>(amounts.stops)) +
           fleets::price_of(load[type], static_cast<double>(amounts.load));
}

double PriceSteps::price_of(const FleetProblem& problem,
                            std::span<const uint32_t> path,
                            int64_t type) const {
    return price_of(type, measure_steps(problem, path, type));
}

StepAmounts::StepAmounts(const FleetProblem& problem)
    : problem_(problem),
      is_same_turned_(problem.is_symmetric &&
                      problem.lengths == problem.distances) {
    const PriceSteps& steps = problem.steps;
    const auto are_empty = [](const auto& types) {
        return std::ranges::all_of(
            types, [](const auto& each) { return each.empty(); });
    };
    follows_totals_ =
        !problem.reloads.is_any() && are_empty(steps.driving) &&
        are_empty(steps.load) &&
        (are_empty(steps.length) || problem.lengths == problem.distances);
    if (steps.is_any()) {
        of_routes_.resize(problem.num_routes());
        so_far_.resize(problem.num_nodes());
        are_known_so_far_.resize(problem.num_routes());
    }
}

void StepAmounts::schedule(const FleetSearch& s, uint32_t route) {
    are_known_so_far_[route] = 0;
    if (!follows_totals_)
        go_along(s, route);
}

void StepAmounts::go_along(const FleetSearch& s, uint32_t route) {
    const VehicleType& vehicle = problem_.vehicle_of(route);
    RouteAmounts amounts;
    uint32_t last = vehicle.start;
    for (uint32_t node = s.first_of(route); s.is_customer(node);
         node = s.nodes[node].next) {
        go_to(problem_, vehicle, amounts, last, node);
        visit(problem_, amounts, node);
        so_far_[node] = amounts;
        last = node;
    }
    go_to(problem_, vehicle, amounts, last, vehicle.end);
    of_routes_[route] = amounts;
    are_known_so_far_[route] = 1;
}

RouteAmounts StepAmounts::amounts_of(const FleetSearch& s,
                                     uint32_t route) const {
    if (!follows_totals_)
        return of_routes_[route];
    return {.stops = s.routes[route].size, .length = s.routes[route].distance};
}

double StepAmounts::price_of(const FleetSearch& s, uint32_t route) const {
    return problem_.steps.price_of(problem_.type_of[route],
                                   amounts_of(s, route));
}

double StepAmounts::price_of(const FleetSearch& s,
                             const search::NewRoute& route) {
    const VehicleType& vehicle = problem_.vehicle_of(route.route);
    RouteAmounts amounts;
    uint32_t last = vehicle.start;
    for (const search::Piece& piece : route.pieces) {
        if (piece.is_empty())
            continue;
        const uint32_t from = s.route_of[piece.first];
        if (are_known_so_far_[from] == 0)
            go_along(s, from);
        go_to(problem_, vehicle, amounts, last, piece.front());
        const RouteAmounts& first = so_far_[piece.first];
        const RouteAmounts& end = so_far_[piece.last];
        visit(problem_, amounts, piece.first);
        amounts.stops += end.stops - first.stops;
        amounts.load += end.load - first.load;
        if (!piece.is_turned || is_same_turned_) {
            amounts.length += end.length - first.length;
            amounts.driving += end.driving - first.driving;
        } else {
            for (uint32_t node = piece.last; node != piece.first;
                 node = s.nodes[node].prev)
                go_to(problem_, vehicle, amounts, node, s.nodes[node].prev);
        }
        last = piece.back();
    }
    go_to(problem_, vehicle, amounts, last, vehicle.end);
    return problem_.steps.price_of(problem_.type_of[route.route], amounts);
}

double StepAmounts::rise_by(const FleetSearch& s, uint32_t route,
                            uint32_t before, uint32_t customer, uint32_t after,
                            double added) const {
    const VehicleType& vehicle = problem_.vehicle_of(route);
    const int64_t type = problem_.type_of[route];
    RouteAmounts amounts = amounts_of(s, route);
    const bool is_used = s.routes[route].size > 0;
    const double price =
        is_used ? problem_.steps.price_of(type, amounts) : 0.0;
    if (follows_totals_) {
        amounts.length += added;
    } else {
        const uint32_t tail = s.is_customer(before) ? before : vehicle.start;
        const uint32_t head = s.is_customer(after) ? after : vehicle.end;
        RouteAmounts edge;
        if (is_used)
            go_to(problem_, vehicle, edge, tail, head);
        go_to(problem_, vehicle, amounts, tail, customer);
        go_to(problem_, vehicle, amounts, customer, head);
        amounts.length -= edge.length;
        amounts.driving -= edge.driving;
    }
    visit(problem_, amounts, customer);
    return problem_.steps.price_of(type, amounts) - price;
}

} // namespace ncc::fleets
