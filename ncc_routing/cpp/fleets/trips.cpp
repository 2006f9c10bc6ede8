#include "fleets/trips.h"

#include "fleets/paths.h"
#include "search/ruin.h"

#include <algorithm>
#include <array>

namespace ncc::fleets {

namespace {

using search::Position;

// Neighbours next to which a customer may come with a call.
constexpr std::size_t num_near_calls = 20;

bool is_end_of_trip(const FleetSearch& s, uint32_t node) {
    return !s.is_customer(node) || s.problem.is_reload(node);
}

// Returns the first customer of a route with whom a trip carries too much, or
// 0.
uint32_t find_overload(const FleetSearch& s, uint32_t route) {
    const StopLoads& loads = s.problem.loads;
    const auto capacity = loads.capacity_of(s.problem.type_of[route]);
    for (uint32_t node = s.first_of(route); s.is_customer(node);
         node = s.nodes[node].next)
        for (std::size_t idx = 0; idx < capacity.size(); ++idx)
            if (s.heads_of(node)[idx].largest() > capacity[idx])
                return node;
    return 0;
}

// Returns a call that a vehicle may make, at any depot.
uint32_t any_call(const FleetSearch& s, int64_t type) {
    const auto& fits = s.problem.reloads.fits[type];
    for (uint32_t depot = 0; depot < fits.size(); ++depot)
        if (fits[depot])
            if (const uint32_t call = s.free_call(depot); call != 0)
                return call;
    return 0;
}

// What a customer and a call cost together between two nodes of a route.
class CallInsertion {
public:
    CallInsertion(FleetSearch& search, uint32_t customer, Position& best)
        : s_(search), customer_(customer), best_(best) {
        const auto& fits = s_.problem.reloads.fits;
        for (uint32_t depot = 0; depot < fits.front().size(); ++depot)
            free_.push_back(s_.free_call(depot));
    }

    void look_behind(uint32_t before) {
        const uint32_t route = s_.route_of[before];
        if (route == s_.num_slots || s_.routes[route].size == 0)
            return;
        const int64_t type = s_.problem.type_of[route];
        if (s_.routes[route].num_calls >= s_.problem.reloads.most[type])
            return;
        for (uint32_t depot = 0; depot < free_.size(); ++depot) {
            const uint32_t call = free_[depot];
            if (call == 0 || !s_.problem.reloads.fits[type][depot])
                continue;
            if (!is_end_of_trip(s_, before))
                look(route, before, call, customer_);
            if (!is_end_of_trip(s_, s_.nodes[before].next))
                look(route, before, customer_, call);
        }
    }

private:
    void look(uint32_t route, uint32_t before, uint32_t first,
              uint32_t second) {
        const VehicleType& vehicle = s_.vehicle_of(route);
        const uint32_t after = s_.nodes[before].next;
        const double added = s_.distance(route, before, first) +
                             s_.distance(route, first, second) +
                             s_.distance(route, second, after) -
                             s_.nodes[before].to_next;
        const double extra = s_.penalty(customer_, route);
        if (!vehicle.prices_duration() &&
            vehicle.distance_cost * added + extra >= best_.cost)
            return;
        const double cost =
            s_.change_by(route, before, std::array{first, second}) + extra;
        if (!(cost < best_.cost) || s_.random.unit() < s_.params.blink)
            return;
        // The call comes first, behind the same node.
        s_.companion = {first == customer_ ? second : first, before};
        best_ = {first == customer_ ? before : first, 0.0, 0.0, cost};
    }

    FleetSearch& s_;
    uint32_t customer_;
    Position& best_;
    std::vector<uint32_t> free_; // (depots,): a call that no route has, or 0
};

} // namespace

void remove_idle_calls(FleetSearch& s) {
    const int64_t end = s.num_strings;
    for (int64_t number = 0; number < end; ++number) {
        const uint32_t route = s.route_of[s.strings[number].before];
        if (route == s.num_slots)
            continue;
        uint32_t node = s.first_of(route);
        while (s.is_customer(node)) {
            const uint32_t before = s.nodes[node].prev;
            uint32_t following = s.nodes[node].next;
            if (s.problem.is_reload(node) &&
                (is_end_of_trip(s, before) || !s.is_customer(following))) {
                search::remove_string(s, node, 1);
                if (s.is_customer(before))
                    following = before;
            }
            node = following;
        }
    }
}

void split_trips(FleetSearch& s) {
    const std::size_t num_touched = s.touched.size();
    for (std::size_t idx = 0; idx < num_touched; ++idx) {
        const uint32_t route = s.touched[idx].route;
        const int64_t type = s.problem.type_of[route];
        while (s.routes[route].num_calls < s.problem.reloads.most[type]) {
            const uint32_t node = find_overload(s, route);
            const uint32_t before = node == 0 ? 0 : s.nodes[node].prev;
            const uint32_t call = node == 0 ? 0 : any_call(s, type);
            if (call == 0 || is_end_of_trip(s, before))
                break;
            const double cost = s.routes[route].cost;
            const double edge = s.insert(call, {before, 0.0, 0.0, 0.0});
            s.note_inserted(call, edge);
            s.cost += s.routes[route].cost - cost;
        }
    }
}

bool keeps_trips(const FleetSearch& s, uint32_t route) {
    const int64_t type = s.problem.type_of[route];
    if (s.routes[route].num_calls > s.problem.reloads.most[type] ||
        find_overload(s, route) != 0)
        return false;
    bool is_at_depot = true;
    for (uint32_t node = s.first_of(route); s.is_customer(node);
         node = s.nodes[node].next) {
        const bool is_call = s.problem.is_reload(node);
        if (is_call &&
            (is_at_depot || !s.problem.reloads.may_call(type, node)))
            return false;
        is_at_depot = is_call;
    }
    return !is_at_depot;
}

bool holds_up(const FleetSearch& s, uint32_t node, double release) {
    if (release == 0.0)
        return false;
    while (!is_end_of_trip(s, node))
        node = s.nodes[node].prev;
    return s.is_customer(node) && s.visit_of(node).release < release;
}

Position with_call(FleetSearch& s, uint32_t customer, Position best) {
    CallInsertion insertion(s, customer, best);
    for (int64_t number = 0; number < s.num_strings; ++number)
        insertion.look_behind(s.strings[number].before);
    const auto neighbours = s.problem.neighbours.row(customer);
    for (const uint32_t near :
         neighbours.first(std::min(num_near_calls, neighbours.size()))) {
        if (s.is_absent(near))
            continue;
        insertion.look_behind(near);
        insertion.look_behind(s.nodes[near].prev);
    }
    return best;
}

} // namespace ncc::fleets
