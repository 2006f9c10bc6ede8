#include "fleets/search.h"

#include "fleets/paths.h"
#include "fleets/refitting.h"
#include "fleets/schedules.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ncc::fleets {

SearchFeatures::SearchFeatures(const FleetProblem& problem,
                               search::Penalties penalties_,
                               shapes::HullOverlap overlap)
    : prizes(problem), rule_counts(problem), sums(problem),
      step_amounts(problem), pairs(problem.pairs), trips(problem),
      spare(problem), carried(problem), shift_times(problem),
      shift_parts(problem), penalties(std::move(penalties_)),
      shapes(std::move(overlap)) {}

FleetSearch::FleetSearch(const FleetProblem& problem_,
                         std::span<const uint32_t> customers,
                         std::span<const int64_t> starts,
                         std::span<const uint32_t> members_,
                         std::span<const uint8_t> closed, int64_t max_removed,
                         uint64_t seed, search::Penalties penalties_,
                         shapes::HullOverlap overlap_)
    // A construction inserts all customers, and a placing may insert the
    // absent ones besides those that it removed. Groups, partners and routes
    // follow a ruin; inserted customers may be dropped again.
    : LinkedRoutes(problem_.num_nodes(), problem_.num_routes(),
                   max_removed + 2 * problem_.num_nodes(),
                   max_removed + problem_.num_nodes(), seed),
      SearchFeatures(problem_, std::move(penalties_), std::move(overlap_)),
      problem(problem_),
      has_features(!all_features(*this, [](const auto&) { return false; })),
      counts_customers(!all_features(
          *this,
          [](const auto& feature) { return !feature.counts_customers; })),
      segments(nodes.size()),
      own_visits(problem_.reloads.is_any() || problem_.work.is_any()
                     ? problem_.visits
                     : std::vector<Visit>{}),
      visits(own_visits.empty() ? problem_.visits.data() : own_visits.data()),
      looked_at(nodes.size()), is_closed(closed.begin(), closed.end()),
      open_routes(problem_.num_types(), num_slots),
      absences(problem_.num_nodes()),
      travel_of(problem_.times_are_lengths ? &Node::to_prev : &Node::travel),
      paths{Path(num_nodes), Path(num_nodes)}, totals(problem_.num_types()),
      trial(num_nodes) {
    members.assign(members_.begin(), members_.end());
    absent.resize(num_nodes);
    for (uint32_t node = 0; node < num_nodes; ++node)
        route_of[node] = num_slots;
    loads[num_slots] = search::full_load;
    routes[num_slots].ruined = -1; // never to be freed
    num_free = num_slots;
    for (uint32_t route = 0; route < num_slots; ++route) {
        begin_route(route);
        install(*this,
                customers.subspan(starts[route],
                                  starts[route + 1] - starts[route]),
                route);
        cost += routes[route].cost;
    }
    penalty_cost = penalties.load(customers, starts);
    each_feature([&](auto& feature) { feature.begin(*this); });
    for (const uint32_t customer : members) {
        if (!is_absent(customer))
            continue;
        prizes.lose(*this, customer);
        if (!problem.is_follower(customer) && prizes.is_needed(customer))
            absent[num_absent++] = customer;
    }
    cost += penalty_cost;
    keep_best();
    // Nothing incomplete is ever the best solution.
    if (num_absent > 0)
        best_cost = -infinity;
}

std::span<const uint32_t> FleetSearch::customers_of(uint32_t route) const {
    trial.clear();
    for (uint32_t node = first_of(route); is_customer(node);
         node = nodes[node].next)
        trial.push_back(node);
    return trial.customers();
}

std::span<const uint32_t>
FleetSearch::path_with(uint32_t route, uint32_t before,
                       std::span<const uint32_t> added,
                       Companion other) const {
    trial.clear();
    const uint32_t depot = depot_of(route);
    uint32_t node = depot;
    do {
        if (is_customer(node))
            trial.push_back(node);
        if (node == before)
            for (const uint32_t more : added)
                trial.push_back(more);
        if (other.node != 0 && node == other.before)
            trial.push_back(other.node);
        node = nodes[node].next;
    } while (node != depot);
    return trial.customers();
}

double FleetSearch::change_by(uint32_t route, uint32_t before,
                              std::span<const uint32_t> added,
                              Companion other) const {
    return path_cost(problem, path_with(route, before, added, other),
                     problem.type_of[route]) -
           routes[route].cost;
}

void FleetSearch::begin_route(uint32_t route) {
    const VehicleType& vehicle = vehicle_of(route);
    const uint32_t depot = depot_of(route);
    route_of[depot] = route;
    nodes[depot].ready = vehicle.start_early + vehicle.start_duration;
    nodes[depot].latest = vehicle.end_late;
    segments[depot] = {start_of(vehicle), vehicle.start_late,
                       vehicle.end_duration, vehicle.end_early};
    set_edge(depot, depot, 0.0);
    routes[route].ruined = -1;
    routes[route].touched = -1;
    best_next[depot] = depot;
}

void FleetSearch::count_features(uint32_t customer, uint32_t route,
                                 int change) {
    each_feature(
        [&](auto& feature) { feature.count(*this, customer, route, change); });
}

bool FleetSearch::may_leave(uint32_t customer) const {
    return problem.is_follower(customer) || prizes.may_leave(customer);
}

void FleetSearch::close_empty() {
    is_closed.resize(num_slots);
    for (uint32_t route = 0; route < num_slots; ++route)
        is_closed[route] =
            routes[route].size == 0 && !vehicle_of(route).has_begun;
    for (int64_t type = 0; type < num_types(); ++type)
        if (!problem.vehicles[type].has_begun)
            open_routes[type] = num_slots;
}

uint32_t FleetSearch::empty_route(int64_t type) {
    uint32_t& route = open_routes[type];
    if (route < num_slots && routes[route].size > 0) {
        const VehicleType& vehicle = problem.vehicles[type];
        route = num_slots;
        for (auto other = vehicle.first_route; other < vehicle.end_route;
             ++other)
            if (routes[other].size == 0 && may_open(other)) {
                route = static_cast<uint32_t>(other);
                break;
            }
    }
    return route;
}

void FleetSearch::check() const {
#ifdef NCC_DEBUG
    double total = 0.0;
    int64_t num_customers = 0;
    int64_t num_empty = 0;
    for (uint32_t route = 0; route < num_slots; ++route) {
        const uint32_t depot = depot_of(route);
        int64_t load = 0;
        uint32_t node = depot;
        do {
            const uint32_t after = nodes[node].next;
            const double edge = node == after ? 0.0 : edge_length(node, after);
            NCC_CHECK(nodes[after].prev == node);
            NCC_CHECK(nodes[node].to_next == edge);
            NCC_CHECK(nodes[after].to_prev == edge);
            NCC_CHECK(route_of[node] == route);
            NCC_CHECK(after == best_next[node] || is_dirty[node] != 0);
            if (is_customer(node))
                load += demand(node);
            node = after;
        } while (node != depot);
        const auto customers = customers_of(route);
        NCC_CHECK(keeps(customers, problem.type_of[route]));
        const double route_cost =
            path_cost(problem, customers, problem.type_of[route]);
        NCC_CHECK(load + lack_of(route) == loads[route]);
        NCC_CHECK(has_room(route, 0));
        NCC_CHECK(std::ssize(customers) == routes[route].size);
        NCC_CHECK(is_close(route_cost, routes[route].cost));
        total += route_cost;
        num_customers += std::ssize(customers);
        num_empty += customers.empty() ? 1 : 0;
    }
    for (int64_t idx = 0; idx < num_absent; ++idx)
        NCC_CHECK(is_absent(absent[idx]));
    NCC_CHECK(
        num_customers ==
        std::count_if(route_of.begin() + 1, route_of.begin() + num_nodes,
                      [&](uint32_t route) { return route < num_slots; }));
    if (!problem.is_special)
        NCC_CHECK(num_customers + num_absent + num_aside ==
                  std::ssize(members));
    NCC_CHECK(num_empty == num_free);
    // Pairs of which one is left out cost more after a move than as loaded.
    if (num_absent == 0 && !(prizes.is_any() && has_penalties())) {
        double shares = shapes.cost();
        for (const uint32_t customer : members)
            shares += is_absent(customer)
                          ? prizes.of(customer)
                          : penalties.share(customer, route_of[customer]);
        NCC_CHECK(is_close(shares, penalty_cost));
    }
    for_each_feature(*this, [&](auto& feature) { feature.check(*this); });
    NCC_CHECK(is_close(total + penalty_cost, cost));
    check_schedules();
#endif
}

void FleetSearch::check_schedules() const {
#ifdef NCC_DEBUG
    FleetSearch anew(*this);
    for (uint32_t route = 0; route < num_slots; ++route) {
        schedule_anew(anew, route);
        // Parts of a route that meet elsewhere are other sums.
        NCC_CHECK(
            is_close(routes[route].duration, anew.routes[route].duration));
        NCC_CHECK(routes[route].release == anew.routes[route].release);
        NCC_CHECK(
            is_close(routes[route].distance, anew.routes[route].distance));
    }
    for (uint32_t node = 1; node < nodes.size(); ++node) {
        if (is_customer(node) && is_absent(node))
            continue;
        NCC_CHECK(nodes[node].ready == anew.nodes[node].ready);
        NCC_CHECK(nodes[node].latest == anew.nodes[node].latest);
        NCC_CHECK(nodes[node].travel == anew.nodes[node].travel);
        if (problem.counts_duration)
            NCC_CHECK(segments[node] == anew.segments[node]);
    }
#endif
}

} // namespace ncc::fleets
