#include "fleets/rewriting.h"

#include "fleets/paths.h"
#include "fleets/schedules.h"

namespace ncc::fleets {

namespace {

// A route with the vehicle that drives a path at least cost.
struct Fit {
    uint32_t route;
    double cost;
};

// Returns the best fit of a path. Two routes may be taken besides an empty one
// of each type, and one may not; nobody drives an empty path, which costs
// nothing.
Fit cheapest_vehicle(FleetSearch& s, const Path& path, RoutePair allowed,
                     uint32_t refused) {
    if (path.size() == 0)
        return {s.num_slots, 0.0};
    Fit best{s.num_slots, infinity};
    const auto look = [&](uint32_t route) {
        if (route == s.num_slots || route == refused)
            return;
        const double cost =
            path_cost(s.problem, path.customers(), s.problem.type_of[route]);
        if (cost <= best.cost && cost < infinity)
            best = {route, cost};
    };
    for (int64_t type = 0; type < s.num_types(); ++type)
        look(s.empty_route(type));
    look(allowed.first);
    look(allowed.second);
    return best;
}

// Gives `path` and `other_path` the vehicles that suit them best. They hold
// the customers of two routes. Returns as `replace_routes` does.
double refit_routes(FleetSearch& s, RoutePair routes, double limit) {
    const auto [a, b] = routes;
    const double old = s.routes[a].cost + s.routes[b].cost;
    const Fit one = cheapest_vehicle(s, s.path, {b, a}, s.num_slots);
    if (one.cost - old >= limit)
        return limit;
    const Fit two = cheapest_vehicle(s, s.other_path, {a, b}, one.route);
    const double cost = one.cost + two.cost;
    if (cost - old >= limit)
        return limit;
    if (a != one.route && a != two.route)
        install(s, {}, a);
    if (b != one.route && b != two.route)
        install(s, {}, b);
    if (one.route < s.num_slots)
        install(s, s.path.customers(), one.route);
    if (two.route < s.num_slots)
        install(s, s.other_path.customers(), two.route);
    return cost - old;
}

} // namespace

void append_forward(const FleetSearch& s, Path& path, uint32_t first,
                    uint32_t last) {
    if (!s.is_customer(first) || !s.is_customer(last))
        return;
    for (uint32_t node = first; node != last; node = s.nodes[node].next)
        path.push_back(node);
    path.push_back(last);
}

void append_backward(const FleetSearch& s, Path& path, uint32_t first,
                     uint32_t last) {
    if (!s.is_customer(first) || !s.is_customer(last))
        return;
    for (uint32_t node = first; node != last; node = s.nodes[node].prev)
        path.push_back(node);
    path.push_back(last);
}

void install(FleetSearch& s, std::span<const uint32_t> customers,
             uint32_t route_idx) {
    Route& route = s.routes[route_idx];
    const uint32_t depot = s.depot_of(route_idx);
    if (customers.empty() != (route.size == 0))
        s.num_free += customers.empty() ? 1 : -1;
    if (customers.empty())
        route.ruined = -1;
    uint32_t last = depot;
    int64_t load = s.lack_of(route_idx);
    for (const uint32_t node : customers) {
        if (s.best_next[last] != node)
            s.mark_dirty(last);
        s.route_of[node] = route_idx;
        s.set_edge(last, node, s.distance(route_idx, last, node));
        load += s.demand(node);
        last = node;
    }
    if (s.best_next[last] != depot)
        s.mark_dirty(last);
    const double edge =
        customers.empty() ? 0.0 : s.distance(route_idx, last, depot);
    s.set_edge(last, depot, edge);
    s.loads[route_idx] = load;
    route.size = std::ssize(customers);
    schedule_anew(s, route_idx);
}

double replace_route(FleetSearch& s, const Path& path, uint32_t route,
                     double limit) {
    const double change =
        path_cost(s.problem, path.customers(), s.problem.type_of[route]) -
        s.routes[route].cost;
    if (change >= limit)
        return limit;
    install(s, path.customers(), route);
    return change;
}

double replace_routes(FleetSearch& s, RoutePair routes, double limit) {
    if (s.num_types() > 1)
        return refit_routes(s, routes, limit);
    const auto [a, b] = routes;
    const double old = s.routes[a].cost + s.routes[b].cost;
    double cost =
        path_cost(s.problem, s.path.customers(), s.problem.type_of[a]);
    if (cost - old >= limit)
        return limit;
    cost +=
        path_cost(s.problem, s.other_path.customers(), s.problem.type_of[b]);
    if (cost - old >= limit)
        return limit;
    install(s, s.path.customers(), a);
    install(s, s.other_path.customers(), b);
    return cost - old;
}

} // namespace ncc::fleets
