#include "fleets/search.h"

#include "fleets/paths.h"
#include "fleets/refitting.h"
#include "fleets/schedules.h"
#include "fleets/shipments.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ncc::fleets {

namespace {

// Neighbours of a removed customer who may be on offer: of groups, and at most
// of those whom a plan may do without.
constexpr int64_t num_members_around = 20;
constexpr int64_t most_around = 100;

} // namespace

FleetSearch::FleetSearch(const FleetProblem& problem_,
                         std::span<const uint32_t> customers,
                         std::span<const int64_t> starts,
                         std::span<const uint32_t> members_,
                         int64_t max_removed, uint64_t seed,
                         search::Penalties penalties_,
                         shapes::HullOverlap overlap_)
    // A construction inserts all customers, and a placing may insert the
    // absent ones besides those that it removed. Groups, partners and routes
    // follow a ruin; inserted customers may be dropped again.
    : LinkedRoutes(problem_.num_nodes(), problem_.num_routes(),
                   problem_.is_special || problem_.has_rules
                       ? max_removed + 2 * problem_.num_nodes()
                       : max_removed,
                   max_removed + problem_.num_nodes(), seed),
      problem(problem_), penalties(std::move(penalties_)),
      overlap(std::move(overlap_)), rule_counts(problem_),
      segments(nodes.size()),
      heads(nodes.size() * problem_.loads.num_dimensions), tails(heads.size()),
      own_visits(problem_.has_reloads ? problem_.visits
                                      : std::vector<Visit>{}),
      visits(problem_.has_reloads ? own_visits.data()
                                  : problem_.visits.data()),
      num_served(problem_.options.groups.size()),
      looked_at(problem_.is_special ? nodes.size() : 0),
      open_routes(problem_.num_types(), num_slots),
      absences(problem_.num_nodes()),
      travel_of(problem_.times_are_lengths ? &Node::to_prev : &Node::travel),
      path(problem_.num_nodes()), other_path(problem_.num_nodes()),
      totals(problem_.num_types()), trial(problem_.num_nodes()) {
    members.assign(members_.begin(), members_.end());
    absent.resize(num_nodes);
    for (uint32_t node = 0; node < num_nodes; ++node)
        route_of[node] = num_slots;
    loads[num_slots] = search::full_load;
    routes[num_slots].ruined = -1; // never to be freed
    num_free = num_slots;
    for (uint32_t route = 0; route < num_slots; ++route) {
        begin_route(route);
        path.clear();
        for (int64_t idx = starts[route]; idx < starts[route + 1]; ++idx)
            path.push_back(customers[idx]);
        install(*this, path.customers(), route);
        cost += routes[route].cost;
    }
    if (problem.has_rules)
        for (const uint32_t customer : members)
            if (!is_absent(customer))
                rule_counts.count(customer, route_of[customer], 1);
    penalty_cost = penalties.load(customers, starts);
    if (overlap.is_any()) {
        for (uint32_t route = 0; route < num_slots; ++route)
            overlap.set(route, customers_of(route));
        penalty_cost += overlap.cost();
        overlap.begin();
    }
    for (const uint32_t customer : members)
        if (!is_absent(customer) && problem.has_options &&
            problem.options.has_group(customer))
            ++num_served[problem.options.group_of[customer]];
    for (const uint32_t customer : members) {
        if (!is_absent(customer))
            continue;
        penalty_cost += prize(customer);
        lost_prizes += prize(customer);
        if (is_needed(customer))
            absent[num_absent++] = customer;
    }
    cost += penalty_cost;
    keep_best();
    // Nothing incomplete is ever the best solution.
    if (num_absent > 0)
        best_cost = -infinity;
}

std::span<const uint32_t> FleetSearch::customers_of(uint32_t route) {
    path.clear();
    for (uint32_t node = first_of(route); is_customer(node);
         node = nodes[node].next)
        path.push_back(node);
    return path.customers();
}

double FleetSearch::most_saved_by_shapes() const {
    if (!overlap.is_any())
        return 0.0;
    // Those who lie inside a route that shrinks, and those who change routes.
    double most = overlap.unit() * static_cast<double>(num_removed);
    for (const TouchedRoute& ruined : touched)
        most += overlap.cost_inside(ruined.route);
    return most;
}

bool FleetSearch::settle_shapes(double limit) {
    if (!overlap.is_any())
        return true;
    overlap.begin();
    reshaped.clear();
    const auto compare = [&](uint32_t customer) {
        if (!overlap.has_place(customer))
            return;
        const uint32_t before = overlap.route_of(customer);
        const uint32_t now = route_of[customer];
        if (before == now)
            return;
        for (const uint32_t route : {before, now})
            if (route < num_slots &&
                std::find(reshaped.begin(), reshaped.end(), route) ==
                    reshaped.end())
                reshaped.push_back(route);
        if (now == num_slots)
            overlap.leave(customer);
    };
    for (int64_t idx = 0; idx < num_removed; ++idx)
        compare(removed[idx].customer);
    for (int64_t idx = 0; idx < num_inserted; ++idx)
        compare(inserted[idx].customer);
    for (const uint32_t route : reshaped)
        overlap.set(route, customers_of(route));
    const double change = overlap.change();
    if (!(cost + change < limit)) {
        overlap.undo();
        return false;
    }
    penalty_cost += change;
    cost += change;
    return true;
}

double FleetSearch::change_by(uint32_t route, uint32_t before,
                              std::span<const uint32_t> added) const {
    trial.clear();
    const uint32_t depot = depot_of(route);
    uint32_t node = depot;
    do {
        if (is_customer(node))
            trial.push_back(node);
        if (node == before)
            for (const uint32_t more : added)
                trial.push_back(more);
        node = nodes[node].next;
    } while (node != depot);
    if (problem.has_pairs && !keeps_pairs(*this, trial.customers()))
        return infinity;
    return path_cost(problem, trial.customers(), problem.type_of[route]) -
           routes[route].cost;
}

uint32_t FleetSearch::free_call(uint32_t depot) const {
    const Reloads& reloads = problem.reloads;
    for (uint32_t idx = 0; idx < reloads.depots.size(); ++idx)
        if (reloads.depots[idx] == depot && is_absent(reloads.first + idx))
            return reloads.first + idx;
    return 0;
}

void FleetSearch::begin_route(uint32_t route) {
    const VehicleType& vehicle = vehicle_of(route);
    const uint32_t depot = depot_of(route);
    route_of[depot] = route;
    nodes[depot].ready = vehicle.start_early + vehicle.start_duration;
    nodes[depot].latest = vehicle.end_late;
    segments[depot] = {start_of(vehicle), vehicle.start_late,
                       vehicle.end_duration, vehicle.end_early};
    for (int64_t idx = 0; idx < problem.loads.num_dimensions; ++idx)
        heads_of(depot)[idx] =
            problem.loads.start_of(problem.type_of[route], idx);
    set_edge(depot, depot, 0.0);
    routes[route].ruined = -1;
    routes[route].touched = -1;
    best_next[depot] = depot;
}

void FleetSearch::count_extras(uint32_t customer, uint32_t route, int change) {
    if (problem.has_options) {
        penalty_cost -= change * prize(customer);
        lost_prizes -= change * problem.options.prizes[customer];
        if (problem.options.has_group(customer))
            num_served[problem.options.group_of[customer]] += change;
    }
    if (problem.has_rules)
        rule_counts.count(customer, route, change);
    if (!has_penalties())
        return;
    if (change < 0)
        penalties.count(customer, route, change);
    penalty_cost += change * penalties.cost(customer, route);
    if (change > 0)
        penalties.count(customer, route, change);
}

bool FleetSearch::can_carry(uint32_t route, uint32_t before, uint32_t customer,
                            uint32_t after) const {
    const int64_t num = problem.loads.num_dimensions;
    const auto capacity = problem.loads.capacity_of(problem.type_of[route]);
    const auto own = problem.loads.of(customer);
    for (int64_t idx = 0; idx < num; ++idx) {
        const LoadSegment load =
            join(join(heads[(before * num) + idx], own[idx]),
                 tails[(after * num) + idx]);
        if (load.largest() > capacity[idx])
            return false;
    }
    return true;
}

bool FleetSearch::is_needed(uint32_t customer) const {
    const Options& options = problem.options;
    if (problem.is_follower(customer))
        return false;
    if (!options.is_any() || options.is_required[customer] != 0)
        return true;
    if (!options.has_group(customer))
        return false;
    // One of a group stands for all.
    const uint32_t group = options.group_of[customer];
    return options.groups[group].is_required && num_served[group] == 0 &&
           options.groups[group].members.front() == customer;
}

bool FleetSearch::may_leave(uint32_t customer) const {
    const Options& options = problem.options;
    if (problem.is_follower(customer))
        return true;
    if (!options.is_any())
        return false;
    if (!options.has_group(customer))
        return options.is_required[customer] == 0;
    const uint32_t group = options.group_of[customer];
    return num_served[group] > 0 || !options.groups[group].is_required;
}

void FleetSearch::offer_all() {
    for (const uint32_t customer : members)
        if (is_absent(customer) && !is_needed(customer) &&
            !problem.is_follower(customer))
            offered.push_back(customer);
}

void FleetSearch::offer_absent() {
    const int64_t this_look = ++num_looks;
    const auto num_around = static_cast<std::size_t>(
        problem.has_optional ? 1 + random.below(most_around)
                             : num_members_around);
    const auto look = [&](uint32_t customer) {
        if (std::exchange(looked_at[customer], this_look) != this_look &&
            is_absent(customer) && may_leave(customer) &&
            !problem.is_follower(customer))
            offered.push_back(customer);
    };
    const auto look_around = [&](uint32_t customer) {
        const auto neighbours = problem.neighbours.row(customer);
        const auto width = std::min(num_around, neighbours.size());
        for (const uint32_t near : neighbours.first(width))
            look(near);
    };
    for (int64_t idx = 0; idx < num_removed; ++idx)
        looked_at[removed[idx].customer] = this_look;
    for (int64_t idx = 0; idx < num_absent; ++idx)
        looked_at[absent[idx]] = this_look;
    const uint32_t any = members[random.below(std::ssize(members))];
    look(any);
    look_around(num_removed > 0 ? removed[random.below(num_removed)].customer
                                : any);
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

void FleetSearch::check() const {
#ifdef NCC_DEBUG
    double total = 0.0;
    int64_t num_customers = 0;
    int64_t num_empty = 0;
    std::vector<uint32_t> customers;
    shapes::HullOverlap hulls(overlap);
    for (uint32_t route = 0; route < num_slots; ++route) {
        const uint32_t depot = depot_of(route);
        int64_t load = 0;
        uint32_t node = depot;
        customers.clear();
        do {
            const uint32_t after = nodes[node].next;
            const double edge = node == after ? 0.0 : edge_length(node, after);
            NCC_CHECK(nodes[after].prev == node);
            NCC_CHECK(nodes[node].to_next == edge);
            NCC_CHECK(nodes[after].to_prev == edge);
            NCC_CHECK(route_of[node] == route);
            NCC_CHECK(after == best_next[node] || is_dirty[node] != 0);
            if (is_customer(node)) {
                load += demand(node);
                customers.push_back(node);
            }
            node = after;
        } while (node != depot);
        NCC_CHECK(!problem.has_pairs || keeps_pairs(*this, customers));
        NCC_CHECK(!problem.has_rules ||
                  rule_counts.keeps(customers, problem.type_of[route]));
        const double route_cost =
            path_cost(problem, customers, problem.type_of[route]);
        if (overlap.is_any())
            hulls.set(route, customers);
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
    if (problem.has_rules) {
        RuleCounts anew(problem);
        for (const uint32_t customer : members)
            if (!is_absent(customer))
                anew.count(customer, route_of[customer], 1);
        NCC_CHECK(rule_counts == anew);
    }
    NCC_CHECK(
        num_customers ==
        std::count_if(route_of.begin() + 1, route_of.begin() + num_nodes,
                      [&](uint32_t route) { return route < num_slots; }));
    if (problem.has_options) {
        double lost = 0.0;
        for (const uint32_t customer : members)
            lost +=
                is_absent(customer) ? problem.options.prizes[customer] : 0.0;
        NCC_CHECK(is_close(lost, lost_prizes));
    }
    if (!problem.is_special)
        NCC_CHECK(num_customers + num_absent == std::ssize(members));
    NCC_CHECK(num_empty == num_free);
    // Pairs of which one is left out cost more after a move than as loaded.
    if (num_absent == 0 && !(problem.has_options && has_penalties())) {
        double shares = overlap.cost();
        for (const uint32_t customer : members)
            shares += is_absent(customer)
                          ? prize(customer)
                          : penalties.share(customer, route_of[customer]);
        NCC_CHECK(is_close(shares, penalty_cost));
    }
    NCC_CHECK(hulls.cost() == overlap.cost());
    NCC_CHECK(is_close(total + penalty_cost, cost));
    check_schedules();
#endif
}

void FleetSearch::check_schedules() const {
#ifdef NCC_DEBUG
    FleetSearch anew(*this);
    for (uint32_t route = 0; route < num_slots; ++route) {
        schedule_anew(anew, route);
        NCC_CHECK(routes[route].duration == anew.routes[route].duration);
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
