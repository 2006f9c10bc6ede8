#include "fleets/refitting.h"

#include "fleets/paths.h"
#include "fleets/schedules.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

namespace ncc::fleets {

namespace {

using search::Exchange;
using search::NewRoute;

// A route with the vehicle that drives a path at least cost.
struct Fit {
    uint32_t route;
    double cost;
};

// The vehicles for a path, of which each is looked at alone.
class Fitting {
public:
    Fitting(FleetSearch& search, const Path& path, uint32_t refused)
        : s_(search), path_(path.customers()), refused_(refused) {
        std::fill(s_.totals.begin(), s_.totals.end(), std::nullopt);
    }

    // Takes a route instead of another one unless it costs more.
    void look(uint32_t route, Fit& best) {
        if (route == s_.num_slots || route == refused_)
            return;
        const int64_t type = s_.problem.type_of[route];
        const VehicleType& vehicle = s_.problem.vehicles[type];
        const int64_t alike = s_.problem.travels_as[type];
        auto& totals = s_.totals[alike];
        if ((!totals && least_cost(vehicle) > least_) ||
            !s_.keeps(path_, type))
            return;
        if (!totals) {
            totals = measure_path(s_.problem, path_, alike);
            if (totals->duration < infinity) {
                profile_ = vehicle.profile;
                inner_ = totals->length - ends_of(vehicle);
            }
        }
        const double cost = cost_of(s_.problem, path_, type, *totals);
        least_ = std::min(least_, cost);
        if (cost <= best.cost && cost < infinity)
            best = {route, cost};
    }

private:
    // Returns what the path costs a vehicle at least, by the length for one
    // that was measured; -infinity where that is not known. Of several
    // depots most are too far: the search is 11 % faster.
    [[nodiscard]] double least_cost(const VehicleType& vehicle) const {
        if (profile_ != vehicle.profile || s_.problem.has_prices)
            return -infinity;
        const double length = inner_ + ends_of(vehicle);
        const double cost =
            vehicle.fixed_cost + vehicle.distance_cost * length;
        return cost - rounding * std::abs(cost);
    }

    // Returns the length of the ways from and to the depots.
    [[nodiscard]] double ends_of(const VehicleType& vehicle) const {
        const ArcLengths& lengths = s_.problem.distances;
        return lengths(vehicle.profile, vehicle.start, path_.front()) +
               lengths(vehicle.profile, path_.back(), vehicle.end);
    }

    static constexpr double rounding = 1e-9; // of sums

    FleetSearch& s_;
    std::span<const uint32_t> path_;
    uint32_t refused_;
    // Of the last path that was measured: its length without these ways.
    std::optional<int64_t> profile_;
    double inner_ = 0.0;
    double least_ = infinity;
};

// Returns the best fit of a path. Two routes may be taken besides an empty one
// of each type, and one may not; nobody drives an empty path, which costs
// nothing.
Fit cheapest_vehicle(FleetSearch& s, const Path& path, uint32_t first,
                     uint32_t second, uint32_t refused) {
    Fit best{s.num_slots, path.size() == 0 ? 0.0 : infinity};
    if (path.size() == 0)
        return best;
    Fitting fitting(s, path, refused);
    fitting.look(first, best);
    fitting.look(second, best);
    Fit opened{s.num_slots, infinity};
    for (int64_t type = 0; type < s.num_types(); ++type)
        fitting.look(s.empty_route(type), opened);
    return opened.cost < best.cost ? opened : best;
}

// Counts customers on a route instead of theirs.
void recount(FleetSearch& s, const Path& path, uint32_t route) {
    if (!s.counts_customers || route == s.num_slots)
        return;
    for (const uint32_t node : path.customers()) {
        s.count(node, s.route_of[node], -1);
        s.count(node, route, 1);
    }
}

} // namespace

void write_down(FleetSearch& s, const Exchange& exchange) {
    for (std::size_t idx = 0; idx < exchange.routes().size(); ++idx) {
        Path& path = s.paths[idx];
        path.clear();
        search::walk(s, exchange.routes()[idx],
                     [&](uint32_t node) { path.push_back(node); });
    }
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

double refit(FleetSearch& s, const Exchange& exchange, double limit) {
    const uint32_t a = exchange.routes()[0].route;
    const uint32_t b = exchange.routes()[1].route;
    const auto& [path, other_path] = s.paths;
    write_down(s, exchange);
    const double old = s.routes[a].cost + s.routes[b].cost;
    const Fit one = cheapest_vehicle(s, path, b, a, s.num_slots);
    if (one.cost == infinity)
        return limit;
    // Centers go with the paths, so that other vehicles change no penalty.
    const double rise = search::penalty_of(s, exchange);
    if (one.cost - old + rise >= limit)
        return limit;
    const Fit two = cheapest_vehicle(s, other_path, a, b, one.route);
    double change = one.cost + two.cost - old + rise;
    if (!(change < limit))
        return limit;
    const double by_shapes =
        s.shapes.reassign(s, {a, b}, {one.route, two.route});
    change += by_shapes;
    if (!(change < limit)) {
        s.shapes.undo();
        return limit;
    }
    const double penalty_cost = s.penalty_cost + rise + by_shapes;
    recount(s, path, one.route);
    recount(s, other_path, two.route);
    s.penalties.move_centers({a, b}, {one.route, two.route});
    s.penalty_cost = penalty_cost;
    for (const uint32_t route : {a, b})
        if (route != one.route && route != two.route)
            install(s, {}, route);
    if (one.route < s.num_slots)
        install(s, path.customers(), one.route);
    if (two.route < s.num_slots)
        install(s, other_path.customers(), two.route);
    return change;
}

double exchange_vehicles(FleetSearch& s, uint32_t i, double limit) {
    const uint32_t a = s.route_of[i];
    if (s.random.unit() < 0.5) {
        const uint32_t b = s.empty_route(s.random.below(s.num_types()));
        if (b == s.num_slots)
            return limit;
        const uint32_t after = s.nodes[i].next;
        if (s.is_customer(after)) {
            // Calls at depots have no place of their own.
            const uint32_t later = s.nodes[after].next;
            const bool is_late =
                s.problem.is_reload(after) && s.is_customer(later);
            s.penalties.open_route(b, is_late ? later : after);
        }
        return refit(
            s,
            {{a, {search::head_to(s, i)}}, {b, {search::tail_from(s, after)}}},
            limit);
    }
    const uint32_t j = s.members[s.random.below(std::ssize(s.members))];
    const uint32_t b = s.route_of[j];
    if (b == s.num_slots || s.problem.type_of[b] == s.problem.type_of[a])
        return limit;
    const auto whole = [&](uint32_t route) -> NewRoute {
        const Node& depot = s.nodes[s.depot_of(route)];
        return {route, {search::piece_between(s, depot.next, depot.prev)}};
    };
    return refit(s, {whole(a), whole(b)}, limit);
}

} // namespace ncc::fleets
