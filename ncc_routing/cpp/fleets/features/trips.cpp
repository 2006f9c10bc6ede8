#include "fleets/features/trips.h"

#include "fleets/search.h"
#include "search/ruin.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ncc::fleets {

namespace {

// Share of the ruins after which a trip is split where customers left it, so
// that others may come into a part of it.
constexpr double call_share = 0.1;

// Shares of the exchanges of trips that swap two of them, and all that follows
// two of them; the others move one.
constexpr double swap_share = 0.4;
constexpr double rest_share = 0.3;

// Neighbours next to which a customer may come with a call.
constexpr std::size_t num_near_calls = 20;

bool is_end_of_trip(const FleetSearch& s, uint32_t node) {
    return !s.is_customer(node) || s.problem.is_reload(node);
}

// Whether a call behind a node follows a trip, or empties a vehicle.
bool may_call_behind(const FleetSearch& s, uint32_t node) {
    if (s.is_customer(node))
        return !s.problem.is_reload(node);
    return s.problem.reloads
               .may_call_first[s.problem.type_of[s.route_of[node]]] != 0;
}

// Whether there is no way back to the end of a route but by its last call.
bool comes_back_by(const FleetSearch& s, uint32_t call) {
    const uint32_t before = s.nodes[call].prev;
    return s.is_customer(before) &&
           s.problem.comes_back_by_call(s.problem.type_of[s.route_of[call]],
                                        before);
}

// Returns the first customer of a route with whom a trip carries too much, or
// 0.
uint32_t find_overload(const FleetSearch& s, uint32_t route) {
    const StopLoads& loads = s.problem.loads;
    const auto capacity = loads.capacity_of(s.problem.type_of[route]);
    for (uint32_t node = s.first_of(route); s.is_customer(node);
         node = s.nodes[node].next)
        for (std::size_t idx = 0; idx < capacity.size(); ++idx)
            if (s.carried.head_of(node)[idx].largest() > capacity[idx])
                return node;
    return 0;
}

// Returns a call at a depot that no route has, or 0.
uint32_t free_call(const FleetSearch& s, uint32_t depot) {
    const Reloads& reloads = s.problem.reloads;
    for (uint32_t idx = 0; idx < reloads.depots.size(); ++idx)
        if (reloads.depots[idx] == depot && s.is_absent(reloads.first + idx))
            return reloads.first + idx;
    return 0;
}

// Returns a call that a vehicle may make, at any depot.
uint32_t any_call(const FleetSearch& s, int64_t type) {
    const auto& suits = s.problem.reloads.suits[type];
    for (uint32_t depot = 0; depot < suits.size(); ++depot)
        if (suits[depot])
            if (const uint32_t call = free_call(s, depot); call != 0)
                return call;
    return 0;
}

// Whether a shipment is on board behind a node.
bool is_loaded_behind(const FleetSearch& s, uint32_t node) {
    const Pairs& pairs = s.problem.pairs;
    int64_t num_open = 0;
    for (; !is_end_of_trip(s, node); node = s.nodes[node].prev)
        if (pairs.is_paired(node))
            num_open += pairs.is_delivered(node) ? -1 : 1;
    return num_open != 0;
}

// The customers of a trip, and what comes before and behind them.
struct Trip {
    search::Piece customers;
    uint32_t before;
    uint32_t after;
};

// Returns the trip of a customer.
Trip trip_of(const FleetSearch& s, uint32_t customer) {
    uint32_t first = customer;
    while (!is_end_of_trip(s, s.nodes[first].prev))
        first = s.nodes[first].prev;
    uint32_t last = customer;
    while (!is_end_of_trip(s, s.nodes[last].next))
        last = s.nodes[last].next;
    return {{first, last}, s.nodes[first].prev, s.nodes[last].next};
}

// Returns an exchange of two trips of different routes.
search::Exchange swapped_trips(const FleetSearch& s, const Trip& one,
                               const Trip& other) {
    const auto with = [&](const Trip& old,
                          const Trip& trip) -> search::NewRoute {
        return {s.route_of[old.customers.first],
                {search::head_to(s, old.before), trip.customers,
                 search::tail_from(s, old.after)}};
    };
    return {with(one, other), with(other, one)};
}

// Returns an exchange of what two vehicles do after a trip.
search::Exchange swapped_rests(const FleetSearch& s, const Trip& one,
                               const Trip& other) {
    const auto with = [&](const Trip& old,
                          const Trip& trip) -> search::NewRoute {
        return {s.route_of[old.customers.first],
                {search::head_to(s, old.customers.last),
                 search::tail_from(s, trip.after)}};
    };
    return {with(one, other), with(other, one)};
}

// Returns a move of a trip that begins with a call behind another trip.
search::Exchange moved_trip(const FleetSearch& s, const Trip& trip,
                            const Trip& spot) {
    return {{s.route_of[trip.before],
             {search::head_to(s, s.nodes[trip.before].prev),
              search::tail_from(s, trip.after)}},
            {s.route_of[spot.customers.last],
             {search::head_to(s, spot.customers.last),
              {trip.before, trip.customers.last},
              search::tail_from(s, spot.after)}}};
}

// Inserts a call on its own.
void insert_call(FleetSearch& s, uint32_t call, uint32_t before) {
    const Route& route = s.routes[s.route_of[before]];
    const double cost = route.cost;
    s.insert(call, {.before = before, .cost = 0.0});
    s.cost += route.cost - cost;
}

// Puts calls into the trips of the touched routes that carry too much.
void split_trips(FleetSearch& s) {
    const std::size_t num_touched = s.touched.size();
    for (std::size_t idx = 0; idx < num_touched; ++idx) {
        const uint32_t route = s.touched[idx].route;
        const int64_t type = s.problem.type_of[route];
        while (s.trips.num_calls(route) < s.problem.reloads.most[type]) {
            const uint32_t node = find_overload(s, route);
            uint32_t before = node == 0 ? 0 : s.nodes[node].prev;
            while (before != 0 && is_loaded_behind(s, before))
                before = s.nodes[before].prev;
            const uint32_t call = node == 0 ? 0 : any_call(s, type);
            if (call == 0 || !may_call_behind(s, before))
                break;
            insert_call(s, call, before);
        }
    }
}

// Puts a call where customers have left a trip, now and then.
void try_call(FleetSearch& s) {
    if (s.num_strings == 0 || s.random.unit() >= call_share)
        return;
    const uint32_t before = s.strings[s.random.below(s.num_strings)].before;
    const uint32_t route = s.route_of[before];
    if (route == s.num_slots || is_end_of_trip(s, before) ||
        is_end_of_trip(s, s.nodes[before].next) || is_loaded_behind(s, before))
        return;
    const int64_t type = s.problem.type_of[route];
    const uint32_t call = any_call(s, type);
    if (call != 0 && s.trips.num_calls(route) < s.problem.reloads.most[type])
        insert_call(s, call, before);
}

// What a customer, or both ends of a shipment, cost together with a call.
class CallInsertion {
public:
    CallInsertion(FleetSearch& search, uint32_t customer, Position& best)
        : s_(search), customer_(customer), best_(best) {
        delivery_ = s_.problem.pairs.partner_of(customer);
        const auto& suits = s_.problem.reloads.suits;
        for (uint32_t depot = 0; depot < suits.front().size(); ++depot)
            free_.push_back(free_call(s_, depot));
    }

    // Looks at both sides of a call in a gap.
    void look_behind(uint32_t before) {
        look_in(before, true);
        look_in(before, false);
    }

    // Looks at the gap behind a node, with the call before the customer
    // (`is_first`) or behind; on an empty route nothing but the call comes
    // first.
    void look_in(uint32_t before, bool is_first) {
        const uint32_t route = s_.route_of[before];
        if (route == s_.num_slots ||
            (is_first ? !may_call_behind(s_, before)
                      : is_end_of_trip(s_, s_.nodes[before].next)))
            return;
        const Reloads& reloads = s_.problem.reloads;
        const int64_t type = s_.problem.type_of[route];
        const bool is_closed = s_.routes[route].size == 0 &&
                               type != s_.opened_type.value_or(type);
        if (is_closed || s_.trips.num_calls(route) >= reloads.most[type] ||
            !s_.admits(customer_, route))
            return;
        for (uint32_t depot = 0; depot < free_.size(); ++depot)
            if (free_[depot] != 0 && reloads.suits[type][depot])
                look(route, before, free_[depot], is_first);
    }

private:
    void look(uint32_t route, uint32_t before, uint32_t call, bool is_first) {
        const VehicleType& vehicle = s_.vehicle_of(route);
        path_.clear();
        if (is_first)
            path_.push_back(call);
        path_.push_back(customer_);
        if (delivery_ != 0)
            path_.push_back(delivery_);
        if (!is_first)
            path_.push_back(call);
        double added = -s_.nodes[before].to_next;
        uint32_t last = before;
        for (const uint32_t node : path_) {
            added += s_.distance(route, last, node);
            last = node;
        }
        added += s_.distance(route, last, s_.nodes[before].next);
        double extra = s_.opening_penalty(customer_, route);
        if (delivery_ != 0)
            extra += s_.penalty(delivery_, route);
        if (!vehicle.prices_duration() && !s_.problem.has_prices &&
            vehicle.fixed_cost >= 0.0 &&
            vehicle.distance_cost * added + extra >= best_.cost)
            return;
        const double cost = s_.change_by(route, before, path_) + extra;
        if (!(cost < best_.cost) || s_.random.unit() < s_.params.blink)
            return;
        // The customer comes last, and the others then behind it.
        const uint32_t behind = is_first ? call : before;
        best_ = {behind, 0, cost, {{{call, before}, {delivery_, behind}}}};
    }

    FleetSearch& s_;
    uint32_t customer_;
    uint32_t delivery_ = 0;
    Position& best_;
    std::vector<uint32_t> free_; // (depots,): a call that no route has, or 0
    std::vector<uint32_t> path_;
};

} // namespace

Reloads Reloads::make(uint32_t first, std::vector<uint32_t> depots,
                      std::vector<int64_t> most,
                      std::vector<std::vector<bool>> suits,
                      std::vector<uint32_t> on_board) {
    require(most.size() == suits.size() && !suits.empty(),
            "reloads must be of each vehicle type.");
    for (const std::vector<bool>& own : suits)
        require(own.size() == suits.front().size(),
                "reloads must be of each depot.");
    require(all_below(std::span<const uint32_t>(depots), suits.front().size()),
            "reloads must be at depots.");
    Reloads reloads;
    reloads.first = first;
    reloads.depots = std::move(depots);
    reloads.most = std::move(most);
    reloads.suits = std::move(suits);
    reloads.on_board = std::move(on_board);
    return reloads;
}

void Reloads::complete(const FleetProblem& problem) {
    const StopLoads& loads = problem.loads;
    for (int64_t type = 0; type < problem.num_types(); ++type) {
        bool may_call = problem.has_releases || problem.has_short_cuts ||
                        problem.vehicles[type].has_begun;
        for (int64_t idx = 0; idx < loads.num_dimensions; ++idx)
            may_call |= loads.start_of(type, idx).brought > 0;
        may_call_first.push_back(may_call ? 1 : 0);
    }
}

bool Reloads::judge(const FleetProblem& problem,
                    std::span<const uint32_t> path, int64_t type,
                    PathTotals&) const {
    int64_t num_calls = 0;
    bool is_at_depot = may_call_first[type] == 0;
    for (const uint32_t node : path) {
        const bool is_call = problem.is_reload(node);
        if (is_call && (is_at_depot || !may_call(type, node)))
            return false;
        if (num_calls > 0 &&
            std::ranges::find(on_board, node) != on_board.end())
            return false;
        num_calls += is_call ? 1 : 0;
        is_at_depot = is_call;
    }
    const std::size_t size = path.size();
    if (is_at_depot &&
        (size < 2 || !problem.comes_back_by_call(type, path[size - 2])))
        return false;
    return num_calls <= most[type];
}

bool Reloads::reaches_on(const FleetSearch& s, uint32_t node,
                         uint32_t customer) const {
    // Whose goods are on board comes before any call.
    if (std::ranges::find(on_board, customer) != on_board.end())
        return true;
    const double release = s.problem.visits[customer].release;
    if (!s.problem.is_timed || release == 0.0)
        return false;
    while (!is_end_of_trip(s, node))
        node = s.nodes[node].prev;
    return s.is_customer(node) && s.visit_of(node).release < release;
}

Trips::Trips(const FleetProblem& problem)
    : is_any_(problem.reloads.is_any()), num_calls_(problem.num_routes()) {}

bool Trips::extend_ruin(FleetSearch& s) {
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
                (!may_call_behind(s, before) ||
                 (!s.is_customer(following) && !comes_back_by(s, node)))) {
                search::remove_string(s, node, 1);
                if (s.is_customer(before))
                    following = before;
            }
            node = following;
        }
    }
    return true;
}

void Trips::begin_recreate(FleetSearch& s) {
    split_trips(s);
    try_call(s);
}

void Trips::schedule(FleetSearch& s, uint32_t route) {
    double release = 0.0;
    num_calls_[route] = 0;
    for (uint32_t node = s.nodes[s.depot_of(route)].prev; s.is_customer(node);
         node = s.nodes[node].prev) {
        const Visit& visit = s.problem.visits[node];
        if (!s.problem.is_reload(node)) {
            release = std::max(release, visit.release);
            continue;
        }
        ++num_calls_[route];
        Visit& call = s.own_visits[node];
        s.change(call.early, std::max(visit.early, release));
        s.change(call.release, release);
        release = 0.0;
    }
}

double exchange_trips(FleetSearch& s, uint32_t i, double limit) {
    const uint32_t j = s.members[s.random.below(std::ssize(s.members))];
    if (s.is_absent(i) || s.is_absent(j) || s.route_of[i] == s.route_of[j])
        return limit;
    const Trip one = trip_of(s, i);
    const Trip other = trip_of(s, j);
    const double kind = s.random.unit();
    const auto attempt = [&](const search::Exchange& exchange) {
        return s.try_exchange(exchange, 0.0, limit);
    };
    if (kind < swap_share)
        return attempt(swapped_trips(s, one, other));
    if (kind < swap_share + rest_share)
        return attempt(swapped_rests(s, one, other));
    return s.is_customer(one.before) ? attempt(moved_trip(s, one, other))
                                     : limit;
}

Position with_call(FleetSearch& s, uint32_t customer, Position best) {
    CallInsertion insertion(s, customer, best);
    for (int64_t type = 0; type < s.num_types(); ++type)
        if (s.problem.reloads.may_call_first[type] != 0)
            if (const uint32_t route = s.empty_route(type);
                route != s.num_slots)
                insertion.look_behind(s.depot_of(route));
    for (int64_t number = 0; number < s.num_strings; ++number)
        insertion.look_behind(s.strings[number].before);
    const auto neighbours = s.problem.neighbours.row(customer);
    for (const uint32_t near :
         neighbours.first(std::min(num_near_calls, neighbours.size()))) {
        if (s.is_absent(near))
            continue;
        // The customer next to its neighbour, the call on its other side; at
        // the ends of a trip also a trip of its own.
        const auto [prev, next] =
            std::pair(s.nodes[near].prev, s.nodes[near].next);
        insertion.look_in(near, is_end_of_trip(s, next));
        insertion.look_in(prev, true);
        if (is_end_of_trip(s, prev))
            insertion.look_in(prev, false);
    }
    return best;
}

} // namespace ncc::fleets
