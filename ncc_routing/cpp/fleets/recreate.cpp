#include "fleets/recreate.h"

#include "fleets/insertion.h"
#include "fleets/paths.h"
#include "fleets/schedules.h"
#include "prefetch.h"
#include "search/ruin.h"

#include <algorithm>
#include <bit>
#include <span>

namespace ncc::fleets {

namespace {

using search::SearchParams;

// Weight of the orders of insertion by windows, beside the 11 of all.
constexpr double num_rules_of_time = 6.0;

// Share of the ruins after which some customers come on a vehicle together,
// where there are short cuts, and most of these customers.
constexpr double together_share = 0.2;
constexpr int64_t most_together = 7;

// Neighbours that an insertion mostly does not look beyond.
constexpr std::size_t num_prefetched = 24;

// A node to insert a customer behind, and what that costs. Node 0 stands for
// none.
struct Position {
    uint32_t before = 0;
    double cost = 0.0;
};

// Returns the rank of a customer in an order of insertion. With windows also
// the narrow, the early and the late ones come first, with the weight 2 each.
double order_key(FleetSearch& s, uint32_t customer, double rule) {
    if (rule < search::num_rules)
        return search::order_key(s, customer, rule,
                                 s.problem.round_trip[customer]);
    const Visit& visit = s.problem.visits[customer];
    if (rule < 13.0)
        return visit.late - visit.early;
    return rule < 15.0 ? visit.early : -visit.late;
}

// Takes a position of this cost where it is cheaper than the best one, unless
// it is overlooked. Rolling that only for those which would be taken changes
// nothing in distribution.
inline void improve(Position& best, FleetSearch& s, const SearchParams& params,
                    uint32_t before, double cost) {
    if (cost < best.cost && s.random.unit() >= params.blink)
        best = {before, cost};
}

// Returns an empty vehicle or a gap of the ruin for a customer.
template <class Costs>
inline Position find_opening(FleetSearch& s, const SearchParams& params,
                             uint32_t customer, const Costs& costs,
                             double budget) {
    Position best{0, budget};
    for (int64_t type = 0; type < s.num_types(); ++type) {
        const double cost = s.problem.single_cost(type, customer);
        if (cost < best.cost && s.random.unit() >= params.blink) {
            const uint32_t route = s.empty_route(type);
            if (route < s.num_slots)
                best = {s.depot_of(route), cost};
        }
    }
    const int64_t demand = s.demand(customer);
    for (int64_t number = 0; number < s.num_strings; ++number) {
        const uint32_t before = s.strings[number].before;
        const uint32_t route = s.route_of[before];
        if (s.routes[route].size > 0 && s.has_room(route, demand)) {
            const Gap gap = costs.gap_behind(route, before);
            if (costs.bound_in(gap) < best.cost)
                improve(best, s, params, before, costs.cost_in(gap));
        }
    }
    return best;
}

// Returns which of some nodes are on routes with room, by bits.
template <std::size_t extent>
uint32_t with_room(const FleetSearch& s,
                   std::span<const uint32_t, extent> nodes, int64_t demand) {
    uint32_t found = 0;
    for (std::size_t idx = 0; idx < nodes.size(); ++idx) {
        const bool has_room = s.has_room(s.route_of[nodes[idx]], demand);
        found |= static_cast<uint32_t>(has_room) << idx;
    }
    return found;
}

// Returns where a customer costs less than `budget`: on an empty vehicle, in
// the gaps that the ruin left, or next to the nearest customers, as in the
// plain problem.
//
// Wrong guesses of branches take most of the time. Room is therefore looked up
// for some neighbours at once, which is 5 % faster where routes are full, and
// one branch decides about both gaps next to a neighbour.
template <class Costs>
Position find_position(FleetSearch& s, const SearchParams& params,
                       uint32_t customer, double budget) {
    constexpr std::size_t block = 8;
    const Costs costs(s, customer);
    Position best = find_opening(s, params, customer, costs, budget);
    const auto neighbours = s.problem.neighbours.row(customer);
    const auto near = s.problem.near.row(customer);
    const int64_t demand = s.demand(customer);
    int64_t left = s.problem.num_candidates;
    for (std::size_t low = 0; low < neighbours.size(); low += block) {
        const auto rest = neighbours.subspan(low);
        uint32_t mask = rest.size() < block
                            ? with_room(s, rest, demand)
                            : with_room(s, rest.first<block>(), demand);
        for (; mask != 0; mask &= mask - 1) {
            const std::size_t idx = low + std::countr_zero(mask);
            if (near[idx] > params.reach * best.cost)
                return best;
            const uint32_t node = neighbours[idx];
            const uint32_t route = s.route_of[node];
            const Gap behind = costs.gap_behind(route, node);
            const Gap ahead = costs.gap_behind(route, s.nodes[node].prev);
            const double least_behind = costs.bound_in(behind);
            const double least_ahead = costs.bound_in(ahead);
            if (std::min(least_behind, least_ahead) < best.cost) {
                if (least_behind < best.cost)
                    improve(best, s, params, node, costs.cost_in(behind));
                if (least_ahead < best.cost)
                    improve(best, s, params, ahead.before,
                            costs.cost_in(ahead));
            }
            if (--left == 0)
                return best;
        }
        if (near[std::min(low + block, near.size()) - 1] >
            params.reach * best.cost)
            return best;
    }
    return best;
}

// Returns the cheapest position of all.
template <class Costs>
Position search_everywhere(const FleetSearch& s, uint32_t customer) {
    const Costs costs(s, customer);
    Position best{0, infinity};
    const int64_t demand = s.demand(customer);
    const auto look = [&](uint32_t before) {
        const Gap gap = costs.gap_behind(s.route_of[before], before);
        const double cost =
            costs.bound_in(gap) < best.cost ? costs.cost_in(gap) : infinity;
        if (cost < best.cost)
            best = {before, cost};
    };
    for (const uint32_t node : s.members) {
        if (s.is_absent(node) || !s.has_room(s.route_of[node], demand))
            continue;
        look(node);
        if (!s.is_customer(s.nodes[node].prev))
            look(s.nodes[node].prev);
    }
    return best;
}

// Inserts a customer; returns the edge that breaks.
double insert(FleetSearch& s, uint32_t customer, const Position& position) {
    const uint32_t before = position.before;
    const uint32_t after = s.nodes[before].next;
    const uint32_t route_idx = s.route_of[before];
    Route& route = s.routes[route_idx];
    double edge = s.nodes[before].to_next;
    if (route.size == 0) {
        edge = 0.0;
        // A route that the ruin emptied does not count as free yet.
        if (route.ruined != s.num_iterations)
            --s.num_free;
    }
    s.touch(route_idx);
    // The customer's own lengths are in the cache, those of `before` are not.
    s.set_edge(before, customer, s.distance_back(route_idx, customer, before));
    s.set_edge(customer, after, s.distance(route_idx, customer, after));
    s.route_of[customer] = route_idx;
    s.loads[route_idx] += s.demand(customer);
    ++route.size;
    s.cost += position.cost;
    settle_inserted(s, customer, edge, position.cost);
    return edge;
}

// Gives an empty vehicle some of the first customers, as they come; returns
// how many they are: none where their route breaks a limit, or costs not less
// than `budget`.
//
// Where a way is short by way of another customer alone, the two may have a
// place together and none one after the other.
int64_t insert_together(FleetSearch& s, int64_t num_customers, double budget) {
    if (num_customers < 2)
        return 0;
    const int64_t span = std::min(num_customers, most_together) - 1;
    const int64_t size = 2 + s.random.below(span);
    const int64_t type = s.random.below(s.num_types());
    const uint32_t route = s.empty_route(type);
    if (route == s.num_slots)
        return 0;
    s.other_path.clear();
    for (int64_t idx = 0; idx < size; ++idx)
        s.other_path.push_back(s.inserted[idx].customer);
    const double cost = path_cost(s.problem, s.other_path.customers(), type);
    if (!(cost < budget))
        return 0;
    uint32_t before = s.depot_of(route);
    for (int64_t idx = 0; idx < size; ++idx) {
        const uint32_t customer = s.inserted[idx].customer;
        const double part = idx == size - 1 ? cost : 0.0;
        s.inserted[idx].edge = insert(s, customer, {before, part});
        before = customer;
    }
    return size;
}

// See `recreate`.
template <class Costs>
bool insert_customers(FleetSearch& s, const SearchParams& params,
                      int64_t num_customers, double limit, bool may_miss) {
    int64_t num_inserted = 0;
    int64_t num_absent = 0;
    if (!s.problem.is_metric && s.random.unit() < together_share)
        num_inserted = insert_together(s, num_customers, limit - s.cost);
    for (int64_t idx = num_inserted; idx < num_customers; ++idx) {
        const uint32_t customer = s.inserted[idx].customer;
        Position position =
            find_position<Costs>(s, params, customer, limit - s.cost);
        if (position.before == 0 && may_miss)
            position = search_everywhere<Costs>(s, customer);
        if (position.before == 0) {
            if (!may_miss)
                break;
            s.absent[num_absent++] = customer;
            continue;
        }
        const double edge = insert(s, customer, position);
        s.inserted[num_inserted].customer = customer;
        s.inserted[num_inserted].edge = edge;
        ++num_inserted;
    }
    s.num_inserted = num_inserted;
    if (may_miss)
        s.num_absent = num_absent;
    return num_inserted == num_customers;
}

} // namespace

int64_t order_customers(FleetSearch& s) {
    const FleetProblem& p = s.problem;
    const double num_rules =
        search::num_rules + (p.is_timed ? num_rules_of_time : 0.0);
    const double rule = s.random.unit() * num_rules;
    const int64_t num_customers = s.num_removed + s.num_absent;
    const auto customer = [&](int64_t idx) {
        return idx < s.num_removed ? s.removed[idx].customer
                                   : s.absent[idx - s.num_removed];
    };
    for (int64_t idx = 0; idx < num_customers; ++idx) {
        s.keys[idx] = order_key(s, customer(idx), rule);
        // What an insertion reads first: asked for when that begins it comes
        // too late, here it makes the search of 1,000 customers 4-6 % faster.
        prefetch(p.neighbours.row(customer(idx)), num_prefetched);
        prefetch(p.near.row(customer(idx)), num_prefetched);
        for (int64_t number = 0; number < s.num_strings; ++number) {
            const uint32_t before = s.strings[number].before;
            if (s.is_customer(before))
                NCC_PREFETCH(p.distances.address(0, customer(idx), before));
        }
    }
    s.rank_customers(num_customers, customer);
    return num_customers;
}

bool recreate(FleetSearch& s, const SearchParams& params,
              int64_t num_customers, double limit, bool may_miss) {
    return with_costs_of(s.problem, [&]<class Costs> {
        return insert_customers<Costs>(s, params, num_customers, limit,
                                       may_miss);
    });
}

} // namespace ncc::fleets
