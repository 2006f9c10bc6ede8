#include "always_inline.h"
#include "fleets/insertion.h"
#include "fleets/paths.h"
#include "fleets/schedules.h"
#include "fleets/search.h"
#include "prefetch.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace ncc::fleets {

namespace {

// Weights of the orders of insertion by windows and by prizes, beside the 11
// of all.
constexpr double num_rules_of_time = 6.0;
constexpr double num_rules_of_prizes = 6.0;

// Share of these recreates that begin with a customer alone on a vehicle.
constexpr double opening_share = 0.3;

// Share of the recreates that open vehicles of one type alone. A customer
// alone on a vehicle always costs least on a small one.
constexpr double one_type_share = 0.1;

// Share of the ruins after which some customers come on a vehicle together,
// where there are short cuts, and most of these customers. Share of them who
// join others, and most neighbours next to whom that may be.
constexpr double together_share = 0.2;
constexpr int64_t most_together = 7;
constexpr double joining_share = 0.5;
constexpr int64_t most_near = 10;

// Share of them before whom the vehicle calls at a depot.
constexpr double joining_call_share = 0.3;

// Takes a position of this cost where it is cheaper than the best one, unless
// it is overlooked.
inline void improve(Position& best, FleetSearch& s, uint32_t before,
                    double cost) {
    if (cost < best.cost && s.random.unit() >= s.params.blink) {
        best.before = before;
        best.cost = cost;
    }
}

// Returns an empty vehicle for a customer, where that costs less than the best
// position.
NCC_ALWAYS_INLINE Position find_vehicle(FleetSearch& s, uint32_t customer,
                                        Position best) {
    for (int64_t type = 0; type < s.num_types(); ++type) {
        if (s.opened_type && type != *s.opened_type)
            continue;
        const double cost = s.problem.single_cost(type, customer);
        if (cost < best.cost && s.random.unit() >= s.params.blink) {
            const uint32_t route = s.empty_route(type);
            if (route == s.num_slots || !s.admits(customer, route))
                continue;
            const double total = cost + s.opening_penalty(customer, route);
            if (total < best.cost) {
                best.before = s.depot_of(route);
                best.cost = total;
            }
        }
    }
    return best;
}

// Returns an empty vehicle or a gap of the ruin for a customer.
template <class Costs>
inline Position find_opening(FleetSearch& s, uint32_t customer,
                             const Costs& costs, double budget) {
    Position best;
    best.cost = budget;
    best = find_vehicle(s, customer, best);
    const int64_t demand = s.demand(customer);
    for (int64_t number = 0; number < s.num_strings; ++number) {
        const uint32_t before = s.strings[number].before;
        const uint32_t route = s.route_of[before];
        if (s.routes[route].size > 0 && s.has_room(route, demand)) {
            const Gap gap = costs.gap_behind(route, before);
            const double least = costs.bound_in(gap);
            if (!(least < best.cost))
                continue;
            const double extra = s.penalty(customer, route);
            if (least + extra < best.cost)
                improve(best, s, before,
                        costs.cost_in(gap, best.cost - extra) + extra);
        }
    }
    return best;
}

// Returns where a customer costs less than `budget`: on an empty vehicle, in
// the gaps that the ruin left, or next to the nearest customers. One branch
// decides about both gaps next to a neighbour.
template <class Costs>
Position find_position_by(FleetSearch& s, uint32_t customer, double budget) {
    const Costs costs(s, customer);
    Position best = find_opening(s, customer, costs, budget);
    // What each route costs says nothing about how far to look.
    const double least =
        s.has_penalties() ? s.penalties.least_of_all(customer) : 0.0;
    best.cost -= least;
    const auto offer = [&](uint32_t node, double) {
        const uint32_t route = s.route_of[node];
        const Gap behind = costs.gap_behind(route, node);
        const Gap ahead = costs.gap_behind(route, s.nodes[node].prev);
        if (s.trips.is_any() && !costs.has_room(behind) &&
            !costs.has_room(ahead))
            return false;
        const double least_behind = costs.bound_in(behind);
        const double least_ahead = costs.bound_in(ahead);
        // Few gaps suit, and only these are worth a look at the penalty.
        if (std::min(least_behind, least_ahead) < best.cost) {
            const double extra = s.penalty(customer, route) - least;
            if (least_behind + extra < best.cost)
                improve(best, s, node,
                        costs.cost_in(behind, best.cost - extra) + extra);
            if (least_ahead + extra < best.cost)
                improve(best, s, ahead.before,
                        costs.cost_in(ahead, best.cost - extra) + extra);
        }
        return true;
    };
    search::search_neighbours(s, customer, best, offer);
    best.cost += least;
    return best;
}

// Returns the cheapest position of all.
template <class Costs>
Position search_everywhere_by(const FleetSearch& s, uint32_t customer) {
    const Costs costs(s, customer);
    Position best;
    const int64_t demand = s.demand(customer);
    const auto look = [&](uint32_t before) {
        const uint32_t route = s.route_of[before];
        const Gap gap = costs.gap_behind(route, before);
        const double extra = s.penalty(customer, route);
        if (!(costs.bound_in(gap) + extra < best.cost))
            return;
        const double cost = costs.cost_in(gap, best.cost - extra) + extra;
        if (cost < best.cost)
            best = {.before = before, .cost = cost};
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

// Share of the insertions without a call that are held against those with
// one.
constexpr double with_call_share = 0.2;

// Returns the position that costs least, of both ends of a shipment, or with a
// call at a depot.
Position find_special(FleetSearch& s, uint32_t customer, double budget) {
    Position best;
    if (s.problem.pairs.is_paired(customer)) {
        const uint32_t partner = s.problem.pairs.partner_of(customer);
        const double extra = s.penalties.least_cost(partner);
        best.cost = budget - extra;
        best = find_vehicle(s, customer, best);
        best.cost += extra;
        best.companions = {{{partner, best.before}}};
        best = find_pair(s, customer, best);
    } else {
        best = with_costs_of(s.problem, [&]<class Costs> {
            return find_position_by<Costs>(s, customer, budget);
        });
        best.cost = std::min(best.cost, budget);
    }
    if (!s.trips.is_any() ||
        (best.cost < budget && s.random.unit() >= with_call_share))
        return best;
    return with_call(s, customer, best);
}

// Returns the position that costs least beside the prize, of the customer or
// of another one of its group. Unless all are served, whoever need not be
// comes where that is no loss.
Position find_option(FleetSearch& s, uint32_t customer, double budget) {
    if (s.problem.is_follower(customer))
        return {};
    if (!s.prizes.serves_all && s.may_leave(customer))
        budget = std::min(budget, 0.0);
    Position best;
    best.cost = budget;
    for (const uint32_t member : s.prizes.choices(customer)) {
        const double prize = s.prizes.of(member);
        const Position found = find_special(s, member, best.cost + prize);
        if (found.before == 0)
            continue;
        best = found;
        best.cost -= prize;
        best.substitute = member;
    }
    return best;
}

// Whether a customer may come on a route with those of a path.
bool may_join(const FleetSearch& s, uint32_t customer, const Path& path) {
    const auto choices = s.prizes.choices(customer);
    return !s.problem.is_follower(customer) && !choices.empty() &&
           std::ranges::none_of(path.customers(), [&](uint32_t other) {
               return std::ranges::find(choices, other) != choices.end();
           });
}

// Returns any customer of the group of one, where there are short cuts:
// another customer may be reached by way of a member that costs more than
// others.
uint32_t any_of_group(FleetSearch& s, uint32_t customer) {
    if (!s.problem.has_short_cuts || !s.problem.options.has_group(customer))
        return customer;
    const auto members = s.prizes.choices(customer);
    return members[s.random.below(std::ssize(members))];
}

// Puts a call at a depot behind a path now and then, where arcs are
// forbidden: depots alone may lead to a customer, and back from it.
void gather_call(FleetSearch& s, Path& path) {
    const Reloads& reloads = s.problem.reloads;
    if (!s.problem.has_forbidden_arcs || !reloads.is_any() ||
        s.random.unit() >= joining_call_share)
        return;
    const auto number = s.random.below(std::ssize(reloads.depots));
    const uint32_t call = reloads.first + static_cast<uint32_t>(number);
    const auto nodes = path.customers();
    if (s.is_absent(call) &&
        std::find(nodes.begin(), nodes.end(), call) == nodes.end())
        path.push_back(call);
}

// Writes the first customers of the queue who may be on one route into a path,
// and moves them to the front; returns how many they are. A delivery comes
// some places after its pickup, those of several in any order.
int64_t gather(FleetSearch& s, int64_t num_customers, int64_t most,
               Path& path) {
    std::array<uint32_t, most_together> open{};
    int64_t num_open = 0;
    int64_t num_taken = 0;
    const auto deliver = [&] {
        std::swap(open[s.random.below(num_open)], open[num_open - 1]);
        path.push_back(open[--num_open]);
    };
    path.clear();
    for (int64_t idx = 0; idx < num_customers && num_taken < most; ++idx) {
        if (!may_join(s, s.queue[idx], path))
            continue;
        const uint32_t customer = any_of_group(s, s.queue[idx]);
        std::swap(s.queue[num_taken++], s.queue[idx]);
        if (num_open == 0)
            gather_call(s, path);
        path.push_back(customer);
        if (s.problem.pairs.is_paired(customer))
            open[num_open++] = s.problem.pairs.partner_of(customer);
        while (num_open > 0 && (num_taken == most || s.random.unit() < 0.5))
            deliver();
    }
    while (num_open > 0)
        deliver();
    gather_call(s, path);
    return num_taken;
}

// Returns the depot of any empty vehicle, or 0.
uint32_t any_vehicle(FleetSearch& s) {
    const uint32_t route = s.empty_route(s.random.below(s.num_types()));
    return route == s.num_slots ? 0 : s.depot_of(route);
}

// Returns a node next to a neighbour of the first customer, or 0.
uint32_t any_neighbour(FleetSearch& s) {
    const auto near = s.problem.neighbours.row(s.queue[0]);
    if (near.empty())
        return 0;
    const uint32_t node =
        near[s.random.below(std::min<int64_t>(std::ssize(near), most_near))];
    if (s.is_absent(node))
        return 0;
    return s.random.below(2) == 0 ? node : s.nodes[node].prev;
}

// Inserts at most `size` of the first customers behind a node, as they come;
// returns how many they are: none where their route breaks a limit, or they
// cost not less than `budget`.
int64_t insert_together(FleetSearch& s, uint32_t before, int64_t num_customers,
                        int64_t size, double budget) {
    if (before == 0)
        return 0;
    const uint32_t route = s.route_of[before];
    const int64_t num_taken = gather(s, num_customers, size, s.paths[1]);
    const auto added = s.paths[1].customers();
    const double cost = s.change_by(route, before, added);
    if (!(cost < budget) ||
        !s.keeps(s.trial.customers(), s.problem.type_of[route], added))
        return 0;
    for (const uint32_t customer : added) {
        const double part = customer == added.back() ? cost : 0.0;
        const double change =
            part + s.opening_penalty(customer, route) - s.prizes.of(customer);
        s.insert(customer, {.before = before, .cost = change});
        before = customer;
    }
    return num_taken;
}

} // namespace

double FleetSearch::num_rules() const {
    return search::num_rules + (problem.is_timed ? num_rules_of_time : 0.0) +
           (problem.options.has_optional ? num_rules_of_prizes : 0.0);
}

// With windows also the narrow, the early and the late ones come first, with
// the weight 2 each; with prizes the largest ones, and those for a unit of
// demand, with the weight 3 each.
double FleetSearch::order_key(uint32_t customer, double rule) {
    if (trips.is_any() && 4.0 <= rule && rule < 8.0)
        return -static_cast<double>(problem.loads.size_of(customer));
    if (rule < search::num_rules)
        return search::order_key(*this, customer, rule);
    if (problem.options.has_optional) {
        if (rule < search::num_rules + 0.5 * num_rules_of_prizes)
            return -prizes.of(customer);
        if (rule < search::num_rules + num_rules_of_prizes)
            return -prizes.of(customer) /
                   std::max(1.0, static_cast<double>(demand(customer)));
        rule -= num_rules_of_prizes;
    }
    const Visit& visit = problem.visits[customer];
    if (rule < 13.0)
        return visit.late - visit.early;
    return rule < 15.0 ? visit.early : -visit.late;
}

void FleetSearch::prefetch_gaps(uint32_t customer) const {
    for (int64_t number = 0; number < num_strings; ++number) {
        const uint32_t before = strings[number].before;
        if (is_customer(before))
            NCC_PREFETCH(problem.distances.address(0, customer, before));
    }
}

int64_t FleetSearch::begin_recreate(int64_t num_customers, double limit) {
    each_feature([&](auto& feature) { feature.begin_recreate(*this); });
    opened_type.reset();
    if (num_types() > 1 && random.unit() < one_type_share)
        opened_type = random.below(num_types());
    // Where a way is short by way of another customer alone, the two may have
    // a place together and none one after the other; so may one with calls.
    const int64_t least = problem.has_forbidden_arcs && trips.is_any() ? 1 : 2;
    if (problem.has_short_cuts && random.unit() < together_share &&
        num_customers >= least) {
        const int64_t span = std::min(num_customers, most_together) - least;
        const int64_t size = least + random.below(span + 1);
        const uint32_t spot = random.unit() < joining_share
                                  ? any_neighbour(*this)
                                  : any_vehicle(*this);
        return insert_together(*this, spot, num_customers, size, limit - cost);
    }
    // No prize alone is worth a vehicle.
    if (problem.options.has_optional && prizes.serves_all &&
        num_customers > 0 && random.unit() < opening_share)
        return insert_together(*this, any_vehicle(*this), num_customers, 1,
                               infinity);
    return 0;
}

Position FleetSearch::find_position(uint32_t customer, double budget) {
    if (problem.is_special)
        return find_option(*this, customer, budget);
    return with_costs_of(problem, [&]<class Costs> {
        return find_position_by<Costs>(*this, customer, budget);
    });
}

Position FleetSearch::search_everywhere(uint32_t customer) {
    Position found;
    if (problem.pairs.is_paired(customer))
        found = find_pair(*this, customer, found, true);
    else
        found = with_costs_of(problem, [&]<class Costs> {
            return search_everywhere_by<Costs>(*this, customer);
        });
    found.cost -= prizes.of(customer);
    return found;
}

void FleetSearch::insert(uint32_t customer, const Position& position) {
    cost += position.cost;
    if (position.substitute != 0)
        customer = position.substitute;
    const auto [first, first_before] = position.companions.front();
    const uint32_t route_idx =
        route_of[first != 0 ? first_before : position.before];
    const double old_cost = routes[route_idx].cost + penalty_cost;
    double change = position.cost;
    for (const auto& [node, before] : position.companions) {
        if (node == 0)
            break;
        const double extra = penalty(node, route_of[before]) - prizes.of(node);
        insert_one(node, before, extra, customer);
        change -= extra;
    }
    insert_one(customer, position.before, change, customer);
    // What a node costs depends on the others.
    if (first != 0 && has_penalties()) {
        schedule_anew(*this, route_idx);
        change = routes[route_idx].cost + penalty_cost - old_cost;
        cost += change - position.cost;
    }
}

NCC_ALWAYS_INLINE void FleetSearch::insert_one(uint32_t customer,
                                               uint32_t before, double change,
                                               uint32_t opener) {
    const uint32_t after = nodes[before].next;
    const uint32_t route_idx = route_of[before];
    Route& route = routes[route_idx];
    double edge = nodes[before].to_next;
    if (route.size == 0)
        edge = 0.0;
    // A route that the ruin emptied does not count as free yet.
    if (is_unopened(route_idx)) {
        --num_free;
        penalties.open_route(route_idx, opener);
    }
    touch(route_idx);
    // The customer's own lengths are in the cache, those of `before` are not.
    set_edge(before, customer, distance_back(route_idx, customer, before));
    set_edge(customer, after, distance(route_idx, customer, after));
    route_of[customer] = route_idx;
    loads[route_idx] += demand(customer);
    ++route.size;
    const double extra = penalty(customer, route_idx) - prizes.of(customer);
    count(customer, route_idx, 1);
    note_inserted(customer, edge);
    settle_inserted(*this, customer, edge, change - extra);
}

} // namespace ncc::fleets
