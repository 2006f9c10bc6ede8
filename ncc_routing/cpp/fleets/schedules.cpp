#include "fleets/schedules.h"

#include "fleets/paths.h"

#include <algorithm>

namespace ncc::fleets {

namespace {

// Looks up the travel time to a node from its new predecessor, and its service
// there.
void look_up_times(FleetSearch& s, uint32_t route, uint32_t node) {
    s.set_service(route, node);
    if (s.problem.times_are_lengths)
        return;
    Node& n = s.nodes[node];
    s.change(n.travel, s.travel(route, n.prev, node));
}

// Each push sets the times of a node, and of those beyond it until nothing
// changes. With `is_new` it goes to the end: no time of the route is right.

// Finds the earliest times from `first` on.
void push_ready(FleetSearch& s, uint32_t first, bool is_new) {
    const bool has_shifts = s.problem.shifts.is_any();
    uint32_t idx = first;
    double ready = s.nodes[s.nodes[first].prev].ready;
    while (s.is_customer(idx)) {
        Node& node = s.nodes[idx];
        const Visit& visit = s.visit_of(idx);
        const double arrival = ready + s.travel_to(node);
        const double begin =
            has_shifts ? s.problem.shifts.begin_at(idx, visit, arrival)
                       : std::max(arrival, visit.early);
        ready = begin + visit.service;
        if (ready == node.ready && idx != first && !is_new)
            return;
        s.change(node.ready, ready);
        idx = node.next;
    }
}

// Finds the latest times from `last` back.
void push_latest(FleetSearch& s, uint32_t last, bool is_new) {
    const bool has_shifts = s.problem.shifts.is_any();
    uint32_t idx = last;
    const Node* after = &s.nodes[s.nodes[last].next];
    double latest = after->latest;
    while (s.is_customer(idx)) {
        Node& node = s.nodes[idx];
        const Visit& visit = s.visit_of(idx);
        latest -= s.travel_to(*after);
        latest = std::min(latest - visit.service, visit.limit);
        if (has_shifts)
            latest = s.problem.shifts.begin_by(idx, visit, latest);
        if (latest < visit.early)
            latest = -infinity; // any arrival here is late further on
        if (latest == node.latest && idx != last && !is_new)
            return;
        s.change(node.latest, latest);
        after = &node;
        idx = node.prev;
    }
}

// Finds what the way to each node takes from `first` on, and the duration of
// the route.
void push_heads(FleetSearch& s, uint32_t route, uint32_t first, bool is_new) {
    uint32_t node = first;
    const NodeSegments& before = s.segments[s.nodes[node].prev];
    DurationSegment head = before.head;
    double limit = before.head_limit;
    while (s.is_customer(node)) {
        const Visit& visit = s.visit_of(node);
        const double travel = s.travel_to(s.nodes[node]);
        limit = std::min(limit, visit.limit - head.duration - travel);
        head = join(head, travel, segment_of(visit));
        NodeSegments& found = s.segments[node];
        if (head == found.head && limit == found.head_limit && node != first &&
            !is_new)
            return;
        s.change(s.nodes[node].ready, head.early + head.duration);
        s.change(found.head.duration, head.duration);
        s.change(found.head.early, head.early);
        s.change(found.head.late, head.late);
        s.change(found.head_limit, limit);
        node = s.nodes[node].next;
    }
    head = join(head, s.travel_to(s.nodes[node]), end_of(s.vehicle_of(route)));
    s.routes[route].duration = head.duration;
}

// Finds what the way from each node takes from `last` back.
void push_tails(FleetSearch& s, uint32_t last, bool is_new) {
    uint32_t node = last;
    uint32_t after = s.nodes[node].next;
    DurationSegment tail{s.segments[after].tail_duration,
                         s.segments[after].tail_early, s.nodes[after].latest};
    while (s.is_customer(node)) {
        const Visit& visit = s.visit_of(node);
        const double travel = s.travel_to(s.nodes[after]);
        double latest =
            std::min(visit.limit, tail.late - (visit.service + travel));
        tail = join(segment_of(visit), travel, tail);
        if (latest < visit.early)
            latest = -infinity; // any arrival here is late further on
        tail.late = latest;
        NodeSegments& found = s.segments[node];
        if (tail == DurationSegment{found.tail_duration, found.tail_early,
                                    s.nodes[node].latest} &&
            node != last && !is_new)
            return;
        s.change(s.nodes[node].latest, latest);
        s.change(found.tail_duration, tail.duration);
        s.change(found.tail_early, tail.early);
        after = node;
        node = s.nodes[node].prev;
    }
}

void push_forward(FleetSearch& s, uint32_t route, uint32_t first,
                  bool is_new = false) {
    if (s.shift_times.is_one())
        return s.shift_times.push_forward(s, route, first, is_new);
    if (s.problem.counts_duration && !s.shift_parts.is_any())
        push_heads(s, route, first, is_new);
    else
        push_ready(s, first, is_new);
    if (s.shift_times.is_any())
        s.shift_times.push_forward(s, route, first, is_new);
    if (s.shift_parts.is_any())
        s.shift_parts.push_forward(s, first, is_new);
}

void push_back(FleetSearch& s, uint32_t route, uint32_t last,
               bool is_new = false) {
    if (s.shift_times.is_one())
        return s.shift_times.push_back(s, route, last, is_new);
    if (s.problem.counts_duration && !s.shift_parts.is_any())
        push_tails(s, last, is_new);
    else
        push_latest(s, last, is_new);
    if (s.shift_times.is_any())
        s.shift_times.push_back(s, route, last, is_new);
    if (s.shift_parts.is_any())
        s.shift_parts.push_back(s, last, is_new);
}

// Returns the sum of the edges of a route.
double sum_edges(const FleetSearch& s, uint32_t route) {
    const uint32_t depot = s.depot_of(route);
    double length = 0.0;
    uint32_t node = depot;
    do {
        length += s.nodes[node].to_next;
        node = s.nodes[node].next;
    } while (node != depot);
    return length;
}

// Returns when all goods of the first trip of a route are at the depot.
double last_release(const FleetSearch& s, uint32_t route) {
    double release = 0.0;
    if (s.problem.has_releases)
        for (uint32_t node = s.first_of(route);
             s.is_customer(node) && !s.problem.is_reload(node);
             node = s.nodes[node].next)
            release = std::max(release, s.problem.visits[node].release);
    return release;
}

// Sets what follows for features from the order of a route.
void schedule_features(FleetSearch& s, uint32_t route) {
    s.each_feature([&](auto& feature) { feature.schedule(s, route); });
}

// Sets the duration of a route that follows from its parts.
void set_duration(FleetSearch& s, uint32_t route_idx) {
    if (s.shift_parts.is_any())
        s.shift_parts.set_duration(s, route_idx);
}

// Sets the cost of a route of which all else is known.
void set_cost(FleetSearch& s, uint32_t route_idx) {
    const VehicleType& vehicle = s.vehicle_of(route_idx);
    Route& route = s.routes[route_idx];
    PathTotals totals{.length = route.distance, .duration = route.duration};
    if (s.problem.raises_totals && vehicle.prices_duration())
        judge_path(s.problem, s.customers_of(route_idx),
                   s.problem.type_of[route_idx], totals);
    route.cost = vehicle.fixed_cost + vehicle.distance_cost * totals.length;
    if (s.problem.counts_duration)
        route.cost += vehicle.price(totals.duration);
    if (s.problem.steps.is_any())
        route.cost += s.step_amounts.price_of(s, route_idx);
    if (s.problem.prices_paths)
        route.cost +=
            price_path(s.problem, s.customers_of(route_idx),
                       s.problem.type_of[route_idx], totals.duration);
}

// Remembers that a route of its type is empty.
void set_empty(FleetSearch& s, uint32_t route_idx) {
    if (s.may_open(route_idx))
        s.open_routes[s.problem.type_of[route_idx]] = route_idx;
    Route& route = s.routes[route_idx];
    route.cost = 0.0;
    route.distance = 0.0;
    route.duration = 0.0;
    route.release = 0.0;
    s.sums.set_empty(route_idx);
    s.step_amounts.set_empty(route_idx);
}

// Returns how much longer the removal of a string made its route.
double string_change(const FleetSearch& s, const search::String& string) {
    double change = s.nodes[string.before].to_next;
    for (int64_t idx = string.first; idx < string.end; ++idx)
        change -= s.removed[idx].to_prev;
    return change - s.removed[string.end - 1].to_next;
}

// Whether a route with its times set breaks no limit but the load's.
bool keeps_limits_on(const FleetSearch& s, uint32_t route_idx) {
    const FleetProblem& p = s.problem;
    const Route& route = s.routes[route_idx];
    if (route.size == 0)
        return true;
    const VehicleType& vehicle = s.vehicle_of(route_idx);
    if (route.distance > vehicle.max_distance ||
        !s.sums.keeps_limits(route_idx))
        return false;
    PathTotals totals{.length = route.distance, .duration = route.duration};
    if (p.judges_paths && (!judge_path(p, s.customers_of(route_idx),
                                       p.type_of[route_idx], totals) ||
                           totals.duration > vehicle.max_duration))
        return false;
    if (s.shift_times.is_any() && !s.shift_times.keeps_breaks(s, route_idx))
        return false;
    if (s.shift_parts.is_any()) {
        // A duration of 0 may stand for an infinite one.
        const double duration = route.duration > 0.0
                                    ? route.duration
                                    : s.shift_parts.duration_of(s, route_idx);
        return duration < infinity && duration <= vehicle.max_duration;
    }
    if (!p.is_timed)
        return true;
    const Node& depot = s.nodes[s.depot_of(route_idx)];
    const double slack =
        s.nodes[depot.next].latest - s.travel_to(s.nodes[depot.next]);
    if (depot.ready > slack)
        return false;
    if (!p.counts_duration)
        return true;
    const double late =
        std::min(vehicle.start_late, slack - vehicle.start_duration);
    return route.duration <= vehicle.max_duration && route.release <= late;
}

} // namespace

void schedule_anew(FleetSearch& s, uint32_t route_idx) {
    Route& route = s.routes[route_idx];
    if (route.size == 0) {
        set_empty(s, route_idx);
        if (s.shift_parts.is_any())
            s.shift_parts.forget_work(s, route_idx);
        return;
    }
    route.distance = sum_edges(s, route_idx);
    schedule_features(s, route_idx);
    if (s.problem.is_timed) {
        const uint32_t depot = s.depot_of(route_idx);
        uint32_t node = depot;
        do {
            node = s.nodes[node].next;
            look_up_times(s, route_idx, node);
        } while (node != depot);
        push_forward(s, route_idx, s.nodes[depot].next, true);
        push_back(s, route_idx, s.nodes[depot].prev, true);
        route.release = last_release(s, route_idx);
    }
    set_duration(s, route_idx);
    set_cost(s, route_idx);
}

void settle_inserted(FleetSearch& s, uint32_t customer, double edge,
                     double cost) {
    const FleetProblem& p = s.problem;
    const uint32_t route_idx = s.route_of[customer];
    if (p.judges_paths) {
        schedule_anew(s, route_idx);
        return;
    }
    Route& route = s.routes[route_idx];
    const Node& node = s.nodes[customer];
    route.distance += node.to_prev + node.to_next - edge;
    schedule_features(s, route_idx);
    if (p.is_timed) {
        look_up_times(s, route_idx, customer);
        look_up_times(s, route_idx, node.next);
        push_forward(s, route_idx, customer);
        push_back(s, route_idx, customer);
        route.release = std::max(route.release, p.visits[customer].release);
    }
    if (p.counts_duration) {
        if (!p.has_exact_lengths)
            route.distance = sum_edges(s, route_idx);
        set_duration(s, route_idx);
        set_cost(s, route_idx);
    } else {
        route.cost += cost;
    }
}

void FleetSearch::settle_ruined() {
    // Whether strings may lie side by side, so that nothing follows from one
    // alone.
    bool is_anew = false;
    each_feature(
        [&](auto& feature) { is_anew |= feature.extend_ruin(*this); });
    for (int64_t number = 0; number < num_strings; ++number) {
        const search::String& string = strings[number];
        if (is_absent(string.before))
            continue;
        const uint32_t route = route_of[string.before];
        touch(route);
        if (is_anew)
            continue;
        routes[route].distance += string_change(*this, string);
        if (problem.is_timed && routes[route].size > 0) {
            look_up_times(*this, route, string.after);
            push_forward(*this, route, string.after);
        }
    }
    if (problem.is_timed && !is_anew)
        for (int64_t number = num_strings - 1; number >= 0; --number)
            push_back(*this, route_of[strings[number].before],
                      strings[number].before);
    each_feature([&](auto& feature) { feature.offer(*this); });
    // The ruin counted edges and penalties alone.
    cost = cost_before + (penalty_cost - penalty_before);
    for (const TouchedRoute& before : touched) {
        Route& route = routes[before.route];
        cost -= route.cost;
        if (is_anew || route.size == 0) {
            schedule_anew(*this, before.route);
        } else {
            schedule_features(*this, before.route);
            if (!problem.has_exact_lengths)
                route.distance = sum_edges(*this, before.route);
            route.release = last_release(*this, before.route);
            set_duration(*this, before.route);
            set_cost(*this, before.route);
        }
        cost += route.cost;
    }
}

void FleetSearch::settle_undone() {
    penalty_cost = penalty_before;
    // Of the customers inserted, those are absent again that no node is
    // before.
    if (problem.is_special || num_absent > 0)
        for (int64_t idx = 0; idx < num_inserted; ++idx) {
            const uint32_t customer = inserted[idx].customer;
            if (nodes[nodes[customer].prev].next != customer)
                route_of[customer] = num_slots;
        }
    for (auto change = changes.rbegin(); change != changes.rend(); ++change)
        *change->number = change->before;
    if (shift_parts.is_any())
        shift_parts.undo(*this);
    for (const TouchedRoute& before : touched) {
        Route& route = routes[before.route];
        if (route.size == 0) {
            set_empty(*this, before.route);
            continue;
        }
        schedule_features(*this, before.route);
        route.duration = before.duration;
        route.release = before.release;
        route.distance = problem.has_exact_lengths
                             ? before.distance
                             : sum_edges(*this, before.route);
        set_cost(*this, before.route);
    }
}

bool FleetSearch::keeps_limits() const {
    return std::all_of(touched.begin(), touched.end(),
                       [&](const TouchedRoute& r) {
                           return keeps_limits_on(*this, r.route);
                       });
}

} // namespace ncc::fleets
