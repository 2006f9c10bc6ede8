#include "fleets/search.h"

#include "fleets/rewriting.h"

namespace ncc::fleets {

FleetSearch::FleetSearch(const FleetProblem& problem_,
                         std::span<const uint32_t> customers,
                         std::span<const int64_t> starts, int64_t max_removed,
                         uint64_t seed)
    // A construction inserts all customers, and a placing may insert the
    // absent ones besides those that it removed.
    : LinkedRoutes(problem_.num_nodes(), problem_.num_routes(), max_removed,
                   max_removed + problem_.num_nodes(), seed),
      problem(problem_), segments(nodes.size()), touched(num_slots),
      open_routes(problem_.num_types(), num_slots),
      absent(problem_.num_nodes()), absences(problem_.num_nodes()),
      path(problem_.num_nodes()), other_path(problem_.num_nodes()) {
    for (uint32_t customer = 1; customer < num_nodes; ++customer)
        members.push_back(customer);
    for (uint32_t node = 0; node < num_nodes; ++node) {
        route_of[node] = num_slots;
        nodes[node].travel_from = node;
    }
    loads[num_slots] = search::full_load;
    num_free = num_slots;
    for (uint32_t route = 0; route < num_slots; ++route) {
        begin_route(route);
        path.clear();
        for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx)
            path.push_back(customers[idx]);
        install(*this, path.customers(), route);
        cost += routes[route].cost;
    }
    for (const uint32_t customer : members)
        if (is_absent(customer))
            absent[num_absent++] = customer;
    keep_best();
    // Nothing incomplete is ever the best solution.
    if (num_absent > 0)
        best_cost = -infinity;
}

void FleetSearch::begin_route(uint32_t route) {
    const VehicleType& vehicle = vehicle_of(route);
    const uint32_t depot = depot_of(route);
    route_of[depot] = route;
    nodes[depot].travel_from = depot;
    nodes[depot].ready = vehicle.start_early + vehicle.start_duration;
    nodes[depot].latest = vehicle.end_late;
    segments[depot] = {vehicle.start_duration, vehicle.start_late,
                       vehicle.start_late, vehicle.end_duration,
                       vehicle.end_early};
    set_edge(depot, depot, 0.0);
    routes[route].ruined = -1;
    routes[route].touched = -1;
    best_next[depot] = depot;
}

uint32_t FleetSearch::empty_route(int64_t type) {
    uint32_t& route = open_routes[type];
    if (route < num_slots && routes[route].size > 0) {
        const VehicleType& vehicle = problem.vehicles[type];
        route = num_slots;
        for (auto other = vehicle.first_route; other < vehicle.end_route;
             ++other)
            if (routes[other].size == 0) {
                route = static_cast<uint32_t>(other);
                break;
            }
    }
    return route;
}

} // namespace ncc::fleets
