#include "fleets/search.h"

#include "fleets/rewriting.h"

namespace ncc::fleets {

FleetSearch::FleetSearch(const FleetProblem& problem_, int64_t max_removed,
                         uint64_t seed)
    // A construction inserts all customers, and a placing may insert the
    // absent ones besides those that it removed.
    : LinkedRoutes(problem_.num_nodes(), problem_.num_routes(), max_removed,
                   max_removed + problem_.num_nodes(), seed),
      problem(problem_), segments(nodes.size()), touched(num_slots),
      open_routes(problem_.num_types()), absent(problem_.num_nodes()),
      absences(problem_.num_nodes()), path(problem_.num_nodes()),
      other_path(problem_.num_nodes()) {
    for (uint32_t customer = 1; customer < num_nodes; ++customer)
        members.push_back(customer);
    load_routes(*this, {}, std::vector<int64_t>(num_slots + 1));
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

void load_routes(FleetSearch& s, std::span<const uint32_t> customers,
                 std::span<const int64_t> starts) {
    for (uint32_t node = 0; node < s.num_nodes; ++node) {
        s.route_of[node] = s.num_slots;
        s.nodes[node].travel_from = node;
    }
    s.loads[s.num_slots] = search::full_load;
    s.num_free = s.num_slots;
    s.cost = 0.0;
    std::fill(s.open_routes.begin(), s.open_routes.end(), s.num_slots);
    for (uint32_t route = 0; route < s.num_slots; ++route) {
        const VehicleType& vehicle = s.vehicle_of(route);
        const uint32_t depot = s.depot_of(route);
        s.route_of[depot] = route;
        s.nodes[depot].travel_from = depot;
        s.nodes[depot].ready = vehicle.start_early + vehicle.start_duration;
        s.nodes[depot].latest = vehicle.end_late;
        s.segments[depot] = {vehicle.start_duration, vehicle.start_late,
                             vehicle.start_late, vehicle.end_duration,
                             vehicle.end_early};
        s.set_edge(depot, depot, 0.0);
        s.routes[route].size = 0;
        s.routes[route].ruined = -1;
        s.routes[route].touched = -1;
        s.best_next[depot] = depot;
        s.path.clear();
        for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx)
            s.path.push_back(customers[idx]);
        install(s, s.path.customers(), route);
        s.cost += s.routes[route].cost;
    }
    s.num_absent = 0;
    for (const uint32_t customer : s.members)
        if (s.is_absent(customer))
            s.absent[s.num_absent++] = customer;
    s.keep_best();
    // Nothing incomplete is ever the best solution.
    if (s.num_absent > 0)
        s.best_cost = -infinity;
}

} // namespace ncc::fleets
