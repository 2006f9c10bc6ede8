#include "fleets/schedules.h"

#include "fleets/paths.h"

#include <algorithm>
#include <limits>

namespace ncc::fleets {

namespace {

// Looks up the travel time to a node from its predecessor.
double look_up_travel(FleetSearch& s, uint32_t route, uint32_t node) {
    Node& n = s.nodes[node];
    const VehicleType& vehicle = s.vehicle_of(route);
    n.travel = s.problem.durations(
        vehicle.profile, s.is_customer(n.prev) ? n.prev : vehicle.start,
        s.is_customer(node) ? node : vehicle.end);
    n.travel_from = n.prev;
    return n.travel;
}

// Returns it; mostly it is known.
inline double travel_time(FleetSearch& s, uint32_t route, uint32_t node) {
    const Node& n = s.nodes[node];
    if (n.travel_from == n.prev && s.problem.durations.num_profiles() == 1)
        return n.travel;
    return look_up_travel(s, route, node);
}

// Sets what the way to each node takes, and the duration of the route.
// Returns the length of the route.
double measure_heads(FleetSearch& s, uint32_t route) {
    const VehicleType& vehicle = s.vehicle_of(route);
    const uint32_t depot = s.depot_of(route);
    DurationSegment head = start_of(vehicle);
    double limit = head.late;
    double release = 0.0;
    double length = s.nodes[depot].to_next;
    uint32_t node = s.nodes[depot].next;
    while (s.is_customer(node)) {
        const Visit& visit = s.problem.visits[node];
        const double travel = travel_time(s, route, node);
        length += s.nodes[node].to_next;
        limit = std::min(limit, visit.limit - head.duration - travel);
        head = join(head, travel, segment_of(visit));
        release = std::max(release, visit.release);
        s.nodes[node].ready = head.early + head.duration;
        s.segments[node].head_duration = head.duration;
        s.segments[node].head_late = head.late;
        s.segments[node].head_limit = limit;
        node = s.nodes[node].next;
    }
    const double travel = travel_time(s, route, depot);
    head = join(head, travel, end_of(vehicle));
    s.routes[route].duration = head.duration;
    s.routes[route].release = release;
    return length;
}

// Returns the length of a route.
double measure_length(const FleetSearch& s, uint32_t depot) {
    double length = 0.0;
    uint32_t node = depot;
    do {
        length += s.nodes[node].to_next;
        node = s.nodes[node].next;
    } while (node != depot);
    return length;
}

// Sets what the way from each node on takes; after `measure_heads`.
void measure_tails(FleetSearch& s, uint32_t route) {
    uint32_t after = s.depot_of(route);
    DurationSegment tail = end_of(s.vehicle_of(route));
    uint32_t node = s.nodes[after].prev;
    while (s.is_customer(node)) {
        const Visit& visit = s.problem.visits[node];
        const double travel = s.nodes[after].travel;
        double latest =
            std::min(visit.limit, tail.late - (visit.service + travel));
        tail.late = latest;
        tail = join(segment_of(visit), travel, tail);
        if (latest < visit.early)
            latest = -infinity; // any arrival here is late further on
        tail.late = latest;
        s.nodes[node].latest = latest;
        s.segments[node].tail_duration = tail.duration;
        s.segments[node].tail_early = tail.early;
        after = node;
        node = s.nodes[node].prev;
    }
}

// Finds all times of a route anew.
void push_all(FleetSearch& s, uint32_t route) {
    // Old values would let the pushes end too early.
    const Node& depot = s.nodes[s.depot_of(route)];
    for (uint32_t node = depot.next; s.is_customer(node);
         node = s.nodes[node].next) {
        s.nodes[node].ready = std::numeric_limits<double>::quiet_NaN();
        s.nodes[node].latest = std::numeric_limits<double>::quiet_NaN();
    }
    push_ready(s, route, depot.next);
    push_latest(s, depot.prev);
}

// Whether a route with its times set breaks no limit but the load's.
bool keeps_limits(const FleetSearch& s, uint32_t route_idx) {
    const FleetProblem& p = s.problem;
    const Route& route = s.routes[route_idx];
    if (route.size == 0)
        return true;
    const VehicleType& vehicle = s.vehicle_of(route_idx);
    if (route.distance > vehicle.max_distance)
        return false;
    if (!p.is_timed)
        return true;
    const Node& depot = s.nodes[s.depot_of(route_idx)];
    const Node& first = s.nodes[depot.next];
    const double slack = first.latest - first.travel;
    if (depot.ready > slack)
        return false;
    if (!p.counts_duration)
        return true;
    const double late =
        std::min(vehicle.start_late, slack - vehicle.start_duration);
    return route.duration <= vehicle.max_duration && route.release <= late;
}

} // namespace

void push_ready(FleetSearch& s, uint32_t route, uint32_t first) {
    uint32_t node = first;
    double ready = s.nodes[s.nodes[node].prev].ready;
    while (s.is_customer(node)) {
        const Visit& visit = s.problem.visits[node];
        double begin = ready + travel_time(s, route, node);
        begin = std::max(begin, visit.early);
        ready = begin + visit.service;
        if (ready == s.nodes[node].ready && node != first)
            return;
        s.nodes[node].ready = ready;
        node = s.nodes[node].next;
    }
    travel_time(s, route, node);
}

void push_latest(FleetSearch& s, uint32_t last) {
    uint32_t node = last;
    uint32_t after = s.nodes[node].next;
    while (s.is_customer(node)) {
        const Visit& visit = s.problem.visits[node];
        double latest = s.nodes[after].latest - s.nodes[after].travel;
        latest = std::min(latest - visit.service, visit.limit);
        if (latest < visit.early)
            latest = -infinity; // any arrival here is late further on
        if (latest == s.nodes[node].latest && node != last)
            return;
        s.nodes[node].latest = latest;
        after = node;
        node = s.nodes[node].prev;
    }
}

void refresh(FleetSearch& s, uint32_t route_idx) {
    const FleetProblem& p = s.problem;
    const VehicleType& vehicle = s.vehicle_of(route_idx);
    const uint32_t depot = s.depot_of(route_idx);
    Route& route = s.routes[route_idx];
    if (route.size == 0) {
        s.open_routes[p.type_of[route_idx]] = route_idx;
        route.cost = 0.0;
        route.distance = 0.0;
        route.duration = 0.0;
        route.release = 0.0;
        return;
    }
    if (p.counts_duration) {
        route.distance = measure_heads(s, route_idx);
        measure_tails(s, route_idx);
    } else {
        route.distance = measure_length(s, depot);
        if (p.is_timed)
            push_all(s, route_idx);
    }
    route.cost = vehicle.fixed_cost + vehicle.distance_cost * route.distance;
    if (p.counts_duration)
        route.cost += vehicle.duration_cost * route.duration;
}

bool all_keep_limits(const FleetSearch& s) {
    for (int64_t idx = 0; idx < s.num_touched; ++idx)
        if (!keeps_limits(s, s.touched[idx]))
            return false;
    return true;
}

void settle_ruined(FleetSearch& s) {
    // The ruin counted edges alone.
    double cost = s.cost_before;
    for (int64_t number = 0; number < s.num_strings; ++number)
        s.touch(s.route_of[s.strings[number].before]);
    for (int64_t idx = 0; idx < s.num_touched; ++idx) {
        const uint32_t route = s.touched[idx];
        cost -= s.routes[route].cost;
        refresh(s, route);
        cost += s.routes[route].cost;
    }
    s.cost = cost;
}

void settle_undone(FleetSearch& s) {
    for (int64_t idx = 0; idx < s.num_touched; ++idx)
        refresh(s, s.touched[idx]);
}

} // namespace ncc::fleets
